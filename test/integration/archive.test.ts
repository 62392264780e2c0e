import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AnswerPorts } from '../../server/answer/ports.ts';
import { pageOf } from '../../server/answer/test-ports.ts';
import type { NamedPlanner } from '../../server/answer/types.ts';
import {
  answerIdOf,
  ask,
  demoCopy,
  doneOf,
  events,
  type Numbered,
  type Running,
  readAll,
  reportOf,
  start,
} from './harness.ts';
import { GOOD, text } from './plans.ts';

// Each restart opens the record again.
vi.setConfig({ testTimeout: 60_000 });

const QUESTION = 'how long did the loading skeletons take to build?';
/** What the progress log says about feature 28, and how many seconds that is. */
const SAID = '(score: 9/10, 1 attempts, 415s)';

let state: string;
let record: Awaited<ReturnType<typeof demoCopy>>;
let open: Running[];
/** How often the planner was asked. */
let planned: number;

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

const planner = (written = text(GOOD)): NamedPlanner => ({
  kind: 'model',
  name: 'scripted',
  model: 'scripted',
  plan: async function* () {
    planned += 1;
    yield written;
  },
});

async function serve(more: Parameters<typeof start>[0] = {}): Promise<Running> {
  const app = await start({ planner: planner(), record: record.folder, state, ...more });
  open.push(app);
  return app;
}
async function stop(app: Running): Promise<void> {
  open = open.filter((one) => one !== app);
  await app.close();
}
const again = async (app: Running, id: string, after = 0): Promise<Response> =>
  app.fetch(`/api/answers/${id}/events`, after > 0 ? { headers: { 'last-event-id': String(after) } } : {});
const openOf = (all: readonly Numbered[]) => {
  const first = all[0]?.event;
  if (first?.event !== 'open') throw new Error('no open');
  return first.data;
};
const cardsOf = (all: readonly Numbered[]) => pageOf(all.map(({ event }) => event));
const saysOf = (all: readonly Numbered[]): string[] =>
  all.flatMap(({ event }) => (event.event === 'progress' ? [event.data.says] : []));

/** Changes what a file of the record says; the text must be there. */
async function edit(file: string, from: string, to: string): Promise<void> {
  const path = join(record.folder, file);
  const old = await readFile(path, 'utf8');
  expect(old).toContain(from);
  await writeFile(path, old.replace(from, to));
}

