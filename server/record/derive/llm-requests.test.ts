import { describe, expect, it } from 'vitest';
import { ANVIL, at, call, calls, record, session } from './test-money.ts';

const TOTALS = `SELECT count(*) AS calls, sum(in_uncached) AS input, sum(in_cache_read) AS read, sum(out_total) AS output FROM llm_requests`;

describe('a message is counted once', () => {
  it('whose two rows repeat its usage, also with an empty request id', async () => {
    const usage = { message_id: 'm1', in_uncached: 4, in_cache_read: 90_000, out_total: 159 };
    const ask = await record(
      calls(call({ ...usage, request_ref: 'q1' }), call({ ...usage, request_ref: 'q1' })),
    );
    expect(await ask(TOTALS)).toEqual([{ calls: 1, input: 4, read: 90_000, output: 159 }]);
    const empty = await record(calls(call(usage), call(usage)));
    expect(await empty(TOTALS)).toEqual([{ calls: 1, input: 4, read: 90_000, output: 159 }]);
    const half = await record(calls(call({ ...usage, request_ref: 'q1' }), call(usage)));
    expect(await half(TOTALS)).toEqual([{ calls: 1, input: 4, read: 90_000, output: 159 }]);
  });

  it('with output 9, 9 and 159 as 159', async () => {
    const rows = [9, 9, 159].map((out_total) => call({ message_id: 'm1', request_ref: 'q1', out_total }));
    expect(await (await record(calls(...rows)))(TOTALS)).toMatchObject([{ calls: 1, output: 159 }]);
  });

  it('and one message under two request ids is two calls', async () => {
    const rows = ['q1', 'q2'].map((request_ref) => call({ message_id: 'm1', request_ref, out_total: 5 }));
    expect(await (await record(calls(...rows)))(TOTALS)).toMatchObject([{ calls: 2, output: 10 }]);
  });

  it('and rows without a message id are calls of their own', async () => {
    const ask = await record(calls(call({ out_total: 5 }), call({ out_total: 5 })));
    expect(await ask(TOTALS)).toMatchObject([{ calls: 2, output: 10 }]);
  });
});

describe('copies in other files', () => {
  const ten = (source: string, session_id: string, from = 1, to = 10) =>
    Array.from({ length: to - from + 1 }, (_, i) =>
      call({
        message_id: `m${from + i}`,
        request_ref: `q${from + i}`,
        out_total: 100,
        source_id: source,
        session_id,
        source_line: from + i,
        started_at_ms: at('10:00:00') + (from + i) * 1000,
        ended_at_ms: at('10:00:00') + (from + i) * 1000 + 500,
      }),
    );
  const BY =
    'SELECT session_id, count(*) AS calls, sum(out_total) AS output FROM llm_requests GROUP BY session_id ORDER BY session_id';

  it('of a resumed session leave the total as it is, and the calls with the first', async () => {
    const ask = await record(
      calls(...ten('a-later', 'resumed'), ...ten('a-later', 'resumed', 11, 12), ...ten('first', 'original')),
    );
    expect(await ask(BY)).toEqual([
      { session_id: 'original', calls: 10, output: 1_000 },
      { session_id: 'resumed', calls: 2, output: 200 },
    ]);
  });

  it('of copies of copies go to the first of all', async () => {
    const ask = await record(
      calls(...ten('c', 'third', 1, 15), ...ten('b', 'second', 1, 12), ...ten('d', 'first', 1, 10)),
    );
    expect(await ask(BY)).toEqual([
      { session_id: 'first', calls: 10, output: 1_000 },
      { session_id: 'second', calls: 2, output: 200 },
      { session_id: 'third', calls: 3, output: 300 },
    ]);
  });

  it('go to the session that went on, where the fork says that it is one', async () => {
    const ask = await record(
      calls(
        ...ten('a-fork', 'fork'),
        ...ten('a-fork', 'fork', 11, 11),
        ...ten('b', 'parent'),
        ...ten('b', 'parent', 12, 12),
      ),
      { sessions_told: [session('fork', { forked_from: 'parent' })] },
    );
    expect(await ask(BY)).toEqual([
      { session_id: 'fork', calls: 1, output: 100 },
      { session_id: 'parent', calls: 11, output: 1_100 },
    ]);
  });

  it('in a sidechain leave the call with the main file', async () => {
    const ask = await record(
      calls(
        call({
          message_id: 'm1',
          out_total: 50,
          is_sidechain: true,
          source_id: 'a-side',
          session_id: 's1/agent-a',
        }),
        call({ message_id: 'm1', out_total: 50, source_id: 'main' }),
      ),
    );
    expect(await ask('SELECT session_id, is_sidechain, source_id, out_total FROM llm_requests')).toEqual([
      { session_id: 's1', is_sidechain: false, source_id: 'main', out_total: 50 },
    ]);
  });

  it('are none of a subagent’s own rows: its 40 add to its parent', async () => {
    const own = Array.from({ length: 40 }, (_, i) =>
      call({
        message_id: `a${i}`,
        out_total: 10,
        is_sidechain: true,
        source_id: 'agent',
        session_id: 's1/agent-a',
      }),
    );
    const ask = await record(calls(call({ message_id: 'm1', out_total: 7 }), ...own));
    expect(await ask(TOTALS)).toMatchObject([{ calls: 41, output: 407 }]);
    expect(
      await ask("SELECT count(*) AS n FROM llm_requests WHERE is_sidechain AND session_id = 's1/agent-a'"),
    ).toEqual([{ n: 40 }]);
  });

  it('are none of two processes that share a session id', async () => {
    const ask = await record(
      calls(
        call({ message_id: 'm1', request_ref: 'q1', out_total: 10, source_id: 'one' }),
        call({ message_id: 'm2', request_ref: 'q2', out_total: 20, source_id: 'two' }),
      ),
    );
    expect(await ask(BY)).toEqual([{ session_id: 's1', calls: 2, output: 30 }]);
  });
});

