import { ALWAYS, EVER } from './price-steps.ts';

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
