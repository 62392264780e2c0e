import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CardData, Figure } from '../../shared/cards.ts';
import type { AnyBlock, Fact, Premise } from '../../shared/plan.ts';
import { openRecord } from '../record/index.ts';
import { acceptThreshold } from '../record/ingest/agentforge/thresholds.ts';
import type { RecordHandle, RecordProfile } from '../record/store.ts';
import { createRegistry, type Registry } from './evidence.ts';
import { checkPremises } from './premise.ts';
import { createResolver } from './resolver.ts';
import type { Preamble } from './types.ts';
import { figuresOf } from './verify/walk.ts';

/** The way from a question to cards on the demo record, as it is shipped. */

let record: RecordHandle;
let profile: RecordProfile;
let registry: Registry;
beforeAll(async () => {
  const root = fileURLToPath(new URL('../../data/agentforge', import.meta.url));
  record = await openRecord({ root, database: ':memory:' });
  profile = await record.profile();
  registry = createRegistry(record);
}, 60_000);
afterAll(() => record.close());

const QUESTION = 'why did feature 28 take three attempts?';
const fact = (name: string, measure: string, more: Partial<Fact> = {}): Fact => ({
  name,
  kind: 'value',
  measure,
  source: 'counted',
  by: null,
  scope: 'about',
  where: [],
  ...more,
});
const claim: Premise = {
  type: 'figure',
  name: 'three',
  fact: 'attempts',
  is: 'is',
  claimed: 'Three  ATTEMPTS',
  if_true: 'It did.',
  if_false: 'The record counts {attempts}.',
  if_unknown: null,
};
const PREAMBLE: Preamble = {
  about: { feature: '28', scope: [] },
  facts: [
    fact('attempts', 'attempts'),
    fact('score', 'mean_score'),
    fact('time', 'build_time'),
    fact('lines', 'lines_added'),
    fact('median', 'median_build_time', { scope: 'run' }),
    fact('slowest', 'build_time', { kind: 'top_label', by: 'feature', scope: 'run' }),
    fact('accepted', 'accepted_features', { scope: 'run' }),
    fact('skipped', 'skipped_features', { scope: 'run' }),
    fact('told', 'attempts', { source: 'metrics' }),
    fact('disputed', 'disputed_features', { scope: 'run' }),
    fact('fewest', 'attempts', { kind: 'bottom_label', by: 'feature', scope: 'run' }),
    fact('polish', 'features', {
      kind: 'share',
      scope: 'run',
      where: [{ type: 'in', dim: 'status', not: false, any_of: ['accepted'] }],
    }),
  ],
  premises: [claim],
  checks: [
    { type: 'agree', name: 'agree', measure: 'attempts', if_true: null, if_false: null, if_unknown: null },
    {
      type: 'agree',
      name: 'time_agrees',
      measure: 'build_time',
      if_true: null,
      if_false: null,
      if_unknown: null,
    },
    {
      type: 'recorded',
      name: 'git_time',
      measure: 'mean_score',
      source: 'feature_list',
      if_true: null,
      if_false: null,
      if_unknown: null,
    },
  ],
};

async function resolver(preamble: Preamble = PREAMBLE) {
  const made = createResolver({
    store: record.store,
    profile,
    evidence: [],
    registry,
    threshold: acceptThreshold,
    signal: new AbortController().signal,
    question: QUESTION,
    stage: 'stream',
  });
  await made.preamble(preamble);
  return made;
}
/** One resolver for all cards that only read. */
let shared: ReturnType<typeof resolver> | null = null;
const once = () => {
  shared ??= resolver();
  return shared;
};
const card = async (block: AnyBlock): Promise<CardData> => (await once()).card(block, 'c0');
const as = <T extends CardData['type']>(value: CardData, type: T): Extract<CardData, { type: T }> => {
  const isType = (one: CardData): one is Extract<CardData, { type: T }> => one.type === type;
  if (!isType(value)) throw new Error(`expected ${type}, got ${JSON.stringify(value).slice(0, 300)}`);
  return value;
};
const value = (figure: Figure) => figure.value;