describe('the same money from two channels', () => {
  const transcript = call({
    message_id: 'm1',
    request_ref: 'q1',
    in_uncached: 10,
    in_cache_write_1h: 1_000,
    out_total: 100,
  });
  const event = call({
    channel: 'otlp_event',
    request_ref: 'q1',
    in_uncached: 10,
    in_cache_write_5m: 1_000,
    out_total: 100,
    duration_ms: 7_250,
    cost_reported_uusd: 12_555,
    source_id: 'events',
    source_kind: 'otlp_events',
  });

  it('is counted from the transcript; telemetry adds duration and the cost it reports', async () => {
    const ask = await record(calls(transcript, event));
    expect(
      await ask(
        'SELECT channel, in_cache_write_5m, in_cache_write_1h, out_total, duration_ms, cost_reported_uusd, cost_computed_uusd, cost_uusd, cost_source FROM llm_requests',
      ),
    ).toEqual([
      {
        channel: 'transcript',
        in_cache_write_5m: null,
        in_cache_write_1h: 1_000,
        out_total: 100,
        duration_ms: 7_250,
        cost_reported_uusd: 12_555,
        cost_computed_uusd: 12_550,
        cost_uusd: 12_555,
        cost_source: 'reported',
      },
    ]);
  });

  it('is left out, and told, where telemetry of the same session cannot be matched', async () => {
    const ask = await record(calls(transcript, { ...event, told_id: 'e2', request_ref: 'q9' }));
    expect(await ask(TOTALS)).toMatchObject([{ calls: 1, output: 100 }]);
    expect(await ask("SELECT count(*) AS n FROM request_rows WHERE role = 'aside'")).toEqual([{ n: 1 }]);
  });

  it('counts from telemetry where it is the only channel, an event and its span once', async () => {
    const span = { ...event, told_id: 'e3', channel: 'otlp_span', cost_reported_uusd: null };
    const ask = await record(calls(event, span, { ...event, told_id: 'e4', request_ref: 'q2' }));
    expect(await ask(TOTALS)).toMatchObject([{ calls: 2, output: 200 }]);
  });

  it('counts what telemetry knows of output that the transcript holds only the beginning of', async () => {
    const cut = { ...transcript, out_total: 1, token_quality: 'lower_bound' };
    const ask = await record(calls(cut, { ...event, out_total: 900 }));
    expect(await ask('SELECT out_total, token_quality, cost_computed_uusd FROM llm_requests')).toEqual([
      { out_total: 900, token_quality: 'exact', cost_computed_uusd: 32_550 },
    ]);
  });

  it('is not counted from a harness whose task the sessions of that time tell call by call', async () => {
    const task = call({
      channel: 'harness',
      session_id: null,
      source_id: 'h',
      cost_reported_uusd: 9_000,
      duration_ms: 60_000,
      started_at_ms: null,
      ended_at_ms: at('10:00:30'),
    });
    expect(await (await record(calls(transcript, task)))('SELECT channel FROM llm_requests')).toEqual([
      { channel: 'transcript' },
    ]);
    const later = { ...task, ended_at_ms: at('12:00:00') };
    expect(
      await (await record(calls(transcript, later)))('SELECT channel FROM llm_requests ORDER BY channel'),
    ).toEqual([{ channel: 'harness' }, { channel: 'transcript' }]);
  });

  it('counts what codex exec printed only without the rollout of that session', async () => {
    const exec = call({
      channel: 'exec',
      session_id: 'x',
      out_total: 30,
      source_kind: 'codex_exec',
      source_id: 'exec',
    });
    const rollout = call({
      channel: 'rollout',
      session_id: 'x',
      out_total: 30,
      n: 1,
      totals: '30',
      last: '30',
      source_kind: 'codex_rollout',
      source_id: 'rollout',
    });
    expect(await (await record(calls(exec)))(TOTALS)).toMatchObject([{ calls: 1, output: 30 }]);
    expect(await (await record(calls(exec, rollout)))('SELECT channel, out_total FROM llm_requests')).toEqual(
      [{ channel: 'rollout', out_total: 30 }],
    );
  });
});

