import { afterEach, describe, expect, it } from 'vitest';
import type { CardData } from '../../shared/cards.ts';
import type { AnyBlock, ChartBlock, Fact } from '../../shared/plan.ts';
import { loadRun, RUN_START, type Said, type TestStore, testStore } from '../metrics/test-record.ts';
import { NO_COUNTS, QueryError, type RecordProfile, type Store } from '../record/store.ts';
import { createRegistry } from './evidence.ts';
import { createResolver } from './resolver.ts';
import type { EvidenceItem, Preamble } from './types.ts';

/** Edges of the resolver on a small record that each test writes for itself. */

let store: TestStore | null = null;
afterEach(async () => {
  await store?.close();
  store = null;
});

const FEATURES = Array.from({ length: 9 }, (_, at) => ({
  id: String(at + 1),
  title: at === 0 ? '<img onerror=alert(1)>' : `Feature ${at + 1}`,
  category: `cat${at + 1}`,
}));
const word = (
  feature: string,
  fact: string,
  value: number | string,
  basis: Said['basis'] = 'measured',
): Said => ({
  feature,
  fact,
  value,
  kind: basis === 'claimed' ? 'metrics' : 'progress_log',
  basis,
});
const EVIDENCE: EvidenceItem[] = [
  {
    id: 'E1',
    cite: { source: 's_metrics', label: 'metrics.json', line: 3, basis: 'claimed' },
    text: 'own words',
  },
];

interface Given {
  said?: Said[];
  preamble?: Partial<Preamble>;
  wrap?: (store: Store) => Store;
  signal?: AbortSignal;
  question?: string | null;
  stage?: 'stream' | 'final';
}
async function resolverFor({
  said = [],
  preamble,
  wrap = (same) => same,
  signal,
  question = null,
  stage = 'stream',
}: Given) {
  store = await testStore();
  await loadRun(store, FEATURES, said);
  const profile: RecordProfile = {
    project: 'demo',
    run: {
      id: 'r1',
      name: 'run 1',
      startedAtMs: RUN_START,
      endedAtMs: null,
      zone: '-07:00',
      harness: 'agentforge',
    },
    counts: NO_COUNTS,
    features: FEATURES.map((feature) => ({ ...feature, description: '', status: 'accepted' })),
    categories: FEATURES.map(({ category }) => category),
    statuses: ['accepted'],
    sources: [
      {
        id: 's_metrics',
        kind: 'metrics',
        label: 'metrics.json',
        basis: 'claimed',
        facts: 1,
        disputed: false,
        issues: 0,
      },
      {
        id: 's_progress_log',
        kind: 'progress_log',
        label: 'log.txt',
        basis: 'measured',
        facts: 1,
        disputed: false,
        issues: 0,
      },
    ],
    findings: 0,
    issues: 0,
    fingerprint: 'f',
  };
  const used = wrap(store);
  const registry = createRegistry({
    store: used,
    profile: async () => profile,
    rawLines: async () => null,
    reload: async () => false,
    summary: () => Promise.reject(new Error('not asked for')),
    onChange: () => () => undefined,
    watch: () => undefined,
    close: async () => undefined,
  });
  const resolver = createResolver({
    store: used,
    profile,
    evidence: EVIDENCE,
    registry,
    threshold: () => null,
    signal: signal ?? new AbortController().signal,
    question,
    stage,
  });
  await resolver.preamble({
    about: { feature: null, scope: [] },
    facts: [],
    premises: [],
    checks: [],
    ...preamble,
  });
  return { resolver, registry };
}
const chart = (more: Partial<ChartBlock>): ChartBlock => ({
  type: 'chart',
  title: 'T',
  measures: [{ measure: 'build_time', source: 'counted' }],
  by: 'category',
  split: null,
  draw: 'bar',
  order: 'natural',
  size: 'all',
  scope: 'run',
  where: [],
  actions: [],
  ...more,
});
const fact = (name: string, measure: string, more: Partial<Fact> = {}): Fact => ({
  name,
  kind: 'value',
  measure,
  source: 'counted',
  by: null,
  scope: 'run',
  where: [],
  ...more,
});
const codeOf = (card: CardData) => (card.type === 'note' ? card.code : null);
const times = FEATURES.map(({ id }, at) => word(id, 'build_time', (at + 1) * 10));

