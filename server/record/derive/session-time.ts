import { ACTIVITIES } from '../../../shared/activities.ts';

const COVERING = ACTIVITIES.slice(0, -1);

/** A clock time that can be one: telemetry and broken clocks write zero for "none". */
const known = (at: string): string => `CASE WHEN ${at} > 0 THEN ${at} END`;

/** Begin and end of an entry; where only one and a duration are told, the other follows. */
const stretch = (t: string, duration: string | null): string => {
  const start = known(`${t}.started_at_ms`);
  const end = known(`${t}.ended_at_ms`);
  if (duration === null) return `${start} AS from_ms, ${end} AS to_ms`;
  const took = `CASE WHEN ${t}.${duration} >= 0 THEN ${t}.${duration} END`;
  return `${known(`coalesce(${start}, ${end} - ${took})`)} AS from_ms, coalesce(${end}, ${start} + ${took}) AS to_ms`;
};

/**
 * Every entry of a session that takes time, as its source tells it: session_id, kind, from_ms, to_ms and its place. Ends may be
 * missing or before the start. A tool call that waited for permission is two entries. For the time below and for the audit.
 */
export const SESSION_STRETCHES = `
 SELECT q.session_id, 'model' AS kind, ${stretch('q', 'duration_ms')}, q.source_id, q.source_line FROM llm_requests q WHERE q.session_id IS NOT NULL
 UNION ALL SELECT session_id, kind, CASE WHEN wait_user_ms > 0 THEN from_ms + wait_user_ms ELSE from_ms END, to_ms, source_id, source_line
  FROM (SELECT c.session_id, CASE c.kind WHEN 'subagent' THEN 'subagent' ELSE 'tool' END AS kind, ${stretch('c', 'duration_ms')},
   c.wait_user_ms, c.source_id, c.source_line FROM tool_calls c WHERE c.session_id IS NOT NULL)
 UNION ALL SELECT session_id, 'permission', from_ms, from_ms + wait_user_ms, source_id, source_line
  FROM (SELECT c.session_id, ${stretch('c', 'duration_ms')}, c.wait_user_ms, c.source_id, c.source_line FROM tool_calls c
   WHERE c.session_id IS NOT NULL AND c.wait_user_ms > 0)
 UNION ALL SELECT g.session_id, 'gate', ${stretch('g', 'duration_ms')}, g.source_id, g.source_line FROM gate_events g
  WHERE g.session_id IS NOT NULL AND g.is_copy IS NOT TRUE
 UNION ALL SELECT p.session_id, p.kind, ${stretch('p', null)}, p.source_id, p.source_line FROM session_spans p
  WHERE p.kind IN ('person', 'permission', 'compaction') AND p.is_copy IS NOT TRUE`;

const counters = COVERING.map((kind) => `sum(sum(delta) FILTER (kind = '${kind}')) OVER w AS n_${kind}`).join(
  ', ',
);
const strongest = COVERING.map((kind) => `WHEN n_${kind} > 0 THEN '${kind}'`).join(' ');

/**
 * Where the wall time of each session went: stretches that follow each other without gap or overlap from the first to the last
 * moment that is known of it, each of one kind (ACTIVITIES). Parallel stretches are joined, never added. One row a stretch:
 * session_id, kind, started_at_ms, ended_at_ms, ms. Rests on sessions, llm_requests, tool_calls, gate_events, session_spans.
 */
export const SESSION_TIME = `
 WITH told AS (${SESSION_STRETCHES}),
 bounds AS (SELECT session_id, at_ms FROM (SELECT session_id, unnest([from_ms, CASE WHEN to_ms >= from_ms THEN to_ms END]) AS at_ms FROM told
   UNION SELECT session_id, unnest([${known('started_at_ms')}, CASE WHEN ended_at_ms >= coalesce(${known('started_at_ms')}, 1) THEN ended_at_ms END]) FROM sessions)
  WHERE at_ms IS NOT NULL),
 open_ends AS (SELECT t.session_id, 'unknown' AS kind, t.from_ms, min(b.at_ms) AS to_ms FROM told t JOIN bounds b ON b.session_id = t.session_id AND b.at_ms > t.from_ms
  WHERE t.from_ms IS NOT NULL AND (t.to_ms IS NULL OR t.to_ms < t.from_ms) GROUP BY t.session_id, t.from_ms),
 closed AS (SELECT session_id, kind, from_ms, to_ms FROM told WHERE to_ms > from_ms UNION ALL SELECT * FROM open_ends),
 steps AS (SELECT session_id, from_ms AS at_ms, kind, 1 AS delta FROM closed UNION ALL SELECT session_id, to_ms, kind, -1 FROM closed
  UNION ALL SELECT session_id, at_ms, 'bound', 0 FROM bounds),
 counted AS (SELECT session_id, at_ms, lead(at_ms) OVER w AS next_ms, ${counters} FROM steps GROUP BY session_id, at_ms
  WINDOW w AS (PARTITION BY session_id ORDER BY at_ms)),
 named AS (SELECT session_id, at_ms, next_ms, CASE ${strongest} ELSE 'idle' END AS kind FROM counted WHERE next_ms IS NOT NULL),
 marked AS (SELECT *, CASE WHEN lag(kind) OVER (PARTITION BY session_id ORDER BY at_ms) = kind THEN 0 ELSE 1 END AS new FROM named),
 joined AS (SELECT *, sum(new) OVER (PARTITION BY session_id ORDER BY at_ms) AS n FROM marked)
 SELECT session_id || '.' || CAST(n AS BIGINT) AS stretch_id, session_id, arg_min(kind, at_ms) AS kind, min(at_ms) AS started_at_ms, max(next_ms) AS ended_at_ms,
  CAST(max(next_ms) - min(at_ms) AS BIGINT) AS ms FROM joined GROUP BY session_id, n`;
