import { FIRST_WORDS } from './request-rows.ts';
import { RUN_OF } from './run-of.ts';
import { FIRST_TOLD } from './tool-calls.ts';

/** A harness that commits what a session did does so within this time of the session's last word. */
const AFTER_MS = 600_000;
/** Words a ledger has for an entry that is done with. */
const SETTLED =
  "('true', 'done', 'passed', 'passing', 'complete', 'completed', 'accepted', 'kane_verified', 'skipped', 'failed')";

/**
 * Commits and the session that made each. \`how\`: own_call, by a tool call of the session whose output names the commit;
 * time_and_folder, where exactly one main session of the project's folder was at work then (or had ended within ten minutes, for a
 * harness that commits itself). \`feature_id\` with \`link_method\` ledger, where the commit settles one entry of a ledger, or commit, where
 * the commit names it. Rests on commits, ledger_flips, tool_calls_told, llm_requests_told, request_rows, log_events, sessions_told, features, runs.
 */
export const SESSION_COMMITS = `
 WITH flips AS (
  SELECT l.commit_sha AS sha, f.feature_id, l.at_ms FROM ledger_flips l JOIN features f ON ref_key(f.ext_id) = ref_key(l.feature_ref) JOIN runs r ON r.run_id = f.run_id
  LEFT JOIN commits c ON c.sha = l.commit_sha
  WHERE l.commit_sha IS NOT NULL AND l.field IN ('passes', 'state', 'status', 'skipped') AND lower(l.to_value) IN ${SETTLED}
   AND (c.run_id IS NULL OR c.run_id = f.run_id)
  QUALIFY dense_rank() OVER (PARTITION BY l.commit_sha, ref_key(l.feature_ref) ORDER BY ${RUN_OF('l.at_ms')}) = 1),
 settled AS (SELECT sha, any_value(feature_id) AS feature_id, min(at_ms) AS at_ms FROM flips GROUP BY sha HAVING count(DISTINCT feature_id) = 1),
 work AS MATERIALIZED (
  SELECT coalesce(c.sha, s.sha) AS sha, coalesce(c.at_ms, s.at_ms) AS at_ms, coalesce(s.feature_id, c.feature_id) AS feature_id,
   CASE WHEN s.feature_id IS NOT NULL THEN 'ledger' WHEN c.feature_id IS NOT NULL THEN 'commit' END AS link_method
  FROM commits c FULL JOIN settled s ON s.sha = c.sha),
 named AS (
  SELECT tool_call_id, session_id, lower(commit_sha) AS word, started_at_ms, coalesce(ended_at_ms, started_at_ms) AS at_ms FROM (
   SELECT tool_call_id, arg_min(session_id, ${FIRST_TOLD}) AS session_id, min(started_at_ms) AS started_at_ms, min(ended_at_ms) AS ended_at_ms, arg_min(commit_sha, ${FIRST_TOLD}) AS commit_sha
   FROM tool_calls_told WHERE tool_call_id IN (SELECT tool_call_id FROM tool_calls_told WHERE commit_sha IS NOT NULL) GROUP BY tool_call_id)
  WHERE length(commit_sha) >= 7 AND session_id IS NOT NULL),
 meant AS (
  SELECT n.tool_call_id, w.* FROM (SELECT *, left(word, 7) AS key FROM named) n JOIN (SELECT *, left(sha, 7) AS key FROM work) w ON w.key = n.key
  WHERE starts_with(w.sha, n.word)),
 called AS MATERIALIZED (
  SELECT n.session_id, coalesce(m.sha, n.word) AS sha, coalesce(n.at_ms, m.at_ms) AS at_ms, m.feature_id, m.link_method FROM named n LEFT JOIN meant m USING (tool_call_id)
  QUALIFY row_number() OVER (PARTITION BY coalesce(m.sha, n.word) ORDER BY n.started_at_ms, n.tool_call_id) = 1),
 spans AS (
  SELECT session_id, min(first_ms) AS first_ms, max(last_ms) AS last_ms FROM (
   SELECT session_id, min(coalesce(started_at_ms, ended_at_ms)) AS first_ms, max(coalesce(ended_at_ms, started_at_ms)) AS last_ms FROM llm_requests_told t WHERE ${FIRST_WORDS} GROUP BY session_id
   UNION ALL SELECT session_id, min(at_ms), max(at_ms) FROM log_events WHERE is_copy IS NOT TRUE GROUP BY session_id) GROUP BY session_id),
 folders AS (SELECT session_id, any_value(cwd) AS cwd, bool_or(parent_session_id IS NOT NULL) AS below FROM sessions_told GROUP BY session_id),
 -- An exported log does not say whose folder it is of; sessions beside it are taken to be of the same.
 place AS (SELECT (SELECT min(root_path) FROM projects) AS root, EXISTS (FROM sources WHERE kind = 'git' AND NOT contains(path, '.git')) AS exported),
 main AS MATERIALIZED (
  SELECT s.session_id, s.first_ms, s.last_ms FROM spans s JOIN folders f USING (session_id), place
  WHERE NOT f.below AND s.first_ms IS NOT NULL AND (place.exported OR f.cwd = place.root OR starts_with(f.cwd, place.root || '/'))),
 loose AS MATERIALIZED (SELECT * FROM work w WHERE at_ms IS NOT NULL AND sha NOT IN (SELECT sha FROM called)),
 within AS (
  -- A commit's time has whole seconds.
  SELECT w.sha, any_value(m.session_id) AS session_id, count(*) AS sessions FROM loose w JOIN main m ON w.at_ms + 999 >= m.first_ms AND w.at_ms <= m.last_ms GROUP BY w.sha),
 after AS (
  SELECT w.sha, any_value(m.session_id) AS session_id FROM loose w JOIN main m ON w.at_ms > m.last_ms AND w.at_ms <= m.last_ms + ${AFTER_MS}
  WHERE w.sha NOT IN (SELECT sha FROM within) GROUP BY w.sha HAVING count(*) = 1),
 timed AS (SELECT sha, session_id FROM within WHERE sessions = 1 UNION ALL SELECT sha, session_id FROM after)
 SELECT session_id, sha, at_ms, feature_id, link_method, 'own_call' AS how FROM called
 UNION ALL SELECT t.session_id, t.sha, w.at_ms, w.feature_id, w.link_method, 'time_and_folder' FROM timed t JOIN loose w USING (sha)`;
