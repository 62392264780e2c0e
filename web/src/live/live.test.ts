import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLive, type LiveFrame } from './live.ts';

/** A feed a test writes, one connection after the other. */
interface Feed {
  url: string;
  closed: boolean;
  send(name: string, data: unknown): void;
  end(): void;
}

let feeds: Feed[];
let status: number;
let frames: { key: string; frame: LiveFrame }[];
let gone: string[];
let visible: boolean;
let turned: () => void;
/** What waits for the next frame. */
let due: (() => void)[];

const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  feeds = [];
  status = 200;
  frames = [];
  gone = [];
  visible = true;
  due = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (status !== 200) return Response.json({}, { status });
    const encoder = new TextEncoder();
    let id = 0;
    let control: ReadableStreamDefaultController<Uint8Array> | null = null;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        control = controller;
      },
    });
    const feed: Feed = {
      url,
      closed: false,
      send(name, data) {
        id += 1;
        control?.enqueue(encoder.encode(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`));
      },
      end: () => control?.close(),
    };
    init.signal?.addEventListener('abort', () => {
      feed.closed = true;
      control?.error(new DOMException('aborted', 'AbortError'));
    });
    feeds.push(feed);
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const start = () =>
  createLive({
    onFrame: (key, frame) => void frames.push({ key, frame }),
    onGone: (key) => void gone.push(key),
    visibility: {
      visible: () => visible,
      onChange: (listener) => {
        turned = listener;
      },
    },
    schedule(task) {
      due.push(task);
      return () => {
        due = due.filter((one) => one !== task);
      };
    },
  });
const nextFrame = () => {
  for (const task of due.splice(0)) task();
};
const data = (card: string, value: number) => ({
  version: 'v0.9',
  updateDataModel: { surfaceId: 's', path: `/cards/${card}`, value: { value } },
});
const one = { key: 'k', id: 'A', record: 'aaaaaaaaaaaa' };

describe('the feed', () => {
  it('is asked for the answer on the page, once, and for another one when that changes', async () => {
    const live = start();
    live.follow(one);
    live.follow({ ...one, record: 'bbbbbbbbbbbb' });
    await settle();
    expect(feeds.map(({ url }) => url)).toEqual(['/api/live?answer=A&record=aaaaaaaaaaaa']);
    live.follow({ key: 'l', id: 'B', record: '' });
    await settle();
    expect(feeds.map(({ closed }) => closed)).toEqual([true, false]);
    live.follow(null);
    await settle();
    expect(feeds.map(({ closed }) => closed)).toEqual([true, true]);
  });

  it('hands a thousand events on in one frame, of each card the newest', async () => {
    const live = start();
    live.follow(one);
    await settle();
    for (let n = 0; n < 1_000; n += 1) {
      feeds[0]?.send('a2ui', data(`c${n % 3}`, n));
      feeds[0]?.send('updated', { answerId: 'A', cards: 3, changed: ['c0'], at: n, report: null });
      feeds[0]?.send('record', {});
    }
    await settle();
    expect(frames).toEqual([]);
    expect(due).toHaveLength(1);
    nextFrame();
    expect(frames).toHaveLength(1);
    expect(frames[0]?.frame.messages).toEqual([data('c0', 999), data('c1', 997), data('c2', 998)]);
    expect(frames[0]?.frame.state).toMatchObject({ event: 'updated', data: { at: 999 } });
    expect(frames[0]?.frame.record).toBe(true);
  });

  it('that breaks is taken up again, later each time, with the record the page has by then', async () => {
    const live = start();
    live.follow(one);
    await settle();
    feeds[0]?.send('updated', {
      answerId: 'A',
      cards: 1,
      changed: [],
      at: 1,
      report: { ok: true, record: 'cccccccccccc' },
    });
    await settle();
    nextFrame();
    feeds[0]?.end();
    await settle(1_000);
    expect(feeds[1]?.url).toBe('/api/live?answer=A&record=cccccccccccc');
    status = 503;
    feeds[1]?.end();
    await settle(1_000);
    status = 200;
    await settle(1_000);
    expect(feeds).toHaveLength(2);
    await settle(60_000);
    expect(feeds).toHaveLength(3);
  });

  it('tells when the server does not know the answer, and asks no more', async () => {
    status = 404;
    start().follow(one);
    await settle(60_000);
    expect(gone).toEqual(['k']);
    status = 200;
    await settle(60_000);
    expect(feeds).toEqual([]);
  });

  it('is let go while the page cannot be seen', async () => {
    const live = start();
    live.follow(one);
    await settle();
    visible = false;
    turned();
    await settle();
    expect(feeds.map(({ closed }) => closed)).toEqual([true]);
    visible = true;
    turned();
    await settle();
    expect(feeds.map(({ closed }) => closed)).toEqual([true, false]);
  });

  it('may send anything', async () => {
    const live = start();
    live.follow(one);
    await settle();
    for (const [name, value] of [
      ['updated', { changed: 'all', at: 1e300, report: [], cards: -4 }],
      ['stale', { code: { a: 1 } }],
      ['chat', { paragraphs: 'none' }],
      ['nothing', {}],
      ['record', 7],
      ['a2ui', []],
    ] as const)
      feeds[0]?.send(name, value);
    await settle();
    nextFrame();
    expect(frames[0]?.frame).toMatchObject({
      messages: [],
      chat: { paragraphs: [] },
      state: { event: 'stale', data: { code: '' } },
      record: false,
      boards: false,
    });
  });
});
