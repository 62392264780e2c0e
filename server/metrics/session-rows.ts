import type { Telling } from './event-rows.ts';
import type { SessionBase } from './session-frames.ts';

const name = (session: string): string => `coalesce(${session}.title, ${session}.session_id)`;
const tokens = 'in_uncached in_cache_read in_cache_write_5m in_cache_write_1h out_total'
  .split(' ')
  .map((column) => `coalesce(t.${column}, 0)`)
  .join(' + ');

/** What rows of sessions say of themselves, behind a figure. */
export const sessionTellings = (told: string): Readonly<Record<SessionBase, Telling>> => ({
  request: {
    from: '(SELECT q.*, coalesce(s.title, q.session_id) AS session_name FROM llm_requests q LEFT JOIN sessions s USING (session_id))',
    id: 't.request_id',
    label: `coalesce(t.model, 'no model named') || ', ' || coalesce(t.session_name, 'no session')`,
    ref: 'f.ext_id',
    value: 't.cost_uusd / 1000000.0',
    basis: told,
    kind: 't.source_kind',
    line: 't.source_line',
    how: `concat_ws('; ', CAST(${tokens} AS BIGINT) || ' tokens', CASE WHEN t.cost_uusd IS NULL THEN 'unpriced' ELSE t.cost_source END,
      CASE t.token_quality WHEN 'lower_bound' THEN 'counted only in part' WHEN 'estimated' THEN 'estimated' END, 'tied by ' || replace(t.link_method, '_', ' '))`,
    order: 'coalesce(t.started_at_ms, t.ended_at_ms)',
  },
  session: {
    from: 'sessions',
    id: 't.session_id',
    label: name('t'),
    ref: 'NULL',
    value: '(t.ended_at_ms - t.started_at_ms) / 1000.0',
    basis: "'measured'",
    kind: 'x.kind',
    line: 't.source_line',
    how: `concat_ws('; ', t.harness, CASE WHEN t.is_subagent THEN 'subagent' END, t.end_reason)`,
    order: 't.started_at_ms',
  },
  tool_call: {
    from: 'tool_calls',
    id: 't.tool_call_id',
    label: `concat_ws(': ', t.name, t.target)`,
    ref: 'f.ext_id',
    value: 't.duration_ms / 1000.0',
    basis: told,
    kind: 't.source_kind',
    line: 't.source_line',
    how: `concat_ws('; ', t.status, 'exit code ' || t.exit_code, t.error_sig)`,
    order: 'coalesce(t.started_at_ms, t.ended_at_ms)',
  },
  session_time: {
    from: '(SELECT y.*, z.title, z.source_id, z.source_line FROM session_time y JOIN sessions z USING (session_id))',
    id: 't.stretch_id',
    // A stretch is cut where days begin; the row is the whole of it.
    row: "regexp_replace(u.row_id, '\\.-?[0-9]+$', '')",
    label: `t.kind || ', ' || ${name('t')}`,
    ref: 'NULL',
    value: 't.ms / 1000.0',
    basis: "'derived'",
    kind: 'x.kind',
    line: 't.source_line',
    how: "'from ' || strftime(make_timestamp(t.started_at_ms * 1000), '%Y-%m-%d %H:%M:%S') || ' UTC'",
    order: 't.started_at_ms',
  },
});
