import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Where } from '../../shared/plan.ts';
import { DIMENSIONS } from './dimensions.ts';
import { dimensionsFor, QueryRefused } from './fit.ts';
import { MEASURES, measureById } from './measures.ts';
import { onlyFeature, type Query, single } from './query.ts';
import { runQuery } from './run.ts';
import { CONTEXT, loadRun, RUN_START, type Said, type TestStore, testStore } from './test-record.ts';

let store: TestStore | null = null;
afterEach(async () => {
  await store?.close();
  store = null;
});

const FEATURES = ['1', '2', '3', '4'].map((id, at) => ({
  id,
  title: `Feature ${'ABCD'[at]}`,
  category: at < 2 ? 'core' : 'polish',
}));
const said = (
  feature: string,
  fact: string,
  value: number | string,
  kind: Said['kind'],
  basis: Said['basis'],
): Said => ({ feature, fact, value, kind, basis });

/** Four features: 1 and 2 undisputed, 3 only claimed, 4 with a claim that measured sources contradict. */
async function small(): Promise<TestStore> {
  store = await testStore();
  await loadRun(store, FEATURES, [
    said('1', 'build_time', 100, 'progress_log', 'measured'),
    said('1', 'attempts', 1, 'progress_log', 'measured'),
    said('1', 'status', 'accepted', 'progress_log', 'measured'),
    said('1', 'completed_at', RUN_START + 60_000, 'progress_log', 'measured'),
    said('2', 'build_time', 200, 'progress_log', 'measured'),
    said('2', 'attempts', 2, 'progress_log', 'measured'),
    said('2', 'status', 'accepted', 'progress_log', 'measured'),
    said('2', 'completed_at', RUN_START + 120_000, 'progress_log', 'measured'),
    said('3', 'build_time', 450, 'metrics', 'claimed'),
    said('3', 'attempts', 3, 'metrics', 'claimed'),
    said('3', 'status', 'skipped', 'metrics', 'claimed'),
    said('4', 'build_time', 400, 'progress_log', 'measured'),
    said('4', 'build_time', 404, 'git', 'derived'),
    said('4', 'build_time', 90, 'metrics', 'claimed'),
    said('4', 'attempts', 1, 'progress_log', 'measured'),
    said('4', 'attempts', 1, 'git', 'measured'),
    said('4', 'attempts', 3, 'metrics', 'claimed'),
    said('4', 'status', 'accepted', 'git', 'measured'),
  ]);
  return store;
}
const ask = (query: Partial<Query> & Pick<Query, 'measures'>) =>
  store
    ? runQuery(store, { by: null, split: null, where: [], order: 'natural', limit: null, ...query }, CONTEXT)
    : Promise.reject(new Error('no store'));
const one = (measure: string, source = 'counted', where: Where[] = []) =>
  ask({ measures: [{ measure, source }], where }).then((answer) => answer.groups[0]?.values[0]);

describe('the counting rule', () => {
  it('leaves claims out of an aggregate when anything in scope was measured', async () => {
    await small();
    const total = await ask({ measures: [{ measure: 'build_time', source: 'counted' }] });
    expect(total.groups[0]?.values[0]).toMatchObject({
      value: 700,
      n: 3,
      of: 4,
      claimedOnly: 1,
      basis: 'measured',
    });
    expect(total.coverage).toEqual([{ have: 3, of: 4, claimedOnly: 1 }]);
    expect(await one('median_build_time')).toMatchObject({ value: 200, n: 3 });
    expect(await one('longest_build_time')).toMatchObject({ value: 400 });
  });
  it('takes the claim, marked, when nothing else is in scope', async () => {
    await small();
    expect(await one('build_time', 'counted', [onlyFeature('3')])).toMatchObject({
      value: 450,
      n: 1,
      claimedOnly: 0,
      basis: 'claimed',
    });
  });
  it('says which groups are only claimed, and never turns missing into 0', async () => {
    await small();
    const answer = await ask({ measures: [{ measure: 'build_time', source: 'counted' }], by: 'feature' });
    expect(answer.groups.map(({ ref, values }) => [ref, values[0]?.value, values[0]?.claimedOnly])).toEqual([
      ['1', 100, 0],
      ['2', 200, 0],
      ['3', null, 1],
      ['4', 400, 0],
    ]);
    const lines = await ask({ measures: [{ measure: 'lines_added', source: 'counted' }] });
    expect(lines.groups[0]?.values[0]).toMatchObject({ value: null, n: 0, basis: 'unknown' });
  });
  it('marks groups whose sources disagree, but not where they lie within tolerance', async () => {
    await small();
    expect(await one('attempts', 'counted', [onlyFeature('4')])).toMatchObject({ value: 1, disputed: true });
    expect(await one('attempts', 'counted', [onlyFeature('1')])).toMatchObject({ value: 1, disputed: false });
  });
  it('takes a source at its own word', async () => {
    await small();
    expect(await one('build_time', 'metrics')).toMatchObject({
      value: 540,
      n: 2,
      basis: 'claimed',
      claimedOnly: 0,
    });
    expect(await one('attempts', 'git')).toMatchObject({ value: 1, n: 1, of: 4 });
  });
});

