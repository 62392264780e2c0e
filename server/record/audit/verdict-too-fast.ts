import { numberAt, textAt } from '../cells.ts';
import { placeOf } from './place.ts';
import type { Rule } from './rule.ts';

/** A browser has not opened a page and looked at it in this time. */
const MS = 5_000;

const FAST = `
 SELECT g.gate_event_id AS ref, g.run_id, g.feature_id, f.ext_id, g.gate, g.verdict, g.duration_ms, g.source_id, g.source_line
 FROM gate_events g LEFT JOIN features f USING (feature_id)
 WHERE g.gate IN ('scripted_test', 'defect_sweep') AND g.verdict IN ('pass', 'block', 'error') AND g.duration_ms < ${MS}
  AND coalesce(trim(g.reason), '(no summary)') IN ('', '(no summary)')
 ORDER BY g.source_id, g.source_line`;

/** A verdict that came before anything could have been looked at, and says nothing of what it saw. */
export const verdictTooFast: Rule = {
  id: 'verdict_too_fast',
  sentence: 'A check in a browser came to a verdict within seconds, and says nothing of what it saw.',
  find: async (query) =>
    (await query(FAST)).map((row) => ({
      id: `verdict_too_fast.${textAt(row, 'ref')}`,
      runId: textAt(row, 'run_id'),
      featureId: textAt(row, 'feature_id'),
      severity: 'warning' as const,
      fact: null,
      says: `The ${(textAt(row, 'gate') ?? 'check').replaceAll('_', ' ')} of ${textAt(row, 'ext_id')} came to its verdict in ${((numberAt(row, 'duration_ms') ?? 0) / 1000).toFixed(1)} s and left no summary`,
      rows: [placeOf(row)],
    })),
};