describe('facts of feature 28', () => {
  it('are those of the record', async () => {
    const facts = (await once()).facts();
    const of = (name: string) => facts.get(name)?.figure;
    expect(of('attempts')).toMatchObject({ value: 1, basis: 'measured', disputed: true });
    expect(of('score')).toMatchObject({ value: 9, unit: 'points', disputed: false });
    expect(of('time')).toMatchObject({ value: 415, unit: 's', basis: 'measured', disputed: false });
    expect(of('lines')).toMatchObject({ value: 226, unit: 'lines' });
    expect(of('median')).toMatchObject({ value: 129, n: 29, basis: 'measured', disputed: false });
    expect(of('told')).toMatchObject({ value: 3, basis: 'claimed' });
    expect(facts.get('median')?.values).toHaveLength(29);
    expect(facts.get('slowest')?.label).toBe('Loading skeletons');
    expect(of('accepted')).toMatchObject({ value: 29, basis: 'measured' });
    // No line names the skipped feature; the log accepted all others and its planning pass counts one skipped.
    expect(of('skipped')).toMatchObject({ value: 1, basis: 'derived' });
    expect(of('disputed')).toMatchObject({ value: 11 });
    expect(of('polish')).toMatchObject({ value: 29 / 30, unit: 'ratio', n: 30 });
    expect(facts.get('fewest')?.label).toMatch(/ and 27 more$/);
  });
  it('decide premises and checks', async () => {
    const made = await once();
    expect([...made.outcomes()]).toEqual([
      ['three', 'false'],
      ['agree', 'false'],
      ['time_agrees', 'true'],
      ['git_time', 'false'],
    ]);
    expect(made.premiseBlocks()).toEqual([
      { type: 'premise', feature: '28', measure: 'attempts', claimed: { text: 'Three  ATTEMPTS', value: 3 } },
    ]);
    expect(JSON.stringify(made.prose([]))).toContain('The record counts ');
  });
  it('leave out a claim that is not in the question', async () => {
    const made = await resolver({ ...PREAMBLE, premises: [{ ...claim, claimed: 'nine attempts' }] });
    expect(made.outcomes().get('three')).toBe('unknown');
    expect(made.premiseBlocks()).toEqual([]);
  });
});

describe('the premise card', () => {
  it('lists every source with file and line, the claim first', async () => {
    const premise = as(
      await card({
        type: 'premise',
        feature: '28',
        measure: 'attempts',
        claimed: { text: 'three attempts', value: 3 },
      }),
      'premise',
    );
    expect(premise.title).toBe('The question takes three attempts for granted. The record disagrees.');
    expect(premise.mark.state).toBe('disputed');
    expect(premise.rule).toEqual({ measured: 0.5, claimed: 0.5, missing: 0 });
    expect(premise.columns.map(({ unit }) => unit)).toEqual(['attempts', 'points', 's']);
    const rows = premise.rows.map((row) => ({
      source: row.source,
      counted: row.counted,
      basis: row.basis,
      cells: row.cells.map((cell) => [cell.join, ...cell.figures.map(value)]),
    }));
    expect(rows).toEqual([
      {
        source: 'metrics.json',
        counted: false,
        basis: 'claimed',
        cells: [
          ['then', 3],
          ['then', 4, 6, 9],
          ['plus', 120, 140, 159],
        ],
      },
      {
        source: 'claude-progress.txt',
        counted: true,
        basis: 'measured',
        cells: [
          ['then', 1],
          ['then', 9],
          ['then', 415],
        ],
      },
      {
        source: 'commit 6016520',
        counted: true,
        basis: 'measured',
        cells: [
          ['then', 1],
          ['then', 9],
          ['then', 419],
        ],
      },
    ]);
    for (const { cite } of premise.rows) {
      expect(cite.line).toBeGreaterThan(0);
      const raw = await record.rawLines(cite.source, cite.line ?? 0, 0);
      expect(raw?.lines.length).toBe(1);
    }
    const line = premise.rows[1]?.cite;
    expect((await record.rawLines(line?.source ?? '', line?.line ?? 0, 0))?.lines[0]?.text).toContain('#28');
    expect(JSON.stringify(premise.counted)).toContain('claude-progress.txt and commit 6016520 agree');
  });
  it('puts what was asked first', async () => {
    const premise = as(
      await card({
        type: 'premise',
        feature: '28',
        measure: 'build_time',
        claimed: { text: '419 seconds', value: 419 },
      }),
      'premise',
    );
    expect(premise.columns.map(({ unit }) => unit)).toEqual(['s', 'attempts', 'points']);
  });
  it('speaks of the run when no feature is named', async () => {
    const premise = as(
      await card({
        type: 'premise',
        feature: null,
        measure: 'attempts',
        claimed: { text: '41 attempts', value: 41 },
      }),
      'premise',
    );
    expect(
      premise.rows.map((row) => [
        row.source,
        row.counted,
        ...row.cells.flatMap((cell) => cell.figures.map(value)),
      ]),
    ).toEqual([
      ['metrics.json', false, 41],
      ['claude-progress.txt', true, 29],
      ['git log', true, 29],
    ]);
  });
  it('says of a state what each source says', async () => {
    const premise = as(
      await card({
        type: 'premise',
        feature: '28',
        measure: 'status',
        claimed: { text: 'skipped', value: null },
      }),
      'premise',
    );
    expect(premise.title).toBe('The question takes feature 28 as skipped. The record disagrees.');
    expect(premise.rows.length).toBeGreaterThan(2);
  });
});

