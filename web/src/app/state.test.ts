import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../../../shared/wire.ts';
import { type Action, answerById, currentAnswer, initialState, isLive, reduce, type State } from './state.ts';

const opened = (key: string, more: Partial<Extract<Action, { type: 'opened' }>> = {}): Action => ({
  type: 'opened',
  key,
  kind: 'question',
  id: null,
  question: `question ${key}`,
  label: null,
  at: 1,
  ...more,
});
const event = (key: string, item: StreamEvent): Action => ({ type: 'event', key, event: item });
const open = (key: string, id: string): Action =>
  event(key, {
    event: 'open',
    data: {
      answerId: id,
      surfaceId: `s-${id}`,
      question: `question ${key}`,
      planner: 'builtin',
      stored: null,
      title: null,
    },
  });
const done = (key: string, code: string | null = null): Action =>
  event(key, { event: 'done', data: { events: 9, cards: 2, ok: code === null, code, ms: 41 } });
const progress = (key: string, step: 'premise' | 'plan', says: string, isDone: boolean): Action =>
  event(key, {
    event: 'progress',
    data: { step, says, done: isDone, ms: isDone ? 4 : null, n: null, of: null },
  });
const run = (...actions: Action[]): State => actions.reduce(reduce, initialState);

describe('the canvas', () => {
  it('keeps the old answer until the first card of the new one is ready', () => {
    const first = run(opened('a'), open('a', 'A'), done('a'));
    expect(first.canvas).toBe('a');
    const asked = [opened('b'), open('b', 'B')].reduce(reduce, first);
    expect([asked.current, asked.canvas]).toEqual(['b', 'a']);
    const ready = reduce(asked, { type: 'card', key: 'b', title: 'How it compares', n: 1 });
    expect(ready.canvas).toBe('b');
    expect(ready.said).toBe('How it compares: ready.');
  });

  it('is taken over by an answer that ends without a card', () => {
    expect(run(opened('a'), done('a'), opened('b'), done('b')).canvas).toBe('b');
    expect(run(opened('a'), done('a'), opened('b'), { type: 'phase', key: 'b', phase: 'lost' }).canvas).toBe(
      'b',
    );
  });

  it('is not taken over by an answer that was left', () => {
    const state = run(opened('a'), open('a', 'A'), opened('b'), { type: 'phase', key: 'a', phase: 'left' });
    expect(reduce(state, { type: 'card', key: 'a', title: null, n: 1 }).canvas).toBe('a');
    const later = [{ type: 'card', key: 'b', title: null, n: 1 } satisfies Action, done('a')].reduce(
      reduce,
      state,
    );
    expect(later.canvas).toBe('b');
  });

  it('goes back to an answer that is at hand', () => {
    const state = reduce(run(opened('a'), done('a'), opened('b'), done('b')), { type: 'shown', key: 'a' });
    expect([state.current, state.canvas]).toEqual(['a', 'a']);
    expect(reduce(state, { type: 'shown', key: 'nobody' })).toBe(state);
  });
});

describe('an answer', () => {
  it('keeps one entry a step, with the newest word on it', () => {
    const state = run(
      opened('a'),
      progress('a', 'premise', 'Checking', false),
      progress('a', 'plan', 'Planning', false),
      progress('a', 'premise', 'Checked', true),
    );
    expect(currentAnswer(state)?.progress.map((entry) => entry.says)).toEqual(['Checked', 'Planning']);
  });

  it('stays stopping until the stream has ended', () => {
    const stopping = run(opened('a'), open('a', 'A'), { type: 'phase', key: 'a', phase: 'stopping' });
    expect(isLive(currentAnswer(stopping))).toBe(true);
    const stopped = reduce(stopping, done('a', 'stopped'));
    expect(currentAnswer(stopped)).toMatchObject({ phase: 'done', code: 'stopped' });
    expect(stopped.said).toBe('Stopped.');
  });

  it('is found by its id, and starts afresh when it is fetched again', () => {
    const state = run(opened('a'), open('a', 'A'), { type: 'card', key: 'a', title: null, n: 3 }, done('a'));
    expect(answerById(state, 'A')?.key).toBe('a');
    expect(answerById(state, 'B')).toBeNull();
    const again = currentAnswer(reduce(state, { type: 'restarted', key: 'a' }));
    expect(again).toMatchObject({
      phase: 'waiting',
      cardsReady: 0,
      ending: null,
      id: 'A',
      question: 'question a',
    });
  });

  it('that is not known changes nothing', () => {
    const state = run(opened('a'));
    expect(reduce(state, done('nobody'))).toBe(state);
    expect(reduce(state, { type: 'card', key: 'nobody', title: null, n: 1 })).toBe(state);
  });

  it('can be forgotten', () => {
    const state = reduce(run(opened('a'), opened('b')), { type: 'forgotten', key: 'a' });
    expect(state.order).toEqual(['b']);
    expect(state.answers.a).toBeUndefined();
    expect(state.canvas).toBeNull();
  });
});

it('the starting view is not read out card by card', () => {
  const state = run(
    opened('s', { kind: 'start', question: null, at: null }),
    { type: 'card', key: 's', title: 'x', n: 1 },
    done('s'),
  );
  expect(state.said).toBe('');
});

it('a server that does not answer leaves what is known', () => {
  const health = {
    ok: true,
    protocol: 'v0.9',
    catalogId: '',
    planner: { kind: 'builtin' as const, model: null },
    record: null,
  };
  const state = run({ type: 'health', health }, { type: 'health', health: null });
  expect(state).toMatchObject({ health, offline: true });
});

describe('kept answers', () => {
  const kept = (id: string) => ({ id, question: `q ${id}`, askedAt: 1, planner: 'p', code: null, cards: 1 });

  it('are listed as the server says, and gone at once when one is deleted', () => {
    const listed = run({ type: 'archive', answers: [kept('B'), kept('A')] });
    expect(listed.archive?.map(({ id }) => id)).toEqual(['B', 'A']);
    const state = reduce(
      { ...listed, earlier: [{ id: 'B', question: 'q', at: 1, paragraphs: [] }] },
      { type: 'deleted', id: 'B' },
    );
    expect(state.archive?.map(({ id }) => id)).toEqual(['A']);
    expect(state.earlier).toEqual([]);
    expect(state.said).toBe('Deleted: q B');
    expect(reduce(state, { type: 'archive', answers: null }).archive).toBeNull();
    expect(reduce(initialState, { type: 'deleted', id: 'B' })).toMatchObject({ archive: null, said: '' });
  });

  it('say with which plan an answer was made, until it is read again', () => {
    const stored = { askedAt: 1, ageMs: 60_000, older: false };
    const made = run(
      opened('a'),
      event('a', {
        event: 'open',
        data: { answerId: 'A', surfaceId: 's', question: 'q', planner: 'p', stored, title: null },
      }),
    );
    expect(made.answers.a?.stored).toEqual(stored);
    expect(run(opened('a'), open('a', 'A')).answers.a?.stored).toBeNull();
    expect(reduce(made, { type: 'restarted', key: 'a' }).answers.a?.stored).toBeNull();
  });
});