describe('after a restart', () => {
  it('an answer opens under its address, made again from its plan, the same as it was', async () => {
    const first = await serve();
    const before = await ask(first, QUESTION);
    await stop(first);
    const second = await serve({ now: () => Date.now() + 5 * 60_000 });
    const response = await again(second, answerIdOf(before));
    const after = await readAll(response);
    expect(planned).toBe(1);
    expect(openOf(after)).toMatchObject({
      answerId: answerIdOf(before),
      question: QUESTION,
      planner: 'scripted',
    });
    expect(openOf(after).stored?.ageMs).toBeGreaterThanOrEqual(5 * 60_000);
    expect(cardsOf(after)).toEqual(cardsOf(before));
    expect(reportOf(after)).toMatchObject({
      ok: true,
      since: { changed: false, gone: false, figures: [], total: 0 },
    });
    expect(saysOf(after)).toContain('Answered from the plan made 5 minutes ago, 4 cards');
    // From now on it is in memory, and can be taken up in the middle.
    const rest = await readAll(await again(second, answerIdOf(before), 3));
    expect(rest.map(({ id }) => id)).toEqual(after.slice(3).map(({ id }) => id));
  });

  it('a record that changed meanwhile has its changed figure named', async () => {
    const first = await serve();
    const before = await ask(first, QUESTION);
    await stop(first);
    await edit('claude-progress.txt', SAID, SAID.replace('415s', '500s'));
    const second = await serve();
    const after = await readAll(await again(second, answerIdOf(before)));
    const since = reportOf(after)?.since;
    expect(since).toMatchObject({ changed: true, gone: false });
    expect(since?.figures).toContainEqual({
      card: 'How it compares',
      label: 'Build time',
      was: { value: 415, unit: 's' },
      now: { value: 500, unit: 's' },
    });
    expect(since?.total).toBeGreaterThanOrEqual(1);
    expect(reportOf(after)).toMatchObject({ ok: true });
    expect(JSON.stringify(cardsOf(after)[0])).not.toContain('415');
  });

  it('a record that is not loaded any more is said to be so, and nothing else is shown', async () => {
    const first = await serve();
    const before = await ask(first, QUESTION);
    await stop(first);
    const other = await demoCopy();
    const elsewhere = await serve({ record: other.folder });
    await rename(record.folder, `${record.folder}-away`);
    const deleted = await serve();
    for (const app of [elsewhere, deleted]) {
      const after = await readAll(await again(app, answerIdOf(before)));
      expect(openOf(after).stored).not.toBeNull();
      expect(cardsOf(after).map(({ data }) => [data.type, data.code])).toEqual([['note', 'record_gone']]);
      expect(reportOf(after)).toMatchObject({
        ok: false,
        code: 'record_gone',
        since: { gone: true, figures: [] },
      });
      expect(doneOf(after)).toMatchObject({ ok: false, code: 'record_gone' });
      expect(JSON.stringify(after)).not.toContain('415');
    }
    await rename(`${record.folder}-away`, record.folder);
    await other.remove();
  });

  it('a month-old answer whose record was deleted says so and shows nothing wrong', async () => {
    const first = await serve();
    const before = await ask(first, QUESTION);
    expect(JSON.stringify(cardsOf(before))).toContain('"value":415');
    await stop(first);
    for (const file of await readdir(record.folder)) await rm(join(record.folder, file), { recursive: true });
    const app = await serve({ now: () => Date.now() + 31 * 86_400_000 });
    const listed: unknown = await (await app.fetch('/api/answers')).json();
    expect(listed).toMatchObject({ answers: [{ question: QUESTION }] });
    const after = await readAll(await again(app, answerIdOf(before)));
    expect(openOf(after).stored?.ageMs).toBeGreaterThanOrEqual(31 * 86_400_000);
    expect(cardsOf(after).map(({ data }) => [data.type, data.code])).toEqual([['note', 'record_gone']]);
    expect(reportOf(after)).toMatchObject({ ok: false, code: 'record_gone', figures: 0 });
    expect(doneOf(after)).toMatchObject({ ok: false, code: 'record_gone' });
    const figures = /"kind":"figure"|"value":\d/;
    expect(JSON.stringify(cardsOf(after))).not.toMatch(figures);
    expect(planned).toBe(1);
  });

  it('a plan of another version of the program is marked, and not used for a new question', async () => {
    const first = await serve({ program: 'before' });
    const before = await ask(first, QUESTION);
    expect(openOf(await ask(first, QUESTION)).stored).toMatchObject({ older: false });
    expect(planned).toBe(1);
    await stop(first);
    const second = await serve({ program: 'after' });
    const opened = await readAll(await again(second, answerIdOf(before)));
    expect(openOf(opened).stored).toMatchObject({ older: true });
    expect(planned).toBe(1);
    const asked = await ask(second, QUESTION);
    expect(openOf(asked).stored).toBeNull();
    expect(planned).toBe(2);
    expect(openOf(await ask(second, QUESTION)).stored).toMatchObject({ older: false });
  });

  it('the middle of an answer that is gone from memory is not joined to a new one', async () => {
    const first = await serve();
    const id = answerIdOf(await ask(first, QUESTION));
    await stop(first);
    const second = await serve();
    expect((await again(second, id, 4)).status).toBe(410);
    expect((await again(second, 'never-was-here00')).status).toBe(404);
    expect((await second.fetch('/api/answers/..%2f..%2fetc%2fpasswd/events')).status).toBe(404);
  });

  it('a stopped answer is kept with its code, opens as far as it came, and is never used for another', async () => {
    const door = new Promise<void>(() => undefined);
    const whole = text(GOOD);
    const cut = whole.indexOf('{"type":"attempts"');
    const hanging: NamedPlanner = {
      ...planner(),
      plan: async function* () {
        planned += 1;
        yield whole.slice(0, cut);
        await door;
      },
    };
    const first = await serve({ planner: hanging });
    const before: Numbered[] = [];
    for await (const one of events(await first.post('/api/ask', { question: QUESTION }))) {
      before.push(one);
      if (cardsOf(before).some(({ id, data }) => id === 'c0' && data.type === 'stat')) break;
    }
    await first.post(`/api/answers/${answerIdOf(before)}/stop`, {});
    await stop(first);
    const second = await serve();
    const kept: unknown = await (await second.fetch('/api/answers')).json();
    expect(kept).toMatchObject({ kept: true, answers: [{ question: QUESTION, code: 'stopped' }] });
    const after = await readAll(await again(second, answerIdOf(before)));
    expect(cardsOf(after).map(({ id: card }) => card)).toContain('c0');
    expect(planned).toBe(1);
    const asked = await ask(second, QUESTION);
    expect(planned).toBe(2);
    expect(openOf(asked).stored).toBeNull();
  });
});

