/** Kinds of log entries that start a check whose outcome is a gate event. */
const START_KINDS = ['test_start', 'sweep_start', 'gate_start', 'check_start', 'verification_start'] as const;

const kinds = START_KINDS.map((kind) => `'${kind}'`).join(', ');

/** Whether a log entry starts a check. */
export const isStart = (kind: string): string => `${kind} IN (${kinds})`;

/**
 * Ids of entries that start a check without an outcome. An outcome belongs to a start when it says when the check began, or,
 * where it does not, when it ended before the next start about the same feature.
 */
export const OPEN_STARTS = `(SELECT s.event_id FROM (
   SELECT event_id, run_id, feature_id, at_ms, lead(at_ms) OVER (PARTITION BY run_id, feature_id ORDER BY at_ms, source_line) AS next_ms
   FROM log_events WHERE at_ms IS NOT NULL AND ${isStart('kind')}) s
  LEFT JOIN gate_events g ON g.run_id IS NOT DISTINCT FROM s.run_id AND g.feature_id IS NOT DISTINCT FROM s.feature_id
   AND (g.started_at_ms = s.at_ms OR (g.started_at_ms IS NULL AND g.ended_at_ms >= s.at_ms AND (s.next_ms IS NULL OR g.ended_at_ms < s.next_ms)))
  GROUP BY s.event_id HAVING count(g.gate_event_id) = 0)`;