describe('grouping', () => {
  it('gives each source its own word', async () => {
    await small();
    const answer = await ask({
      measures: [{ measure: 'attempts', source: 'each' }],
      where: [onlyFeature('4')],
    });
    expect(answer.groups.map(({ label, values }) => [label, values[0]?.value, values[0]?.basis])).toEqual([
      ['metrics.json', 3, 'claimed'],
      ['claude-progress.txt', 1, 'measured'],
      ['git log', 1, 'measured'],
    ]);
  });
  it('puts each source beside another grouping as a split', async () => {
    await small();
    const answer = await ask({ measures: [{ measure: 'build_time', source: 'each' }], by: 'category' });
    expect(answer.groups.map(({ label, split, values }) => [label, split?.label, values[0]?.value])).toEqual([
      ['core', 'metrics.json', null],
      ['core', 'claude-progress.txt', 300],
      ['core', 'git log', null],
      ['polish', 'metrics.json', 540],
      ['polish', 'claude-progress.txt', 400],
      ['polish', 'git log', 404],
    ]);
  });
  it('orders, limits and says how many there are', async () => {
    await small();
    const answer = await ask({
      measures: [
        { measure: 'build_time', source: 'counted' },
        { measure: 'attempts', source: 'counted' },
      ],
      by: 'feature',
      order: 'largest',
      limit: 2,
    });
    expect(answer.groups.map(({ ref, label, values }) => [ref, label, values.map((v) => v.value)])).toEqual([
      ['4', 'Feature D', [400, 1]],
      ['2', 'Feature B', [200, 2]],
    ]);
    expect(answer).toMatchObject({ total: 4, valued: 3 });
    const least = await ask({
      measures: [{ measure: 'build_time', source: 'counted' }],
      by: 'feature',
      order: 'smallest',
      limit: 1,
    });
    expect(least.groups.map(({ ref }) => ref)).toEqual(['1']);
  });
  it('knows the place in the run and the clock time in its zone, and which feature has it', async () => {
    await small();
    await store?.insert('observations_told', [
      {
        observation_id: 'late',
        run_id: 'r1',
        feature_id: 'r1/3',
        fact: 'completed_at',
        value: RUN_START + 90_000,
        text_value: null,
        basis: 'claimed',
        source_id: 's_metrics',
        source_kind: 'metrics',
        source_line: 9,
        how: 'as written',
      },
    ]);
    const order = await ask({ measures: [{ measure: 'build_time', source: 'counted' }], by: 'order' });
    expect(order.groups.map(({ label, values }) => [label, values[0]?.value])).toEqual([
      ['1 · Feature A', 100],
      // Feature 3 claims a time between the two; it was never accepted and has no place.
      ['2 · Feature B', 200],
      ['not recorded', 400],
    ]);
    const times = await ask({ measures: [{ measure: 'features', source: 'counted' }], by: 'completed_at' });
    expect(times.groups.map(({ label }) => label)).toEqual([
      '12:49 · Feature A',
      '12:50 · Feature C',
      '12:50 · Feature B',
      'not recorded',
    ]);
  });
  it('gives places by claims where there is nothing else, and names no group of several', async () => {
    store = await testStore();
    const claims = (id: string, status: string, at: number): Said[] => [
      said(id, 'status', status, 'metrics', 'claimed'),
      said(id, 'completed_at', RUN_START + at, 'metrics', 'claimed'),
    ];
    await loadRun(store, FEATURES, [
      ...claims('1', 'accepted', 60_000),
      ...claims('2', 'skipped', 70_000),
      ...claims('3', 'accepted', 90_000),
      ...claims('4', 'accepted', 90_000),
    ]);
    const features = [{ measure: 'features', source: 'counted' }];
    const order = await ask({ measures: features, by: 'order' });
    expect(order.groups.map(({ label }) => label)).toEqual([
      '1 · Feature A',
      '2 · Feature C',
      '3 · Feature D',
      'not recorded',
    ]);
    const times = await ask({ measures: features, by: 'completed_at' });
    expect(times.groups.map(({ label }) => label)).toEqual([
      '12:49 · Feature A',
      '12:49 · Feature B',
      '12:50',
    ]);
  });
  it('takes the weakest basis of what the grouping itself rests on', async () => {
    await small();
    const answer = await ask({ measures: [{ measure: 'features', source: 'counted' }], by: 'attempts' });
    expect(answer.groups.map(({ label, values }) => [label, values[0]?.value, values[0]?.basis])).toEqual([
      ['1', 2, 'measured'],
      ['2', 1, 'measured'],
      ['3', 1, 'claimed'],
    ]);
  });
});