describe('donuts', () => {
  it('gather the smallest parts as other, and keep the sum', async () => {
    const { resolver, registry } = await resolverFor({ said: times });
    const card = await resolver.card(chart({ draw: 'donut' }), 'c0');
    if (card.type !== 'chart') throw new Error(card.type);
    expect(card.points.map(({ key }) => key)).toEqual([
      'cat4',
      'cat5',
      'cat6',
      'cat7',
      'cat8',
      'cat9',
      'other',
    ]);
    expect(card.other).toBe(3);
    expect(card.points.reduce((sum, { figures }) => sum + (figures[0]?.value ?? 0), 0)).toBe(450);
    expect(card.points.at(-1)?.figures[0]).toMatchObject({ value: 60, n: 3, basis: 'measured' });
    expect(await registry.open(card.points.at(-1)?.figures[0]?.evidence ?? '')).not.toBeNull();
  });
  it('are refused for what does not add up, and with one part', async () => {
    const { resolver } = await resolverFor({ said: [word('1', 'build_time', 5)] });
    const median = chart({ draw: 'donut', measures: [{ measure: 'median_build_time', source: 'counted' }] });
    expect(codeOf(await resolver.card(median, 'c0'))).toBe('donut_not_additive');
    expect(codeOf(await resolver.card(chart({ draw: 'donut' }), 'c0'))).toBe('donut_needs_parts');
  });
});

describe('nothing to show', () => {
  it('says whether it was not ingested or measured as none', async () => {
    const { resolver } = await resolverFor({ said: times });
    const tokens = await resolver.card(chart({ measures: [{ measure: 'tokens', source: 'counted' }] }), 'c0');
    expect(tokens).toMatchObject({ type: 'empty', why: 'not_ingested' });
    const filtered = await resolver.card(
      chart({ where: [{ type: 'in', dim: 'category', not: false, any_of: ['none such'] }] }),
      'c0',
    );
    expect(filtered).toMatchObject({ type: 'empty', why: 'none' });
    const skipped = await resolver.card(
      chart({ measures: [{ measure: 'skipped_features', source: 'counted' }] }),
      'c0',
    );
    expect(skipped).toMatchObject({ type: 'empty', why: 'none' });
    const commits = await resolver.card(
      {
        type: 'commit_table',
        title: 'C',
        columns: ['commit'],
        order_by: null,
        order: 'natural',
        size: 'all',
        scope: 'run',
        where: [],
        actions: [],
      },
      'c0',
    );
    expect(commits).toMatchObject({ type: 'empty', why: 'not_ingested' });
    expect(
      await resolver.card({ type: 'conflict', title: 'C', feature: null, actions: [] }, 'c0'),
    ).toMatchObject({
      type: 'empty',
      why: 'none',
    });
    expect(
      await resolver.card({ type: 'attempts', title: 'A', feature: '2', actions: [] }, 'c0'),
    ).toMatchObject({
      type: 'attempts',
    });
  });
  it('is an empty card when no figure of a stat has a value', async () => {
    const { resolver } = await resolverFor({ said: times, preamble: { facts: [fact('tokens', 'tokens')] } });
    const figures = [{ label: 'Tokens', fact: 'tokens', compare_to: null, caption: null }];
    expect(await resolver.card({ type: 'stat', title: 'S', figures, actions: [] }, 'c0')).toMatchObject({
      type: 'empty',
      why: 'not_ingested',
      says: 'No tokens in this record: no source that was read tells it.',
    });
    expect(resolver.prose([{ says: 'It used {tokens}.', when: null }])).toEqual([
      { kind: 'p', inlines: [{ kind: 'text', text: 'Tokens are not recorded.' }] },
    ]);
  });
});