describe('rollouts', () => {
  const row = (session_id: string, n: number, turn: string, added: number) =>
    call({
      channel: 'rollout',
      session_id,
      source_id: session_id,
      source_kind: 'codex_rollout',
      source_line: n,
      n,
      turn_id: turn,
      totals: `${n * 100}.${turn}`,
      last: `${added}`,
      out_total: added,
    });
  const rows = (session: string, turn: string, count: number, from = 1) =>
    Array.from({ length: count }, (_, i) => row(session, from + i, turn, 10));

  it('of a parent with 5 calls and two children that each repeat them and add 2 are 9 calls', async () => {
    const child = (id: string) => [...rows(id, 'first', 5), ...rows(id, id, 2, 6)];
    const ask = await record(calls(...rows('parent', 'first', 5), ...child('a'), ...child('b')), {
      sessions_told: ['parent', 'a', 'b'].map((id) =>
        session(id, id === 'parent' ? {} : { forked_from: 'parent' }),
      ),
    });
    expect(
      await ask(
        'SELECT session_id, count(*) AS calls FROM llm_requests GROUP BY session_id ORDER BY session_id',
      ),
    ).toEqual([
      { session_id: 'a', calls: 2 },
      { session_id: 'b', calls: 2 },
      { session_id: 'parent', calls: 5 },
    ]);
    expect(await ask("SELECT count(*) AS n FROM request_rows WHERE role = 'copy'")).toEqual([{ n: 10 }]);
  });

  it('of a child that repeats nothing both count', async () => {
    const ask = await record(calls(row('parent', 1, 'one', 69_254), row('child', 1, 'two', 46_353)), {
      sessions_told: [session('parent'), session('child', { parent_session_id: 'parent' })],
    });
    expect(await ask('SELECT sum(out_total) AS total FROM llm_requests')).toEqual([{ total: 115_607 }]);
  });
});

describe('tokens', () => {
  it('of a rollout: input less what is cached, reasoning inside the output', async () => {
    const ask = await record(
      calls(
        call({
          channel: 'rollout',
          in_uncached: 486_448,
          in_cache_read: 16_358_912,
          out_total: 63_820,
          out_reasoning: 24_882,
        }),
      ),
    );
    expect(
      await ask(
        'SELECT in_uncached + in_cache_read AS input, in_uncached + in_cache_read + out_total AS total, out_total AS billable, cost_uusd FROM llm_requests',
      ),
    ).toEqual([
      // 486448 * 5 + 16358912 * 0.5 + 63820 * 25
      { input: 16_845_360, total: 16_909_180, billable: 63_820, cost_uusd: 12_207_196 },
    ]);
  });
});

