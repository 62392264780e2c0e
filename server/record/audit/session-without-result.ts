import { textAt } from '../cells.ts';
import { placeOf } from './place.ts';
import type { Rule } from './rule.ts';

/** Headless sessions whose output begins and does not end with a result. */
const OPEN = `
 SELECT b.source_id, b.source_line, b.event_id AS ref, b.session_id AS session FROM log_events b
 WHERE b.kind = 'session_start' AND b.source_kind = 'claude_result' AND b.is_copy IS NOT TRUE AND NOT EXISTS (
  FROM log_events e WHERE e.kind = 'session_end' AND e.session_id = b.session_id)
 QUALIFY row_number() OVER (PARTITION BY b.session_id ORDER BY b.source_id, b.source_line) = 1 ORDER BY b.source_id, b.source_line`;

/** A headless session that ended without a word: killed, or still at work. Never a success. */
export const sessionWithoutResult: Rule = {
  id: 'session_without_result',
  sentence: 'The output of a headless session has no result, so how it ended is unknown.',
  find: async (query) =>
    (await query(OPEN)).map((row) => ({
      id: `session_without_result.${textAt(row, 'session')}`,
      runId: null,
      featureId: null,
      severity: 'warning' as const,
      fact: null,
      says: `The output of the session ${textAt(row, 'session')} ends without a result: it was killed, or it is still at work.`,
      rows: [placeOf(row)],
    })),
};
