/**
 * The entries of the logs: those without an outcome of their own, and the outcomes of gates that stand in the same logs.
 * An outcome that is an entry as well is there once, as that entry.
 */
export const LOG_LINES = `(SELECT event_id, run_id, feature_id, at_ms, zone, level, kind, message, source_id, source_kind, source_line, last_line
  FROM log_events WHERE is_copy IS NOT TRUE
  UNION ALL SELECT g.gate_event_id, g.run_id, g.feature_id, coalesce(g.ended_at_ms, g.started_at_ms), NULL,
   CASE g.verdict WHEN 'pass' THEN 'info' WHEN 'bypassed' THEN 'warning' ELSE 'error' END, 'gate_' || g.verdict,
   replace(g.gate, '_', ' ') || ': ' || g.verdict || coalesce('. ' || g.reason, ''), g.source_id, g.source_kind, g.source_line, g.last_line
  FROM gate_events g ANTI JOIN log_events e ON e.source_id = g.source_id AND e.source_line = g.source_line
  WHERE g.is_copy IS NOT TRUE AND g.source_line IS NOT NULL AND g.source_id IN (SELECT source_id FROM log_events))`;
