import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import type { LiveEvent } from '../../shared/wire.ts';
import { codeCard } from '../answer/code-card.ts';
import { createFeed, type Feed } from './feed.ts';
import { LiveReader } from './reader.ts';
import { type FollowedDouble, followed, reportOn } from './test-settled.ts';

const SILENT = { info: () => undefined, warn: () => undefined };

/** Everything a reader was sent so far. */
function heard(reader: LiveReader | null): LiveEvent[] {
  const events: LiveEvent[] = [];
  let text = '';
  reader?.on('data', (part: string) => {
    text += part;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const name = /^event: (.+)$/m.exec(block)?.[1];
      const data = /^data: (.+)$/m.exec(block)?.[1];
      if (name !== undefined && data !== undefined)
        events.push(JSON.parse(`{"event":${JSON.stringify(name)},"data":${data}}`));
    }
  });
  return events;
}
const names = (events: readonly LiveEvent[]): string[] => events.map(({ event }) => event);
const messages = (events: readonly LiveEvent[]) =>
  events.flatMap((event) => (event.event === 'a2ui' ? [event.data] : []));

let double: FollowedDouble;
let feed: Feed;
let changes: () => void;
let boardsChanged: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  double = followed('a1');
  changes = () => undefined;
  feed = createFeed({
    log: SILENT,
    onChange(listener) {
      changes = listener;
      return () => undefined;
    },
    onBoards(listener) {
      boardsChanged = listener;
      return () => undefined;
    },
  });
});
afterEach(() => {
  feed.close();
  vi.useRealTimers();
});

const listen = (record = 'aaaaaaaaaaaa') => feed.listen({ id: 'a1', settled: double.settled }, record);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('an answer that follows the record', () => {
  it('sends the data of the changed card alone, and no component', async () => {
    const events = heard(listen());
    await pass(1_000);
    expect(names(events)).toEqual(['ready']);
    double.values.set('Build time', 500);
    double.fingerprint = 'bbbbbbbbbbbb';
    double.change();
    await pass(1_000);
    expect(names(events)).toEqual(['ready', 'a2ui', 'updated']);
    const [message] = messages(events);
    expect(message).toMatchObject({
      version: 'v0.9',
      updateDataModel: { surfaceId: 'a1', path: '/cards/c0', value: { title: 'Build time' } },
    });
    expect(JSON.stringify(message)).toContain('500');
    expect(JSON.stringify(message)).not.toContain('415');
    expect(events.at(-1)).toMatchObject({
      event: 'updated',
      data: { answerId: 'a1', changed: ['c0'], cards: 2, report: { ok: true, record: 'bbbbbbbbbbbb' } },
    });
  });

  it('sends a component only for a card that comes, goes or becomes another kind', async () => {
    const components = (from: LiveEvent[]) =>
      messages(from).flatMap((message) => ('updateComponents' in message ? [message.updateComponents] : []));
    const turn = async (fingerprint: string) => {
      double.fingerprint = fingerprint;
      double.change();
      await pass(1_000);
    };
    const events = heard(listen());
    await pass(1_000);
    double.values.set('Lines', 12);
    await turn('bbbbbbbbbbbb');
    expect(components(events)).toMatchObject([
      {
        components: [
          { id: 'c2', component: 'StatCard' },
          { id: 'root', children: ['c0', 'c1', 'c2'] },
        ],
      },
    ]);
    expect(events.at(-1)).toMatchObject({ event: 'updated', data: { changed: ['c2'], cards: 3 } });

    events.length = 0;
    double.values.delete('Lines');
    await turn('cccccccccccc');
    expect(components(events)).toMatchObject([{ components: [{ id: 'root', children: ['c0', 'c1'] }] }]);
    expect(JSON.stringify(messages(events))).not.toContain('/cards/');

    events.length = 0;
    const { cards, ...rest } = double.settled.shown;
    const [first, second] = cards;
    if (first === undefined || second === undefined) throw new Error('two cards were shown');
    const report = reportOn('dddddddddddd', 2);
    double.fails.push({
      ok: true,
      shown: { ...rest, report, cards: [first, codeCard(second.id, 'no_points', second.title)] },
    });
    await turn('dddddddddddd');
    expect(components(events)).toMatchObject([{ components: [{ id: 'c1', component: 'NoteCard' }] }]);
    expect(JSON.stringify(components(events))).not.toContain('"c0"');
    expect(events.at(-1)).toMatchObject({ event: 'updated', data: { changed: ['c1'], cards: 2 } });
  });

  it('says so when the record changed and no figure did', async () => {
    const events = heard(listen());
    double.fingerprint = 'bbbbbbbbbbbb';
    double.change();
    await pass(1_000);
    expect(names(events)).toEqual(['ready', 'updated']);
    expect(events.at(-1)).toMatchObject({ data: { changed: [], report: { record: 'bbbbbbbbbbbb' } } });
  });

  it('says nothing when nothing changed', async () => {
    const events = heard(listen());
    double.change();
    await pass(10_000);
    expect(names(events)).toEqual(['ready']);
  });

  it('is made at most once a second, however many changes and readers there are', async () => {
    const readers = [heard(listen()), heard(listen()), heard(listen())];
    await pass(0);
    const before = double.made;
    for (let ms = 0; ms < 3_000; ms += 1) {
      double.values.set('Build time', 1_000 + ms);
      double.fingerprint = `c${String(ms).padStart(11, '0')}`;
      double.change();
      changes();
      await pass(1);
    }
    expect(double.made - before).toBeLessThanOrEqual(3);
    await pass(1_000);
    for (const events of readers) {
      expect(names(events).filter((name) => name === 'a2ui').length).toBeLessThanOrEqual(4);
      expect(names(events).filter((name) => name === 'record').length).toBeLessThanOrEqual(4);
      // The last state is what everyone ends with.
      expect(JSON.stringify(messages(events).at(-1))).toContain('3999');
    }
  });

  it('gives everything to a reader that comes with another state', async () => {
    const events = heard(listen('000000000000'));
    await pass(0);
    const paths = messages(events).map((message) => JSON.stringify(message));
    expect(paths.filter((path) => path.includes('/cards/c0'))).not.toEqual([]);
    expect(paths.filter((path) => path.includes('/cards/c1'))).not.toEqual([]);
    expect(events.find(({ event }) => event === 'updated')).toMatchObject({
      data: { report: { record: 'aaaaaaaaaaaa' } },
    });
  });

  it('goes on where it was when all readers had gone', async () => {
    const first = listen();
    heard(first);
    await pass(0);
    first?.destroy();
    await pass(0);
    expect(feed.views).toBe(0);
    expect(double.listeners()).toBe(0);
    double.values.set('Attempts', 3);
    double.fingerprint = 'bbbbbbbbbbbb';
    double.change();
    await pass(5_000);
    const events = heard(listen());
    await pass(1_000);
    expect(events.at(-1)).toMatchObject({ event: 'updated', data: { changed: ['c1'] } });
  });
});