describe('cost', () => {
  const COST = 'SELECT cost_uusd, cost_source, cost_note FROM llm_requests';

  it('of one million tokens written to the cache for an hour at $5 input is $10.00', async () => {
    const ask = await record(
      calls(call({ in_cache_write_1h: 1_000_000 }), call({ in_cache_write_5m: 1_000_000 })),
    );
    expect(await ask('SELECT cost_uusd FROM llm_requests ORDER BY cost_uusd DESC')).toEqual([
      { cost_uusd: 10_000_000 },
      { cost_uusd: 6_250_000 },
    ]);
  });

  it('is exact, and half a micro-dollar goes up', async () => {
    const odd = { ...ANVIL, in_uusd_per_mtok: 100_000, out_uusd_per_mtok: 999_999_999_999 };
    const ask = await record(
      calls(
        call({ in_uncached: 5 }),
        call({ in_uncached: 4 }),
        call({ in_uncached: 15 }),
        call({ out_total: 9_007_199 }),
      ),
      { prices: [odd] },
    );
    expect(await ask('SELECT in_uncached, cost_uusd FROM llm_requests ORDER BY source_line')).toEqual([
      { in_uncached: 5, cost_uusd: 1 },
      { in_uncached: 4, cost_uusd: 0 },
      { in_uncached: 15, cost_uusd: 2 },
      { in_uncached: null, cost_uusd: 9_007_198_999_991 },
    ]);
  });

  it('of an unknown model is none, and says so; it is never 0', async () => {
    const ask = await record(
      calls(
        call({ model: 'mystery-1', out_total: 10 }),
        call({ model: null, out_total: 10 }),
        call({ out_total: 40 }),
      ),
    );
    expect(await ask(`${COST} ORDER BY cost_note NULLS LAST`)).toEqual([
      { cost_uusd: null, cost_source: 'missing_price', cost_note: 'no_model' },
      { cost_uusd: null, cost_source: 'missing_price', cost_note: 'unknown_model' },
      { cost_uusd: 1_000, cost_source: 'computed', cost_note: null },
    ]);
  });

  it('of 0 that a source states for 50,000 tokens is computed, and what it stated is kept', async () => {
    const ask = await record(calls(call({ in_uncached: 50_000, cost_reported_uusd: 0 })));
    expect(
      await ask(
        'SELECT cost_uusd, cost_source, cost_note, cost_reported_uusd, cost_computed_uusd FROM llm_requests',
      ),
    ).toEqual([
      {
        cost_uusd: 250_000,
        cost_source: 'computed',
        cost_note: 'reported_zero',
        cost_reported_uusd: 0,
        cost_computed_uusd: 250_000,
      },
    ]);
    const unknown = await record(
      calls(call({ model: 'mystery-1', in_uncached: 50_000, cost_reported_uusd: 0 })),
    );
    expect(await unknown(COST)).toEqual([
      { cost_uusd: null, cost_source: 'missing_price', cost_note: 'unknown_model' },
    ]);
  });

  it('of tokens nobody told is none, and of a failed call nothing', async () => {
    const ask = await record(
      calls(call({}), call({ status: 'error', http_status: 529 }), call({ in_uncached: 0, out_total: 0 })),
    );
    expect(await ask(`${COST} ORDER BY cost_source`)).toEqual([
      { cost_uusd: 0, cost_source: 'computed', cost_note: null },
      { cost_uusd: null, cost_source: 'missing_tokens', cost_note: null },
      { cost_uusd: 0, cost_source: 'not_billed', cost_note: null },
    ]);
  });

  it('takes each call at its own model, speed and tier, and has none for a tier that is not listed', async () => {
    const small = { ...ANVIL, price_id: 'small', model: 'anvil-mini', out_uusd_per_mtok: 1_000_000 };
    const fast = { ...ANVIL, price_id: 'fast', speed: 'fast', out_uusd_per_mtok: 50_000_000 };
    const ask = await record(
      calls(
        call({ out_total: 1_000 }),
        call({ out_total: 1_000, model: 'anvil-mini' }),
        call({ out_total: 1_000, speed: 'fast' }),
        call({ out_total: 1_000, tier: 'batch' }),
      ),
      { prices: [ANVIL, small, fast] },
    );
    expect(await ask('SELECT price_id, cost_uusd, cost_note FROM llm_requests ORDER BY source_line')).toEqual(
      [
        { price_id: 'anvil', cost_uusd: 25_000, cost_note: null },
        { price_id: 'small', cost_uusd: 1_000, cost_note: null },
        { price_id: 'fast', cost_uusd: 50_000, cost_note: null },
        { price_id: null, cost_uusd: null, cost_note: 'no_such_tier' },
      ],
    );
  });

  it('takes the price of the day, and none where none was valid or the day is not known', async () => {
    const until = { ...ANVIL, price_id: 'until', valid_to_ms: at('10:00:00') };
    const since = { ...ANVIL, price_id: 'since', valid_from_ms: at('10:00:00'), valid_to_ms: at('11:00:00') };
    const times = ['09:59:59', '10:00:00', '10:59:59', '11:00:00'];
    const ask = await record(
      calls(
        ...times.map((clock) => call({ out_total: 1, started_at_ms: at(clock) })),
        call({ out_total: 1, started_at_ms: null, ended_at_ms: null }),
      ),
      { prices: [until, since] },
    );
    expect(await ask('SELECT price_id, cost_note FROM llm_requests ORDER BY source_line')).toEqual([
      { price_id: 'until', cost_note: null },
      { price_id: 'since', cost_note: null },
      { price_id: 'since', cost_note: null },
      { price_id: null, cost_note: 'no_price_then' },
      { price_id: null, cost_note: 'no_price_then' },
    ]);
  });

  it('of a long context takes the price above its threshold for the whole call, as long as that was valid', async () => {
    const long = {
      ...ANVIL,
      price_id: 'long',
      over_input_tokens: 200_000,
      in_uusd_per_mtok: 10_000_000,
      cache_read_uusd_per_mtok: 1_000_000,
      valid_to_ms: at('12:00:00'),
    };
    const ask = await record(
      calls(
        call({ in_uncached: 100_000, in_cache_read: 100_000 }),
        call({ in_uncached: 100_000, in_cache_read: 100_001 }),
        call({ in_uncached: 300_000, started_at_ms: at('12:00:00') }),
      ),
      { prices: [ANVIL, long] },
    );
    expect(await ask('SELECT price_id, cost_uusd FROM llm_requests ORDER BY source_line')).toEqual([
      { price_id: 'anvil', cost_uusd: 550_000 },
      { price_id: 'long', cost_uusd: 1_100_001 },
      { price_id: 'anvil', cost_uusd: 1_500_000 },
    ]);
  });

  it('is none where a class that was used has no price', async () => {
    const thin = { ...ANVIL, cache_write_1h_uusd_per_mtok: null };
    const ask = await record(
      calls(call({ in_cache_write_1h: 1 }), call({ in_uncached: 1_000, in_cache_write_1h: 0 })),
      { prices: [thin] },
    );
    expect(await ask(`${COST} ORDER BY cost_uusd NULLS FIRST`)).toEqual([
      { cost_uusd: null, cost_source: 'missing_price', cost_note: 'class_without_price' },
      { cost_uusd: 5_000, cost_source: 'computed', cost_note: null },
    ]);
  });

  it('counts searches', async () => {
    const ask = await record(calls(call({ in_uncached: 1_000, web_searches: 3 })));
    expect(await ask('SELECT cost_uusd FROM llm_requests')).toEqual([{ cost_uusd: 35_000 }]);
  });

  it('without caching would have been another: what was saved, net of what writing cost', async () => {
    const ask = await record(
      calls(
        call({ in_uncached: 1_000, in_cache_read: 100_000, in_cache_write_5m: 10_000, out_total: 100 }),
        call({ in_cache_write_1h: 10_000 }),
      ),
    );
    expect(
      await ask(
        'SELECT cost_computed_uusd, cost_without_cache_uusd - cost_computed_uusd AS saved FROM llm_requests ORDER BY source_line',
      ),
    ).toEqual([
      { cost_computed_uusd: 120_000, saved: 437_500 },
      { cost_computed_uusd: 100_000, saved: -50_000 },
    ]);
  });
});

