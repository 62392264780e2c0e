import { ALWAYS, EVER } from './price-steps.ts';
import { FIRST_WORDS } from './request-rows.ts';
import { FIRST_TOLD } from './tool-calls.ts';

/** A harness that commits what a session did does so within this time of the session's last word. */
const AFTER_MS = 600_000;
/** Words a ledger has for an entry that is done with. */
const SETTLED =
  "('true', 'done', 'passed', 'passing', 'complete', 'completed', 'accepted', 'kane_verified', 'skipped', 'failed')";

/** A run that a story number is about: the one whose time holds it, else the current one, else the last. As with commits, not one that began hours later. */
const RUN_OF = (at: string): string =>
  `coalesce(${at} BETWEEN r.started_at_ms AND r.ended_at_ms, FALSE) DESC, r.is_current DESC, r.seq DESC`;

/**
 * Features that a prompt names: by its id as a word of its own (a bare number only behind "feature", "story", "task" or "#"), else
 * by its title. A prompt that names several names none. Rests on log_events, features, runs.
 */
export const PROMPT_FEATURES = `
 WITH prompts AS MATERIALIZED (
  SELECT event_id, session_id, at_ms, message FROM log_events WHERE kind = 'prompt' AND session_id IS NOT NULL AND at_ms IS NOT NULL AND is_copy IS NOT TRUE),
 -- The same prompt is often given again and again: what a text names is found once.
 texts AS MATERIALIZED (
  SELECT row_number() OVER () AS text, message, lower(message) AS low FROM (SELECT DISTINCT message FROM prompts WHERE EXISTS (FROM features))),
 tokens AS (
  SELECT DISTINCT text, unnest(regexp_extract_all(message, '[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*')) AS token FROM texts),
 said AS (
  SELECT text, ref_key(token) AS key FROM tokens WHERE regexp_matches(token, '[0-9_-]')
  UNION SELECT text, ref_key(unnest(regexp_extract_all(message, '(?i)(?:feature|story|task|item|#)\\s*#?\\s*([0-9]+(?:[.-][0-9]+)*)', 1))) FROM texts),
 by_id AS MATERIALIZED (
  SELECT DISTINCT s.text, f.feature_id, f.run_id FROM said s JOIN features f ON ref_key(f.ext_id) = s.key WHERE regexp_matches(f.ext_id, '[0-9]|[-_]')),
 -- Only where the longest word of a title is a word of the prompt is the whole looked for.
 titles AS MATERIALIZED (
  SELECT feature_id, any_value(run_id) AS run_id, any_value(title) AS title, arg_max(word, length(word)) AS word FROM (
   SELECT feature_id, run_id, lower(title) AS title, unnest(regexp_extract_all(lower(title), '[\\p{L}\\p{N}]+')) AS word FROM features
   WHERE length(title) >= 8 AND contains(trim(title), ' ')) GROUP BY feature_id),
 words AS (
  SELECT text, unnest(list_distinct(regexp_extract_all(low, '[\\p{L}\\p{N}]+'))) AS word FROM texts WHERE text NOT IN (SELECT text FROM by_id) AND EXISTS (FROM titles)),
 by_title AS MATERIALIZED (
  SELECT t.text, l.feature_id, l.run_id, l.title FROM words w JOIN titles l ON l.word = w.word JOIN texts t ON t.text = w.text WHERE contains(t.low, l.title)),
 named AS (
  FROM by_id UNION ALL
  -- A title inside another one that is named too names nothing of its own.
  SELECT a.text, a.feature_id, a.run_id FROM by_title a WHERE NOT EXISTS (
   FROM by_title b WHERE b.text = a.text AND length(b.title) > length(a.title) AND contains(b.title, a.title))),
 chosen AS (
  SELECT p.event_id, p.session_id, p.at_ms, n.feature_id FROM named n JOIN texts t ON t.text = n.text JOIN prompts p ON p.message = t.message JOIN runs r ON r.run_id = n.run_id
  QUALIFY dense_rank() OVER (PARTITION BY p.event_id ORDER BY ${RUN_OF('p.at_ms')}) = 1)
 SELECT event_id, any_value(session_id) AS session_id, any_value(at_ms) AS at_ms, any_value(feature_id) AS feature_id
 FROM chosen GROUP BY event_id HAVING count(DISTINCT feature_id) = 1`;

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

