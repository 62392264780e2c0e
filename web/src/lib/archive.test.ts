import { afterEach, expect, it, vi } from 'vitest';
import { LIMITS } from '../../../shared/limits.ts';
import { deleteAnswer, getArchive, readArchive } from './archive.ts';

afterEach(() => vi.unstubAllGlobals());

const answer = { id: 'A1', question: 'why?', askedAt: 5, planner: 'p', code: null, cards: 2 };

it('reads kept answers, and leaves out what is none', () => {
  const answers = [
    answer,
    { ...answer, id: '../x' },
    { ...answer, askedAt: 1e300 },
    { ...answer, question: 7 },
    null,
  ];
  expect(readArchive({ kept: true, answers })).toEqual([answer]);
  const many = Array.from({ length: 500 }, () => answer);
  expect(readArchive({ kept: true, answers: many })).toHaveLength(LIMITS.archiveListed);
});

it.each([{ kept: false, answers: [answer] }, null, [], { answers: [answer] }])(
  'is not there for %j',
  (value) => {
    expect(readArchive(value)).toBeNull();
  },
);

it('never rejects', async () => {
  vi.stubGlobal('fetch', async () => new Response('<html>'));
  expect(await getArchive()).toBeNull();
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('failed');
  });
  expect([await getArchive(), await deleteAnswer('A1')]).toEqual([null, false]);
  vi.stubGlobal('fetch', async () => new Response(null, { status: 404 }));
  expect(await deleteAnswer('A1')).toBe(true);
});
