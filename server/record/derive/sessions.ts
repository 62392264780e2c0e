/** How the words of several rows about one session are put in order. */
const FIRST = '(rank, source_id, coalesce(source_line, 0))';

/**
 * One row a session: what was told of it first, and the time from its first row to its last. A subagent's session names its
 * parent. Rests on sessions_told, llm_requests, tool_calls, gate_events and log_events.
 */
export const SESSIONS = `
 WITH times AS (SELECT session_id, min(at_ms) AS first_ms, max(at_ms) AS last_ms FROM (
   SELECT session_id, unnest([started_at_ms, ended_at_ms]) AS at_ms FROM llm_requests
   UNION ALL SELECT session_id, unnest([started_at_ms, ended_at_ms]) FROM tool_calls
   UNION ALL SELECT session_id, unnest([started_at_ms, ended_at_ms]) FROM gate_events WHERE is_copy IS NOT TRUE
   UNION ALL SELECT session_id, at_ms FROM log_events WHERE is_copy IS NOT TRUE) WHERE session_id IS NOT NULL GROUP BY session_id),
 told AS (SELECT session_id, arg_min(run_id, ${FIRST}) AS run_id, arg_min(parent_session_id, ${FIRST}) AS parent_session_id,
   arg_min(forked_from, ${FIRST}) AS forked_from, arg_min(role, ${FIRST}) AS role, coalesce(bool_or(is_subagent), FALSE) AS is_subagent,
   arg_min(harness, ${FIRST}) AS harness, arg_min(harness_version, ${FIRST}) AS harness_version, arg_min(title, ${FIRST}) AS title,
   arg_min(cwd, ${FIRST}) AS cwd, arg_min(git_branch, ${FIRST}) AS git_branch, arg_min(base_commit, ${FIRST}) AS base_commit,
   min(started_at_ms) AS started_at_ms, max(ended_at_ms) AS ended_at_ms, arg_min(end_reason, ${FIRST}) AS end_reason,
   arg_min(source_id, ${FIRST}) AS source_id, arg_min(source_line, ${FIRST}) AS source_line FROM sessions_told GROUP BY session_id)
 SELECT t.* REPLACE (coalesce(t.started_at_ms, x.first_ms) AS started_at_ms, coalesce(t.ended_at_ms, x.last_ms) AS ended_at_ms)
 FROM told t LEFT JOIN times x USING (session_id)`;
