/**
 * Which row of llm_requests_told tells of which model call, so that each is counted once. `row` is the rowid there; `words` how many
 * counted rows tell of the call, `place` 1 for the one that speaks first. `role`:
 *
 * - counted: its tokens count. Rows of one message are one call, wherever they are copied to: a main file speaks before a sidechain,
 *   the session that was there first before those that were resumed or forked from it. Which was first: the one that names no
 *   session it was forked from; then the file whose earliest row that no other file has is the earliest, a file without any such row
 *   (another one holds all of it) before all others, the shorter one of those first.
 * - telemetry: another channel's word on a call that counts already, found by the provider's own id; it adds times and a cost.
 * - aside: a channel's word that cannot be matched while its session (for a harness: its time) counts from a better channel. Left out
 *   of every total, and counted openly.
 *
 * Rests on llm_requests_told, rollout_counts and sessions_told.
 */
export const REQUEST_ROWS = `
 WITH told AS MATERIALIZED (
  SELECT rowid AS row, told_id, channel, source_id, source_line, session_id, message_id, request_ref, started_at_ms, ended_at_ms, duration_ms,
   split_part(session_id, '/agent-', 1) AS root, coalesce(is_sidechain, FALSE) AS side,
   CASE channel WHEN 'transcript' THEN 1 WHEN 'rollout' THEN 2 WHEN 'exec' THEN 3 WHEN 'otlp_event' THEN 4 WHEN 'otlp_span' THEN 5 ELSE 6 END AS channel_rank
  FROM llm_requests_told),
 best AS (SELECT root, min(channel_rank) AS best FROM told WHERE root IS NOT NULL GROUP BY root),
 -- A message that one file gives without its request id is the one that another gives with it.
 lone AS (
  SELECT message_id, min(request_ref) AS request_ref FROM told
  WHERE channel_rank = 1 AND request_ref IS NOT NULL AND message_id IN (SELECT message_id FROM told WHERE request_ref IS NULL AND message_id IS NOT NULL)
  GROUP BY message_id HAVING count(DISTINCT request_ref) = 1),
 keyed AS (
  SELECT t.*, CASE WHEN t.channel_rank = 1 AND t.message_id IS NOT NULL THEN t.message_id || '|' || coalesce(t.request_ref, l.request_ref, '')
    WHEN t.channel_rank IN (4, 5) AND t.request_ref IS NOT NULL THEN 'request|' || t.request_ref
    WHEN t.channel_rank IN (4, 5) AND t.message_id IS NOT NULL THEN 'message|' || t.message_id ELSE t.told_id END AS key
  FROM told t LEFT JOIN lone l ON t.request_ref IS NULL AND l.message_id = t.message_id),
 further AS MATERIALIZED (SELECT row, request_ref, message_id FROM told WHERE channel_rank IN (4, 5)),
 met AS (
  SELECT f.row, coalesce(any_value(a.key), any_value(b.key)) AS key FROM further f
  LEFT JOIN (SELECT request_ref, min(key) AS key FROM keyed WHERE channel_rank = 1 AND request_ref IN (SELECT request_ref FROM further) GROUP BY request_ref) a
   ON a.request_ref = f.request_ref
  LEFT JOIN (SELECT message_id, min(key) AS key FROM keyed WHERE channel_rank = 1 AND message_id IN (SELECT message_id FROM further) GROUP BY message_id) b
   ON b.message_id = f.message_id
  WHERE coalesce(a.key, b.key) IS NOT NULL GROUP BY f.row),
 -- What a harness says of a whole task, while the calls of that time are told one by one.
 covered AS (
  SELECT DISTINCT h.row FROM told h JOIN told x ON x.channel_rank < 6 AND coalesce(x.ended_at_ms, x.started_at_ms)
    BETWEEN coalesce(h.started_at_ms, h.ended_at_ms - coalesce(h.duration_ms, 0)) AND coalesce(h.ended_at_ms, h.started_at_ms + coalesce(h.duration_ms, 0))
  WHERE h.channel_rank = 6 AND h.root IS NULL),
 placed AS MATERIALIZED (
  SELECT k.row, coalesce(m.key, k.key) AS key, CASE WHEN m.key IS NOT NULL THEN 'telemetry'
    WHEN k.channel_rank > b.best OR c.row IS NOT NULL OR (k.channel_rank = 2 AND r.told_id IS NULL) THEN 'aside' ELSE 'counted' END AS role,
   k.channel, k.channel_rank, k.side, k.session_id, k.source_id, k.source_line, coalesce(k.started_at_ms, k.ended_at_ms) AS at_ms, coalesce(k.ended_at_ms, k.started_at_ms) AS last_ms
  FROM keyed k LEFT JOIN best b ON b.root = k.root LEFT JOIN met m ON m.row = k.row LEFT JOIN covered c ON c.row = k.row
  LEFT JOIN rollout_counts r ON k.channel_rank = 2 AND r.told_id = k.told_id
  -- The copy of a parent's row in a rollout is no word of its own.
  WHERE k.channel_rank <> 2 OR r.told_id IS NOT NULL),
 shared AS MATERIALIZED (SELECT key, count(*) AS words, count(DISTINCT source_id) AS files FROM placed WHERE role = 'counted' GROUP BY key HAVING count(*) > 1),
 files AS (
  SELECT p.source_id, min(p.at_ms) FILTER (coalesce(s.files, 1) = 1) AS alone_ms, count(*) AS rows FROM placed p LEFT JOIN shared s USING (key)
  WHERE p.source_id IN (SELECT source_id FROM placed SEMI JOIN (FROM shared WHERE files > 1) USING (key)) GROUP BY p.source_id),
 forked AS (SELECT DISTINCT session_id FROM sessions_told WHERE forked_from IS NOT NULL),
 several AS (
  SELECT p.row, s.words, row_number() OVER (PARTITION BY p.key ORDER BY p.channel_rank, p.side, k.session_id IS NOT NULL, f.alone_ms NULLS FIRST,
    f.rows, p.source_id, coalesce(p.source_line, 0), p.row) AS place
  FROM placed p JOIN shared s USING (key) LEFT JOIN files f ON f.source_id = p.source_id LEFT JOIN forked k ON k.session_id = p.session_id
  WHERE p.role = 'counted')
 SELECT p.row, p.key AS request_id, p.role, coalesce(v.words, 1) AS words, coalesce(v.place, 1) AS place, p.channel, p.session_id, p.at_ms, p.last_ms
 FROM placed p LEFT JOIN several v ON v.row = p.row`;
