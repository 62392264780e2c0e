import { about, loopRuns } from './loop-runs.ts';
import type { Rule } from './rule.ts';

const RULE = 'verdict_not_exact';

/** What is read by a machine must be one of two words; "looks good" ends no loop. */
export const verdictNotExact: Rule = {
  id: RULE,
  sentence: 'A verdict is neither exactly PASS nor exactly FAIL.',
  find: async (query) =>
    (await loopRuns(query)).flatMap((run) => {
      if (!run.verdict || run.verdict.data.exact !== null) return [];
      const said = (run.verdict.data.text.split('\n')[0] ?? '').slice(0, 80);
      const says =
        said === ''
          ? `The test report of ${run.folder} gives no verdict`
          : `The verdict of ${run.folder} is "${said}", which is neither PASS nor FAIL`;
      return [about(run, RULE, 'error', says, [run.verdict.place])];
    }),
};
