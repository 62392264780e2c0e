import { SESSION_ORDER } from './session-order.ts';

/** Tables whose rows may stand in several files, and the column that names a row. */
const TABLES = [
  ['gate_events', 'gate_event_id'],
  ['log_events', 'event_id'],
  ['file_touches', 'touch_id'],
] as const;

/**
 * Marks copies: of rows with one copy_key all but the first. A resumed or forked session begins with the rows of another. Of
 * several sessions the one that had the row first speaks; then the earlier line. Statements that give the same however often
 * they run, for `settles` of an adapter.
 */
export const COPIES: readonly string[] = [
  ...TABLES.flatMap(([table, id]) => [
    `UPDATE ${table} SET is_copy = NULL WHERE is_copy`,
    `UPDATE ${table} SET is_copy = TRUE FROM (
    SELECT ${id} AS row_id FROM (SELECT ${id}, copy_key, session_id, source_id, source_line FROM ${table}
      WHERE copy_key IN (SELECT copy_key FROM ${table} WHERE copy_key IS NOT NULL GROUP BY copy_key HAVING count(*) > 1))
     LEFT JOIN (${SESSION_ORDER}) USING (session_id)
     QUALIFY row_number() OVER (PARTITION BY copy_key ORDER BY coalesce(own_ms, 0), source_id, coalesce(source_line, 0), ${id}) > 1) c
   WHERE c.row_id = ${table}.${id}`,
  ]),
  // Stretches of time have no id of their own: in a session that repeats another's prompts, those before its own first one are copies.
  'UPDATE session_spans SET is_copy = NULL WHERE is_copy',
  `UPDATE session_spans SET is_copy = TRUE FROM (
    SELECT session_id, min(at_ms) FILTER (is_copy IS NOT TRUE) AS own_ms FROM log_events WHERE kind = 'prompt' AND session_id IS NOT NULL
    GROUP BY session_id HAVING bool_or(is_copy)) o
   WHERE o.session_id = session_spans.session_id AND (o.own_ms IS NULL OR session_spans.started_at_ms < o.own_ms)`,
];
