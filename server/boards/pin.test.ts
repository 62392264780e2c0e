import { describe, expect, it } from 'vitest';
import { createAnswers } from '../answer/answers.ts';
import { statCard } from '../answer/test-ports.ts';
import { followed } from '../live/test-settled.ts';
import { onlyBlock, pinned } from './pin.ts';

const PLAN = JSON.stringify({
  about: { feature: '28', scope: [] },
  facts: [{ name: 'took' }],
  premises: [],
  checks: [],
  explanation: ['It took {took}.'],
  blocks: [
    { type: 'note', title: 'One' },
    { type: 'chart', title: 'Two' },
  ],
  followUps: ['What else?'],
});

describe('one block of a plan', () => {
  it('keeps what stands before it and leaves out the rest', () => {
    expect(JSON.parse(onlyBlock(PLAN, 'c1') ?? '')).toEqual({
      about: { feature: '28', scope: [] },
      facts: [{ name: 'took' }],
      premises: [],
      checks: [],
      explanation: [],
      blocks: [{ type: 'chart', title: 'Two' }],
      followUps: [],
    });
    // A block is read as soon as it is there, and needs the facts by then.
    expect(Object.keys(JSON.parse(onlyBlock(PLAN, 'c1') ?? ''))).toEqual([
      'about',
      'facts',
      'premises',
      'checks',
      'explanation',
      'blocks',
      'followUps',
    ]);
  });

  it.each([['c2'], ['c99'], ['premise'], ['conflict'], [''], ['c1; drop']])(
    'there is none for %j',
    (card) => {
      expect(onlyBlock(PLAN, card)).toBeNull();
    },
  );

  it.each([[''], ['{"blocks":'], ['[]'], ['{"blocks":{}}'], ['null']])('%j is no plan', (text) => {
    expect(onlyBlock(text, 'c0')).toBeNull();
  });
});

describe('what is pinned', () => {
  const answers = createAnswers();
  const answer = (plan: string) => {
    const { settled } = followed('a1');
    const cards = [statCard('c0', 'One', 1), statCard('c1', 'Two', 2)];
    return answers.start(
      async (sink) => {
        sink.settle({ ...settled, plan, folder: '/runs/one', shown: { ...settled.shown, cards } });
        sink.emit({ event: 'done', data: { events: 1, cards: 2, ok: true, code: null, ms: 1 } });
      },
      () => undefined,
    );
  };
  const parts = { answers, archive: null, now: () => 7_000 };

  it('is the plan of an answer, or of one of its cards', async () => {
    const { id, finished } = answer(PLAN);
    await finished;
    expect(await pinned(id, undefined, parts)).toMatchObject({
      ok: true,
      item: {
        question: 'how long did it take?',
        card: null,
        plan: PLAN,
        pinnedAt: 7_000,
        folder: '/runs/one',
      },
    });
    expect(await pinned(id, 'c1', parts)).toMatchObject({
      ok: true,
      item: { card: 'Two', plan: onlyBlock(PLAN, 'c1') },
    });
    expect(await pinned(id, 'c7', parts)).toEqual({ ok: false, code: 'not_pinnable' });
  });

  it('cannot be an answer without a plan, nor one that is not there', async () => {
    const { id, finished } = answer('');
    await finished;
    expect(await pinned(id, undefined, parts)).toEqual({ ok: false, code: 'not_pinnable' });
    expect(await pinned('nowhere', undefined, parts)).toEqual({ ok: false, code: 'not_found' });
  });
});
