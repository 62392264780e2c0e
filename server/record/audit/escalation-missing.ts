import { DEBUG_CAP } from '../ingest/agent-loop/contract.ts';
import { about, loopRuns } from './loop-runs.ts';
import type { Rule } from './rule.ts';

const RULE = 'escalation_missing';

/** At the cap a person has to be told; otherwise the run just ends, and nobody knows. */
export const escalationMissing: Rule = {
  id: RULE,
  sentence: `A run used up its ${DEBUG_CAP} debug iterations without a PASS, and was not escalated.`,
  find: async (query) =>
    (await loopRuns(query)).flatMap((run) => {
      const last = run.iterations.at(-1);
      if (!run.verdict || !last || run.iterations.length < DEBUG_CAP) return [];
      if (run.escalated || run.verdict.data.exact === 'PASS') return [];
      return [
        about(
          run,
          RULE,
          'warning',
          `${run.folder} has ${run.iterations.length} debug iterations and no PASS, and no summary for a person`,
          [run.verdict.place, last.place],
        ),
      ];
    }),
};
