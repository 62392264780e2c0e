import { type Code, isCode } from '../../shared/codes.ts';
import { type NamedPlanner, PlannerError } from './types.ts';

/** Codes of an answer that its planner had ended with: they are told again with the plan. */
const OF_A_PLANNER = new Set<Code>([
  'no_model_key',
  'model_refused',
  'model_unreachable',
  'model_auth',
  'model_rate_limited',
  'model_failed',
  'model_timeout',
  'cut_short',
  'connection_lost',
]);
/** Characters of one piece, so that cards reach the page one after another. */
const PIECE = 512;

/** A plan that was written before, by whom, and the code its answer ended with. */
export interface WrittenPlan {
  planner: Omit<NamedPlanner, 'plan'>;
  plan: string;
  code: string | null;
}

/** A planner that writes what was written then, and ends as it ended. */
export function writingPlan({ planner, plan, code }: WrittenPlan): NamedPlanner {
  return {
    ...planner,
    plan: async function* ({ signal }) {
      for (let at = 0; at < plan.length && !signal.aborted; at += PIECE) {
        yield plan.slice(at, at + PIECE);
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
      if (isCode(code) && OF_A_PLANNER.has(code))
        throw new PlannerError(code, 'the kept answer had ended so');
    },
  };
}
