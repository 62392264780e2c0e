/** Sessions whose rollout is in the record; what codex exec printed of them tells the same once more. */
export const WITH_ROLLOUT =
  "(SELECT session_id FROM sessions_told JOIN sources USING (source_id) WHERE kind = 'codex_rollout')";

/**
 * Rows of rollouts that count, by told_id. A forked or spawned session may begin with the rows of its parent, with some of them, or
 * with none; which it is follows from the rows alone, never from their times:
 *
 * - a row is the parent's when its turn is one of the parent's, or when its total and what was added are those of a row of the
 *   parent, each further down than the one before. Only rows from the session's start on can be, up to the first that is not.
 * - one single row that matches in its figures alone, while its turn is another, is too little: it counts, and is unsure.
 * - a total of a child that does not say what was added may be its parent's in part: it counts, and is unsure.
 * - where the parent is not in the record, or sessions name each other in a circle, every row counts, and is unsure.
 *
 * `certain` is FALSE for what is unsure. A file that is there twice (archived and active) counts once, the active one first.
 * Rests on llm_requests_told, sessions_told and sources.
 */
export const ROLLOUT_COUNTS = `
 WITH RECURSIVE once AS MATERIALIZED (
  SELECT arg_min(t.told_id, (contains('/' || coalesce(s.path, ''), '/archived_sessions/'), t.source_id, t.source_line)) AS told_id,
   t.session_id, t.turn_id, t.n, t.totals, t.last, bool_or(t.token_quality = 'estimated' AND t.totals = t.last) AS whole
  FROM llm_requests_told t LEFT JOIN sources s USING (source_id) WHERE t.channel = 'rollout' GROUP BY ALL),
 parents AS MATERIALIZED (
  SELECT session_id, coalesce(arg_min(forked_from, (rank, source_id, coalesce(source_line, 0))), arg_min(parent_session_id, (rank, source_id, coalesce(source_line, 0)))) AS parent
  FROM sessions_told WHERE forked_from IS NOT NULL OR parent_session_id IS NOT NULL GROUP BY session_id),
 above(session_id, ancestor) AS (
  SELECT session_id, parent FROM parents WHERE parent IS NOT NULL
  UNION SELECT a.session_id, p.parent FROM above a JOIN parents p ON p.session_id = a.ancestor WHERE p.parent IS NOT NULL),
 children AS MATERIALIZED (
  SELECT session_id, parent, NOT EXISTS (FROM sessions_told x WHERE x.session_id = p.parent)
    OR EXISTS (FROM above a WHERE a.session_id = p.session_id AND a.ancestor = p.session_id) AS unsure
  FROM parents p WHERE parent IS NOT NULL),
 turns AS (SELECT DISTINCT session_id, turn_id FROM once WHERE turn_id IS NOT NULL AND session_id IN (SELECT parent FROM children)),
 vectors AS (SELECT session_id, totals, last, min(n) AS n FROM once WHERE totals IS NOT NULL AND last IS NOT NULL AND session_id IN (SELECT parent FROM children) GROUP BY ALL),
 -- Each row of a child beside what it may be of its parent.
 beside AS (
  SELECT o.told_id, o.session_id, o.turn_id, o.n, t.turn_id IS NOT NULL AS of_turn, v.n AS place
  FROM once o JOIN children c ON c.session_id = o.session_id AND NOT c.unsure
  LEFT JOIN turns t ON t.session_id = c.parent AND t.turn_id = o.turn_id
  LEFT JOIN vectors v ON v.session_id = c.parent AND v.totals = o.totals AND v.last = o.last),
 matched AS (
  SELECT *, of_turn OR coalesce(place > coalesce(max(place) OVER before, 0), FALSE) AS matches FROM beside
  WINDOW before AS (PARTITION BY session_id ORDER BY n, told_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)),
 begun AS (
  SELECT *, bool_and(matches) OVER (PARTITION BY session_id ORDER BY n, told_id ROWS UNBOUNDED PRECEDING) AS replayed FROM matched),
 weighed AS MATERIALIZED (
  SELECT *, count(*) FILTER (replayed) OVER s = 1 AND replayed AND NOT of_turn AND turn_id IS NOT NULL
    AND EXISTS (FROM turns t JOIN children c ON c.parent = t.session_id WHERE c.session_id = begun.session_id) AS alone
  FROM begun WINDOW s AS (PARTITION BY session_id))
 SELECT o.told_id, NOT coalesce(c.unsure OR (o.whole AND c.session_id IS NOT NULL), FALSE) AND coalesce(NOT w.alone, TRUE) AS certain
 FROM once o LEFT JOIN children c ON c.session_id = o.session_id LEFT JOIN weighed w ON w.told_id = o.told_id
 WHERE NOT coalesce(w.replayed AND NOT w.alone, FALSE)`;