describe('the name of a model', () => {
  const NAMES = 'SELECT price_id FROM llm_requests ORDER BY source_line';
  const priced = async (...models: string[]) =>
    (await (await record(calls(...models.map((model) => call({ model, out_total: 1 })))))(NAMES)).map(
      ({ price_id }) => price_id !== null,
    );

  it('finds its price behind documented beginnings and endings', async () => {
    expect(
      await priced(
        'anvil-2',
        'Anvil-2',
        'anvil-2[1m]',
        'anvil-2-20260301',
        'anvil-2-2026-03-01',
        'anvil-2@20260301',
        'anthropic/anvil-2',
        'anthropic.anvil-2-20260301-v1:0',
        'global.anthropic.anvil-2-v2',
      ),
    ).toEqual(Array(9).fill(true));
  });

  it('never finds that of a sibling, of a name it begins with, or of a region', async () => {
    expect(
      await priced(
        'anvil-2-mini',
        'anvil-2-1',
        'anvil-2.5',
        'anvil',
        'anvil-20',
        'anvil-2-preview',
        'us.anthropic.anvil-2-v1:0',
        'anvil-2-99999999',
      ),
    ).toEqual(Array(8).fill(false));
  });

  it('prefers its own entry to the one without its date', async () => {
    const dated = { ...ANVIL, price_id: 'dated', model: 'anvil-2-20260301' };
    const ask = await record(
      calls(
        call({ model: 'anvil-2-20260301', out_total: 1 }),
        call({ model: 'anvil-2-20260302', out_total: 1 }),
      ),
      { prices: [ANVIL, dated] },
    );
    expect(await ask(NAMES)).toEqual([{ price_id: 'dated' }, { price_id: 'anvil' }]);
  });
});
