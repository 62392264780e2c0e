/**
 * Where the wall time of each session went, in milliseconds: model, tools, gates, waiting for a person, idle. Parallel stretches
 * are joined, never added. Rests on sessions, llm_requests, tool_calls, gate_events, session_spans.
 */
export const SESSION_TIME = `
 SELECT session_id, 'model' AS kind, CAST(sum(ended_at_ms - started_at_ms) AS BIGINT) AS ms FROM llm_requests
 WHERE session_id IS NOT NULL AND ended_at_ms >= started_at_ms GROUP BY session_id`;
