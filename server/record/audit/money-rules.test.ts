import { describe, expect, it } from 'vitest';
import { ANVIL, at, call, calls, record, session, type Tables } from '../derive/test-money.ts';
import { RULES } from './index.ts';

/** What one rule finds: its sentence, severity and the lines it rests on. */
async function found(id: string, ...parts: readonly Tables[]): Promise<string[]> {
  const rule = RULES.find((one) => one.id === id);
  if (!rule) throw new Error(`there is no rule ${id}`);
  return (await rule.find(await record(...parts))).map(
    ({ says, severity, rows }) => `${severity}: ${says} [${rows.map(({ line }) => line).join(' ')}]`,
  );
}

describe('calls_without_price', () => {
  it('finds each model and reason, with calls and tokens', async () => {
    expect(
      await found(
        'calls_without_price',
        calls(
          call({ model: 'mystery-1', in_uncached: 900, out_total: 100, source_line: 7 }),
          call({ model: 'mystery-1', out_total: 200, source_line: 9 }),
          call({ tier: 'batch', out_total: 5, source_line: 11 }),
          call({ model: null, out_total: 3, source_line: 13 }),
        ),
      ),
    ).toEqual([
      'warning: 2 model calls of mystery-1, 1,200 tokens, without a price: the model is on no price list [7 9]',
      'warning: 1 model call of anvil-2, 5 tokens, without a price: the price list has none for its speed or tier [11]',
      'warning: 1 model call, 3 tokens, without a price: no model is named [13]',
    ]);
  });

  it('finds nothing where all are priced, reported, or without tokens', async () => {
    expect(
      await found(
        'calls_without_price',
        calls(
          call({ out_total: 5 }),
          call({ model: 'mystery-1', out_total: 5, cost_reported_uusd: 12 }),
          call({ model: 'mystery-1', out_total: 0 }),
          call({ model: 'mystery-1', status: 'error' }),
        ),
      ),
    ).toEqual([]);
  });
});

describe('reported_cost_differs', () => {
  it('finds a session whose source says otherwise than the price list', async () => {
    expect(
      await found(
        'reported_cost_differs',
        calls(
          call({ out_total: 10_000, cost_reported_uusd: 400_000, source_line: 3 }),
          call({ out_total: 10_000, cost_reported_uusd: 250_000, source_line: 5 }),
        ),
      ),
    ).toEqual([
      'info: 2 model calls of anvil-2 in session s1 cost $0.65 by their source and $0.50 by the price list; the source’s figure counts [3 5]',
    ]);
  });

  it('leaves differences below a cent or a hundredth, and what cannot be compared', async () => {
    expect(
      await found(
        'reported_cost_differs',
        calls(
          call({ out_total: 100, cost_reported_uusd: 9_000 }),
          call({ session_id: 'big', out_total: 4_000_000, cost_reported_uusd: 100_900_000 }),
          call({ session_id: 'unknown', model: 'mystery-1', out_total: 1, cost_reported_uusd: 5_000_000 }),
        ),
      ),
    ).toEqual([]);
  });
});

describe('zero_cost_not_trusted', () => {
  it('finds calls with tokens that are said to cost nothing', async () => {
    expect(
      await found(
        'zero_cost_not_trusted',
        calls(
          call({ in_uncached: 50_000, cost_reported_uusd: 0, source_line: 2 }),
          call({ model: 'mystery-1', in_uncached: 50_000, cost_reported_uusd: 0, source_line: 4 }),
        ),
      ),
    ).toEqual([
      'info: 1 model call of anvil-2 with tokens is said to cost 0; the price list makes it $0.25, which counts [2]',
      'info: 1 model call of mystery-1 with tokens is said to cost 0; the price list has none either [4]',
    ]);
  });

  it('believes 0 where there are no tokens', async () => {
    expect(
      await found(
        'zero_cost_not_trusted',
        calls(call({ in_uncached: 0, out_total: 0, cost_reported_uusd: 0 })),
      ),
    ).toEqual([]);
  });
});

