import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createParser } from 'eventsource-parser';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pageOf } from '../../server/answer/test-ports.ts';
import type { NamedPlanner } from '../../server/answer/types.ts';
import type { LiveEvent, StreamEvent } from '../../shared/wire.ts';
import {
  answerIdOf,
  ask,
  demoCopy,
  type Numbered,
  type Running,
  readAll,
  reportOf,
  start,
} from './harness.ts';
import { GOOD, text } from './plans.ts';

vi.setConfig({ testTimeout: 60_000 });

const QUESTION = 'how long did the loading skeletons take to build?';
const SAID = '(score: 9/10, 1 attempts, 415s)';

let state: string;
let record: Awaited<ReturnType<typeof demoCopy>>;
let app: Running;
let planned: number;
let leaving: (() => void)[];

const planner: NamedPlanner = {
  kind: 'model',
  name: 'scripted',
  model: 'scripted',
  plan: async function* () {
    planned += 1;
    yield text(GOOD);
  },
};

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'looplight-state-'));
  record = await demoCopy();
  planned = 0;
  leaving = [];
  app = await start({ planner, record: record.folder, state });
});
afterEach(async () => {
  for (const leave of leaving) leave();
  await app.close();
  await record.remove();
  await rm(state, { recursive: true, force: true });
});