describe('the attempts card', () => {
  it('tells each source by itself, with the threshold and the finding', async () => {
    const story = as(
      await card({ type: 'attempts', title: 'Story of {feature:28}', feature: '28', actions: [] }),
      'attempts',
    );
    expect(story.title).toBe('Story of Loading skeletons');
    expect(story.sub).toBe('metrics.json tells of 3 attempts; 1 attempt is counted.');
    expect(story.mark.state).toBe('disputed');
    expect(story.threshold).toMatchObject({ value: 5, basis: 'derived' });
    const [metrics, log] = story.tellings;
    expect(metrics?.counted).toBe(false);
    expect(
      metrics?.attempts.map((one) => [
        one.n,
        value(one.score),
        value(one.duration),
        one.passed,
        one.attribution,
      ]),
    ).toEqual([
      [1, 4, 120, false, 'unknown'],
      [2, 6, 140, true, 'unknown'],
      [3, 9, 159, true, 'unknown'],
    ]);
    expect(metrics?.attempts[1]?.findings).toEqual(['A 6 already passes at 5, yet attempt 3 follows']);
    expect(metrics?.attempts.every((one) => one.feedback !== null)).toBe(true);
    expect([log?.count, log?.total, log?.score].map((figure) => figure?.value)).toEqual([1, 415, 9]);
    expect(log?.counted).toBe(true);
    // The commits tell of no attempt by itself, but of how long it took.
    expect(story.tellings[2]?.total).toMatchObject({ value: 419, basis: 'derived' });
  });
  it('shows a claim that stands alone as a claim', async () => {
    const story = as(await card({ type: 'attempts', title: 'Three', feature: '3', actions: [] }), 'attempts');
    expect(story.mark.state).toBe('claimed');
    expect(story.rule.claimed).toBe(1);
    expect(story.tellings.map((telling) => telling.total.value)).toEqual([450]);
  });
});

describe('figures and charts', () => {
  it('set one figure against another', async () => {
    const stat = as(
      await card({
        type: 'stat',
        title: 'How it compares',
        figures: [
          { label: 'Build time', fact: 'time', compare_to: 'median', caption: null },
          { label: 'Median', fact: 'median', compare_to: null, caption: null },
        ],
        actions: [],
      }),
      'stat',
    );
    expect(stat.mark.state).toBe('checking');
    expect(stat.figures[0]?.compare?.figure.value).toBeCloseTo(3.2, 1);
    expect(stat.figures[0]?.compare?.label).toBe('the median');
    expect(JSON.stringify(stat.figures[0]?.caption)).toContain('claude-progress.txt:');
    expect(stat.figures[1]?.strip).toMatchObject({ at: 129, subject: { value: 415, label: '28' } });
    expect(JSON.stringify(stat.figures[1]?.caption)).toContain('n = 29 features; 1 only claimed');
  });
  it('rank features, with the median across and the subject marked', async () => {
    const chart = as(
      await card({
        type: 'chart',
        title: 'Slowest',
        measures: [{ measure: 'build_time', source: 'counted' }],
        by: 'feature',
        split: null,
        draw: 'bar',
        order: 'largest',
        size: 'some',
        scope: 'run',
        where: [],
        actions: [],
      }),
      'chart',
    );
    expect(chart.trimmed).toBe('10 of 29 shown');
    expect(chart.reference).toEqual({ label: 'median', value: 129, unit: 's' });
    expect(chart.points[0]).toMatchObject({ ref: '28', label: 'Loading skeletons', subject: true });
    // As in an answer about nothing in particular: the second place is disputed.
    expect(chart.mark.state).toBe('disputed');
    expect(chart.points.map((point) => point.figures[0]?.value).slice(0, 3)).toEqual([415, 369, 218]);
  });
  it('say how much of a whole is there', async () => {
    const chart = as(
      await card({
        type: 'chart',
        title: 'All',
        measures: [{ measure: 'build_time', source: 'counted' }],
        by: 'order',
        split: null,
        draw: 'line',
        order: 'natural',
        size: 'all',
        scope: 'run',
        where: [],
        actions: [],
      }),
      'chart',
    );
    expect(chart.x.kind).toBe('number');
    // Feature 3 was never accepted: it has no place, and those after it keep theirs.
    expect(chart.points).toHaveLength(29);
    expect(chart.points.map((point) => point.key).slice(0, 3)).toEqual(['1', '2', '3']);
    expect(chart.points.slice(1, 3).map((point) => point.label)).toEqual([
      `2 · ${profile.features[1]?.title}`,
      `3 · ${profile.features[3]?.title}`,
    ]);
    expect(chart.points.every((point) => point.figures[0]?.value !== null)).toBe(true);
  });
});

