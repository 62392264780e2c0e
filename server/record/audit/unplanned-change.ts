import { about, loopRuns } from './loop-runs.ts';
import { CITED, countText } from './place.ts';
import type { Rule } from './rule.ts';
import { listText } from './words.ts';

const RULE = 'unplanned_change';
const NAMED = 5;

/** A plan lists every file; what is changed beyond it has to be told as a deviation. */
export const unplannedChange: Rule = {
  id: RULE,
  sentence: 'Files were changed that the plan does not list, and no deviation from the plan is told.',
  find: async (query) =>
    (await loopRuns(query)).flatMap((run) => {
      if (run.planned.length === 0 || run.deviations > 0) return [];
      const listed = run.planned.map(({ data }) => data.replace(/\/$/, ''));
      const beyond = run.changed.filter(
        ({ data }) => !listed.some((path) => data === path || data.startsWith(`${path}/`)),
      );
      if (beyond.length === 0) return [];
      const names = beyond.slice(0, NAMED).map(({ data }) => data);
      const more = beyond.length - names.length;
      const list = more > 0 ? `${names.join(', ')} and ${more} more` : listText(names);
      const says = `${run.folder} changed ${countText(beyond.length, 'file', 'files')} its plan does not list and tells of no deviation: ${list}`;
      return [
        about(
          run,
          RULE,
          'warning',
          says,
          beyond.slice(0, CITED).map(({ place }) => place),
        ),
      ];
    }),
};
