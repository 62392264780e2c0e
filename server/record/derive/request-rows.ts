/** Id of a call that one row alone tells of. */
export const OWN_ID = `CASE WHEN channel = 'transcript' AND message_id IS NOT NULL THEN message_id || '|' || coalesce(request_ref, '')
  WHEN channel IN ('otlp_event', 'otlp_span') AND request_ref IS NOT NULL THEN 'request|' || request_ref
  WHEN channel IN ('otlp_event', 'otlp_span') AND message_id IS NOT NULL THEN 'message|' || message_id ELSE told_id END`;
/** A session's channels, the best first: what is told call by call before what is told a turn or a task at a time. */
const RANK = `CASE channel WHEN 'transcript' THEN 1 WHEN 'rollout' THEN 2 WHEN 'exec' THEN 3 WHEN 'otlp_event' THEN 4 WHEN 'otlp_span' THEN 5 ELSE 6 END`;
const FROM_MS = 'coalesce(started_at_ms, ended_at_ms - coalesce(duration_ms, 0))';
const TO_MS = 'coalesce(ended_at_ms, started_at_ms + coalesce(duration_ms, 0))';

/**
 * Rows of llm_requests_told that are not a model call of their own, so that each call is counted once; a row that is not here is one
 * call. \`row\` is the rowid there. \`role\`:
 *
 * - counted: one of several rows (\`words\`) of a call, \`place\` 1 for the one that speaks first. Rows of one message are one call,
 *   wherever they are copied to: a main file speaks before a sidechain, the session that was there first before those that were resumed
 *   or forked from it. Which was first: one that names no session it was forked from; then the file whose earliest row that no other
 *   file has is the earliest, a file without any such row (another one holds all of it) before all others, the shorter of those first.
 * - telemetry: another channel's word on a call that counts already, found by the provider's own id; it adds times and a cost.
 * - aside: a channel's word that cannot be matched while its session (for a harness: its time) counts from a better channel. Left out
 *   of every total, and counted openly.
 * - copy: a row of a rollout that is its parent's (rollout_counts).
 *
 * Rests on llm_requests_told, rollout_counts and sessions_told.
 */
