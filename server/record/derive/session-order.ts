/**
 * Which of several sessions that show the same rows had them first: columns session_id, own_ms. A session that goes on from
 * another begins with its rows; so of two, the first is the one whose rows of its own begin earlier, or that has none.
 * To be joined; a session that is missing has no rows of its own.
 */
export const SESSION_ORDER = `
 SELECT session_id, min(at_ms) AS own_ms FROM (
  SELECT min(session_id) AS session_id, min(at_ms) AS at_ms FROM (
   SELECT 'm' || message_id AS key, session_id, ended_at_ms AS at_ms FROM llm_requests_told WHERE channel = 'transcript' AND message_id IS NOT NULL
   UNION ALL SELECT 'l' || copy_key, session_id, at_ms FROM log_events WHERE kind = 'prompt' AND copy_key IS NOT NULL)
  WHERE session_id IS NOT NULL GROUP BY key HAVING min(session_id) = max(session_id)) GROUP BY session_id`;