describe('tokens_lower_bound', () => {
  it('finds output of which only the beginning is told', async () => {
    const cut = { token_quality: 'lower_bound', out_total: 3 };
    expect(
      await found(
        'tokens_lower_bound',
        calls(call({ ...cut, source_line: 4 }), call({ ...cut, session_id: 's2', source_line: 6 })),
      ),
    ).toEqual([
      'warning: 2 model calls in 2 sessions tell 6 tokens of output, which is the least they can be [4 6]',
    ]);
  });

  it('finds none where another row tells the whole', async () => {
    const rows = [
      call({ message_id: 'm', token_quality: 'lower_bound', out_total: 3 }),
      call({ message_id: 'm', token_quality: 'exact', out_total: 300 }),
    ];
    expect(await found('tokens_lower_bound', calls(...rows))).toEqual([]);
  });
});

describe('calls_set_aside', () => {
  const event = {
    channel: 'otlp_event',
    source_id: 'events',
    source_line: 8,
    out_total: 10,
    cost_reported_uusd: 2_000_000,
  };

  it('finds telemetry of a session that counts from its transcript and matches none of its calls', async () => {
    expect(
      await found(
        'calls_set_aside',
        calls(
          call({ message_id: 'm', request_ref: 'q1', out_total: 10 }),
          call({ ...event, request_ref: 'q2' }),
        ),
      ),
    ).toEqual([
      'info: 1 model call told by events of telemetry, $2.00 by its own word, matches none of those that count from transcripts of the same sessions; no total holds it [8]',
    ]);
  });

  it('finds none where it matches, or where there is no transcript', async () => {
    expect(
      await found(
        'calls_set_aside',
        calls(
          call({ message_id: 'm', request_ref: 'q1', out_total: 10 }),
          call({ ...event, request_ref: 'q1' }),
        ),
      ),
    ).toEqual([]);
    expect(await found('calls_set_aside', calls(call({ ...event, request_ref: 'q1' })))).toEqual([]);
  });
});

describe('session_total_differs', () => {
  const total = (cost_uusd: number, more = {}) => ({
    total_id: `t${cost_uusd}`,
    session_id: 's1',
    scope: 'tree',
    cost_uusd,
    source_id: 'result',
    source_kind: 'claude_result',
    source_line: 1,
    ...more,
  });
  const work = calls(
    call({ out_total: 40_000 }),
    call({ out_total: 4_000, session_id: 's1/agent-a', is_sidechain: true, source_id: 'agent' }),
  );
  const told = { sessions_told: [session('s1'), session('s1/agent-a', { parent_session_id: 's1' })] };

  it('finds a total that is not what the calls of the session and its subagents add up to', async () => {
    expect(await found('session_total_differs', work, told, { reported_totals: [total(2_000_000)] })).toEqual(
      [
        'warning: The harness gives $2.00 for session s1, its model calls add up to $1.10; the calls count [1]',
      ],
    );
  });

  it('finds none where it is, where several totals were given, and where a call has no price', async () => {
    expect(await found('session_total_differs', work, told, { reported_totals: [total(1_100_000)] })).toEqual(
      [],
    );
    expect(
      await found('session_total_differs', work, told, {
        reported_totals: [total(2_000_000), total(3_000_000)],
      }),
    ).toEqual([]);
    expect(
      await found('session_total_differs', work, told, calls(call({ model: 'mystery-1', out_total: 1 })), {
        reported_totals: [total(2_000_000)],
      }),
    ).toEqual([]);
  });
});

describe('price_not_checked', () => {
  it('finds calls long after their price was looked up', async () => {
    const old = { prices: [{ ...ANVIL, checked_at_ms: Date.UTC(2026, 0, 1) }] };
    expect(await found('price_not_checked', old, calls(call({ out_total: 1, source_line: 3 })))).toEqual([
      'info: The price of anvil-2 was looked up last on 2026-01-01; 1 model call more than 90 days later may have cost something else [3]',
    ]);
  });

  it('finds none soon after, before, or where the source says the cost', async () => {
    const fresh = { prices: [{ ...ANVIL, checked_at_ms: Date.UTC(2026, 3, 1) }] };
    expect(await found('price_not_checked', fresh, calls(call({ out_total: 1 })))).toEqual([]);
    const old = { prices: [{ ...ANVIL, checked_at_ms: Date.UTC(2026, 0, 1) }] };
    expect(
      await found(
        'price_not_checked',
        old,
        calls(
          call({ out_total: 1, cost_reported_uusd: 25 }),
          call({ out_total: 1, started_at_ms: at('10:00:00') - 100 * 86_400_000 }),
        ),
      ),
    ).toEqual([]);
  });
});