describe('the same question', () => {
  it('is answered from its plan, and anew when asked to be', async () => {
    const app = await serve({ now: () => Date.now() + 90_000 });
    const first = await ask(app, QUESTION);
    expect(openOf(first).stored).toBeNull();
    expect(reportOf(first)?.since).toBeNull();
    const second = await ask(app, ` ${QUESTION.toUpperCase()}`);
    expect(planned).toBe(1);
    expect(openOf(second).stored?.ageMs).toBeGreaterThanOrEqual(90_000);
    expect(answerIdOf(second)).not.toBe(answerIdOf(first));
    expect(cardsOf(second)).toEqual(cardsOf(first));
    expect(reportOf(second)).toMatchObject({ ok: true, since: { changed: false, total: 0 } });
    const third = await ask(app, QUESTION, { anew: true });
    expect(planned).toBe(2);
    expect(openOf(third).stored).toBeNull();
  });

  it('asks the planner again when the record is another one, or the words lean on others', async () => {
    const app = await serve();
    await ask(app, QUESTION, { conversation: 'a' });
    await ask(app, QUESTION, { conversation: 'a' });
    expect(planned).toBe(1);
    await ask(app, 'how long did it take?', { conversation: 'a' });
    await ask(app, 'how long did it take?', { conversation: 'b' });
    expect(planned).toBe(3);
    await edit('claude-progress.txt', SAID, SAID.replace('415s', '500s'));
    const moved = await ask(app, QUESTION, { conversation: 'a' });
    expect(planned).toBe(4);
    expect(openOf(moved).stored).toBeNull();
  });

  it('does the same with the built-in planner', async () => {
    const app = await start({ record: record.folder, state });
    open.push(app);
    const first = await ask(app, 'which features were the slowest?');
    const second = await ask(app, 'which features were the slowest?');
    expect([openOf(first).stored, openOf(second).stored === null]).toEqual([null, false]);
    expect(cardsOf(second)).toEqual(cardsOf(first));
  });

  it('is not answered from a plan whose check failed', async () => {
    const failing = (ports: AnswerPorts): AnswerPorts => ({
      ...ports,
      verify: async () => {
        throw new Error('no check');
      },
    });
    const app = await serve({ ports: failing });
    await ask(app, QUESTION);
    await ask(app, QUESTION);
    expect(planned).toBe(2);
  });
});

describe('kept answers', () => {
  it('are opened on the record of today while the server still runs', async () => {
    const app = await serve();
    const id = answerIdOf(await ask(app, QUESTION));
    const unchanged = await readAll(await again(app, id));
    expect(openOf(unchanged).stored).toBeNull();
    await edit('claude-progress.txt', SAID, SAID.replace('415s', '500s'));
    const changed = await readAll(await again(app, id));
    expect(openOf(changed).stored).not.toBeNull();
    expect(reportOf(changed)?.since?.total).toBeGreaterThan(0);
  });

  it('are listed, newest first, and deleted one by one or all', async () => {
    const app = await serve();
    const ids: string[] = [];
    for (const question of ['first question of all?', 'second question of all?', 'third question of all?'])
      ids.unshift(answerIdOf(await ask(app, question)));
    const list = async (): Promise<string[]> => {
      const body: { answers: { id: string }[] } = JSON.parse(await (await app.fetch('/api/answers')).text());
      return body.answers.map(({ id }) => id);
    };
    expect(await list()).toEqual(ids);
    const [newest = '', ...rest] = ids;
    const remove = (path: string) => app.fetch(path, { method: 'DELETE' });
    expect((await remove(`/api/answers/${newest}`)).status).toBe(200);
    expect((await remove(`/api/answers/${newest}`)).status).toBe(404);
    expect((await again(app, newest)).status).toBe(404);
    expect(await list()).toEqual(rest);
    expect((await remove('/api/answers')).status).toBe(200);
    expect(await list()).toEqual([]);
    expect((await again(app, rest[0] ?? '')).status).toBe(404);
    expect(await readdir(join(state, 'answers'))).toEqual([]);
  });

  it('are none where nothing can be written; answers are given all the same', async () => {
    await writeFile(join(state, 'file'), '');
    const app = await serve({ state: join(state, 'file') });
    expect(doneOf(await ask(app, QUESTION))).toMatchObject({ ok: true });
    expect(await (await app.fetch('/api/answers')).json()).toEqual({ kept: false, answers: [] });
    expect(app.log()).toContain('Answers cannot be kept in');
  });

  it('cannot be deleted by another site', async () => {
    const app = await serve();
    const id = answerIdOf(await ask(app, QUESTION));
    const response = await app.fetch(`/api/answers/${id}`, {
      method: 'DELETE',
      headers: { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
    });
    expect(response.status).toBe(403);
    expect((await again(app, id)).status).toBe(200);
  });
});
