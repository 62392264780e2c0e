/** Kinds of log entries that start a check whose outcome is a gate event. */
const START_KINDS = ['test_start', 'sweep_start', 'gate_start', 'check_start', 'verification_start'] as const;

const kinds = START_KINDS.map((kind) => `'${kind}'`).join(', ');

/** Whether a log entry starts a check. */
export const isStart = (kind: string): string => `${kind} IN (${kinds})`;

/** Whether a gate event is an outcome: one that only says that a check which began was given up is none. */
export const isOutcome = (gate: string): string =>
  `(${gate}.ended_at_ms IS NOT NULL OR ${gate}.started_at_ms IS NULL OR ${gate}.verdict <> 'no_verdict')`;

/**
 * Ids of entries that start a check without an outcome. An outcome belongs to the start whose time it names; in a log whose
 * outcomes name no start, to the last start before it about the same feature.
 */
export const OPEN_STARTS = `(SELECT s.event_id FROM (
   SELECT event_id, run_id, feature_id, at_ms, lead(at_ms) OVER (PARTITION BY run_id, feature_id ORDER BY at_ms, source_line) AS next_ms
   FROM log_events WHERE at_ms IS NOT NULL AND ${isStart('kind')}) s
  LEFT JOIN (SELECT *, count(started_at_ms) OVER (PARTITION BY source_id) > 0 AS names_starts FROM gate_events) g
   ON g.run_id IS NOT DISTINCT FROM s.run_id AND g.feature_id IS NOT DISTINCT FROM s.feature_id AND ${isOutcome('g')}
   AND (g.started_at_ms = s.at_ms
    OR (NOT g.names_starts AND g.ended_at_ms >= s.at_ms AND (s.next_ms IS NULL OR g.ended_at_ms < s.next_ms)))
  GROUP BY s.event_id HAVING count(g.gate_event_id) = 0)`;