/** One open feed: what it brought so far, and the way to wait for more. */
async function feed(query: string, from = app) {
  const controller = new AbortController();
  leaving.push(() => controller.abort());
  const response = await from.fetch(`/api/live${query}`, { signal: controller.signal });
  if (!response.ok || response.body === null) throw new Error(`refused with ${response.status}`);
  const seen: LiveEvent[] = [];
  let wake: () => void = () => undefined;
  const parser = createParser({
    onEvent({ event, data }) {
      const read: LiveEvent = JSON.parse(`{"event":${JSON.stringify(event)},"data":${data}}`);
      seen.push(read);
      wake();
    },
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  void (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) parser.feed(part.value);
  })().catch(() => undefined);
  return {
    seen,
    async until(holds: (seen: readonly LiveEvent[]) => boolean, ms = 15_000): Promise<void> {
      const end = Date.now() + ms;
      while (!holds(seen)) {
        if (Date.now() > end) throw new Error(`not heard: ${seen.map(({ event }) => event).join(' ')}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, 200);
        });
      }
    },
    leave: () => controller.abort(),
  };
}
const updates = (seen: readonly LiveEvent[]) =>
  seen.flatMap((event) => (event.event === 'updated' ? [event.data] : []));
const messages = (seen: readonly LiveEvent[]): Record<string, unknown>[] =>
  seen.flatMap((event) => (event.event === 'a2ui' ? [event.data] : []));

async function edit(file: string, from: string, to: string): Promise<void> {
  const path = join(record.folder, file);
  const old = await readFile(path, 'utf8');
  expect(old).toContain(from);
  await writeFile(path, old.replace(from, to));
}
const recordOf = (all: readonly Numbered[]): string => reportOf(all)?.record ?? '';
const page = (all: readonly Numbered[], seen: readonly LiveEvent[]) =>
  pageOf([
    ...all.map(({ event }) => event),
    ...messages(seen).map((data): StreamEvent => ({ event: 'a2ui', data })),
  ]);

describe('an answer on the page', () => {
  it('follows the record with data messages alone, without a planner, and is checked', async () => {
    const all = await ask(app, QUESTION);
    const live = await feed(`?answer=${answerIdOf(all)}&record=${recordOf(all)}`);
    await live.until((seen) => seen.some(({ event }) => event === 'ready'));
    await edit('claude-progress.txt', SAID, SAID.replace('415s', '500s'));
    await app.reload();
    await live.until((seen) => updates(seen).length > 0);
    const sent = messages(live.seen);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.every((message) => 'updateDataModel' in message)).toBe(true);
    expect(planned).toBe(1);
    const [update] = updates(live.seen);
    expect(update?.report).toMatchObject({ ok: true, code: null });
    expect(update?.report?.record).not.toBe(recordOf(all));
    expect(update?.changed).toContain('c0');
    const cards = page(all, live.seen);
    expect(JSON.stringify(cards.find(({ id }) => id === 'c0')?.data)).toContain('"value":500');
    // What the page ends with is what a page opened now gets.
    const fresh = await readAll(await app.fetch(`/api/answers/${answerIdOf(all)}/events`));
    expect(cards).toEqual(pageOf(fresh.map(({ event }) => event)));
  });

  it('sends nothing for a card that says the same as before', async () => {
    const all = await ask(app, QUESTION);
    const live = await feed(`?answer=${answerIdOf(all)}&record=${recordOf(all)}`);
    await edit('claude-progress.txt', SAID, SAID.replace('415s', '500s'));
    await app.reload();
    await live.until((seen) => updates(seen).length > 0);
    const paths = messages(live.seen).map((message) => JSON.stringify(message));
    const before = pageOf(all.map(({ event }) => event));
    const after = page(all, live.seen);
    for (const { id, data } of after) {
      const same = JSON.stringify(before.find((one) => one.id === id)?.data) === JSON.stringify(data);
      expect([id, paths.some((path) => path.includes(`"/cards/${id}"`))]).toEqual([id, !same]);
    }
  });

  it('gives a page that was away everything it missed', async () => {
    const all = await ask(app, QUESTION);
    const first = await feed(`?answer=${answerIdOf(all)}&record=${recordOf(all)}`);
    await first.until((seen) => seen.length > 0);
    first.leave();
    await edit('claude-progress.txt', SAID, SAID.replace('415s', '500s'));
    await app.reload();
    const other = await feed(`?answer=${answerIdOf(all)}&record=${recordOf(all)}`);
    await other.until((seen) => updates(seen).length > 0);
    other.leave();
    // This one has the state from before both.
    const back = await feed(`?answer=${answerIdOf(all)}&record=${recordOf(all)}`);
    await back.until((seen) => updates(seen).length > 0);
    expect(updates(back.seen)[0]).toMatchObject({ all: true });
    expect(page(all, back.seen)).toEqual(page(all, other.seen));
  });

  it('follows on after the server has begun anew', async () => {
    const all = await ask(app, QUESTION);
    await app.close();
    await edit('claude-progress.txt', SAID, SAID.replace('415s', '500s'));
    app = await start({ planner, record: record.folder, state });
    const live = await feed(`?answer=${answerIdOf(all)}&record=${recordOf(all)}`);
    await live.until((seen) => updates(seen).length > 0);
    expect(planned).toBe(1);
    expect(JSON.stringify(page(all, live.seen).find(({ id }) => id === 'c0')?.data)).toContain('"value":500');
  });

  it('is not followed when it was stopped, and cannot be when it is not there', async () => {
    const unknown = await app.fetch('/api/live?answer=nowhere000000000');
    expect(unknown.status).toBe(404);
    const live = await feed('');
    await live.until((seen) => seen.length > 0);
    expect(live.seen[0]).toEqual({ event: 'ready', data: { answerId: null } });
    await edit('claude-progress.txt', SAID, SAID.replace('415s', '500s'));
    await app.reload();
    await live.until((seen) => seen.some(({ event }) => event === 'record'));
  });
});

it('the starting view follows the record, its heading too', async () => {
  const all = await readAll(await app.fetch('/api/start'));
  const live = await feed(`?answer=${answerIdOf(all)}&record=${recordOf(all)}`);
  await live.until((seen) => seen.length > 0);
  await edit('claude-progress.txt', SAID, SAID.replace('415s', '500s'));
  await app.reload();
  await live.until((seen) => updates(seen).length > 0);
  expect(updates(live.seen)[0]?.title).toMatch(/accepted/);
  expect(planned).toBe(0);
});

it('a record that goes away leaves the cards, marked, and comes back', async () => {
  const all = await ask(app, QUESTION);
  const live = await feed(`?answer=${answerIdOf(all)}&record=${recordOf(all)}`);
  await live.until((seen) => seen.length > 0);
  const kept = new Map<string, string>();
  for (const file of ['claude-progress.txt', 'feature_list.json', 'git-log.jsonl', 'metrics.json']) {
    kept.set(file, await readFile(join(record.folder, file), 'utf8'));
    await rm(join(record.folder, file));
  }
  await app.reload();
  await live.until((seen) => seen.some(({ event }) => event === 'stale'));
  for (const { data } of page(all, live.seen)) expect(data.mark).toMatchObject({ state: 'unverified' });
  for (const [file, content] of kept) await writeFile(join(record.folder, file), content);
  await app.reload();
  await live.until((seen) => updates(seen).length > 0);
  expect(page(all, live.seen)).toEqual(pageOf(all.map(({ event }) => event)));
});

it('the feed is guarded like everything else, and bounded', async () => {
  const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  expect((await app.fetch('/api/live', { headers })).status).toBe(403);
  for (const query of ['?answer=../etc', '?record=not-hex', `?answer=${'a'.repeat(200)}`])
    expect((await app.fetch(`/api/live${query}`)).status).toBe(400);
  const open = await Promise.all(Array.from({ length: 32 }, () => feed('')));
  expect((await app.fetch('/api/live')).status).toBe(429);
  open[0]?.leave();
  await vi.waitFor(async () => {
    const again = new AbortController();
    const { status } = await app.fetch('/api/live', { signal: again.signal });
    again.abort();
    expect(status).toBe(200);
  });
});

it('a board that one page changes is told to the others', async () => {
  const live = await feed('');
  await live.until((seen) => seen.length > 0);
  expect(live.seen.map(({ event }) => event)).toEqual(['ready']);
  const made = await app.fetch('/api/boards', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Morning' }),
  });
  expect(made.status).toBe(200);
  await live.until((seen) => seen.length > 1);
  expect(live.seen.map(({ event }) => event)).toEqual(['ready', 'boards']);
});
