import { numberAt, textAt } from '../cells.ts';
import { CITED, placeOf } from './place.ts';
import type { Rule } from './rule.ts';
import { numberText } from './words.ts';

/** Files that must have been touched at the same pace before it is no chance. */
const FILES = 3;

/**
 * Times at which one source says files of one task were touched: all on full seconds, all equally far apart. The times a tool
 * writes have milliseconds and no pace.
 */
const PACED = `
 WITH touches AS (SELECT *, at_ms - lag(at_ms) OVER (PARTITION BY source_id, feature_id ORDER BY at_ms, source_line) AS gap
  FROM file_touches WHERE op = 'touch' AND at_ms IS NOT NULL AND feature_id IS NOT NULL)
 SELECT t.source_id, t.feature_id, any_value(t.run_id) AS run_id, any_value(f.ext_id) AS ext_id, count(*) AS files, max(gap) AS gap,
  min(at_ms) AS first_ms, max(at_ms) AS last_ms,
  (SELECT count(*) FROM tool_calls c WHERE c.feature_id = t.feature_id AND c.started_at_ms BETWEEN min(t.at_ms) - 2000 AND max(t.at_ms) + 2000) AS traced
 FROM touches t LEFT JOIN features f USING (feature_id) GROUP BY t.source_id, t.feature_id
 HAVING count(*) >= ${FILES} AND bool_and(at_ms % 1000 = 0) AND min(gap) = max(gap) AND max(gap) > 0
 ORDER BY t.source_id, t.feature_id`;
const TOUCHES = `
 SELECT touch_id AS ref, source_id, source_line FROM file_touches WHERE op = 'touch' AND source_id = $1 AND feature_id = $2 AND at_ms IS NOT NULL
 ORDER BY source_line LIMIT ${CITED}`;

export const madeUpTimes: Rule = {
  id: 'made_up_times',
  sentence:
    'Files are said to have been touched at exactly equal distances on full seconds, so the times were typed in.',
  find: async (query) => {
    const findings = [];
    for (const row of await query(PACED)) {
      const source = textAt(row, 'source_id') ?? '';
      const feature = textAt(row, 'feature_id') ?? '';
      const rows = await query(TOUCHES, [source, feature]);
      const gap = numberText((numberAt(row, 'gap') ?? 0) / 1000);
      const traced = numberAt(row, 'traced') === 0 ? ', and no tool call is recorded at that time' : '';
      findings.push({
        id: `made_up_times.${source}.${feature}`,
        runId: textAt(row, 'run_id'),
        featureId: feature,
        severity: 'warning' as const,
        fact: null,
        says: `${numberAt(row, 'files')} files of ${textAt(row, 'ext_id')} are said to have been touched exactly ${gap} s apart, on full seconds${traced}`,
        rows: rows.map(placeOf),
      });
    }
    return findings;
  },
};
