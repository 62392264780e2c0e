import { DEBUG_CAP } from '../ingest/agent-loop/contract.ts';
import { about, loopRuns } from './loop-runs.ts';
import type { Rule } from './rule.ts';

const RULE = 'debug_cap_exceeded';

/** The loop has to stop after its last debug iteration and ask; one that goes on has lost its bound. */
export const debugCapExceeded: Rule = {
  id: RULE,
  sentence: `A run has more than ${DEBUG_CAP} debug iterations, which is where the loop has to stop.`,
  find: async (query) =>
    (await loopRuns(query)).flatMap((run) => {
      const n = run.iterations.length;
      const over = run.iterations.slice(DEBUG_CAP).map(({ place }) => place);
      return n <= DEBUG_CAP
        ? []
        : [
            {
              ...about(
                run,
                RULE,
                'warning',
                `${run.folder} has ${n} debug iterations, and the loop has to stop after ${DEBUG_CAP}`,
                over,
              ),
              fact: 'attempts',
            },
          ];
    }),
};