describe('counts and ratios', () => {
  it('counts features by status', async () => {
    await small();
    expect(await one('features')).toMatchObject({ value: 4 });
    expect(await one('accepted_features')).toMatchObject({ value: 3, basis: 'measured' });
    expect(await one('skipped_features')).toMatchObject({ value: 1, basis: 'claimed' });
    expect(
      await one('features', 'counted', [{ type: 'in', dim: 'status', not: false, any_of: ['pending'] }]),
    ).toMatchObject({ value: 0 });
  });
  it('gives rates as quotients of counts with n and an interval', async () => {
    await small();
    const rate = await one('acceptance_rate');
    expect(rate).toMatchObject({ value: 0.75, n: 4, basis: 'derived' });
    expect(rate?.interval?.low).toBeCloseTo(0.3006, 3);
    expect(rate?.interval?.high).toBeCloseTo(0.9544, 3);
    expect(await one('first_try_rate')).toMatchObject({ value: 2 / 3, n: 3 });
  });
  it('counts commits and findings', async () => {
    await small();
    await store?.insert('commits_told', [
      {
        run_id: 'r1',
        feature_id: 'r1/1',
        sha: 'abc',
        at_ms: RUN_START + 60_000,
        subject: 'one',
        kind: 'accept',
        source_id: 's_git',
      },
      {
        run_id: null,
        feature_id: null,
        sha: 'abd',
        at_ms: RUN_START - 60_000,
        subject: 'two',
        kind: 'other',
        source_id: 's_git',
      },
    ]);
    await store?.insert('findings', [
      {
        finding_id: 'f1',
        run_id: 'r1',
        feature_id: 'r1/4',
        rule: 'sources_disagree',
        severity: 'warning',
        says: 'x',
      },
    ]);
    expect(await one('findings')).toMatchObject({ value: 1, basis: 'derived' });
    expect(await one('disputed_features')).toMatchObject({ value: 1 });
    const phases = await ask({ measures: [{ measure: 'commits', source: 'counted' }], by: 'phase' });
    expect(phases.groups.map(({ label, values }) => [label, values[0]?.value])).toEqual([
      ['before the run', 1],
      ['during the run', 1],
    ]);
  });
  it('reads facts of the run as a whole', async () => {
    await small();
    await store?.insert('observations_told', [
      {
        observation_id: 'x',
        run_id: 'r1',
        feature_id: null,
        fact: 'cost_usd',
        value: 0.95,
        basis: 'claimed',
        source_id: 's_metrics',
        source_kind: 'metrics',
        source_line: 1,
        how: 'as written',
      },
    ]);
    expect(await one('cost')).toMatchObject({ value: 0.95, basis: 'claimed' });
  });
});

