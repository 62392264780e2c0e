import type { Code } from '../../shared/codes.ts';
import type { PlanText } from './ports.ts';
import { type ReadPlan, readPlan } from './read-plan.ts';
import type { FaultyPlan, NamedPlanner } from './types.ts';

/** A plan that takes the place of one that could not be used as a whole: read to its end before anything of it is shown. */
export interface Instead {
  plan: PlanText;
  /** Who wrote it. */
  planner: NamedPlanner;
  sections: ReadonlyMap<string, unknown>;
  /** Blocks by their place in the plan. */
  blocks: ReadonlyMap<number, unknown>;
}

/** Codes of a text that was read to its end and is no plan: its writer may put it right. */
const REPAIRABLE: ReadonlySet<Code> = new Set(['plan_invalid', 'plan_empty']);

/** What a plan's writer is told to put right; nothing where the plan is right, or ended in a way that no writing mends. */
function faultsOf(plan: PlanText, problems: readonly string[]): readonly string[] {
  if (plan.code === null) return problems;
  return REPAIRABLE.has(plan.code) ? [...problems, `whole plan: ${plan.code}`] : [];
}

/** Whether there is something its writer could put right. */
export const isRepairable = (plan: PlanText, problems: readonly string[]): boolean =>
  faultsOf(plan, problems).length > 0;

/**
 * Asks the planner once to put right what was wrong with its plan.
 * @param problems what the validator said, block by block
 * @returns null where nothing was wrong, where it cannot be asked, or where that came to nothing either
 */
export async function repaired(
  { planner, ...options }: Omit<ReadPlan, 'onEvent' | 'ready'>,
  plan: PlanText,
  problems: readonly string[],
): Promise<Instead | null> {
  const wrong = faultsOf(plan, problems);
  const { repair } = planner;
  if (wrong.length === 0 || repair === undefined) return null;
  const faulty: FaultyPlan = { text: plan.text, problems: wrong };
  const read = await readWhole({
    ...options,
    planner: { ...planner, plan: (request) => repair(request, faulty) },
  });
  return read.plan.code === null && read.blocks.size > 0 ? { ...read, planner } : null;
}

/** The plan of the planner that stands in for one that failed; null where there is none, or it failed too. */
export async function fallenBack(options: Omit<ReadPlan, 'onEvent' | 'ready'>): Promise<Instead | null> {
  const { fallback } = options.planner;
  if (fallback === undefined) return null;
  const read = await readWhole({ ...options, planner: fallback });
  return read.plan.code === null && read.blocks.size > 0 ? read : null;
}

async function readWhole(options: Omit<ReadPlan, 'onEvent' | 'ready'>): Promise<Instead> {
  const sections = new Map<string, unknown>();
  const blocks = new Map<number, unknown>();
  const plan = await readPlan({
    ...options,
    ready: Promise.resolve(),
    onEvent(event) {
      if (event.kind === 'section') sections.set(event.key, event.value);
      else if (event.kind === 'block') blocks.set(event.index, event.value);
    },
  });
  return { plan, planner: options.planner, sections, blocks };
}