/**
 * What each stretch of a session worked on, from \`from_ms\` up to \`to_ms\`; the stretches of a session do not overlap.
 *
 * Work belongs to what it ended in: the next commit that settles or names a feature. It does not where a prompt in between turned
 * to another feature; then the prompt before it says what it was about. What follows the last commit belongs to the session's one
 * feature, where it has only one. A subagent's session has its own prompts and commits, else those of the session above it.
 * \`commit_sha\` is the next commit of the session, whatever it names. Rests on prompt_features, session_commits, sessions_told.
 */
export const SESSION_WORK = `
 WITH RECURSIVE parents AS MATERIALIZED (SELECT session_id, min(parent_session_id) AS parent FROM sessions_told WHERE parent_session_id IS NOT NULL GROUP BY session_id),
 above(session_id, ancestor) AS (
  SELECT session_id, parent FROM parents UNION SELECT a.session_id, p.parent FROM above a JOIN parents p ON p.session_id = a.ancestor),
 roots AS (SELECT session_id, min(ancestor) AS root FROM above WHERE ancestor NOT IN (SELECT session_id FROM parents) GROUP BY session_id),
 found AS MATERIALIZED (
  SELECT unnest(list_distinct([c.session_id, coalesce(r.root, c.session_id)])) AS session_id, c.at_ms, CAST(NULL AS TEXT) AS prompted, {'sha': c.sha, 'how': c.how} AS sha,
   CASE WHEN c.feature_id IS NOT NULL THEN {'feature_id': c.feature_id, 'link_method': c.link_method, 'at_ms': c.at_ms} END AS mark
  FROM session_commits c LEFT JOIN roots r ON r.session_id = c.session_id WHERE c.at_ms IS NOT NULL
  UNION ALL SELECT session_id, at_ms, feature_id, NULL, NULL FROM prompt_features),
 events AS (FROM found UNION ALL SELECT DISTINCT session_id, ${ALWAYS}, NULL, NULL, NULL FROM found),
 seen AS (
  SELECT session_id, at_ms AS from_ms, lead(at_ms, 1, ${EVER}) OVER line AS to_ms,
   last_value(prompted IGNORE NULLS) OVER (line ROWS UNBOUNDED PRECEDING) AS prompted,
   first_value(CASE WHEN prompted IS NOT NULL THEN {'feature_id': prompted, 'at_ms': at_ms} END IGNORE NULLS) OVER ahead AS turned,
   first_value(mark IGNORE NULLS) OVER ahead AS mark, first_value(sha IGNORE NULLS) OVER ahead AS sha,
   count(DISTINCT mark.feature_id) OVER (PARTITION BY session_id) AS marked, first_value(mark IGNORE NULLS) OVER (PARTITION BY session_id ORDER BY mark.link_method DESC, mark.at_ms
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS only_mark
  FROM events WINDOW line AS (PARTITION BY session_id ORDER BY at_ms, prompted IS NOT NULL),
   ahead AS (PARTITION BY session_id ORDER BY at_ms, prompted IS NOT NULL ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)),
 said AS (
  SELECT *, CASE WHEN mark IS NOT NULL AND NOT coalesce(turned.at_ms < mark.at_ms AND (turned.feature_id <> mark.feature_id OR prompted <> mark.feature_id), FALSE)
    THEN {'feature_id': mark.feature_id, 'link_method': mark.link_method}
   WHEN mark IS NULL AND marked = 1 AND coalesce(prompted = only_mark.feature_id, TRUE) THEN {'feature_id': only_mark.feature_id, 'link_method': only_mark.link_method}
   WHEN prompted IS NOT NULL THEN {'feature_id': prompted, 'link_method': 'prompt'} END AS link
  FROM seen WHERE from_ms < to_ms),
 own AS MATERIALIZED (
  SELECT session_id, from_ms, to_ms, link.feature_id AS feature_id, link.link_method AS link_method, sha.sha AS commit_sha, sha.how AS commit_method FROM said)
 FROM own UNION ALL
 SELECT r.session_id, o.* EXCLUDE (session_id) FROM roots r JOIN own o ON o.session_id = r.root WHERE r.session_id NOT IN (SELECT session_id FROM own)`;