describe('a board that was changed', () => {
  it('is told to every reader, once for many changes in a moment', async () => {
    const events = [heard(listen()), heard(feed.listen(null, ''))];
    await pass(1_000);
    for (let n = 0; n < 20; n += 1) boardsChanged();
    await pass(1_000);
    for (const heardOf of events) {
      const told = names(heardOf).filter((name) => name === 'boards').length;
      expect(told).toBe(1);
    }
  });
});

describe('a record that cannot be read', () => {
  it('leaves what is shown once, and marks it when it happens again', async () => {
    const events = heard(listen());
    await pass(0);
    double.fails = [
      { ok: false, code: 'record_moved' },
      { ok: false, code: 'record_moved' },
    ];
    double.change();
    await pass(1_000);
    expect(names(events)).toEqual(['ready']);
    // Tried again by itself.
    await pass(1_000);
    expect(names(events)).toEqual(['ready', 'a2ui', 'a2ui', 'stale']);
    expect(events.at(-1)).toEqual({ event: 'stale', data: { answerId: 'a1', code: 'record_moved' } });
    expect(messages(events)[0]).toMatchObject({
      updateDataModel: { path: '/cards/c0', value: { mark: { state: 'unverified' } } },
    });
    // The record is quiet again: the marks come back.
    await pass(2_000);
    expect(names(events).slice(4)).toEqual(['a2ui', 'a2ui', 'updated']);
    expect(messages(events).at(-1)).toMatchObject({
      updateDataModel: { path: '/cards/c1', value: { mark: { state: 'verified' } } },
    });
  });

  it('is tried less and less often', async () => {
    heard(listen());
    await pass(0);
    double.fails = Array.from({ length: 40 }, () => ({ ok: false, code: 'query_failed' }) as const);
    const before = double.made;
    double.change();
    await pass(61_000);
    // At 1, 2, 4, 8, 16 and 32 s, then every 30 s.
    expect(double.made - before).toBeLessThanOrEqual(8);
  });
});

describe('readers', () => {
  it('are bounded', () => {
    const readers = Array.from({ length: 32 }, () => feed.listen(null, ''));
    expect(readers.every((reader) => reader !== null)).toBe(true);
    expect(feed.full).toBe(true);
    expect(feed.listen(null, '')).toBeNull();
  });

  it('that take nothing have a bounded queue, and get everything when they take again', async () => {
    const reader = new LiveReader(LIMITS, 4);
    reader.catchUp = () => [{ event: 'stale', data: { answerId: 'a1', code: 'record_moved' } }];
    for (let n = 0; n < 1_000; n += 1) reader.send([{ event: 'record', data: {} }]);
    const events = heard(reader);
    await pass(10);
    expect(names(events)).toEqual(['stale', 'record', 'boards']);
    reader.send([{ event: 'ready', data: { answerId: null } }]);
    await pass(10);
    expect(names(events)).toEqual(['stale', 'record', 'boards', 'ready']);
    reader.destroy();
  });

  it('that take nothing for too long are let go', async () => {
    const reader = listen();
    for (let n = 0; n < 90; n += 1) {
      double.values.set('Build time', n);
      double.fingerprint = `d${String(n).padStart(11, '0')}`;
      double.change();
      await pass(1_000);
    }
    expect(reader?.destroyed).toBe(true);
    expect(feed.views).toBe(0);
  });

  it('that are idle are kept awake', async () => {
    const idle = feed.listen(null, '');
    let text = '';
    idle?.on('data', (part: string) => {
      text += part;
    });
    await pass(31_000);
    expect(text.match(/: here/g)).toHaveLength(2);
    expect(idle?.destroyed).toBe(false);
  });
});
