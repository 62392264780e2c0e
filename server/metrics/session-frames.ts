import { ACTIVITIES } from '../../shared/activities.ts';
import { duckdb } from './dialect.ts';
import type { Axis, Frame } from './frame.ts';
import { dayStart, localDay, localMs } from './local-time.ts';
import type { SESSION_BASES } from './measures.ts';

export type SessionBase = keyof typeof SESSION_BASES;

/** What frames of sessions need of the rest: axes all frames have, the status of a feature, and the strength of a kind of source. */
export interface Shared {
  common: Readonly<Record<string, Axis>>;
  status: Axis;
  kindRank: (column: string) => string;
  /** Zone of days and hours. */
  zone: string;
}

const plain = (key: string): Axis => ({ key, label: null, order: 'NULL', rank: null, joins: [] });
const placed = (key: string, values: readonly string[]): Axis => ({
  ...plain(key),
  order: `CASE ${key} ${values.map((value, at) => `WHEN '${value}' THEN ${at + 1}`).join(' ')} ELSE ${values.length + 1} END`,
});

/** Calendar of an instant in the reader's zone: days that add up to months, hours of the day, and the instant itself. */
function calendar(at: string, zone: string): Record<'day' | 'month' | 'hour' | 'happened_at', Axis> {
  const local = localMs(at, zone);
  const text = (format: string): string =>
    `strftime(make_timestamp(CAST(${local} AS BIGINT) * 1000), '${format}')`;
  const ordered = (key: string, order: string): Axis => ({ ...plain(key), order });
  return {
    day: ordered(text('%Y-%m-%d'), localDay(at, zone)),
    month: ordered(text('%Y-%m'), `CAST(${text('%Y%m')} AS INTEGER)`),
    hour: ordered(text('%H'), `CAST(${text('%H')} AS INTEGER)`),
    happened_at: { ...plain(at), order: at, reader: true },
  };
}

/** Axes of the session a row belongs to, joined as `s`. */
const ofSession = (id: string): Record<string, Axis> => ({
  session: { ...plain(id), label: 's.title', order: 's.started_at_ms' },
  agent_harness: plain('s.harness'),
});
const agentOf = (subagent: string): Axis =>
  placed(`CASE WHEN ${subagent} THEN 'subagent' ELSE 'main' END`, ['main', 'subagent']);

const CLASSES = [
  'in_uncached',
  'in_cache_read',
  'in_cache_write_5m',
  'in_cache_write_1h',
  'out_total',
] as const;
/** Sum of some classes of tokens; a request without any count has none. */
const sumOf = (classes: readonly string[]): string =>
  `CASE WHEN coalesce(${CLASSES.map((name) => `q.${name}`).join(', ')}) IS NOT NULL THEN ${classes.map((name) => `coalesce(q.${name}, 0)`).join(' + ')} END`;

const AT = 'coalesce(q.ended_at_ms, q.started_at_ms)';

/** The first request of each session that begins with nothing, where it comes before the session's first tool call. */
const FIRST_REQUESTS = `(SELECT x.request_id FROM llm_requests x JOIN sessions y USING (session_id)
  LEFT JOIN (SELECT session_id, min(started_at_ms) AS first_tool_ms FROM tool_calls GROUP BY session_id) z USING (session_id)
  WHERE y.forked_from IS NULL AND coalesce(x.in_uncached, x.in_cache_read, x.in_cache_write_5m, x.in_cache_write_1h) IS NOT NULL
   AND (z.first_tool_ms IS NULL OR coalesce(x.started_at_ms, x.ended_at_ms) <= z.first_tool_ms)
  QUALIFY row_number() OVER (PARTITION BY x.session_id ORDER BY coalesce(x.started_at_ms, x.ended_at_ms) NULLS LAST, x.request_id) = 1)`;

/** Failed calls of a tool that had failed with the same error before. */
const REPEATED = `(SELECT tool_call_id FROM tool_calls WHERE status = 'error' AND error_sig IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY name, error_sig ORDER BY coalesce(started_at_ms, ended_at_ms) NULLS LAST, tool_call_id) > 1)`;

/** Attempts that did not pass, by feature and number, in the words of the strongest source that lists attempts. */
const LOST_ATTEMPTS = `(SELECT feature_id, n FROM (SELECT * FROM attempts QUALIFY dense_rank() OVER (PARTITION BY run_id, feature_id ORDER BY basis_rank(basis), source_kind) = 1)
  WHERE NOT coalesce(passed, verdict = 'pass', TRUE))`;
