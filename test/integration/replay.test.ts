import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReplayApp } from '../../server/app.ts';
import { createLog } from '../../server/log.ts';
import { readSaved } from '../../server/replay/saved-file.ts';
import { ask, doneOf, ROOT, readAll, start } from './harness.ts';

const QUESTION = 'why did feature 28 take three attempts?';

/** Text of one answer's file and of its stream, made by a real server that is gone afterwards. */
async function made(): Promise<{ file: string; stream: string; id: string }> {
  const app = await start();
  try {
    const response = await app.post('/api/ask', { question: QUESTION });
    const stream = await response.text();
    const id = /"answerId":"([\w-]+)"/.exec(stream)?.[1] ?? '';
    return { file: await (await app.fetch(`/api/answers/${id}/file`)).text(), stream, id };
  } finally {
    await app.close();
  }
}

async function replay(file: string, speed: number) {
  const { server } = await createReplayApp({
    config: {
      host: '127.0.0.1',
      port: 0,
      hosts: [],
      token: null,
      trustLocal: false,
      web: join(ROOT, 'does', 'not', 'exist'),
    },
    logger: createLog({ level: 'silent', secrets: [] }),
    saved: readSaved(file),
    speed,
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    get: (path: string, init?: RequestInit) => fetch(`${url}${path}`, init),
    close: () => server.close(),
  };
}

let given: Awaited<ReturnType<typeof made>>;
let app: Awaited<ReturnType<typeof replay>>;
beforeAll(async () => {
  given = await made();
  app = await replay(given.file, 100);
});
afterAll(() => app.close());

const withoutMark = (stream: string): string => stream.replace(/,"replay":"[\dTZ:.-]+"/, '');

describe('a replay', () => {
  it('gives the bytes of the answer, but for the mark', async () => {
    const stream = await (await app.get(`/api/answers/${given.id}/events`)).text();
    expect(stream).not.toBe(given.stream);
    expect(withoutMark(stream)).toBe(given.stream);
    expect(stream.match(/"replay":/g)).toHaveLength(1);
  });

  it('goes on where a reader broke off', async () => {
    const response = await app.get(`/api/answers/${given.id}/events`, { headers: { 'last-event-id': '7' } });
    const rest = await response.text();
    expect(rest.startsWith('id: 8\n')).toBe(true);
    expect(given.stream.endsWith(rest)).toBe(true);
  });

  it('keeps its own pace, or a slower one', async () => {
    const { frames } = readSaved(given.file).saved;
    const last = frames.at(-1)?.ms ?? 0;
    const speed = last / 600;
    const slow = await replay(given.file, speed);
    try {
      const began = performance.now();
      await readAll(await slow.get(`/api/answers/${given.id}/events`));
      const took = performance.now() - began;
      expect(took).toBeGreaterThan(550);
      expect(took).toBeLessThan(15_000);
    } finally {
      await slow.close();
    }
  });

  it('can be stopped', async () => {
    const slow = await replay(given.file, 0.01);
    try {
      const response = await slow.get(`/api/answers/${given.id}/events`);
      const stopped = await slow.get(`/api/answers/${given.id}/stop`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      expect(stopped.status).toBe(200);
      expect(doneOf(await readAll(response))).toMatchObject({ ok: false, code: 'stopped' });
    } finally {
      await slow.close();
    }
  });

  it('says what it is to whoever asks, as an ordinary card', async () => {
    const harness = {
      post: (path: string, body: unknown) =>
        app.get(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
    };
    const all = await readAll(await harness.post('/api/ask', { question: 'and now?' }));
    expect(all[0]?.event).toMatchObject({ data: { question: 'and now?', replay: expect.any(String) } });
    expect(JSON.stringify(all)).toContain('This is a replay');
    expect(JSON.stringify(all)).toContain('"NoteCard"');
    expect(doneOf(all)).toMatchObject({ ok: false, code: 'replay', cards: 1 });
    expect(JSON.stringify(await readAll(await app.get('/api/start')))).toContain('This is a replay');
    expect(await (await app.get('/api/health')).json()).toMatchObject({
      ok: true,
      replay: true,
      record: null,
    });
    const first = await app.get('/', { redirect: 'manual' });
    expect([first.status, first.headers.get('location')]).toEqual([302, `/a/${given.id}`]);
    expect((await app.get('/api/evidence/q1')).status).toBe(404);
  });

  it('has the way of the answer, and the same file again', async () => {
    const trace = await (await app.get(`/api/answers/${given.id}/trace`)).json();
    expect(trace).toMatchObject({ answerId: given.id, question: QUESTION, ended: true });
    const again = await (await app.get(`/api/answers/${given.id}/file`)).text();
    expect(readSaved(again).saved).toEqual(readSaved(given.file).saved);
  });
});

it('the file holds an answer to the starting view as well', async () => {
  const own = await start();
  try {
    const stream = await (await own.fetch('/api/start')).text();
    const id = /"answerId":"([\w-]+)"/.exec(stream)?.[1] ?? '';
    expect(readSaved(await (await own.fetch(`/api/answers/${id}/file`)).text()).question).toBeNull();
    for (const question of ['which features were slowest?', 'purple monkey', 'do the sources agree?']) {
      const all = await ask(own, question);
      const open = all[0]?.event;
      if (open?.event !== 'open') throw new Error('no open');
      const text = await (await own.fetch(`/api/answers/${open.data.answerId}/file`)).text();
      expect(readSaved(text).question).toBe(question);
    }
  } finally {
    await own.close();
  }
});
