import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pageOf } from '../../server/answer/test-ports.ts';
import type { NamedPlanner } from '../../server/answer/types.ts';
import { readBoard } from '../../server/boards/board.ts';
import type { Board, Boards } from '../../shared/wire.ts';
import {
  answerIdOf,
  ask,
  demoCopy,
  doneOf,
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
let open: Running[];
let planned: number;

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
  open = [];
  planned = 0;
});
afterEach(async () => {
  for (const app of open) await app.close();
  await record.remove();
  await rm(state, { recursive: true, force: true });
});

async function serve(more: Parameters<typeof start>[0] = {}): Promise<Running> {
  const app = await start({ planner, record: record.folder, state, ...more });
  open.push(app);
  return app;
}
async function stop(app: Running): Promise<void> {
  open = open.filter((one) => one !== app);
  await app.close();
}

const send = async (app: Running, method: string, path: string, body?: unknown) => {
  const response = await app.fetch(`/api/boards${path}`, {
    method,
    ...(body === undefined
      ? method === 'POST'
        ? { body: '{}', headers: { 'content-type': 'application/json' } }
        : {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
};
const list = async (app: Running): Promise<Boards> => (await send(app, 'GET', '')).body;
async function make(app: Running, name: string): Promise<Board> {
  const { status, body } = await send(app, 'POST', '', { name });
  expect(status).toBe(200);
  return body;
}
const draw = async (app: Running, id: string): Promise<Numbered[]> =>
  readAll(await app.fetch(`/api/boards/${id}/events`));
const cardsOf = (all: readonly Numbered[]) => pageOf(all.map(({ event }) => event));
/** The item of a card on a board, and the card's own id. */
const shownOf = (all: readonly Numbered[]) => cardsOf(all).map(({ id }) => id.split('-'));
/** Content of cards without their names, which differ between an answer and a board. */
const contentOf = (all: readonly Numbered[]) => cardsOf(all).map(({ data }) => ({ ...data, id: '' }));

describe('a board', () => {
  it('draws a pinned answer from its plan, the same cards, checked, without a planner', async () => {
    const app = await serve();
    const answer = await ask(app, QUESTION);
    const board = await make(app, 'Morning');
    const pinned = await send(app, 'POST', `/${board.id}/items`, { answer: answerIdOf(answer) });
    expect(pinned.body.items).toMatchObject([{ question: QUESTION, card: null }]);
    expect(JSON.stringify(pinned.body)).not.toContain(record.folder);
    const drawn = await draw(app, board.id);
    expect(planned).toBe(1);
    expect(contentOf(drawn)).toEqual(contentOf(answer));
    expect(reportOf(drawn)).toMatchObject({
      ok: true,
      figures: reportOf(answer)?.figures,
      sources: reportOf(answer)?.sources,
      record: reportOf(answer)?.record,
    });
    expect(reportOf(drawn)?.verdicts.map(({ state: verdict }) => verdict)).toEqual(
      reportOf(answer)?.verdicts.map(({ state: verdict }) => verdict),
    );
    expect(doneOf(drawn)).toMatchObject({ ok: true, code: null, cards: cardsOf(answer).length });
    expect(drawn[0]?.event).toMatchObject({ event: 'open', data: { question: null, title: 'Morning' } });
  });

  it('draws one pinned card, and its items in their order on one surface', async () => {
    const app = await serve();
    const answer = answerIdOf(await ask(app, QUESTION));
    const { id } = await make(app, 'Morning');
    await send(app, 'POST', `/${id}/items`, { answer, card: 'c2' });
    const { body } = await send(app, 'POST', `/${id}/items`, { answer, card: 'c0' });
    const [first, second] = body.items.map((item: { id: string }) => item.id);
    expect(body.items.map((item: { card: string }) => item.card)).toEqual([
      'The slowest features',
      'How it compares',
    ]);
    expect(shownOf(await draw(app, id))).toEqual([
      [first, 'c0'],
      [second, 'c0'],
    ]);
    await send(app, 'PATCH', `/${id}`, { order: [second, first], name: 'Evening' });
    expect(shownOf(await draw(app, id))).toEqual([
      [second, 'c0'],
      [first, 'c0'],
    ]);
    const drawn = await draw(app, id);
    expect(drawn.filter(({ event }) => 'createSurface' in event.data)).toHaveLength(1);
    expect(cardsOf(drawn).map(({ data }) => data.title)).toEqual(['How it compares', 'The slowest features']);
    expect(cardsOf(drawn).every(({ data }) => JSON.stringify(data.mark) !== '{}')).toBe(true);
    await send(app, 'POST', `/${id}/items`, { answer, card: 'c0' });
    expect(cardsOf(await draw(app, id)).map(({ data }) => data.title)).toEqual([
      'How it compares',
      'The slowest features',
      'How it compares (2)',
    ]);
    const { body: three } = await send(app, 'GET', '');
    await send(app, 'DELETE', `/${id}/items/${three.boards[0].items[2].id}`);
    await send(app, 'DELETE', `/${id}/items/${second}`);
    expect(shownOf(await draw(app, id))).toEqual([[first, 'c0']]);
    await send(app, 'POST', `/${id}/items/${second}/restore`);
    expect(shownOf(await draw(app, id))).toEqual([
      [second, 'c0'],
      [first, 'c0'],
    ]);
  });

  it('is there after a restart, on the record of then', async () => {
    const first = await serve();
    const answer = answerIdOf(await ask(first, QUESTION));
    const { id } = await make(first, 'Morning');
    await send(first, 'POST', `/${id}/items`, { answer });
    await stop(first);
    const path = join(record.folder, 'claude-progress.txt');
    const old = await readFile(path, 'utf8');
    expect(old).toContain(SAID);
    await writeFile(path, old.replace(SAID, SAID.replace('415s', '500s')));
    const second = await serve();
    expect((await list(second)).boards.map(({ name }) => name)).toEqual(['Morning']);
    const drawn = await draw(second, id);
    expect(planned).toBe(1);
    expect(reportOf(drawn)?.ok).toBe(true);
    const compared = cardsOf(drawn).find(({ data }) => data.title === 'How it compares');
    expect(JSON.stringify(compared?.data)).toContain('"value":500');
    expect(JSON.stringify(compared?.data)).not.toContain('"value":415');
  });

  it('outlives the answers that were deleted, and says so when its record is gone', async () => {
    const first = await serve();
    const answer = answerIdOf(await ask(first, QUESTION));
    const { id } = await make(first, 'Morning');
    await send(first, 'POST', `/${id}/items`, { answer });
    await first.fetch('/api/answers', { method: 'DELETE' });
    expect(cardsOf(await draw(first, id)).length).toBeGreaterThan(1);
    await stop(first);
    const other = await demoCopy();
    const elsewhere = await serve({ record: other.folder });
    await rename(record.folder, `${record.folder}-away`);
    const deleted = await serve();
    for (const app of [elsewhere, deleted]) {
      const drawn = await draw(app, id);
      expect(cardsOf(drawn).map(({ data }) => [data.type, data.code])).toEqual([['note', 'record_gone']]);
      expect(JSON.stringify(drawn)).not.toContain('415');
    }
    await rename(`${record.folder}-away`, record.folder);
    await other.remove();
  });

  it('says what to do when it is empty, and is not there when it is removed', async () => {
    const app = await serve();
    const { id } = await make(app, 'Empty');
    expect(cardsOf(await draw(app, id)).map(({ data }) => data.code)).toEqual(['board_empty']);
    expect((await send(app, 'DELETE', `/${id}`)).status).toBe(200);
    expect((await app.fetch(`/api/boards/${id}/events`)).status).toBe(404);
    expect(await readdir(join(state, 'boards'))).toEqual([]);
    expect((await send(app, 'POST', `/${id}/restore`)).status).toBe(200);
    expect((await list(app)).boards.map(({ name }) => name)).toEqual(['Empty']);
  });

  it('follows the record with data messages alone', async () => {
    const app = await serve();
    const answer = answerIdOf(await ask(app, QUESTION));
    const { id } = await make(app, 'Morning');
    await send(app, 'POST', `/${id}/items`, { answer });
    const drawn = await draw(app, id);
    const path = join(record.folder, 'claude-progress.txt');
    const old = await readFile(path, 'utf8');
    await writeFile(path, old.replace(SAID, SAID.replace('415s', '500s')));
    await app.reload();
    const controller = new AbortController();
    const live = await app.fetch(`/api/live?answer=${answerIdOf(drawn)}&record=${reportOf(drawn)?.record}`, {
      signal: controller.signal,
    });
    let heard = '';
    for await (const part of live.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      heard += part;
      if (/event: updated\ndata: .+\n\n/.test(heard)) break;
    }
    controller.abort();
    expect(heard).toContain('"value":500');
    expect(heard).not.toContain('updateComponents');
    expect(planned).toBe(1);
    expect(/"report":\{"ok":true/.test(heard)).toBe(true);
  });
});

describe('the interface of boards', () => {
  it('refuses what is no board, no answer, no card and no name', async () => {
    const app = await serve();
    const { id } = await make(app, 'Morning');
    const answer = answerIdOf(await ask(app, QUESTION));
    const start0 = answerIdOf(await readAll(await app.fetch('/api/start')));
    const cases: [string, string, unknown, number][] = [
      ['POST', '', { name: ' ' }, 400],
      ['POST', '', { name: 'x'.repeat(61) }, 400],
      ['POST', '/nowhere/items', { answer }, 404],
      ['POST', '/AAAAAAAAAAAAAAAA/items', { answer }, 404],
      ['POST', `/${id}/items`, { answer: 'nowhere' }, 404],
      ['POST', `/${id}/items`, { answer: '../../etc' }, 400],
      ['POST', `/${id}/items`, { answer, card: 'premise' }, 400],
      ['POST', `/${id}/items`, { answer, card: 'c9' }, 409],
      ['POST', `/${id}/items`, { answer: start0 }, 409],
      ['PATCH', `/${id}`, { order: 'all' }, 400],
      ['PATCH', '/..%2f..%2fanswers', { name: 'x' }, 404],
      ['PUT', '', { order: ['../x'] }, 400],
    ];
    for (const [method, path, body, status] of cases)
      expect([method, path, (await send(app, method, path, body)).status]).toEqual([method, path, status]);
    expect((await list(app)).boards.map(({ items }) => items)).toEqual([[]]);
  });

  it('cannot be used by another site', async () => {
    const app = await serve();
    const { id } = await make(app, 'Morning');
    const headers = {
      origin: 'https://elsewhere.example',
      'sec-fetch-site': 'cross-site',
      'content-type': 'application/json',
    };
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['PUT', ''],
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
      ['GET', `/${id}/events`],
    ]) {
      const response = await app.fetch(`/api/boards${path}`, {
        ...(method === undefined ? {} : { method }),
        headers,
        ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{"name":"x"}' }),
      });
      expect([method, path, response.status]).toEqual([method, path, 403]);
    }
    expect((await list(app)).boards).toHaveLength(1);
  });

  it('keeps a file that can be read back, and passes over a damaged one', async () => {
    const first = await serve();
    const { id } = await make(first, 'Morning');
    const { id: broken } = await make(first, 'Broken');
    await stop(first);
    const folder = join(state, 'boards');
    expect(readBoard(await readFile(join(folder, `${id}.json`), 'utf8'))).toMatchObject({ name: 'Morning' });
    await writeFile(join(folder, `${broken}.json`), '{"version":1,');
    const second = await serve();
    expect((await list(second)).boards.map(({ name }) => name)).toEqual(['Morning']);
    expect(second.log()).toContain(`The board ${broken} cannot be read`);
    expect(await readFile(join(folder, `${broken}.json`), 'utf8')).toBe('{"version":1,');
  });

  it('has no boards where nothing can be kept', async () => {
    const app = await start({ planner, record: record.folder });
    open.push(app);
    expect(await list(app)).toEqual({ kept: false, boards: [] });
  });
});
