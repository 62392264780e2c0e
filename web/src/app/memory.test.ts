import { expect, it } from 'vitest';
import { createMemory } from './memory.ts';

const storage = (start: Record<string, string> = {}) => {
  const kept = new Map(Object.entries(start));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
};

it('keeps the conversation and its turns over a reload', () => {
  const tab = storage();
  const first = createMemory(tab);
  for (let n = 0; n < 30; n += 1) first.keep({ id: `a${n}`, question: `q${n}`, at: n, paragraphs: [] });
  first.keep({ id: 'a29', question: 'q29', at: 29, paragraphs: [] });
  const second = createMemory(tab);
  expect(second.conversation()).toBe(first.conversation());
  expect(second.turns().map((turn) => turn.id)).toEqual(Array.from({ length: 20 }, (_, n) => `a${n + 10}`));
  second.drop('a29');
  expect(createMemory(tab).turns().at(-1)?.id).toBe('a28');
});

it.each(['', 'not json', '[]', '{"id":"../x"}', '{"id":7,"turns":[]}'])('begins anew from %j', (text) => {
  const memory = createMemory(storage({ 'looplight-conversation': text }));
  expect(memory.conversation()).toMatch(/^[0-9a-f]{24}$/);
  expect(memory.turns()).toEqual([]);
});

it('has a conversation for each project', () => {
  const tab = storage();
  const memory = createMemory(tab);
  const shop = memory.of('shop');
  shop.keep({ id: 'a1', question: 'q', at: 1, paragraphs: [] });
  expect(memory.turns()).toEqual([]);
  expect(shop.conversation()).not.toBe(memory.conversation());
  expect(memory.of(null).conversation()).toBe(memory.conversation());
  expect(shop.of('shop').turns()).toHaveLength(1);
  expect(
    createMemory(tab)
      .of('shop')
      .turns()
      .map(({ id }) => id),
  ).toEqual(['a1']);
});

it('works where storage is closed', () => {
  const closed = () => {
    throw new Error('denied');
  };
  const memory = createMemory({ getItem: closed, setItem: closed });
  memory.keep({ id: 'a', question: 'q', at: 1, paragraphs: [] });
  expect(memory.turns()).toHaveLength(1);
});

const words = (text: string) => [{ kind: 'p' as const, inlines: [{ kind: 'text' as const, text }] }];
const said = (memory: ReturnType<typeof createMemory>) =>
  memory.turns().map(({ paragraphs }) => paragraphs.map(({ inlines }) => inlines.length));

it('keeps what was said over a reload, in bounds, and does not lose it while an answer is fetched again', () => {
  const tab = storage();
  const first = createMemory(tab);
  first.keep({ id: 'a', question: 'q', at: 1, paragraphs: words('One attempt.') });
  first.keep({ id: 'b', question: 'q', at: 2, paragraphs: words('x'.repeat(13_000)) });
  first.keep({ id: 'a', question: 'q', at: 1, paragraphs: [] });
  const second = createMemory(tab);
  expect(second.turns().map((turn) => turn.id)).toEqual(['a', 'b']);
  expect(said(second)).toEqual([[1], []]);
  expect(second.turns()[0]?.paragraphs[0]?.inlines[0]).toMatchObject({ text: 'One attempt.' });
});
