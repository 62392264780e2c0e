import { numberAt, textAt } from '../cells.ts';
import { countText, placeOf } from './place.ts';
import type { Rule } from './rule.ts';

/** Entries that say all is done, each with the first entry about a task after it, and how many there are up to the end. */
const EARLY = `
 SELECT d.event_id AS ref, d.run_id, d.source_id, d.source_line, d.at_ms, count(*) AS entries, count(DISTINCT e.feature_id) AS features,
  min(e.source_line) AS next_line, arg_min(e.event_id, e.source_line) AS next_ref, arg_min(f.ext_id, e.source_line) AS next_feature,
  count(*) FILTER (e.level = 'error') AS failures
 FROM log_events d JOIN log_events e ON e.source_id = d.source_id AND e.source_line > d.source_line AND e.feature_id IS NOT NULL
 LEFT JOIN features f ON f.feature_id = e.feature_id
 WHERE d.kind = 'all_done' GROUP BY ALL ORDER BY d.source_id, d.source_line`;

/** "Build complete", and then the work goes on: whoever stopped reading there took a part for the whole. */
export const completeBeforeEnd: Rule = {
  id: 'complete_before_end',
  sentence: 'A log says that everything is done, and goes on.',
  find: async (query) =>
    (await query(EARLY)).map((row) => {
      const entries = countText(numberAt(row, 'entries') ?? 0, 'entry', 'entries');
      const failures = numberAt(row, 'failures') ?? 0;
      return {
        id: `complete_before_end.${textAt(row, 'ref')}`,
        runId: textAt(row, 'run_id'),
        featureId: null,
        severity: 'warning' as const,
        fact: 'status',
        says: `The log says that all is done; ${entries} about ${countText(numberAt(row, 'features') ?? 0, 'task', 'tasks')} follow, first about ${textAt(row, 'next_feature')}, and ${countText(failures, 'is a failure', 'are failures')}`,
        rows: [
          placeOf(row),
          {
            sourceId: textAt(row, 'source_id') ?? '',
            line: numberAt(row, 'next_line'),
            ref: textAt(row, 'next_ref'),
          },
        ],
      };
    }),
};