export const REQUEST_ROWS = `
 WITH told AS NOT MATERIALIZED (
  SELECT rowid AS row, told_id, channel, source_id, source_line, session_id, message_id, request_ref, coalesce(started_at_ms, ended_at_ms) AS at_ms, ${FROM_MS} AS from_ms,
   ${TO_MS} AS to_ms, split_part(session_id, '/agent-', 1) AS root, coalesce(is_sidechain, FALSE) AS side, ${RANK} AS rank, ${OWN_ID} AS own_id FROM llm_requests_told),
 copies AS MATERIALIZED (SELECT row FROM told WHERE channel = 'rollout' AND told_id NOT IN (SELECT told_id FROM rollout_counts)),
 -- A message that one file gives without its request id is the one that another gives with it.
 without AS MATERIALIZED (SELECT row, message_id FROM told WHERE channel = 'transcript' AND request_ref IS NULL AND message_id IS NOT NULL),
 lone AS (
  SELECT w.row, any_value(t.own_id) AS id FROM without w JOIN (
   FROM told WHERE channel = 'transcript' AND request_ref IS NOT NULL AND message_id IN (SELECT message_id FROM without)) t ON t.message_id = w.message_id
  GROUP BY w.row HAVING count(DISTINCT t.request_ref) = 1),
 further AS MATERIALIZED (SELECT row, request_ref, message_id FROM told WHERE rank IN (4, 5)),
 met AS MATERIALIZED (
  SELECT row, min(id) AS id FROM (
   SELECT f.row, t.own_id AS id FROM further f JOIN (
    FROM told WHERE channel = 'transcript' AND request_ref IN (SELECT request_ref FROM further)) t ON t.request_ref = f.request_ref
   UNION ALL SELECT f.row, t.own_id FROM further f JOIN (
    FROM told WHERE channel = 'transcript' AND message_id IN (SELECT message_id FROM further)) t ON t.message_id = f.message_id) GROUP BY row),
 roots AS MATERIALIZED (SELECT DISTINCT root FROM told WHERE rank >= 3 AND root IS NOT NULL),
 best AS (SELECT root, min(rank) AS best FROM told WHERE root IN (SELECT root FROM roots) AND row NOT IN (SELECT row FROM copies) GROUP BY root),
 -- What a harness says of a whole task, while the calls of that time are told one by one.
 tasks AS MATERIALIZED (SELECT row, from_ms, to_ms FROM told WHERE rank = 6 AND root IS NULL),
 aside AS MATERIALIZED (
  SELECT t.row FROM told t JOIN best b ON b.root = t.root AND t.rank > b.best WHERE t.row NOT IN (SELECT row FROM met)
  UNION SELECT h.row FROM tasks h JOIN (
   SELECT to_ms FROM told WHERE rank < 6 AND to_ms BETWEEN (SELECT min(from_ms) FROM tasks) AND (SELECT max(to_ms) FROM tasks)) x ON x.to_ms BETWEEN h.from_ms AND h.to_ms),
 ids AS NOT MATERIALIZED (
  SELECT t.row, coalesce(l.id, t.own_id) AS id FROM told t LEFT JOIN lone l ON l.row = t.row
  WHERE t.row NOT IN (SELECT row FROM copies) AND t.row NOT IN (SELECT row FROM met) AND t.row NOT IN (SELECT row FROM aside)),
 -- Grouped by a number first, which is much faster; those of which there may be several then by what they are.
 likely AS (SELECT hash(id) AS h FROM ids GROUP BY h HAVING count(*) > 1),
 several AS MATERIALIZED (SELECT id, count(*) AS words FROM ids WHERE hash(id) IN (FROM likely) GROUP BY id HAVING count(*) > 1),
 shared AS MATERIALIZED (
  SELECT t.row, s.id, s.words, t.rank, t.side, t.session_id, t.source_id, t.source_line
  FROM several s JOIN (FROM ids WHERE hash(id) IN (SELECT hash(id) FROM several)) i ON i.id = s.id JOIN told t ON t.row = i.row),
 across AS (SELECT id FROM shared GROUP BY id HAVING count(DISTINCT source_id) > 1),
 files AS (
  SELECT t.source_id, min(t.at_ms) FILTER (x.row IS NULL) AS alone_ms, count(*) AS rows FROM told t
  LEFT JOIN (SELECT row FROM shared WHERE id IN (FROM across)) x ON x.row = t.row
  WHERE t.source_id IN (SELECT source_id FROM shared WHERE id IN (FROM across)) GROUP BY t.source_id),
 forked AS (SELECT DISTINCT session_id FROM sessions_told WHERE forked_from IS NOT NULL)
 SELECT s.row, s.id AS request_id, 'counted' AS role, s.words, row_number() OVER (PARTITION BY s.id ORDER BY s.rank, s.side, k.session_id IS NOT NULL,
   f.alone_ms NULLS FIRST, f.rows, s.source_id, coalesce(s.source_line, 0), s.row) AS place
 FROM shared s LEFT JOIN files f ON f.source_id = s.source_id LEFT JOIN forked k ON k.session_id = s.session_id
 UNION ALL SELECT m.row, coalesce(l.id, m.id), 'telemetry', 1, 1 FROM met m LEFT JOIN (
  -- The call it was found by may be told under another id.
  SELECT t.own_id, any_value(l.id) AS id FROM lone l JOIN told t ON t.row = l.row GROUP BY t.own_id) l ON l.own_id = m.id
 UNION ALL SELECT row, NULL, 'aside', 1, 1 FROM aside
 UNION ALL SELECT row, NULL, 'copy', 1, 1 FROM copies`;

/** Rows of llm_requests_told (as t) that count, each call once: the first word on it. */
export const FIRST_WORDS = `t.rowid NOT IN (SELECT row FROM request_rows WHERE role <> 'counted' OR place > 1)`;
