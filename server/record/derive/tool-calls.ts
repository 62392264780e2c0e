import { WITH_ROLLOUT } from './rollout-counts.ts';
import { SESSION_ORDER } from './session-order.ts';

/** The row of a call speaks before that of its result, a main session's before a sidechain's copy, an earlier time and line before a later. */
export const FIRST_TOLD =
  '(name IS NULL, coalesce(is_sidechain, FALSE), coalesce(started_at_ms, ended_at_ms, 0), source_id, coalesce(source_line, 0))';
/** The same, the session that had the call first before one that goes on from it: their copies have equal times. */
const FIRST = `(name IS NULL, coalesce(is_sidechain, FALSE), coalesce(own_ms, 0), coalesce(started_at_ms, ended_at_ms, 0), source_id, coalesce(source_line, 0))`;
const first = (...columns: readonly string[]): string =>
  columns.map((column) => `arg_min(${column}, ${FIRST}) AS ${column}`).join(', ');

/**
 * One row a tool call, whichever files its call and its result are told in, and however often. A call without a result has the
 * status unknown. Rests on tool_calls_told, and on what orders sessions.
 */
export const TOOL_CALLS = `
 SELECT tool_call_id, ${first('run_id', 'session_id', 'feature_id', 'attempt_n', 'name', 'kind', 'target', 'is_sidechain')},
  min(started_at_ms) AS started_at_ms, min(ended_at_ms) AS ended_at_ms,
  coalesce(min(duration_ms), CASE WHEN min(ended_at_ms) >= min(started_at_ms) THEN min(ended_at_ms) - min(started_at_ms) END) AS duration_ms,
  ${first('wait_user_ms')}, coalesce(arg_min(status, ${FIRST}), 'unknown') AS status,
  ${first('exit_code', 'error_class', 'error_sig', 'output_bytes', 'commit_sha', 'source_id', 'source_kind', 'source_line')}
 FROM tool_calls_told LEFT JOIN (${SESSION_ORDER}) USING (session_id)
 WHERE NOT (source_kind = 'codex_exec' AND coalesce(session_id IN ${WITH_ROLLOUT}, FALSE)) GROUP BY tool_call_id`;