/** Whether a request went into nothing that stayed; NULL where it is tied to no feature. */
const LOST = `CASE WHEN q.feature_id IS NULL THEN NULL ELSE coalesce(st.text_value IN ('skipped', 'failed'), FALSE)
  OR EXISTS (FROM ${LOST_ATTEMPTS} l WHERE l.feature_id = q.feature_id AND l.n = q.attempt_n) END`;

const usd = (column: string): string => `q.${column} / 1000000.0`;
/** Micro-dollars a million tokens times tokens, in dollars. */
const priced = (tokens: string, price: string): string => `coalesce(q.${tokens}, 0) * (${price}) / 1e12`;
const SAVED = `CASE WHEN p.in_uusd_per_mtok IS NOT NULL
  AND (coalesce(q.in_cache_read, 0) = 0 OR p.cache_read_uusd_per_mtok IS NOT NULL)
  AND (coalesce(q.in_cache_write_5m, 0) = 0 OR p.cache_write_5m_uusd_per_mtok IS NOT NULL)
  AND (coalesce(q.in_cache_write_1h, 0) = 0 OR p.cache_write_1h_uusd_per_mtok IS NOT NULL)
  THEN ${priced('in_cache_read', 'p.in_uusd_per_mtok - coalesce(p.cache_read_uusd_per_mtok, 0)')}
   - ${priced('in_cache_write_5m', 'coalesce(p.cache_write_5m_uusd_per_mtok, 0) - p.in_uusd_per_mtok')}
   - ${priced('in_cache_write_1h', 'coalesce(p.cache_write_1h_uusd_per_mtok, 0) - p.in_uusd_per_mtok')} END`;

/** Seconds between two instants, or a duration that is told; a negative one is none. */
const seconds = (t: string): string =>
  `CASE WHEN coalesce(${t}.duration_ms, ${t}.ended_at_ms - ${t}.started_at_ms) >= 0 AND coalesce(${t}.started_at_ms, 1) > 0
    THEN coalesce(${t}.duration_ms, ${t}.ended_at_ms - ${t}.started_at_ms) / 1000.0 END`;

function requestFrame({ common, status, kindRank, zone }: Shared): Frame {
  const told = `CASE q.token_quality WHEN 'estimated' THEN 4 ELSE ${kindRank('q.source_kind')} END`;
  const computed = `CASE WHEN q.cost_source = 'reported' THEN ${told} ELSE greatest(${told}, 2) END`;
  return {
    from: `llm_requests q LEFT JOIN sessions s ON s.session_id = q.session_id LEFT JOIN features f ON f.feature_id = q.feature_id
  LEFT JOIN runs r ON r.run_id = coalesce(q.run_id, f.run_id) LEFT JOIN prices p ON p.price_id = q.price_id
  LEFT JOIN commits k ON k.sha = q.commit_sha LEFT JOIN counted st ON st.feature_id = q.feature_id AND st.fact = 'status'`,
    row: 'q.request_id',
    observation: null,
    current: 'TRUE',
    rank: told,
    ranks: {
      spend: computed,
      spend_computed: `greatest(${told}, 2)`,
      thrown_away: computed,
      saved: `greatest(${told}, 2)`,
    },
    lower: "q.token_quality = 'lower_bound'",
    hits: { unpriced: 'q.cost_uusd IS NULL' },
    within: { startup: `q.request_id IN ${FIRST_REQUESTS}` },
    columns: {
      spend: usd('cost_uusd'),
      spend_computed: usd('cost_computed_uusd'),
      spend_reported: usd('cost_reported_uusd'),
      thrown_away: `CASE ${LOST} WHEN TRUE THEN ${usd('cost_uusd')} WHEN FALSE THEN 0 END`,
      saved: SAVED,
      all_tokens: sumOf(CLASSES),
      input_all: sumOf(CLASSES.slice(0, 4)),
      input: sumOf(['in_uncached']),
      cache_read: sumOf(['in_cache_read']),
      cache_write: sumOf(['in_cache_write_5m', 'in_cache_write_1h']),
      output: sumOf(['out_total']),
      reasoning: 'q.out_reasoning',
      duration: seconds('q'),
    },
    counted: {
      session: 'q.session_id',
      accepted_feature: "CASE WHEN st.text_value = 'accepted' THEN q.feature_id END",
    },
    axes: {
      ...common,
      ...ofSession('q.session_id'),
      ...calendar(AT, zone),
      status: { ...status, key: `CASE WHEN f.feature_id IS NOT NULL THEN ${status.key} END` },
      agent: agentOf('coalesce(s.is_subagent, q.is_sidechain)'),
      model: plain('q.model'),
      branch: plain('coalesce(q.git_branch, s.git_branch)'),
      commit: { ...plain('substr(q.commit_sha, 1, 7)'), label: 'k.subject', order: 'k.at_ms' },
      attempt: { ...plain('q.attempt_n'), order: 'q.attempt_n' },
      link_method: placed('q.link_method', ['explicit', 'ledger', 'commit', 'prompt', 'time_window']),
      cost_source: plain("CASE WHEN q.cost_uusd IS NULL THEN 'unpriced' ELSE q.cost_source END"),
    },
  };
}