describe('marks', () => {
  it('are claimed when nothing else tells it, and incomplete when a whole is not whole', async () => {
    const claims = await resolverFor({
      said: FEATURES.map(({ id }) => word(id, 'build_time', 7, 'claimed')),
    });
    const claimed = await claims.resolver.card(chart({}), 'c0');
    expect(claimed.mark.state).toBe('claimed');
    expect(claimed.rule).toEqual({ measured: 0, claimed: 1, missing: 0 });
    await store?.close();
    const partly = await resolverFor({
      said: [
        ...times.slice(0, 6),
        ...FEATURES.slice(6).map(({ id }) => word(id, 'build_time', 7, 'claimed')),
      ],
    });
    const card = await partly.resolver.card(chart({}), 'c0');
    expect(card.mark).toMatchObject({ state: 'incomplete', have: 6, of: 9 });
    expect(card.rule.measured).toBeCloseTo(6 / 9);
    expect(card.sub).toContain('3 only claimed');
  });
  it('are disputed when sources of a figure disagree', async () => {
    const { resolver } = await resolverFor({
      said: [word('1', 'attempts', 1), word('1', 'attempts', 3, 'claimed'), word('2', 'attempts', 1)],
      preamble: { facts: [fact('all', 'attempts')] },
    });
    const card = await resolver.card(chart({ measures: [{ measure: 'attempts', source: 'counted' }] }), 'c0');
    expect(card.mark.state).toBe('disputed');
    const stat = await resolver.card(
      {
        type: 'stat',
        title: 'S',
        figures: [{ label: 'All', fact: 'all', compare_to: null, caption: null }],
        actions: [],
      },
      'c1',
    );
    expect(stat.mark.state).toBe('disputed');
  });
});

describe('trims and bounds', () => {
  it('say what was left out', async () => {
    const { resolver } = await resolverFor({ said: times });
    const card = await resolver.card(
      chart({
        size: 'few',
        title: 'x'.repeat(300),
        actions: Array.from({ length: 5 }, () => ({ label: 'l'.repeat(200), request: 'r'.repeat(900) })),
      }),
      'c0',
    );
    expect(card.trimmed).toBe('5 of 9 shown');
    expect(card.title.length).toBeLessThanOrEqual(80);
    expect(card.actions).toHaveLength(2);
    expect(card.actions[0]?.label.length).toBeLessThanOrEqual(60);
    expect(card.actions[0]?.request.length).toBeLessThanOrEqual(400);
    const split = await resolver.card(chart({ by: 'status', split: 'category' }), 'c0');
    expect(split.trimmed).toContain('4 of 9 series shown');
  });
  it('leave text of the record as text', async () => {
    const { resolver } = await resolverFor({ said: times });
    const card = await resolver.card(chart({ by: 'feature' }), 'c0');
    expect(card.type === 'chart' && card.points[0]?.label).toBe('<img onerror=alert(1)>');
  });
  it('run equal queries once', async () => {
    const { resolver } = await resolverFor({ said: times });
    const before = store?.statements ?? 0;
    await Promise.all(Array.from({ length: 8 }, (_, at) => resolver.card(chart({}), `c${at}`)));
    expect((store?.statements ?? 0) - before).toBe(1);
  });
});

describe('failures', () => {
  const block = chart({});
  it('become cards with a code', async () => {
    for (const code of ['query_failed', 'query_timeout'] as const) {
      const { resolver } = await resolverFor({
        wrap: (inner) => ({ ...inner, query: () => Promise.reject(new QueryError(code, 'secret /home/me')) }),
        preamble: { facts: [fact('a', 'build_time')] },
      });
      const card = await resolver.card(block, 'c0');
      expect(codeOf(card)).toBe(code);
      expect(JSON.stringify(card)).not.toContain('secret');
      expect(resolver.facts().get('a')?.figure.value).toBeNull();
      await store?.close();
    }
  });
  it('of a query are told while streaming, and thrown by the check', async () => {
    const wrap = (inner: Store): Store => ({
      ...inner,
      query: () => Promise.reject(new QueryError('query_timeout', 'slow')),
    });
    const preamble = { facts: [fact('a', 'build_time')] };
    const { resolver } = await resolverFor({ wrap, preamble });
    expect(JSON.stringify(resolver.prose([{ says: 'It took {a}.', when: null }]))).toContain(
      'its query failed',
    );
    await store?.close();
    await expect(resolverFor({ wrap, preamble, stage: 'final' })).rejects.toThrow(QueryError);
    await store?.close();
    const check = {
      type: 'recorded' as const,
      name: 'r',
      measure: 'build_time',
      source: 'counted' as const,
      if_true: null,
      if_false: null,
      if_unknown: null,
    };
    await expect(resolverFor({ wrap, preamble: { checks: [check] }, stage: 'final' })).rejects.toThrow(
      QueryError,
    );
    await store?.close();
    const { resolver: final } = await resolverFor({ wrap, stage: 'final' });
    await expect(final.card(chart({}), 'c0')).rejects.toThrow(QueryError);
  });
  it('of names and fits become cards with a code', async () => {
    const { resolver } = await resolverFor({ said: times });
    const code = async (more: AnyBlock) => codeOf(await resolver.card(more, 'c0'));
    expect(await code(chart({ measures: [{ measure: 'nope', source: 'counted' }] }))).toBe('block_unbound');
    expect(await code(chart({ measures: [{ measure: 'commits', source: 'counted' }], by: 'status' }))).toBe(
      'block_incompatible',
    );
    expect(await code({ type: 'attempts', title: 'A', feature: '99', actions: [] })).toBe('block_unbound');
    expect(
      await code({ type: 'premise', feature: null, measure: '__proto__', claimed: { text: 'x', value: 1 } }),
    ).toBe('block_unbound');
    expect(
      await code({
        type: 'stat',
        title: 'S',
        figures: [{ label: 'L', fact: 'undeclared', compare_to: null, caption: null }],
        actions: [],
      }),
    ).toBe('block_unbound');
    const note = await resolver.card(
      {
        type: 'code',
        code: 'not_understood',
        title: null,
        detail: 'More words.',
        suggestions: ['a', 'b', 'c', 'd'],
      },
      'c0',
    );
    expect(note).toMatchObject({ type: 'note', code: 'not_understood', suggestions: ['a', 'b', 'c'] });
  });
  it('of an ended answer do not reach the store', async () => {
    const own = new AbortController();
    const { resolver } = await resolverFor({ said: times, signal: own.signal });
    const before = store?.statements;
    own.abort();
    expect(codeOf(await resolver.card(block, 'c0'))).toBe('query_timeout');
    expect(store?.statements).toBe(before);
  });
});

