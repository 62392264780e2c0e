import { describe, expect, it, onTestFinished } from 'vitest';
import type { CardData } from '../../../shared/cards.ts';
import type { AnyBlock, Fact, Where } from '../../../shared/plan.ts';
import { openRecord } from '../../record/index.ts';
import { acceptThreshold } from '../../record/ingest/agentforge/thresholds.ts';
import { SMALL, smallFiles, testFolder } from '../../record/test-folder.ts';
import { createRegistry } from '../evidence.ts';
import { createResolver } from '../resolver.ts';

/** Cards over small records of our own: sources cut short, and measured sources that contradict each other. */

const fact = (name: string, measure: string): Fact => ({
  name,
  kind: 'value',
  measure,
  source: 'counted',
  by: null,
  scope: 'run',
  where: [],
});

async function page(files: Record<string, string>) {
  const record = await openRecord({ root: await testFolder(files), database: ':memory:' });
  onTestFinished(() => record.close());
  const registry = createRegistry(record);
  const profile = await record.profile();
  const resolver = createResolver({
    store: record.store,
    profile,
    evidence: [],
    registry,
    threshold: acceptThreshold,
    signal: new AbortController().signal,
    question: null,
    stage: 'stream',
  });
  await resolver.preamble({
    about: { feature: null, scope: [] },
    facts: [fact('findings', 'findings'), fact('tokens', 'tokens'), fact('time', 'elapsed')],
    premises: [],
    checks: [],
  });
  const card = (block: AnyBlock): Promise<CardData> => resolver.card(block, 'c0');
  return { registry, profile, resolver, card };
}

const table = (where: Where[] = []): AnyBlock => ({
  type: 'finding_table',
  title: 'Findings',
  columns: ['finding', 'rule', 'source'],
  order_by: null,
  order: 'natural',
  size: 'all',
  scope: 'run',
  where,
  actions: [],
});

describe('problems with reading', () => {
  const cut = { ...smallFiles(), 'metrics.json': SMALL.metrics().slice(0, 900) };

  it('are rows of the table, in words, with source and line, and are counted as what they are', async () => {
    const { card, resolver, profile } = await page(cut);
    const shown = await card(table());
    if (shown.type !== 'table') throw new Error(`a ${shown.type}`);
    const problems = shown.rows.filter(
      ([, rule]) => rule?.kind === 'text' && rule.text === 'reading problem',
    );
    expect(problems).toHaveLength(profile.issues);
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(problems)).toContain(
      'The file ends in the middle. What is complete before it was read: 1 feature.',
    );
    expect(
      problems.some(([, , source]) => source?.kind === 'cite' && source.cite.label === 'metrics.json'),
    ).toBe(true);
    expect(shown.rows).toHaveLength(shown.total);
    expect(shown.sub).toMatch(/\d+ of \d+ (is a|are) reading problem/);
    expect(resolver.facts().get('findings')?.figure.value).toBe(shown.total);
    const stat = await card({
      type: 'stat',
      title: 'Findings',
      figures: [{ label: 'Findings', fact: 'findings', compare_to: null, caption: null }],
      actions: [],
    });
    expect(JSON.stringify(stat)).toMatch(/\d+ of them (is a|are) reading problem/);
  });

  it('are not spoken of where there are none', async () => {
    const { card } = await page(smallFiles());
    expect(await card(table())).toMatchObject({ type: 'table', sub: null });
  });
});

describe('a table of findings', () => {
  it('says how many it leaves out by what was asked, and calls rules by words', async () => {
    const { card, resolver } = await page(smallFiles());
    const all = resolver.facts().get('findings')?.figure.value ?? 0;
    const one = await card(table([{ type: 'in', dim: 'rule', not: false, any_of: ['passed_then_retried'] }]));
    expect(one).toMatchObject({
      type: 'table',
      total: 1,
      sub: `1 of ${all} findings are of the kind asked for.`,
    });
    const whole = await card(table());
    if (whole.type !== 'table') throw new Error(`a ${whole.type}`);
    expect(whole.rows).toHaveLength(all);
    const rules = whole.rows.map(([, rule]) => (rule?.kind === 'text' ? rule.text : ''));
    expect(new Set(rules)).toEqual(new Set(['sources disagree', 'passed, then retried', 'totals differ']));
  });
});

describe('totals', () => {
  it('put the sum over the run in doubt where a file gives another one, and not where it gives the same', async () => {
    const { resolver, registry } = await page(smallFiles());
    const tokens = resolver.facts().get('tokens')?.figure;
    expect(tokens).toMatchObject({ value: 210, disputed: true });
    expect((await registry.open(tokens?.evidence ?? ''))?.figure).toMatchObject({
      value: 210,
      disputed: true,
    });
    const right = SMALL.metrics()
      .replace('"tokens_coder": 100', '"tokens_coder": 180')
      .replace('"tokens_evaluator": 20', '"tokens_evaluator": 30');
    const agreed = await page({ ...smallFiles(), 'metrics.json': right });
    expect(agreed.resolver.facts().get('tokens')?.figure).toMatchObject({ value: 210, disputed: false });
  });
});

describe('the time of the run', () => {
  it('rests on the commit it begins at and the line it ends at', async () => {
    const { resolver, registry } = await page(smallFiles());
    const opened = await registry.open(resolver.facts().get('time')?.figure.evidence ?? '');
    expect(
      opened?.rows.filter(({ counted }) => counted).map(({ sourceId, line }) => [sourceId, line]),
    ).toEqual([
      ['progress_log', 5],
      ['git', 3],
    ]);
    expect(opened?.raw.map(({ sourceId }) => sourceId)).toContain('git');
  });
});

describe('measured sources that contradict each other', () => {
  const metrics = SMALL.metrics().replace(/"score": 4,[\s\S]*?"score": 9/, '"score": 9');
  const files = {
    ...smallFiles(),
    'metrics.json': metrics,
    'claude-progress.txt': SMALL.progress.replace('9/10, 1 attempts, 177s', '4/10, 2 attempts, 1234s'),
  };

  it('are each shown by their own basis, and none is called a claim', async () => {
    const { card, profile } = await page(files);
    const conflict = await card({ type: 'conflict', title: 'Disputes', feature: '2', actions: [] });
    if (conflict.type !== 'conflict') throw new Error(`a ${conflict.type}`);
    expect(conflict.sub).toBe(
      'What another source says on the left of each arrow, what is counted on the right.',
    );
    const at = conflict.columns.findIndex(({ id }) => id === 'attempts');
    const cell = conflict.rows[0]?.[at];
    expect(cell).toMatchObject({
      kind: 'change',
      claimed: { value: 2, basis: 'measured' },
      counted: { value: 1, basis: 'measured' },
    });
    const premise = await card({
      type: 'premise',
      feature: '2',
      measure: 'attempts',
      claimed: { text: 'two attempts', value: 2 },
    });
    if (premise.type !== 'premise') throw new Error(`a ${premise.type}`);
    const words = JSON.stringify(premise.counted);
    expect(words).toContain('claude-progress.txt says otherwise.');
    expect(words).not.toContain('marked as claimed');
    // The log is the one that differs; metrics.json says what is counted.
    expect(profile.sources.find(({ kind }) => kind === 'progress_log')?.disputed).toBe(true);
  });
});