describe('notes', () => {
  it('of mere words have no mark; those that show or cite something are checked', async () => {
    const note = async (text: string) =>
      as(await card({ type: 'note', title: 'Note', body: [{ says: text, when: null }], actions: [] }), 'note')
        .mark.state;
    expect(await note('The question was not understood.')).toBe('none');
    expect(await note('Why {feature:28} took so long is not recorded.')).toBe('none');
    expect(await note('It took 415 s.')).toBe('checking');
    expect(await note('It took {time}.')).toBe('checking');
  });
});

describe('tables and conflicts', () => {
  it('show exactly the features whose sources disagree', async () => {
    const conflict = as(
      await card({ type: 'conflict', title: 'Disputes', feature: null, actions: [] }),
      'conflict',
    );
    expect(conflict.rows.map(([first]) => (first?.kind === 'feature' ? first.id : ''))).toEqual([
      '1',
      '2',
      '3',
      '5',
      '6',
      '12',
      '13',
      '19',
      '21',
      '28',
      '30',
    ]);
    expect(conflict.columns.map(({ id }) => id)).toEqual(['feature', 'attempts', 'build_time']);
    const cells = (id: string) =>
      conflict.rows
        .find(([first]) => first?.kind === 'feature' && first.id === id)
        ?.slice(1)
        .map((cell) => (cell.kind === 'change' ? [cell.claimed.value, cell.counted.value] : cell.kind));
    expect(cells('1')).toEqual([
      [2, 1],
      [180, 369],
    ]);
    expect(cells('3')).toEqual([
      [3, null],
      [450, null],
    ]);
    expect(cells('12')).toEqual(['agree', [255, 86]]);
    expect(cells('28')).toEqual([[3, 1], 'agree']);
    expect(conflict.mark.state).toBe('disputed');
  });
  it('keep a mere claim out of a ranking', async () => {
    const table = as(
      await card({
        type: 'feature_table',
        title: 'Slowest',
        columns: ['feature', 'build_time', 'source', 'completed_at'],
        order_by: 'build_time',
        order: 'largest',
        size: 'all',
        scope: 'run',
        where: [],
        actions: [],
      }),
      'table',
    );
    const ids = table.rows.map(([first]) => (first?.kind === 'feature' ? first.id : ''));
    expect(ids[0]).toBe('28');
    expect(ids.at(-1)).toBe('3');
    expect(table.total).toBe(30);
  });
});