/** Stretches of wall time, cut where days of the zone begin, so that days add up. */
const cutByDay = (
  zone: string,
): string => `(SELECT t.session_id, t.kind, t.stretch_id || '.' || d.day AS piece_id,
   greatest(t.started_at_ms, ${dayStart('d.day', zone)}) AS started_at_ms, least(t.ended_at_ms, ${dayStart('d.day + 1', zone)}) AS ended_at_ms
  FROM session_time t CROSS JOIN LATERAL (SELECT unnest(range(${localDay('t.started_at_ms', zone)}, ${localDay('t.ended_at_ms - 1', zone)} + 1)) AS day) d)`;

/** The frames of sessions by base. */
export function sessionFrame(base: SessionBase, shared: Shared): Frame {
  const { common, kindRank, zone } = shared;
  const nothing = plain(duckdb.nullText);
  switch (base) {
    case 'request':
      return requestFrame(shared);
    case 'session':
      return {
        from: 'sessions s LEFT JOIN runs r ON r.run_id = s.run_id',
        row: 's.session_id',
        observation: null,
        current: 'TRUE',
        rank: '1',
        hits: { subagent: 's.is_subagent' },
        columns: {
          wall: 'CASE WHEN s.ended_at_ms >= s.started_at_ms AND s.started_at_ms > 0 THEN (s.ended_at_ms - s.started_at_ms) / 1000.0 END',
        },
        axes: {
          run: common.run ?? nothing,
          project: common.project ?? nothing,
          ...ofSession('s.session_id'),
          ...calendar('s.started_at_ms', zone),
          agent: agentOf('s.is_subagent'),
          branch: plain('s.git_branch'),
          end_reason: plain('s.end_reason'),
        },
      };
    case 'tool_call':
      return {
        from: `tool_calls c LEFT JOIN sessions s ON s.session_id = c.session_id LEFT JOIN features f ON f.feature_id = c.feature_id
  LEFT JOIN runs r ON r.run_id = coalesce(c.run_id, f.run_id)`,
        row: 'c.tool_call_id',
        observation: null,
        current: 'TRUE',
        rank: kindRank('c.source_kind'),
        hits: {
          tool_failed: "coalesce(c.status = 'error', FALSE)",
          tool_denied: "coalesce(c.status = 'denied', FALSE)",
          tool_repeated: `c.tool_call_id IN ${REPEATED}`,
        },
        columns: { duration: seconds('c'), waited: 'c.wait_user_ms / 1000.0' },
        axes: {
          ...common,
          ...ofSession('c.session_id'),
          ...calendar('coalesce(c.started_at_ms, c.ended_at_ms)', zone),
          agent: agentOf('coalesce(s.is_subagent, c.is_sidechain)'),
          branch: plain('s.git_branch'),
          attempt: { ...plain('c.attempt_n'), order: 'c.attempt_n' },
          tool: plain('c.name'),
          tool_target: plain('c.target'),
          call_status: placed('c.status', ['ok', 'error', 'denied', 'interrupted', 'unknown']),
          error: plain("CASE WHEN c.status = 'error' THEN coalesce(c.error_sig, c.error_class) END"),
        },
      };
    case 'session_time':
      return {
        from: `${cutByDay(zone)} t JOIN sessions s ON s.session_id = t.session_id LEFT JOIN runs r ON r.run_id = s.run_id`,
        row: 't.piece_id',
        observation: null,
        current: 'TRUE',
        // Told entry by entry; that the rest was idle follows from them.
        rank: '2',
        within: { main: 's.is_subagent IS NOT TRUE', subagent: 's.is_subagent IS TRUE' },
        columns: { duration: '(t.ended_at_ms - t.started_at_ms) / 1000.0' },
        axes: {
          project: common.project ?? nothing,
          ...ofSession('t.session_id'),
          ...calendar('t.started_at_ms', zone),
          agent: agentOf('s.is_subagent'),
          branch: plain('s.git_branch'),
          activity: placed('t.kind', ACTIVITIES.toReversed()),
        },
      };
  }
}
