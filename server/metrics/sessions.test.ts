import { beforeAll, describe, expect, it } from 'vitest';
import { checkQuery } from './fit.ts';
import { type Query, single } from './query.ts';
import { compileRows } from './rows.ts';
import { type Group, runQuery } from './run.ts';
import type { TestStore } from './test-record.ts';
import { SESSION_CONTEXT, sessionStore } from './test-sessions.ts';

let store: TestStore;
beforeAll(async () => {
  store = await sessionStore();
});

const ask = async (measure: string, more: Partial<Query> = {}): Promise<readonly Group[]> =>
  (await runQuery(store, { ...single(measure, 'counted'), ...more }, SESSION_CONTEXT)).groups;
const only = async (measure: string, more: Partial<Query> = {}) => {
  const [group] = await ask(measure, more);
  return group?.values[0];
};
/** Label and value of each group. */
const by = async (measure: string, dim: string, more: Partial<Query> = {}) =>
  Object.fromEntries(
    (await ask(measure, { by: dim, ...more })).map(({ label, values }) => [label, round(values[0]?.value)]),
  );
const round = (value: number | null | undefined): number | null =>
  value == null ? null : Math.round(value * 1e6) / 1e6;
const where = (dim: string, ...any_of: string[]) => [{ type: 'in' as const, dim, not: false, any_of }];

describe('money', () => {
  it('adds up what is priced, and says what is not', async () => {
    expect(await only('session_cost')).toMatchObject({
      value: 1.85,
      n: 4,
      of: 5,
      atLeast: '1 of 5 requests unpriced',
    });
    expect((await only('session_cost', { where: where('model', 'model-a') }))?.atLeast).toBeUndefined();
    expect((await only('unpriced_requests'))?.value).toBe(1);
  });

  it('is never zero for a model without a price', async () => {
    const none = await only('session_cost', { where: where('model', 'model-x') });
    expect(none).toMatchObject({ value: null, atLeast: '1 of 1 request unpriced' });
  });

  it('is told by feature, session, model, branch and agent', async () => {
    expect(await by('session_cost', 'feature')).toEqual({ 'Search box': 0.75, Export: 1, 'no feature': 0.1 });
    expect(await by('session_cost', 'model')).toEqual({ 'model-a': 1.85, 'model-x': null });
    expect(await by('session_cost', 'branch')).toEqual({ main: 0.85, export: 1 });
    expect(await by('session_cost', 'agent')).toEqual({ 'main loop': 1.75, subagents: 0.1 });
    expect(await by('session_cost', 'status')).toEqual({ accepted: 0.75, skipped: 1, 'not recorded': 0.1 });
    expect(Object.keys(await by('session_cost', 'session'))).toContain('Add the search box');
  });

  it('divides everything that was spent by the accepted features it is tied to', async () => {
    expect(await only('cost_per_accepted_feature')).toMatchObject({
      value: 1.85,
      atLeast: '1 of 5 requests unpriced',
    });
    // The skipped feature alone has none.
    expect((await only('cost_per_accepted_feature', { where: where('feature', '2') }))?.value).toBeNull();
  });

  it('counts failed attempts and skipped features as thrown away', async () => {
    // a: attempt 1 did not pass, 0.50; c: its feature was skipped, 1.00; d and x are tied to nothing.
    expect(await only('thrown_away_cost')).toMatchObject({
      value: 1.5,
      atLeast: '2 of 5 requests unpriced or tied to no feature',
    });
  });

  it('makes ratios of sums', async () => {
    // Cache reads 30,000 over input 1,000+20,000 + 500+20,000 + 2,000 + 4,000+10,000 + 9,000 = 66,500.
    expect(round((await only('cache_hit_rate'))?.value)).toBe(round(30_000 / 66_500));
    expect((await only('cost_per_request'))?.value).toBe(0.4625);
    expect(round((await only('cost_per_session'))?.value)).toBe(round(1.85 / 3));
  });

  it('adds tokens by class, whatever they cost', async () => {
    expect((await only('session_tokens'))?.value).toBe(66_500 + 2_050);
    expect((await only('cache_write_tokens'))?.value).toBe(20_000);
    expect((await only('output_tokens'))?.value).toBe(2_050);
    expect((await only('reasoning_tokens'))?.value).toBeNull();
  });

  it('takes the first request before the first tool call of a fresh session as its start', async () => {
    // a (0.50, 21,100 tokens), d (0.10, 2,050), c (1.00, 14,700): each comes before the first call of its session.
    expect((await only('startup_cost'))?.value).toBe(1.6);
    expect((await only('startup_tokens'))?.value).toBe(14_700);
    expect((await only('fresh_starts'))?.value).toBe(3);
  });

  it('asks a run only where one is named', async () => {
    expect((await only('requests'))?.value).toBe(5);
    expect((await only('requests', { where: where('run', 'r1') }))?.value).toBe(3);
  });

  it('shows the requests behind a figure, with tokens and price', async () => {
    const query = checkQuery({ ...single('session_cost', 'counted'), by: 'model' });
    const { sql, params } = compileRows(query, 0, { by: 'model-a' }, 10, SESSION_CONTEXT);
    const { rows } = await store.query(sql, params);
    expect(rows.map(({ value }) => value)).toEqual([0.5, 0.1, 0.25, 1]);
    expect(rows[0]).toMatchObject({
      ref: '1',
      label: 'model-a, Add the search box',
      how: '21100 tokens; reported; tied by explicit',
      total: 4,
    });
  });
});

