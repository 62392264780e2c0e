import { afterEach, describe, expect, it, vi } from 'vitest';
import type { StreamEvent } from '../../../shared/wire.ts';
import { readStream, type StreamEnd } from './stream.ts';

const event = (id: number, name: string, data: unknown) =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const opening = event(1, 'open', {
  answerId: 'a1',
  surfaceId: 's1',
  question: 'wie läuft’s? 🐢',
  planner: 'builtin',
  title: null,
});
const message = event(2, 'a2ui', {
  version: 'v0.9',
  updateDataModel: { surfaceId: 's1', path: '/cards/c1', value: { title: 'Größe 🐢' } },
});
const ending = event(3, 'done', { events: 3, cards: 1, ok: true, code: null, ms: 12 });
const whole = `${opening}: here\n\n${message}${ending}`;

/** A response whose body arrives in these pieces; it then closes, or breaks. */
function respond(pieces: Uint8Array[], how: 'close' | 'break' = 'close') {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      if (how === 'close') controller.close();
    },
    pull(controller) {
      if (how === 'break') controller.error(new Error('connection reset'));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

const bytes = (source: string) => new TextEncoder().encode(source);

async function read(response: Response | Error, after = 0, body?: unknown) {
  const calls: [string, RequestInit | undefined][] = [];
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    calls.push([url, init]);
    if (response instanceof Error) throw response;
    return response;
  });
  const seen: [StreamEvent, number][] = [];
  const end: StreamEnd = await readStream({
    url: '/api/ask',
    body,
    after,
    signal: new AbortController().signal,
    onEvent: (item, id) => seen.push([item, id]),
  });
  return { end, seen, calls };
}

afterEach(() => vi.unstubAllGlobals());

describe('an answer stream', () => {
  it('is read the same however it is cut', async () => {
    const all = bytes(whole);
    const expected = await read(respond([all]));
    expect(expected.end).toEqual({ how: 'done' });
    expect(expected.seen.map(([item, id]) => [item.event, id])).toEqual([
      ['open', 1],
      ['a2ui', 2],
      ['done', 3],
    ]);
    for (let cut = 1; cut < all.length; cut += 1) {
      const { end, seen } = await read(respond([all.slice(0, cut), all.slice(cut)]));
      expect(end).toEqual({ how: 'done' });
      expect(seen).toEqual(expected.seen);
    }
    const single = await read(respond([...all].map((byte) => Uint8Array.of(byte))));
    expect(single.seen).toEqual(expected.seen);
  });

  it('is broken off wherever it ends before done, and keeps what was whole', async () => {
    const all = bytes(whole);
    for (let cut = 0; cut < all.length - 1; cut += 7) {
      const { end, seen } = await read(respond([all.slice(0, cut)]));
      expect(end).toEqual({ how: 'broken' });
      expect(seen.length).toBeLessThan(3);
    }
  });

  it('is broken off when the connection breaks', async () => {
    const { end, seen } = await read(respond([bytes(opening)], 'break'));
    expect(end).toEqual({ how: 'broken' });
    expect(seen).toHaveLength(1);
  });

  it('is broken off when an event is missing or the count is wrong', async () => {
    expect((await read(respond([bytes(opening + ending)]))).end).toEqual({ how: 'broken' });
    const wrong = event(2, 'done', { events: 9, cards: 1, ok: true, code: null, ms: 1 });
    expect((await read(respond([bytes(opening + wrong)]))).end).toEqual({ how: 'broken' });
  });

  it('goes on after the last event seen and skips what was seen', async () => {
    const { end, seen, calls } = await read(respond([bytes(whole)]), 2);
    expect(end).toEqual({ how: 'done' });
    expect(seen.map(([, id]) => id)).toEqual([3]);
    expect(new Headers(calls[0]?.[1]?.headers).get('last-event-id')).toBe('2');
    expect(calls[0]?.[1]?.method).toBe('GET');
  });

  it('counts an event it cannot use, without effect', async () => {
    const odd = `${event(2, 'from-the-future', { x: 1 })}id: 3\nevent: chat\ndata: not json\n\n`;
    const last = event(4, 'done', { events: 4, cards: 0, ok: true, code: null, ms: 1 });
    const { end, seen } = await read(respond([bytes(opening + odd + last)]));
    expect(end).toEqual({ how: 'done' });
    expect(seen.map(([, id]) => id)).toEqual([1, 4]);
  });

  it('gives up on an event without end', async () => {
    const flood = Array.from({ length: 12 }, () => bytes('x'.repeat(64 * 1024)));
    const { end } = await read(respond([bytes(`${opening}data: `), ...flood]));
    expect(end).toEqual({ how: 'broken' });
  });

  it('tells a refusal with its code, and no answer at all', async () => {
    const refusal = Response.json({ code: 'rate_limited' }, { status: 429 });
    expect((await read(refusal)).end).toEqual({ how: 'refused', status: 429, code: 'rate_limited' });
    expect((await read(new Response('no', { status: 404 }))).end).toEqual({
      how: 'refused',
      status: 404,
      code: null,
    });
    expect((await read(new TypeError('fetch failed'))).end).toEqual({ how: 'unreachable' });
  });

  it('sends a question as JSON', async () => {
    const { calls } = await read(respond([bytes(whole)]), 0, { question: 'why?' });
    expect(calls[0]?.[1]?.method).toBe('POST');
    expect(calls[0]?.[1]?.body).toBe('{"question":"why?"}');
  });
});
