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
});