describe('filters', () => {
  it('takes ranges of numbers, features and times', async () => {
    await small();
    const count = async (where: Where) => (await one('features', 'counted', [where]))?.value;
    expect(await count({ type: 'range', dim: 'attempts', from: '2', to: null })).toBe(2);
    expect(await count({ type: 'range', dim: 'feature', from: '2', to: '3' })).toBe(2);
    expect(await count({ type: 'range', dim: 'completed_at', from: null, to: '12:49' })).toBe(1);
    expect(await count({ type: 'range', dim: 'completed_at', from: '2026-03-28T12:50', to: null })).toBe(1);
    expect(await count({ type: 'in', dim: 'category', not: false, any_of: ['POLISH'] })).toBe(2);
    expect(await count({ type: 'in', dim: 'feature', not: false, any_of: ['#4'] })).toBe(1);
  });
  it('keeps to the current run unless runs are asked for', async () => {
    await small();
    if (store)
      await loadRun(store, FEATURES, [said('1', 'build_time', 5, 'progress_log', 'measured')], {
        id: 'r0',
        current: false,
        seq: 0,
      });
    expect(await one('features')).toMatchObject({ value: 4 });
    const runs = await ask({ measures: [{ measure: 'features', source: 'counted' }], by: 'run' });
    expect(runs.groups.map(({ label, values }) => [label, values[0]?.value])).toEqual([
      ['run 0', 4],
      ['run 1', 4],
    ]);
  });
  it('binds values: nothing hostile reaches the statement', async () => {
    await small();
    const evil = `x'); DROP TABLE features; --`;
    const answer = await ask({
      measures: [{ measure: 'features', source: 'counted' }],
      where: [{ type: 'in', dim: 'category', not: false, any_of: [evil] }],
    });
    expect(answer.groups[0]?.values[0]?.value).toBe(0);
    expect(answer.sql).not.toContain('DROP');
    expect(await one('features')).toMatchObject({ value: 4 });
  });
});

describe('refusals', () => {
  const refused = async (query: Partial<Query> & Pick<Query, 'measures'>) => {
    const error: unknown = await ask(query).then(
      () => null,
      (reason: unknown) => reason,
    );
    return error instanceof QueryRefused ? [error.code, error.nearest] : error;
  };
  it('names the nearest that works', async () => {
    await small();
    const commits = [{ measure: 'commits', source: 'counted' }];
    expect(await refused({ measures: commits, by: 'status' })).toEqual(['block_incompatible', 'category']);
    expect(await refused({ measures: [{ measure: 'retries', source: 'counted' }] })).toEqual([
      'block_unbound',
      'attempts',
    ]);
    expect(await refused({ measures: [{ measure: 'features', source: 'counted' }], by: 'source' })).toEqual([
      'block_incompatible',
      'category',
    ]);
    expect(await refused({ measures: [{ measure: 'features', source: 'elsewhere' }] })).toEqual([
      'block_unbound',
      'counted',
    ]);
    expect(
      await refused({ measures: commits, where: [{ type: 'range', dim: 'category', from: 'a', to: null }] }),
    ).toEqual(['block_incompatible', null]);
    expect(
      await refused({
        measures: [{ measure: 'features', source: 'counted' }],
        where: [{ type: 'range', dim: 'score', from: '1; DROP', to: null }],
      }),
    ).toEqual(['block_invalid', null]);
    expect(await refused({ measures: [], by: null })).toEqual(['block_invalid', null]);
  });
});

const CATEGORIES = ['core', 'polish', 'docs'];
const wordArb = (feature: string): fc.Arbitrary<Said> =>
  fc
    .tuple(
      fc.constantFrom('attempts', 'build_time', 'score', 'lines_added', 'tokens', 'completed_at'),
      fc.integer({ min: 0, max: 12 }),
      fc.constantFrom<Said['kind']>('metrics', 'progress_log', 'git'),
      fc.constantFrom<Said['basis']>('measured', 'derived', 'claimed'),
    )
    .map(([fact, value, kind, basis]) => ({
      feature,
      fact,
      value: fact === 'completed_at' ? RUN_START + value * 60_000 : value,
      kind,
      basis,
    }));
