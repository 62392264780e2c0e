import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Board } from '../../../shared/wire.ts';
import { type BoardDesk, createBoardDesk, moved } from './desk.ts';

interface Call {
  method: string;
  url: string;
  body: unknown;
}

let calls: Call[];
let answers: Map<string, { status: number; body: unknown }>;
let redrawn: string[];
let removed: string[];
let restored: string[];
let desk: BoardDesk;

const item = (n: number) => ({
  id: `i${n}`,
  question: `question ${n}?`,
  card: null,
  plannedAt: 1,
  pinnedAt: 2,
});
const board = (id: string, name: string, ...items: number[]): Board => ({ id, name, items: items.map(item) });
const answer = (method: string, path: string, body: unknown, status = 200) =>
  answers.set(`${method} /api/boards${path}`, { status, body });
const names = () => desk.state().boards.map(({ name }) => name);

beforeEach(async () => {
  calls = [];
  answers = new Map();
  redrawn = [];
  removed = [];
  restored = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const method = init.method ?? 'GET';
    calls.push({ method, url, body: typeof init.body === 'string' ? JSON.parse(init.body) : null });
    const known = answers.get(`${method} ${url}`);
    if (known === undefined) throw new TypeError('no connection');
    return Response.json(known.body, { status: known.status });
  });
  desk = createBoardDesk({
    onRedraw: (id) => void redrawn.push(id),
    onRemoved: (id) => void removed.push(id),
    onRestored: (id) => void restored.push(id),
  });
  answer('GET', '', { kept: true, boards: [board('b1', 'One', 1, 2, 3), board('b2', 'Two')] });
  await desk.load();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the boards of a page', () => {
  it('pin to a board that is there, and to a new one', async () => {
    answer('POST', '/b2/items', board('b2', 'Two', 4));
    expect(await desk.pin('A1', 'c2', { board: 'b2' })).toBe(true);
    expect(calls.at(-1)).toMatchObject({ body: { answer: 'A1', card: 'c2' } });
    expect(desk.state().notice?.says).toBe('Pinned to Two.');
    answer('POST', '', board('b3', 'Three'));
    answer('POST', '/b3/items', board('b3', 'Three', 5));
    expect(await desk.pin('A1', null, { name: 'Three' })).toBe(true);
    expect(calls.at(-1)).toMatchObject({ body: { answer: 'A1' } });
    expect(names()).toEqual(['One', 'Two', 'Three']);
    expect(redrawn).toEqual(['b2', 'b3']);
  });

  it('say why something could not be done, and change nothing', async () => {
    answer('POST', '/b1/items', { code: 'board_full' }, 409);
    expect(await desk.pin('A1', null, { board: 'b1' })).toBe(false);
    expect(desk.state().notice?.says).toContain('Nothing more fits on this board');
    expect(await desk.pin('A1', null, { name: 'Four' })).toBe(false);
    expect(desk.state().notice?.says).toBe('The board could not be made. The server did not answer.');
    expect(names()).toEqual(['One', 'Two']);
    expect(redrawn).toEqual([]);
  });

  it('move an item, and not past the ends', async () => {
    answer('PATCH', '/b1', board('b1', 'One', 2, 1, 3));
    await desk.moveItem('b1', 'i2', -1);
    expect(calls.at(-1)).toMatchObject({ method: 'PATCH', body: { order: ['i2', 'i1', 'i3'] } });
    expect(redrawn).toEqual(['b1']);
    const before = calls.length;
    await desk.moveItem('b1', 'i2', -1);
    await desk.moveItem('b1', 'i3', 1);
    await desk.moveItem('b1', 'nowhere', 1);
    expect(calls).toHaveLength(before);
  });

  it('remove an item, and put it back', async () => {
    answer('DELETE', '/b1/items/i2', board('b1', 'One', 1, 3));
    await desk.unpin('b1', 'i2');
    expect(desk.state().notice?.says).toBe('Removed “question 2?”.');
    answer('POST', '/b1/items/i2/restore', board('b1', 'One', 1, 2, 3));
    desk.state().notice?.undo?.();
    await vi.waitFor(() => expect(desk.state().notice).toBeNull());
    expect(desk.state().boards[0]?.items.map(({ id }) => id)).toEqual(['i1', 'i2', 'i3']);
    expect(redrawn).toEqual(['b1', 'b1']);
  });

  it('remove a board, and put it back where it was', async () => {
    answer('DELETE', '/b1', { ok: true });
    await desk.remove('b1');
    expect(names()).toEqual(['Two']);
    expect(removed).toEqual(['b1']);
    answer('POST', '/b1/restore', board('b1', 'One', 1, 2, 3));
    desk.state().notice?.undo?.();
    await vi.waitFor(() => expect(restored).toEqual(['b1']));
    expect(names()).toEqual(['One', 'Two']);
  });

  it('are drawn anew when another page changed what stands on them', async () => {
    answer('GET', '', { kept: true, boards: [board('b1', 'Uno', 1, 3), board('b3', 'Three', 7)] });
    await desk.load();
    expect(names()).toEqual(['Uno', 'Three']);
    expect(redrawn).toEqual(['b1']);
    expect(removed).toEqual(['b2']);
    expect(desk.state().notice?.says).toBe('The board Two was removed on another page.');
    await desk.load();
    expect([redrawn, removed]).toEqual([['b1'], ['b2']]);
  });

  it('stay as they are when the server cannot be reached', async () => {
    answers.clear();
    await desk.load();
    expect(names()).toEqual(['One', 'Two']);
    expect([redrawn, removed]).toEqual([[], []]);
  });

  it('change places among each other', async () => {
    answer('PUT', '', { kept: true, boards: [board('b2', 'Two'), board('b1', 'One')] });
    await desk.move('b1', 1);
    expect(calls.at(-1)).toMatchObject({ method: 'PUT', body: { order: ['b2', 'b1'] } });
    expect(names()).toEqual(['Two', 'One']);
  });
});

it.each([
  [0, 1, ['b', 'a', 'c']],
  [2, -1, ['a', 'c', 'b']],
  [0, -1, ['a', 'b', 'c']],
  [2, 1, ['a', 'b', 'c']],
  [0, 9, ['b', 'c', 'a']],
  [7, 1, ['a', 'b', 'c']],
])('entry %i moved by %i', (at, by, after) => {
  expect(moved(['a', 'b', 'c'], at, by)).toEqual(after);
});