describe('notes', () => {
  it('list what they cite', async () => {
    const { resolver } = await resolverFor({
      said: times,
      preamble: { facts: [fact('median', 'median_build_time')] },
    });
    const card = await resolver.card(
      {
        type: 'note',
        title: 'About {median}',
        body: [
          { says: 'The median is {median} [E1].', when: null },
          { says: 'Gone [E7].', when: null },
        ],
        actions: [],
      },
      'c0',
    );
    if (card.type !== 'note') throw new Error(card.type);
    expect(card.title).toBe('About 50 s');
    expect(card.cites.map(({ id }) => id)).toEqual(['E1']);
    expect(card.body[0]?.inlines.map(({ kind }) => kind)).toEqual(['text', 'figure', 'text', 'cite', 'text']);
    const nothing = await resolver.card(
      { type: 'note', title: 'N', body: [{ says: '[E9]', when: null }], actions: [] },
      'c1',
    );
    expect(nothing.type === 'note' && nothing.body).toHaveLength(1);
  });
});

describe('premises of a plan', () => {
  it('compare figures, relations and states', async () => {
    const facts = [
      fact('long', 'longest_build_time'),
      fact('mid', 'median_build_time'),
      fact('slow', 'build_time', { kind: 'top_label', by: 'category' }),
      fact('late', 'build_time', { kind: 'top_label', by: 'feature' }),
    ];
    const said = { if_true: null, if_false: null, if_unknown: null };
    const { resolver } = await resolverFor({
      said: times,
      question: 'was cat9 the slowest at 90 seconds, skipped or not?',
      preamble: {
        facts,
        premises: [
          { type: 'figure', name: 'label', fact: 'slow', is: 'is', claimed: 'cat9', ...said },
          { type: 'figure', name: 'amount', fact: 'long', is: 'at_least', claimed: '90 seconds', ...said },
          { type: 'relation', name: 'more', fact: 'long', is: 'more_than', other: 'mid', ...said },
          { type: 'state', name: 'state', feature: '2', field: 'status', is: 'skipped', ...said },
        ],
        checks: [
          { type: 'recorded', name: 'tokens', measure: 'tokens', source: 'counted', ...said },
          { type: 'agree', name: 'alone', measure: 'build_time', ...said },
        ],
      },
    });
    expect(Object.fromEntries(resolver.outcomes())).toEqual({
      label: 'true',
      amount: 'true',
      more: 'true',
      state: 'false',
      tokens: 'false',
      alone: 'unknown',
    });
    expect(resolver.premiseBlocks()).toEqual([
      { type: 'premise', feature: '2', measure: 'status', claimed: { text: 'skipped', value: null } },
    ]);
  });
});