const stateArb = (feature: string): fc.Arbitrary<Said> =>
  fc
    .constantFrom('accepted', 'skipped', 'pending')
    .map((value) => said(feature, 'status', value, 'git', 'measured'));
const recordArb = fc.integer({ min: 0, max: 8 }).chain((size) => {
  const ids = Array.from({ length: size }, (_, at) => String(at + 1));
  return fc.record({
    categories: fc.array(fc.constantFrom(...CATEGORIES), { minLength: size, maxLength: size }),
    words: fc.array(ids.length > 0 ? fc.constantFrom(...ids).chain(wordArb) : fc.constant(null), {
      maxLength: 30,
    }),
    states: fc.tuple(...ids.map((id) => fc.option(stateArb(id)))),
  });
});

const ADDITIVE = MEASURES.filter((measure) => measure.additive && measure.base === 'feature');
const queryArb = fc.constantFrom(...ADDITIVE).chain((measure) =>
  fc.record({
    measure: fc.constant(measure),
    source: fc.constantFrom(...(measure.fact === null ? ['counted'] : ['counted', 'metrics', 'git'])),
    by: fc.constantFrom(...dimensionsFor(measure).map(({ id }) => id)),
    split: fc.constantFrom(null, ...dimensionsFor(measure).map(({ id }) => id)),
    order: fc.constantFrom<Query['order']>('natural', 'largest', 'smallest'),
  }),
);
const whereArb = fc.constantFrom<Extract<Where, { type: 'in' }>>(
  { type: 'in', dim: 'category', not: false, any_of: ['core'] },
  { type: 'in', dim: 'score', not: false, any_of: ['9', '3'] },
  { type: 'in', dim: 'status', not: false, any_of: ['accepted', 'skipped'] },
  { type: 'in', dim: 'disputed', not: false, any_of: ['disputed'] },
  { type: 'in', dim: 'completed_at', not: false, any_of: ['12:50'] },
);

describe('on random records', () => {
  it('grouping never changes a total of an additive measure, and a filter with its opposite parts the rows', async () => {
    await fc.assert(
      fc.asyncProperty(
        recordArb,
        fc.array(fc.tuple(queryArb, whereArb), { minLength: 3, maxLength: 3 }),
        async ({ categories, words, states }, queries) => {
          const current = await testStore();
          store = current;
          await loadRun(
            current,
            categories.map((category, at) => ({ id: String(at + 1), title: `T${at}`, category })),
            [...words, ...states].filter((word) => word !== null),
          );
          const sum = async (query: Query) => {
            const { groups } = await runQuery(current, query, CONTEXT);
            const values = groups.flatMap((group) => group.values);
            return {
              total: values.reduce((all, { value }) => all + (value ?? 0), 0),
              n: values.reduce((all, { n }) => all + n, 0),
            };
          };
          for (const [{ measure, source, by, split, order }, where] of queries) {
            const whole = single(measure.id, source);
            const total = await sum(whole);
            expect(await sum({ ...whole, by, split, order })).toEqual(total);
            // Sums of counted facts are left out here: whether claims count depends on what else is in scope.
            if (measure.fact !== null && source === 'counted') continue;
            const inside = await sum({ ...whole, where: [where] });
            const outside = await sum({ ...whole, where: [{ ...where, not: true }] });
            expect(inside.total + outside.total).toBe(total.total);
            expect(inside.n + outside.n).toBe(total.n);
          }
          await current.close();
          store = null;
        },
      ),
      { numRuns: 15 },
    );
  }, 120_000);
});

describe('the lists', () => {
  it('are long enough, have unique ids, and every measure can be grouped', () => {
    expect(MEASURES.length).toBeGreaterThanOrEqual(12);
    expect(DIMENSIONS.length).toBeGreaterThanOrEqual(8);
    expect(new Set(MEASURES.map(({ id }) => id)).size).toBe(MEASURES.length);
    expect(new Set(DIMENSIONS.map(({ id }) => id)).size).toBe(DIMENSIONS.length);
    for (const measure of MEASURES) expect(dimensionsFor(measure).length).toBeGreaterThan(0);
    expect(measureById('__proto__')).toBeUndefined();
  });
});