describe('evidence', () => {
  it('opens every figure of every card, with the value it shows', async () => {
    const made = await once();
    const blocks: AnyBlock[] = [
      { type: 'premise', feature: '28', measure: 'attempts', claimed: { text: 'three', value: 3 } },
      { type: 'attempts', title: 'a', feature: '28', actions: [] },
      {
        type: 'stat',
        title: 's',
        figures: ['time', 'polish', 'slowest', 'accepted'].map((name) => ({
          label: name,
          fact: name,
          compare_to: name === 'time' ? 'median' : null,
          caption: null,
        })),
        actions: [],
      },
      {
        type: 'chart',
        title: 'c',
        measures: [{ measure: 'attempts', source: 'each' }],
        by: 'category',
        split: null,
        draw: 'bar',
        order: 'natural',
        size: 'few',
        scope: 'run',
        where: [],
        actions: [],
      },
      {
        type: 'commit_table',
        title: 't',
        columns: ['commit', 'insertions'],
        order_by: 'insertions',
        order: 'largest',
        size: 'few',
        scope: 'run',
        where: [],
        actions: [],
      },
    ];
    const cards = await Promise.all(blocks.map((block, at) => made.card(block, `c${at}`)));
    const shown = cards.flatMap(figuresOf).filter((figure) => figure.value !== null);
    expect(shown.length).toBeGreaterThan(40);
    for (const figure of shown) {
      const opened = figure.evidence === null ? null : await registry.open(figure.evidence);
      expect(opened?.figure?.value).toBeCloseTo(figure.value ?? Number.NaN, 9);
      // A figure that is opened wears its own badge, not that of the card it stood on.
      expect(opened?.figure).toMatchObject({ basis: figure.basis, disputed: figure.disputed });
      expect(opened?.rows.length).toBeGreaterThan(0);
      expect(opened?.words).not.toBe('');
    }
  }, 60_000);
  it('says of the time of the run where it begins and ends', async () => {
    const { rows } = await record.store.query(
      "SELECT says FROM findings WHERE rule = 'sources_disagree' AND fact = 'elapsed'",
    );
    expect(rows.map(({ says }) => says)).toEqual([
      'metrics.json says 4,554 s, 4,925 s lie between the commit that starts the run (12:48:30) and the last entry of the progress log (14:10:35)',
    ]);
  });
  it('shows what each source says of every feature that is disputed', async () => {
    const id = (await once()).facts().get('disputed')?.figure.evidence ?? '';
    const opened = await registry.open(id);
    const rows = opened?.rows ?? [];
    expect(new Set(rows.map(({ label }) => label.split(' ')[0])).size).toBe(11);
    expect(new Set(rows.map(({ source }) => source))).toEqual(
      new Set(['metrics.json', 'claude-progress.txt', 'git log']),
    );
    expect(
      rows.filter(({ label }) => label.startsWith('28 ')).map(({ value, unit }) => [value, unit]),
    ).toEqual([
      [1, 'attempts'],
      [1, 'attempts'],
      [3, 'attempts'],
    ]);
  });
  it('has the same ids the second time', async () => {
    const ids = async () => [...(await resolver()).facts().values()].map(({ figure }) => figure.evidence);
    expect(await ids()).toEqual(await ids());
  });
  it('shows the rows of all sources, the counted first, and the raw lines', async () => {
    const id = (await once()).facts().get('time')?.figure.evidence ?? '';
    const opened = await registry.open(id);
    expect(opened?.title).toBe('Build time of feature 28');
    expect(opened?.rows.map((row) => [row.value, row.basis, row.source, row.how, row.counted])).toEqual([
      [415, 'measured', 'claude-progress.txt', 'as written', true],
      [419, 'derived', 'git log', '7884044 to 6016520', false],
      [419, 'claimed', 'metrics.json', '120 + 140 + 159', false],
    ]);
    expect(opened?.raw.map(({ source }) => source)).toHaveLength(3);
    expect(opened?.raw[0]?.lines.find((line) => line.cited)?.text).toContain('415s');
    expect(await registry.open('q00000000000000000000')).toBeNull();
  });
});

describe('premises of questions', () => {
  it.each([
    [QUESTION, 'attempts', 'three attempts', 'disputed'],
    ['why did loading skeletons need five tries', 'attempts', 'five tries', 'false'],
    ['why did feature 28 take 415 seconds?', 'build_time', '415 seconds', 'true'],
    ['feature 28 took 7 minutes, why?', 'build_time', '7 minutes', 'true'],
    ['why did #28 score 6', 'mean_score', '6', 'disputed'],
    ['feature 28 scored 9, why not more?', 'mean_score', '9', 'true'],
    ['why was feature 28 skipped?', 'status', 'skipped', 'false'],
    ['why was feature 3 skipped?', 'status', 'skipped', 'true'],
    ['why was the dark mode toggle tried three times?', 'attempts', 'three times', 'disputed'],
    ['why did feature 7 take one attempt?', 'attempts', 'one attempt', 'true'],
  ])('%s', async (question, measure, text, verdict) => {
    const found = await checkPremises(question, profile, record.store);
    expect(found.map((one) => [one.measure, one.claimed.text, one.verdict])).toEqual([
      [measure, text, verdict],
    ]);
  });
  it.each([
    ['why were three features skipped?', 'skipped_features', 'false'],
    ['why were 11 features disputed', 'disputed_features', 'true'],
    ['why did it take 41 attempts?', 'attempts', 'disputed'],
  ])('of the run: %s', async (question, measure, verdict) => {
    const found = await checkPremises(question, profile, record.store);
    expect(found.map((one) => [one.feature, one.measure, one.verdict])).toEqual([[null, measure, verdict]]);
  });
  it.each(['why did feature 99 take 2 attempts?', 'why did #31 take three attempts?'])(
    'are not of the run when the feature does not exist: %s',
    async (question) => {
      expect(await checkPremises(question, profile, record.store)).toEqual([]);
    },
  );

  it.each([
    'how did the run go?',
    'show the top 5 features',
    'list 3 accepted features with the most lines',
    'which features took more than 2 attempts?',
    'compare feature 28 with feature 3',
    'how many attempts did feature 28 take?',
  ])('none in: %s', async (question) => {
    expect(await checkPremises(question, profile, record.store)).toEqual([]);
  });
});
