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
 * status unknown. It is tied to work as the model calls around it are: to the feature its source names, else to what its stretch of
 * the session worked on (`link_method` says which); to the run its source names, else the feature's, else the one whose time holds
 * it, else the only one. Rests on tool_calls_told, session_work, features, runs, run_times, and on what orders sessions.
 */
export const TOOL_CALLS = `
 WITH calls AS (
  SELECT tool_call_id, ${first('run_id', 'session_id', 'feature_id', 'attempt_n', 'name', 'kind', 'target', 'is_sidechain')},
   min(started_at_ms) AS started_at_ms, min(ended_at_ms) AS ended_at_ms,
   coalesce(min(duration_ms), CASE WHEN min(ended_at_ms) >= min(started_at_ms) THEN min(ended_at_ms) - min(started_at_ms) END) AS duration_ms,
   ${first('wait_user_ms')}, coalesce(arg_min(status, ${FIRST}), 'unknown') AS status,
   ${first('exit_code', 'error_class', 'error_sig', 'output_bytes', 'commit_sha', 'source_id', 'source_kind', 'source_line')}
  FROM tool_calls_told LEFT JOIN (${SESSION_ORDER}) USING (session_id)
  WHERE NOT (source_kind = 'codex_exec' AND coalesce(session_id IN ${WITH_ROLLOUT}, FALSE)) GROUP BY tool_call_id),
 tied AS (
  SELECT c.* EXCLUDE (feature_id), coalesce(c.feature_id, w.feature_id) AS feature_id,
   CASE WHEN c.feature_id IS NOT NULL THEN 'explicit' ELSE w.link_method END AS link_method, coalesce(c.started_at_ms, c.ended_at_ms) AS at_ms
  FROM calls c LEFT JOIN session_work w ON w.session_id = c.session_id
   AND coalesce(c.started_at_ms, c.ended_at_ms) >= w.from_ms AND coalesce(c.started_at_ms, c.ended_at_ms) < w.to_ms)
 SELECT t.* EXCLUDE (at_ms) REPLACE (coalesce(t.run_id, f.run_id, r.run_id, (SELECT CASE WHEN count(*) = 1 THEN min(run_id) END FROM runs)) AS run_id)
 FROM tied t LEFT JOIN features f ON f.feature_id = t.feature_id
 LEFT JOIN run_times r ON t.run_id IS NULL AND f.run_id IS NULL AND t.at_ms >= r.from_ms AND t.at_ms < r.to_ms`;
