import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Item } from './board.ts';
import { type BoardStore, openBoards } from './store.ts';

let folder: string;
let words: string[];
let store: BoardStore;

const open = () => openBoards(folder, { warn: (message) => void words.push(message) });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'looplight-boards-'));
  words = [];
  store = await open();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const item = (n: number, more: Partial<Item> = {}): Item => ({
  id: `i${String(n).padStart(10, '0')}`,
  question: `question ${n}?`,
  card: null,
  plan: '{"blocks":[]}',
  planner: { kind: 'builtin', name: 'Built-in planner', model: null },
  code: null,
  plannedAt: 1_000,
  pinnedAt: 2_000,
  folder: '/runs/one',
  ...more,
});
const made = async (name: string): Promise<string> => {
  const board = await store.create(name);
  if (!board.ok) throw new Error(board.code);
  return board.value.id;
};
const questions = (id: string): string[] => store.get(id)?.items.map(({ question }) => question) ?? [];

describe('boards', () => {
  it('tell of each change that was made, and of none that was not', async () => {
    let changes = 0;
    const end = store.onChange(() => {
      changes += 1;
    });
    const id = await made('One');
    expect(changes).toBe(1);
    await store.pin(id, item(1));
    await store.change(id, { name: 'Two' });
    await store.unpin(id, item(1).id);
    await store.repin(id, item(1).id);
    expect(changes).toBe(5);
    await store.unpin(id, item(9).id);
    await store.change('nowhere', { name: 'Three' });
    expect(changes).toBe(5);
    await store.remove(id);
    await store.restore(id);
    expect(changes).toBe(7);
    end();
    await store.change(id, { name: 'Four' });
    expect(changes).toBe(7);
  });

  it('are kept over a restart, in their order', async () => {
    const ids = [await made('One'), await made('Two'), await made('Three')];
    await store.pin(ids[1] ?? '', item(1, { card: 'Build time' }));
    await store.reorder([ids[2] ?? '', ids[0] ?? '']);
    const again = await open();
    expect(again.list().map(({ name }) => name)).toEqual(['Three', 'One', 'Two']);
    expect(again.get(ids[1] ?? '')?.items).toEqual([item(1, { card: 'Build time' })]);
    expect(words).toEqual([]);
  });

  it('are renamed, and their items put in another order, removed and taken back', async () => {
    const id = await made('One');
    for (const n of [1, 2, 3]) await store.pin(id, item(n));
    await store.change(id, { name: 'Another' });
    expect(store.get(id)?.name).toBe('Another');
    await store.change(id, { order: [item(3).id, 'i-not-there', item(1).id] });
    expect(questions(id)).toEqual(['question 3?', 'question 1?', 'question 2?']);
    expect((await store.unpin(id, item(1).id)).ok).toBe(true);
    expect(questions(id)).toEqual(['question 3?', 'question 2?']);
    await store.repin(id, item(1).id);
    expect(questions(id)).toEqual(['question 3?', 'question 1?', 'question 2?']);
    expect(await store.repin(id, item(1).id)).toEqual({ ok: false, code: 'not_found' });
    expect(await store.unpin(id, item(9).id)).toEqual({ ok: false, code: 'not_found' });
  });

  it('are removed with their file, and taken back', async () => {
    const id = await made('One');
    await store.pin(id, item(1));
    expect(await readdir(folder)).toEqual([`${id}.json`]);
    expect((await store.remove(id)).ok).toBe(true);
    expect(store.get(id)).toBeNull();
    expect(await readdir(folder)).toEqual([]);
    expect((await store.restore(id)).ok).toBe(true);
    expect(questions(id)).toEqual(['question 1?']);
    expect(await readdir(folder)).toEqual([`${id}.json`]);
    expect(await store.remove('AAAAAAAAAAAAAAAA')).toEqual({ ok: false, code: 'not_found' });
  });

  it('and what stands on them are bounded', async () => {
    const id = await made('One');
    for (let n = 0; n < 12; n += 1) expect((await store.pin(id, item(n))).ok).toBe(true);
    expect(await store.pin(id, item(12))).toEqual({ ok: false, code: 'board_full' });
    for (let n = 1; n < 40; n += 1) await made(`board ${n}`);
    expect(await store.create('one more')).toEqual({ ok: false, code: 'boards_full' });
  });

  it('change one after the other, whatever is asked at the same time', async () => {
    const id = await made('One');
    await Promise.all([1, 2, 3, 4, 5].map((n) => store.pin(id, item(n))));
    expect(questions(id)).toHaveLength(5);
    const text: { items: unknown[] } = JSON.parse(await readFile(join(folder, `${id}.json`), 'utf8'));
    expect(text.items).toHaveLength(5);
  });
});

describe('a file that is no board', () => {
  it.each([
    ['is no JSON', '{"version":1,"na'],
    ['has no version', '{"name":"x","items":[]}'],
    ['is of a later version', '{"version":99,"id":"AAAAAAAAAAAAAAAA","name":"x","place":1,"items":[]}'],
    ['is another board', '{"version":1,"id":"BBBBBBBBBBBBBBBB","name":"x","place":1,"items":[]}'],
    ['has an item without a plan', '{"version":1,"id":"AAAAAAAAAAAAAAAA","name":"x","place":1,"items":[{}]}'],
  ])('%s: it is told of and left alone, and the others are there', async (_why, text) => {
    await made('Good');
    const path = join(folder, 'AAAAAAAAAAAAAAAA.json');
    await writeFile(path, text);
    const again = await open();
    expect(again.list().map(({ name }) => name)).toEqual(['Good']);
    expect(words).toEqual(['The board AAAAAAAAAAAAAAAA cannot be read; its file is left as it is.']);
    expect(await readFile(path, 'utf8')).toBe(text);
  });
});

it('a folder that cannot be written gives no boards, and says so', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  const none = await openBoards(join(file, 'boards'), { warn: (message) => void words.push(message) });
  expect(none.keeps).toBe(false);
  expect(await none.create('One')).toEqual({ ok: false, code: 'not_kept' });
  expect(words).toHaveLength(1);
});

it('a change that cannot be written is not made', async () => {
  const id = await made('One');
  await rm(folder, { recursive: true });
  expect(await store.change(id, { name: 'Two' })).toEqual({ ok: false, code: 'not_kept' });
  expect(store.get(id)?.name).toBe('One');
});
