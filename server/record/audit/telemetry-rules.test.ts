import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { METRIC_TOTALS } from '../derive/metric-totals.ts';
import { OTLP } from '../ingest/otlp/index.ts';
import type { Kept, KeptAttributes } from '../ingest/otlp/kept.ts';
import { AT, claude, PATH, textOf } from '../ingest/otlp/test-telemetry.ts';
import { readWith } from '../ingest/test-adapter.ts';
import { TABLES } from '../schema.ts';
import { cellsOf, columnsOf } from '../tables.ts';
import { ruleTester } from './test-rule.ts';

const [adapter] = OTLP;
if (adapter === undefined) throw new Error('there is no adapter');
const telemetry = adapter;
const found = ruleTester(telemetry, ['metric_points', 'llm_requests_told', 'sessions_told']);
const files = (...records: Kept[]) => ({ [PATH]: textOf(records) });

const MINUTE = 60_000;
/** A point of the cost metric: how many minutes in, since which minute, and how much. */
const point = (
  temporality: 'delta' | 'cumulative' | 'gauge' | null,
  since: number | null,
  at: number,
  value: number,
  attrs: KeptAttributes = {},
): Kept => ({
  v: 1,
  at: AT,
  placed: 'first',
  what: 'point',
  name: 'claude_code.cost.usage',
  start: since === null ? null : AT + since * MINUTE,
  time: AT + at * MINUTE,
  temporality,
  value,
  attrs: { 'session.id': 's1', ...attrs },
});

async function totals(...records: Kept[]): Promise<number[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run(TABLES);
    for (const row of (await readWith(telemetry, files(...records))).rows('metric_points'))
      await connection.run(
        `INSERT INTO metric_points VALUES (${columnsOf('metric_points')
          .map(() => '?')
          .join(', ')})`,
        cellsOf('metric_points', row),
      );
    const reader = await connection.runAndReadAll(`SELECT total FROM (${METRIC_TOTALS}) ORDER BY total`);
    return reader.getRows().map(([total]) => Number(total));
  } finally {
    connection.closeSync();
  }
}

describe('what points come to', () => {
  it('is the sum of deltas, each once', async () => {
    expect(await totals(point('delta', 0, 1, 2), point('delta', 1, 2, 3), point('delta', 1, 2, 3))).toEqual([
      5,
    ]);
  });

  it('is the last of running totals, never their sum', async () => {
    expect(
      await totals(point('cumulative', 0, 1, 2), point('cumulative', 0, 2, 5), point('cumulative', 0, 3, 5)),
    ).toEqual([5]);
  });

  it('goes on after a new start, and after a total that fell', async () => {
    expect(
      await totals(point('cumulative', 0, 1, 5), point('cumulative', 2, 3, 4), point('cumulative', 2, 4, 6)),
    ).toEqual([11]);
    expect(
      await totals(
        point('cumulative', null, 1, 5),
        point('cumulative', null, 2, 1),
        point('cumulative', null, 3, 3),
      ),
    ).toEqual([8]);
  });

  it('keeps apart processes that share a session, and kinds of a metric', async () => {
    expect(
      await totals(
        point('cumulative', 0, 1, 5),
        point('cumulative', 1, 2, 2),
        point('cumulative', 0, 3, 6),
        point('cumulative', 1, 4, 3),
      ),
    ).toEqual([9]);
    expect(
      await totals(point('delta', 0, 1, 1, { type: 'input' }), point('delta', 0, 1, 2, { type: 'output' })),
    ).toEqual([1, 2]);
  });

  it('is nothing for gauges and for points that do not say what they are', async () => {
    expect(await totals(point('gauge', 0, 1, 5), point(null, 0, 2, 5))).toEqual([]);
  });
});

describe('telemetry_differs', () => {
  const call = (request: string, cost: number) =>
    claude('api_request', { request_id: request, cost_usd: cost });

  it('is found when the metric says more than the calls, a call that is told twice counted once', async () => {
    expect(
      await found('telemetry_differs', files(call('a', 1), call('a', 1), point('delta', 0, 1, 1.5))),
    ).toEqual([
      'The cost metric of session s1 says $1.50, its events $1.00; the metric is not counted. [1 3]',
    ]);
  });

  it('is not found when both agree, or one of both is not there', async () => {
    expect(
      await found(
        'telemetry_differs',
        files(call('a', 1), call('b', 0.5), point('cumulative', 0, 1, 1), point('cumulative', 0, 2, 1.5)),
      ),
    ).toEqual([]);
    expect(await found('telemetry_differs', files(point('delta', 0, 1, 1.5)))).toEqual([]);
    expect(await found('telemetry_differs', files(call('a', 1)))).toEqual([]);
  });
});

describe('telemetry_placed', () => {
  const prompt = (session: string, placed: Kept['placed']): Kept => ({
    ...claude('user_prompt', { 'session.id': session }),
    placed,
  });

  it('is found for sessions that only stand here because nothing says otherwise', async () => {
    expect(await found('telemetry_placed', files(prompt('a', 'first'), prompt('b', 'named')))).toEqual([
      'Telemetry of 1 session (a) counts here because this is the first project: no transcript of any project knows it, and no looplight.project names one. [1]',
    ]);
    const many = ['a', 'b', 'c', 'd', 'e'].map((session) => prompt(session, 'first'));
    expect((await found('telemetry_placed', files(...many)))[0]).toContain('5 sessions (a, b, c and 2 more)');
  });

  it('is not found for those that are named or known', async () => {
    expect(await found('telemetry_placed', files(prompt('a', 'session'), prompt('b', 'named')))).toEqual([]);
  });
});