describe('saved by caching', () => {
  it('is what reads cost less, less what writes cost more', async () => {
    const own = await sessionStore();
    await own.insert('prices', [
      {
        price_id: 'p1',
        model: 'model-a',
        speed: 'standard',
        tier: 'standard',
        over_input_tokens: 0,
        in_uusd_per_mtok: 5_000_000,
        cache_read_uusd_per_mtok: 500_000,
        cache_write_5m_uusd_per_mtok: 6_250_000,
        cache_write_1h_uusd_per_mtok: 10_000_000,
        out_uusd_per_mtok: 25_000_000,
        origin: 'written for this test',
        source_id: 's',
      },
    ]);
    await own.query('UPDATE llm_requests SET price_id = CASE model WHEN $1 THEN $2 END', ['model-a', 'p1']);
    const answer = await runQuery(own, single('cache_savings', 'counted'), SESSION_CONTEXT);
    // 30,000 read at 4.50 less a million tokens, 20,000 written for an hour at 5.00 more.
    expect(round(answer.groups[0]?.values[0]?.value)).toBe(round(0.135 - 0.1));
    expect(answer.coverage[0]).toMatchObject({ have: 4, of: 5 });
  });
});

describe('tool calls and hooks', () => {
  it('counts failures, and those seen before', async () => {
    expect((await only('tool_calls'))?.value).toBe(6);
    expect((await only('tool_failures'))?.value).toBe(3);
    expect((await only('repeated_failures'))?.value).toBe(1);
    expect((await only('denied_tool_calls'))?.value).toBe(1);
    expect(await only('tool_failure_rate')).toMatchObject({ value: 0.5, n: 6 });
    expect(await by('tool_failures', 'error', { order: 'largest' })).toMatchObject({
      'exit code: tests failed': 2,
      'no such file': 1,
    });
    expect(await by('tool_failures', 'tool')).toEqual({ Bash: 2, Edit: 0, Read: 1 });
  });

  it('tells durations by median and ninetieth percentile', async () => {
    // 5, 5, 10, 30, 60, 90 s
    expect((await only('median_tool_time'))?.value).toBe(20);
    expect((await only('slow_tool_time'))?.value).toBe(75);
    expect((await only('permission_time'))?.value).toBe(4);
  });

  it('tells hooks that blocked from those that did not gate, and leaves copies out', async () => {
    expect((await only('hook_runs'))?.value).toBe(3);
    expect((await only('hook_blocks'))?.value).toBe(1);
    expect((await only('hooks_without_effect'))?.value).toBe(1);
    expect(await by('hook_runs', 'hook')).toEqual({ PreToolUse: 1, Stop: 2 });
  });
});

describe('time', () => {
  it('splits the wall time of main sessions', async () => {
    const split = await by('wall_time', 'activity');
    const all = (await only('wall_time'))?.value ?? 0;
    // one: 42 min (0 to 42), two: 101 min (89 to 190).
    expect(all).toBe((42 + 101) * 60);
    expect(Object.values(split).reduce((sum: number, value) => sum + (value ?? 0), 0)).toBe(all);
    expect(split).toMatchObject({
      tools: 30 + 60 + 90 + 10 + 1 + 5,
      'waiting for permission': 4,
      'gates and hooks': 60,
    });
    expect((await only('subagent_time'))?.value).toBe(120);
  });

  it('cuts days where the zone of the reader begins them, also when clocks change', async () => {
    // 22:00 UTC is 23:00 in Berlin: session one has 42 minutes of 28 March, session two all of 29 March.
    expect(await by('wall_time', 'day')).toEqual({ '28 Mar 2026': 42 * 60, '29 Mar 2026': 101 * 60 });
    expect(await by('requests', 'day')).toEqual({ '28 Mar 2026': 3, '29 Mar 2026': 2 });
    expect(await by('requests', 'month')).toEqual({ 'Mar 2026': 5 });
    // a, d and b at 23 h; c at 00:30; x at 01:10 UTC, which is 03:10 in summer time.
    expect(await by('requests', 'hour')).toEqual({ '00:00': 1, '03:00': 1, '23:00': 3 });
  });

  it('takes a day of 23 hours as one, from its first instant to its last', async () => {
    const range = (day: string) => [{ type: 'range' as const, dim: 'happened_at', from: day, to: day }];
    expect((await only('requests', { where: range('2026-03-28') }))?.value).toBe(3);
    expect((await only('requests', { where: range('2026-03-29') }))?.value).toBe(2);
    expect((await only('requests', { where: where('day', '2026-03-29') }))?.value).toBe(2);
  });
});
