// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCatalog } from '../a2ui/catalog.ts';
import { defineCard } from '../a2ui/define-card.tsx';
import { createMemory } from './memory.ts';
import type { Address } from './route.ts';
import { type Call, createServerDouble, type ServerDouble, writeOneCard } from './server-double.ts';
import { createSession, type Session } from './session.ts';
import { currentAnswer } from './state.ts';

const catalog = createCatalog([defineCard({ name: 'NoteCard', read: () => null, View: () => null })]);
const settle = () => vi.advanceTimersByTimeAsync(100);

/** Writes a whole answer of one card. */
async function answer(to: Call, answerId: string, question: string | null, finished = true) {
  writeOneCard(to, answerId, question);
  if (finished) {
    to.write('done', {});
    to.end();
  }
  await settle();
}

let server: ServerDouble;
const call = (match: string, nth?: number) => server.call(match, nth);
let history: string[];
let moved: () => void;
let session: Session;
let boardsRead: number;
const visibility = { visible: () => true, onChange: () => undefined };
const now = () => currentAnswer(session.state());

beforeEach(() => {
  vi.useFakeTimers();
  server = createServerDouble();
  history = ['/'];
  vi.stubGlobal('fetch', server.fetch);
  const address: Address = {
    path: () => history.at(-1) ?? '/',
    push: (path) => {
      if (path !== history.at(-1)) history.push(path);
    },
    onChange: (listener) => {
      moved = listener;
      return () => undefined;
    },
  };
  boardsRead = 0;
  session = createSession({
    catalog,
    address,
    memory: createMemory(null),
    visibility,
    onBoards: () => {
      boardsRead += 1;
    },
    now: () => 1_000,
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function begin() {
  session.start();
  await settle();
  await answer(call('/api/start'), 'start0', null);
}

describe('a session', () => {
  it('begins with the starting view, asks, and gives the answer an address', async () => {
    await begin();
    expect(now()).toMatchObject({ kind: 'start', phase: 'done' });
    session.ask('  why? ');
    await settle();
    expect(call('/api/ask').body).toMatchObject({ question: 'why?' });
    expect(session.state().canvas).not.toBe(session.state().current);
    await answer(call('/api/ask'), 'A1', 'why?');
    expect(now()).toMatchObject({ question: 'why?', phase: 'done', id: 'A1', at: 1_000, cardsReady: 1 });
    expect(session.state().canvas).toBe(session.state().current);
    expect(history).toEqual(['/', '/a/A1']);
  });

  it('walks back and forward without asking again', async () => {
    await begin();
    session.ask('why?');
    await settle();
    await answer(call('/api/ask'), 'A1', 'why?');
    const before = server.calls.length;
    history.push('/');
    moved();
    expect(now()?.kind).toBe('start');
    history.push('/a/A1');
    moved();
    expect(now()?.id).toBe('A1');
    expect(server.calls.length).toBe(before);
  });

  it('sends a press of a button as the one action, with the conversation', async () => {
    await begin();
    const surface = session.host(session.state().canvas)?.surface();
    await surface?.dispatchAction(
      { event: { name: 'refine', context: { label: 'Why', request: 'why was 1 slow?' } } },
      'c1',
    );
    await settle();
    const body = call('/api/action').body;
    expect(body).toMatchObject({
      version: 'v0.9',
      action: {
        name: 'refine',
        sourceComponentId: 'c1',
        context: { label: 'Why', request: 'why was 1 slow?' },
      },
    });
    expect(JSON.stringify(body)).toMatch(/"conversation":"[0-9a-f]{24}"/);
    expect(now()).toMatchObject({ question: 'why was 1 slow?', label: 'Why' });
  });

  it('takes a broken stream up again by itself once, after the last event it has', async () => {
    await begin();
    session.ask('why?');
    await settle();
    await answer(call('/api/ask'), 'A1', 'why?', false);
    call('/api/ask').end();
    await vi.advanceTimersByTimeAsync(600);
    const resumed = call('/api/answers/A1/events');
    expect(resumed.after).toBe('5');
    resumed.end();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(now()?.phase).toBe('interrupted');
    session.resume();
    await settle();
    const again = call('/api/answers/A1/events', 1);
    expect(again.after).toBe('5');
    again.write('done', {});
    await settle();
    expect(now()?.phase).toBe('done');
  });

  it('takes a stream up that broke before its first event, by the name in its headers', async () => {
    await begin();
    server.names = 'A1';
    session.ask('why?');
    await settle();
    call('/api/ask').end();
    await vi.advanceTimersByTimeAsync(600);
    const resumed = call('/api/answers/A1/events');
    expect(resumed.after).toBeNull();
    await answer(resumed, 'A1', 'why?');
    expect(now()).toMatchObject({ id: 'A1', phase: 'done' });
    expect(server.calls.filter(({ url }) => url === '/api/ask')).toHaveLength(1);
  });

  it('asks once more when nobody took the question, and then says so', async () => {
    await begin();
    server.unreachable = 1;
    session.ask('why?');
    await vi.advanceTimersByTimeAsync(600);
    await answer(call('/api/ask'), 'A1', 'why?');
    expect(now()).toMatchObject({ id: 'A1', phase: 'done' });
    server.unreachable = 2;
    session.ask('and then?');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(now()).toMatchObject({ question: 'and then?', phase: 'lost' });
    expect(server.unreachable).toBe(0);
  });

  it('stops at the server and waits for its last word', async () => {
    await begin();
    session.ask('why?');
    await settle();
    await answer(call('/api/ask'), 'A1', 'why?', false);
    session.stop();
    await settle();
    expect(now()?.phase).toBe('stopping');
    expect(call('/api/answers/A1/stop').url).toBe('/api/answers/A1/stop');
    call('/api/ask').write('done', { ok: false, code: 'stopped' });
    await settle();
    expect(now()).toMatchObject({ phase: 'done', code: 'stopped' });
  });

  it('stops by itself when the server does not hear it', async () => {
    await begin();
    session.ask('why?');
    await settle();
    await answer(call('/api/ask'), 'A1', 'why?', false);
    session.stop();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(now()).toMatchObject({ phase: 'interrupted', code: 'stopped' });
  });

  it('leaves a running answer for a new question, and takes it up again on the way back', async () => {
    await begin();
    session.ask('first?');
    await settle();
    await answer(call('/api/ask'), 'A1', 'first?', false);
    session.ask('second?');
    await settle();
    await answer(call('/api/ask', 1), 'A2', 'second?');
    expect(Object.values(session.state().answers).find((item) => item.id === 'A1')?.phase).toBe('left');
    session.open('A1');
    await settle();
    expect(call('/api/answers/A1/events').after).toBe('5');
    expect(now()).toMatchObject({ id: 'A1', phase: 'streaming' });
  });

  it('opens an answer by its address, and says when it is not kept any more', async () => {
    history = ['/a/old'];
    server.gone.add('/api/answers/old/events');
    session.start();
    await settle();
    expect(now()).toMatchObject({ phase: 'lost', code: 'not_found' });
  });

  it('asks anew when told to, and deletes what the server keeps', async () => {
    server.json.set('/api/answers', {
      kept: true,
      answers: [{ id: 'A9', question: 'old?', askedAt: 5, planner: 'p', code: null, cards: 1 }],
    });
    await begin();
    expect(session.state().archive?.map(({ id }) => id)).toEqual(['A9']);
    session.ask('why?');
    await settle();
    expect(call('/api/ask').body).not.toHaveProperty('anew');
    session.askAnew('why?');
    await settle();
    expect(call('/api/ask', 1).body).toMatchObject({ question: 'why?', anew: true });
    server.json.set('/api/answers', { kept: true, answers: [] });
    session.forget('A9');
    await settle();
    expect(server.deleted).toEqual(['/api/answers/A9']);
    expect(session.state()).toMatchObject({ archive: [], said: 'Deleted: old?' });
  });

  it('reads an answer from its beginning when the server would have to make it again', async () => {
    await begin();
    session.ask('why?');
    await settle();
    await answer(call('/api/ask'), 'A1', 'why?', false);
    server.anew.add('/api/answers/A1/events');
    call('/api/ask').end();
    await vi.advanceTimersByTimeAsync(600);
    await settle();
    const again = call('/api/answers/A1/events');
    expect(again.after).toBeNull();
    expect(now()).toMatchObject({ phase: 'waiting', cardsReady: 0 });
    await answer(again, 'A1', 'why?');
    expect(now()).toMatchObject({ id: 'A1', phase: 'done', cardsReady: 1 });
  });

  it('says when the server does not answer at all, and tries again on demand', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('failed');
    });
    session.start();
    await vi.advanceTimersByTimeAsync(600);
    expect(now()).toMatchObject({ kind: 'start', phase: 'lost' });
    expect(session.state().offline).toBe(true);
    vi.stubGlobal('fetch', server.fetch);
    session.resume();
    await settle();
    await answer(call('/api/start'), 'start1', null);
    expect(now()?.phase).toBe('done');
    expect(session.state().health?.ok).toBe(true);
  });
});

describe('the change feed', () => {
  const data = (title: string) => ({
    version: 'v0.9',
    updateDataModel: { surfaceId: 's-A1', path: '/cards/c1', value: { title, evidence: [] } },
  });
  const updated = (more: object = {}) => ({
    answerId: 'A1',
    title: null,
    cards: 1,
    changed: ['c1'],
    all: false,
    report: { ok: true, cards: 1, figures: 2, record: 'bbbbbbbbbbbb' },
    at: 5_000,
    ...more,
  });

  it('is listened to for the answer on the page, once that is complete', async () => {
    await begin();
    expect(server.feeds.map(({ url }) => url)).toEqual(['/api/live?answer=start0&record=']);
    session.ask('why?');
    await settle();
    await answer(call('/api/ask'), 'A1', 'why?');
    expect(server.feeds.at(-1)?.url).toBe('/api/live?answer=A1&record=');
    server.feeds.at(-1)?.write('a2ui', data('Two'));
    server.feeds.at(-1)?.write('chat', { paragraphs: [] });
    server.feeds.at(-1)?.write('updated', updated());
    await settle();
    expect(now()).toMatchObject({
      updated: { at: 5_000, cards: 1 },
      stale: null,
      report: { record: 'bbbbbbbbbbbb' },
    });
    const surface = session.host(session.state().canvas)?.surface();
    expect(surface?.dataModel.get('/cards/c1')).toMatchObject({ title: 'Two' });
    expect(session.state().said).toBe('Updated: 1 card changed with the record.');
  });

  it('says only now and then that something changed, and at once that it could not be checked', async () => {
    await begin();
    session.ask('why?');
    await settle();
    await answer(call('/api/ask'), 'A1', 'why?');
    const feed = server.feeds.at(-1);
    feed?.write('updated', updated());
    await settle();
    feed?.write('updated', updated({ changed: ['c1', 'c2'] }));
    await settle();
    expect(session.state().said).toBe('Updated: 1 card changed with the record.');
    feed?.write('stale', { answerId: 'A1', code: 'record_moved' });
    await settle();
    expect(now()).toMatchObject({ stale: 'record_moved', updated: { cards: 2 } });
    feed?.write('updated', updated({ changed: [] }));
    await settle();
    expect(now()).toMatchObject({ stale: null, updated: { cards: 2 } });
  });

  it('tells when boards may have changed: at the beginning of each connection, and when one was', async () => {
    await begin();
    const feed = server.feeds.at(-1);
    expect(boardsRead).toBe(0);
    feed?.write('ready', { answerId: 'start0' });
    await settle();
    expect(boardsRead).toBe(1);
    feed?.write('record', {});
    await settle();
    expect(boardsRead).toBe(1);
    feed?.write('boards', {});
    await settle();
    expect(boardsRead).toBe(2);
  });

  it('brings a view of the server back when that has begun anew', async () => {
    await begin();
    const first = server.feeds.at(-1);
    server.gone.add('/api/live?answer=start0&record=');
    first?.end();
    await vi.advanceTimersByTimeAsync(1_200);
    await answer(call('/api/start', 1), 'start1', null);
    expect(now()).toMatchObject({ kind: 'start', phase: 'done', id: 'start1' });
  });
});

describe('a board', () => {
  const ID = 'AAAAAAAAAAAAAAAA';
  it('has an address, is drawn once, and anew when it was changed', async () => {
    await begin();
    session.openBoard(ID);
    await settle();
    expect(history.at(-1)).toBe(`/b/${ID}`);
    await answer(call(`/api/boards/${ID}/events`), 'B1', null);
    expect(now()).toMatchObject({ kind: 'board', board: ID, phase: 'done', id: 'B1' });
    session.open(null);
    session.openBoard(ID);
    await settle();
    expect(server.calls.filter(({ url }) => url.includes('/boards/'))).toHaveLength(1);
    session.redrawBoard(ID);
    await settle();
    // What was there stays until the new drawing has a card.
    expect(session.state().canvas).not.toBe(session.state().current);
    await answer(call(`/api/boards/${ID}/events`, 1), 'B2', null);
    expect(now()).toMatchObject({ board: ID, id: 'B2' });
    expect(session.state().canvas).toBe(session.state().current);
    expect(session.isOpenBoard(ID)).toBe(true);
  });

  it('that is gone says so', async () => {
    server.gone.add(`/api/boards/${ID}/events`);
    history = [`/b/${ID}`];
    session.start();
    await settle();
    expect(now()).toMatchObject({ kind: 'board', phase: 'lost', code: 'not_found' });
  });
});
