import { about, loopRuns } from './loop-runs.ts';
import type { Rule } from './rule.ts';

const RULE = 'plan_without_check';

/** Without a command that passes only when the task is done, "done" is a matter of opinion. */
export const planWithoutCheck: Rule = {
  id: RULE,
  sentence: 'A plan names no command that passes only when the task is done.',
  find: async (query) =>
    (await loopRuns(query)).flatMap((run) => {
      const plan = run.artifacts.get('plan.md');
      if (!run.check || run.check.data.command !== null || !plan) return [];
      const { instead } = run.check.data;
      const words =
        instead === null ? '' : `; it says "${(instead.split('\n')[0] ?? '').slice(0, 80)}" instead`;
      const place = run.check.place.line === null ? plan.place : run.check.place;
      return [
        about(run, RULE, 'error', `The plan of ${run.folder} names no runnable check${words}`, [place]),
      ];
    }),
};
