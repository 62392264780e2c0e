import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRecord } from '../../record/index.ts';
import type { RecordHandle } from '../../record/store.ts';
import { answer, said } from './test-answers.ts';

let record: RecordHandle;
beforeAll(async () => {
  record = await openRecord({ root: 'data/agentforge', database: ':memory:' });
}, 60_000);
afterAll(() => record.close());

/** Text of the notes of an answer. */
const notes = ({ cards }: Awaited<ReturnType<typeof answer>>): string =>
  cards.flatMap((card) => (card.type === 'note' ? [said(card.body)] : [])).join('\n');

// Every answer runs dozens of queries; a busy machine takes its time over them.
describe('what a newcomer asks', { timeout: 60_000 }, () => {
  it('answers a follow-up about the same feature, from evidence about that feature', async () => {
    const next = await answer(record, 'what about lines?', 'what happened to feature 1');
    expect(next.evidence.length).toBeGreaterThan(0);
    expect(next.evidence.map(({ feature }) => feature)).toEqual(next.evidence.map(() => '1'));
    expect(next.family).toBe('figure');
    expect(next.plan.facts.find(({ name }) => name === 'value')).toMatchObject({ measure: 'lines_added' });
    const story = await answer(record, 'and what about its attempts and why?', 'what happened to feature 1');
    expect(story.evidence.every(({ feature }) => feature === '1')).toBe(true);
  });

  it('never cites or quotes what is about something else', async () => {
    for (const question of ['why?', 'tell me more about it', 'and feature 28?'])
      for (const before of ['what happened to feature 1', 'what happened to feature 3']) {
        const { evidence, plan } = await answer(record, question, before);
        const cited = [...JSON.stringify(plan).matchAll(/E\d+/g)].map(([id]) => id);
        for (const id of cited)
          expect([plan.about.feature, question]).toEqual([
            evidence.find((item) => item.id === id)?.feature,
            question,
          ]);
      }
  });

  it('prints the mark of a quote once', async () => {
    const found = notes(await answer(record, 'why did feature 28 take three attempts?'));
    expect(found).toContain('A planning pass speaks of it: "');
    expect(found).not.toMatch(/\[(E\d+)\] ?\[\1\]/);
  });

  it('reads worst and best by what is good, and says how it was read', async () => {
    const worst = await answer(record, 'worst features');
    expect(worst.family).toBe('ranking');
    expect(worst.facts.lead_value).toBe(8);
    expect(worst.text).toContain('"Worst" is read as the lowest score.');
    expect(worst.cards[0]).toMatchObject({ type: 'chart', title: 'Lowest scores' });
    const best = await answer(record, 'best features');
    expect(best.text).toContain('"Best" is read as the highest score.');
    expect((await answer(record, 'worst build times')).facts.lead_value).toBe(415);
    expect((await answer(record, 'best build times')).facts.lead_value).toBe(82);
    expect((await answer(record, 'worst category')).text).toContain('read as the lowest score');
  });

  it('sets no claim against a measured value', async () => {
    const mixed = await answer(record, 'feature 28 vs 3');
    expect(mixed.text).not.toContain('The higher');
    expect(mixed.text).toContain('only claimed, or not recorded, and not set against it');
    expect(mixed.text).toContain('counted, for Loading skeletons');
    expect((await answer(record, 'feature 28 vs 1')).text).toContain(
      'The higher of them is Loading skeletons',
    );
  });

  it.each([
    ['features slower than 200 seconds', `fact = 'build_time' AND value > 200`],
    ['how many features took more than 2 minutes', `fact = 'build_time' AND value > 120`],
    ['features that took at most 1.5 minutes', `fact = 'build_time' AND value <= 90`],
    ['which features took between 2 and 3 minutes?', `fact = 'build_time' AND value BETWEEN 120 AND 180`],
    ['features faster than 90 s', `fact = 'build_time' AND value < 90`],
    ['features with more than 200 lines', `fact = 'lines_added' AND value > 200`],
  ])('%s', async (question, bound) => {
    const { facts, family } = await answer(record, question);
    expect(family).toBe('list');
    const { rows } = await record.store.query(
      `SELECT count(*) AS n FROM counted c JOIN features f USING (feature_id) JOIN runs r ON r.run_id = f.run_id
       WHERE r.is_current AND ${bound}`,
    );
    expect(facts.shown).toBe(rows[0]?.n);
    expect(Number(facts.shown)).toBeGreaterThan(0);
    expect(Number(facts.shown)).toBeLessThan(30);
  });

  it('says what it did not filter by', async () => {
    expect((await answer(record, 'features slower than the median')).text).toContain(
      'nothing is filtered by it',
    );
    expect((await answer(record, 'how did the run go in polish')).text).toContain('Not filtered by category');
    expect((await answer(record, 'top 3 slowest features')).text).toContain('the nearest size');
    expect((await answer(record, 'top 5 slowest features')).text).not.toContain('the nearest size');
  });

  it('charts findings by rule', async () => {
    const { cards, family } = await answer(record, 'How many findings by audit rule?');
    expect(family).toBe('distribution');
    expect(cards[0]).toMatchObject({ type: 'chart', title: 'Findings by audit rule' });
  });

  it('draws no row of equal bars for attempts, and offers the slowest category only beside times', async () => {
    for (const question of ['how many attempts were there?', 'which features took the most attempts?']) {
      const { plan } = await answer(record, question);
      const counted = plan.blocks.filter(
        (block) =>
          block.type === 'chart' &&
          block.by === 'feature' &&
          block.measures.some((each) => each.measure === 'attempts' && each.source === 'counted'),
      );
      expect(counted).toEqual([]);
      expect(JSON.stringify(plan)).not.toContain('"label":"Slowest category"');
      expect(JSON.stringify(plan)).not.toContain('of single features');
    }
    expect(JSON.stringify((await answer(record, 'what is the median build time?')).plan)).toContain(
      'Slowest category',
    );
  });
});
