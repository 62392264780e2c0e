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

  it.each([
    ['why was feature 8 slow?', 'build_time', 'false'],
    ['why was 12 so slow', 'build_time', 'disputed'],
    ['why was feature 28 so slow?', 'build_time', 'true'],
    ['why was feature 28 so fast?', 'build_time', 'false'],
    ['why did feature 8 need so many attempts?', 'attempts', 'false'],
    ['why did feature 2 fail?', 'status', 'false'],
    ['why did feature 4 succeed?', 'status', 'true'],
    ['why did 4 features fail?', 'skipped_features', 'false'],
  ])('%s is set against the record', async (question, measure, verdict) => {
    const { premises, text } = await answer(record, question);
    expect(premises).toMatchObject([{ measure, verdict }]);
    expect(text.startsWith('The record says otherwise')).toBe(
      verdict === 'false' || question === 'why was 12 so slow',
    );
  });

  it('says that the skipped feature did not succeed, and does not deny what the log says of it', async () => {
    const { premises, text } = await answer(record, 'why did feature 3 succeed?');
    expect(premises[0]).toMatchObject({ feature: '3', measure: 'status' });
    expect(['false', 'disputed']).toContain(premises[0]?.verdict);
    expect(text.startsWith('The record says otherwise: #3 is skipped.')).toBe(true);
    expect(text).not.toContain('has nothing on its attempts');
    expect((await answer(record, 'why was feature 3 skipped?')).premises[0]?.verdict).not.toBe('false');
  });

  it('takes a word of failure for granted only where a reason is asked for', async () => {
    for (const question of ['did feature 2 fail?', 'how many features failed?', 'is feature 8 slow?'])
      expect((await answer(record, question)).premises).toEqual([]);
    expect((await answer(record, 'why did feature 28 fail three times?')).premises).toMatchObject([
      { measure: 'attempts' },
    ]);
  });

  it('says that a feature is not there', async () => {
    for (const question of ['show me feature 99', 'what happened to #99?', 'what about feature 99?']) {
      const { cards, text } = await answer(record, question, 'what happened to feature 1');
      expect(cards[0]).toMatchObject({ type: 'note', title: 'There is no feature 99' });
      expect(text).toContain('no feature by that number');
    }
  });

  it('names the commits by which the attempts got into the file', async () => {
    const { evidence, text, plan } = await answer(record, 'when did the attempts enter metrics.json?');
    const quoted = /\{quote:(E\d+)\}/.exec(JSON.stringify(plan.explanation))?.[1];
    const item = evidence.find(({ id }) => id === quoted);
    expect(item?.cite.source).toBe('git');
    expect(text).toContain('28 March, 14:28: data: type in several attempts');
    const table = plan.blocks.find(({ type }) => type === 'commit_table');
    expect(JSON.stringify(table)).toContain('"dim":"phase","not":false,"any_of":["after"]');
  });

  it('tells the status of a feature, and when it was finished', async () => {
    expect((await answer(record, 'is feature 3 done?')).text).toMatch(/^The status of #3 is skipped\./);
    expect((await answer(record, 'is feature 28 done?')).text).toMatch(/^The status of #28 is accepted\./);
    expect((await answer(record, 'when did feature 28 start')).text).toMatch(
      /^When #28 was started is not recorded\. It was finished at 14:03/,
    );
  });

  it('tells when the run began and how long it took', async () => {
    const start = await answer(record, 'when did the run start');
    expect(start.family).toBe('overview');
    expect(start.text).toMatch(/^The run is recorded as Demo Run 2026-03-28 12:48/);
    const { text, facts } = await answer(record, 'how long did the run take');
    expect(facts.value).toBeGreaterThan(Number(facts.build_time));
    expect(text).toContain(`add up to ${facts.build_time}`);
  });

  it('says that no reason is recorded', async () => {
    for (const before of ['which features were the slowest?', 'what happened to feature 8'])
      expect((await answer(record, 'why?', before)).text).toContain(
        'No source of this record gives a reason',
      );
  });

  it('leaves a grouping behind when the whole is asked for, and keeps the measure when only the grouping changes', async () => {
    const whole = await answer(
      record,
      'how many attempts did it take in total',
      'how long did it take',
      'and by category?',
    );
    expect(whole.family).toBe('figure');
    expect(whole.facts.value).toBe(29);
    const score = await answer(record, 'and by score?', 'build time by category');
    expect(score.cards[0]).toMatchObject({ type: 'chart', title: 'Median build time by final score' });
  });
});
