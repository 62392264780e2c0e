import { textAt } from '../cells.ts';
import { placeOf } from './place.ts';
import type { Rule } from './rule.ts';

const BYPASSED = `
 SELECT g.source_id, g.source_line, g.gate_event_id AS ref, g.reason, coalesce(s.title, g.session_id) AS session
 FROM gate_events g LEFT JOIN sessions s USING (session_id)
 WHERE g.verdict = 'bypassed' AND starts_with(g.gate, 'hook:') AND g.is_copy IS NOT TRUE ORDER BY g.source_id, g.source_line`;

/** A stop that hooks held up until the harness let it through. */
export const stopCapReached: Rule = {
  id: 'stop_cap_reached',
  sentence: 'Hooks held up a stop as often as the harness allows, and then it went through.',
  find: async (query) =>
    (await query(BYPASSED)).map((row) => ({
      id: `stop_cap_reached.${textAt(row, 'ref')}`,
      runId: null,
      featureId: null,
      severity: 'error' as const,
      fact: null,
      says: `In the session "${textAt(row, 'session')}" the gate did not hold: ${textAt(row, 'reason')}`,
      rows: [placeOf(row)],
    })),
};