/**
 * Stretches of time in which attempts at exactly one feature were under way, whoever lists them; \`attempt_n\` where it was one attempt.
 * They do not overlap. Rests on attempts.
 */
export const ATTEMPT_TIMES = `
 WITH tries AS MATERIALIZED (
  SELECT feature_id, n, started_at_ms AS from_ms, ended_at_ms AS to_ms, dense_rank() OVER (ORDER BY feature_id) AS f, dense_rank() OVER (ORDER BY feature_id, n) AS a
  FROM attempts WHERE feature_id IS NOT NULL AND ended_at_ms > started_at_ms),
 steps AS (
  SELECT from_ms AS at_ms, 1 AS step, f, a FROM tries UNION ALL SELECT to_ms, -1, f, a FROM tries),
 moments AS (SELECT at_ms, sum(step) AS n, sum(step * f) AS f1, sum(step * f * f) AS f2, sum(step * a) AS a1, sum(step * a * a) AS a2 FROM steps GROUP BY at_ms),
 running AS (
  SELECT at_ms AS from_ms, lead(at_ms) OVER line AS to_ms, sum(n) OVER line AS n, sum(f1) OVER line AS f1, sum(f2) OVER line AS f2, sum(a1) OVER line AS a1, sum(a2) OVER line AS a2
  FROM moments WINDOW line AS (ORDER BY at_ms)),
 -- n numbers are all the same exactly when n times the sum of their squares is the square of their sum.
 single AS (SELECT *, n * a2 = a1 * a1 AS one_attempt FROM running WHERE n > 0 AND to_ms IS NOT NULL AND n * f2 = f1 * f1)
 SELECT s.from_ms, s.to_ms, t.feature_id, CASE WHEN s.one_attempt THEN u.n END AS attempt_n FROM single s
 JOIN (SELECT DISTINCT f, feature_id FROM tries) t ON t.f = s.f1 // s.n
 LEFT JOIN (SELECT DISTINCT a, n FROM tries) u ON s.one_attempt AND u.a = s.a1 // s.n`;

/** Times of the attempts at each feature, one after the other. Rests on attempts. */
export const FEATURE_ATTEMPTS = `
 SELECT feature_id, n AS attempt_n, from_ms, least(to_ms, lead(from_ms, 1, to_ms) OVER (PARTITION BY feature_id ORDER BY from_ms, n)) AS to_ms
 FROM (SELECT feature_id, n, min(started_at_ms) AS from_ms, max(ended_at_ms) AS to_ms FROM attempts
  WHERE feature_id IS NOT NULL AND ended_at_ms > started_at_ms GROUP BY feature_id, n)`;

/** Stretches of time with the run that is to be asked about then: of several at once the last. Rests on runs. */
export const RUN_TIMES = `
 WITH marks AS (SELECT started_at_ms AS at_ms FROM runs WHERE ended_at_ms >= started_at_ms UNION SELECT ended_at_ms + 1 FROM runs WHERE ended_at_ms >= started_at_ms),
 spans AS (SELECT at_ms AS from_ms, lead(at_ms) OVER (ORDER BY at_ms) AS to_ms FROM marks)
 SELECT s.from_ms, s.to_ms, arg_max(r.run_id, r.seq) AS run_id FROM spans s JOIN runs r ON r.started_at_ms <= s.from_ms AND r.ended_at_ms >= s.from_ms
 WHERE s.to_ms IS NOT NULL GROUP BY s.from_ms, s.to_ms`;
