import { describe, expect, it } from 'vitest';
import { Queries } from '../../answer/resolve/context.ts';
import { QueryRefused } from '../../metrics/fit.ts';
import { type Query, single } from '../../metrics/query.ts';
import { CONTEXT, loadRun, testStore } from '../../metrics/test-record.ts';
import type { Store } from '../../record/store.ts';
import { type Compared, JoinedQueries } from './queries.ts';
import { JoinedStore } from './store.ts';

const signal = new AbortController().signal;
const features = ['1', '2', '3'].map((id) => ({ id, title: `Feature ${id}`, category: 'core' }));

/** Two projects with attempts, and one in which there is nothing at all. */
async function compared(): Promise<JoinedQueries> {
  const counts: [string, number[]][] = [
    ['one', [1, 2, 3]],
    ['two', [5, 5]],
    ['bare', []],
  ];
  const all: Compared[] = [];
  const stores = new Map<string, Store>();
  for (const [id, attempts] of counts) {
    const store = await testStore();
    if (attempts.length > 0)
      await loadRun(
        store,
        features,
        attempts.map((value, at) => ({
          feature: String(at + 1),
          fact: 'attempts',
          value,
          kind: 'progress_log' as const,
          basis: 'measured' as const,
        })),
      );
    stores.set(id, store);
    all.push({ id, name: id.toUpperCase(), queries: new Queries(store, CONTEXT, signal) });
  }
  return new JoinedQueries(all, new JoinedStore(stores), CONTEXT, signal);
}
const by = (measure: string, more: Partial<Query> = {}): Query => ({
  ...single(measure, 'counted'),
  by: 'project',
  ...more,
});

describe('queries of a comparison', () => {
  it('are run in each record by itself and put side by side', async () => {
    const answer = await (await compared()).run(by('attempts'));
    expect(
      answer.groups.map(({ key, label, values }) => [key, label, values[0]?.value ?? null, values[0]?.n]),
    ).toEqual([
      ['one', 'ONE', 6, 3],
      ['two', 'TWO', 10, 2],
      ['bare', 'BARE', null, undefined],
    ]);
    expect(answer).toMatchObject({ total: 3, valued: 2, coverage: [{ have: 5, of: 6, claimedOnly: 0 }] });
  });

  it('take an order, a limit and a choice of projects', async () => {
    const queries = await compared();
    const keys = async (more: Partial<Query>) =>
      (await queries.run(by('attempts', more))).groups.map(({ key }) => key);
    expect(await keys({ order: 'largest' })).toEqual(['two', 'one', 'bare']);
    expect(await keys({ order: 'smallest' })).toEqual(['one', 'two', 'bare']);
    expect(await keys({ order: 'largest', limit: 1 })).toEqual(['two']);
    const some = { type: 'in' as const, dim: 'project', not: false, any_of: ['bare', 'one'] };
    expect(await keys({ where: [some] })).toEqual(['one', 'bare']);
    expect(await keys({ where: [{ ...some, not: true }] })).toEqual(['two']);
  });

  it('count no findings where an audit found none, and nothing where nothing was read', async () => {
    const queries = await compared();
    const values = async (measure: string) =>
      (await queries.run(by(measure))).groups.map(({ values: [value] }) => value?.value ?? null);
    expect(await values('findings')).toEqual([0, 0, 0]);
    expect(await values('features')).toEqual([3, 3, null]);
    expect(await values('commits')).toEqual([null, null, null]);
  });

  it('are refused where they would put rows of several records into one', async () => {
    const queries = await compared();
    for (const query of [
      single('attempts', 'counted'),
      by('attempts', { by: 'category' }),
      by('attempts', { by: null }),
    ])
      await expect(queries.run(query)).rejects.toThrow(QueryRefused);
  });
});
