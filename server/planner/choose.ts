import type { NamedPlanner } from '../answer/types.ts';
import { builtinPlanner } from './builtin/index.ts';
import { openaiPlanner } from './openai.ts';

export interface PlannerConfig {
  apiKey: string | null;
  baseURL: string | null;
  /** Null for the model named here. */
  model: string | null;
  effort: string | null;
}

/** Used when a key is set but no model is named. */
export const DEFAULT_MODEL = 'gpt-5-mini';

const given = (text: string | null): string | null =>
  text === null || text.trim() === '' ? null : text.trim();

/** The model when a key or an address of a model server is set, with the built-in planner to fall back on; else that alone. */
export function choosePlanner(config: PlannerConfig): NamedPlanner {
  const apiKey = given(config.apiKey);
  const baseURL = given(config.baseURL);
  if (apiKey === null && baseURL === null) return builtinPlanner();
  const model = openaiPlanner({
    apiKey,
    baseURL,
    model: given(config.model) ?? DEFAULT_MODEL,
    effort: given(config.effort),
  });
  return { ...model, fallback: builtinPlanner() };
}
