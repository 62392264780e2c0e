import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pageOf } from '../../server/answer/test-ports.ts';
import { openaiPlanner } from '../../server/planner/openai.ts';
import { answer, gate, gated, type OpenAiServer, startOpenAiServer } from '../openai-server/index.ts';
import { answerIdOf, doneOf, events, type Numbered, type Running, readAll, start } from './harness.ts';
import { chart, cutAfterBlock, GOOD, note, plan, stat, text } from './plans.ts';

let model: OpenAiServer;
let app: Running;
const limits = {
  answersKept: 20,
  eventsKept: 500,
  answerChars: 4_000_000,
  answersChars: 16_000_000,
  orphanMs: 1_500,
};

beforeAll(async () => {
  model = await startOpenAiServer(answer(text(GOOD)));
  app = await start({
    planner: openaiPlanner({ apiKey: 'sk-test', baseURL: model.baseURL, model: 'scripted' }),
    limits,
  });
});
afterAll(async () => {
  await app.close();
  await model.close();
});
afterEach(() => model.use(answer(text(GOOD))));

const QUESTION = { question: 'how long did the loading skeletons take?' };
const cardsOf = (all: readonly Numbered[]) => pageOf(all.map(({ event }) => event));
const typesOf = (all: readonly Numbered[]) => cardsOf(all).map(({ id, data }) => [id, data.type]);
const hasCard = (all: readonly Numbered[], id: string): boolean =>
  typesOf(all).some(([card, type]) => card === id && type !== 'skeleton');

/** Reads until something holds, then leaves (which closes the connection). */
async function readUntil(response: Response, holds: (all: Numbered[]) => boolean): Promise<Numbered[]> {
  const all: Numbered[] = [];
  for await (const one of events(response)) {
    all.push(one);
    if (holds(all)) break;
  }
  return all;
}

/** An iterator that is not closed by leaving a loop. */
function reading(response: Response) {
  const iterator = events(response);
  const seen: Numbered[] = [];
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) {
      const step = await iterator.next();
      if (step.done) throw new Error('the stream ended');
      seen.push(step.value);
    }
  };
  const rest = async (): Promise<Numbered[]> => {
    for (let step = await iterator.next(); !step.done; step = await iterator.next()) seen.push(step.value);
    return seen;
  };
  return { seen, until, rest, leave: () => iterator.return(undefined) };
}

describe('while the model is still writing', () => {
  it("the first card's bytes reach the client", async () => {
    const door = gate();
    const [head, tail] = cutAfterBlock(GOOD, 1);
    model.use(gated([head, door, tail]));
    const page = reading(await app.post('/api/ask', QUESTION));
    await door.reached;
    await page.until(() => hasCard(page.seen, 'c0'));
    expect(page.seen.some(({ event }) => event.event === 'done')).toBe(false);
    door.open();
    const all = await page.rest();
    expect(doneOf(all)).toMatchObject({ ok: true, cards: 4 });
  });

  it('the card of an answer with a single block reaches the client', async () => {
    const door = gate();
    const single = plan([stat('How it compares', 'took', 'typical')]);
    const [head, tail] = cutAfterBlock(single, 1);
    model.use(gated([head, door, tail]));
    const page = reading(await app.post('/api/ask', QUESTION));
    await door.reached;
    await page.until(() => hasCard(page.seen, 'c0'));
    door.open();
    expect(doneOf(await page.rest())).toMatchObject({ ok: true, cards: 1 });
  });

  it('a card that is only named has its place, its kind and its title', async () => {
    const door = gate();
    const whole = text(GOOD);
    const cut = whole.indexOf('"measures"');
    model.use(gated([whole.slice(0, cut), door, whole.slice(cut)]));
    const page = reading(await app.post('/api/ask', QUESTION));
    await page.until(() =>
      cardsOf(page.seen).some(({ id, data }) => id === 'c2' && data.type === 'skeleton'),
    );
    expect(cardsOf(page.seen).find(({ id }) => id === 'c2')?.data).toMatchObject({
      becomes: 'BarChart',
      title: 'The slowest features',
    });
    door.open();
    await page.rest();
  });
});

describe('an answer', () => {
  it('numbers its events without gaps and ends with their count', async () => {
    const all = await readAll(await app.post('/api/ask', QUESTION));
    expect(all.map(({ id }) => id)).toEqual(all.map((_, index) => index + 1));
    expect(doneOf(all).events).toBe(all.length);
    expect(all.map(({ event }) => event.event).filter((name) => name === 'done')).toHaveLength(1);
  });

  it('is named before its first event, so that a line that breaks before it loses nothing', async () => {
    const broken = new AbortController();
    const begun = await app.post('/api/ask', QUESTION, { signal: broken.signal });
    const id = begun.headers.get('looplight-answer');
    broken.abort();
    const all = await readAll(await app.fetch(`/api/answers/${id}/events`));
    expect(answerIdOf(all)).toBe(id);
    expect(doneOf(all)).toMatchObject({ ok: true, events: all.length });
  });

  it('can be resumed at every event with the same final state', async () => {
    const all = await readAll(await app.post('/api/ask', QUESTION));
    const id = answerIdOf(all);
    const final = cardsOf(all);
    for (let seen = 0; seen < all.length; seen += 1) {
      const byHeader = seen % 2 === 0;
      const rest = await readAll(
        await app.fetch(`/api/answers/${id}/events${byHeader ? '' : `?from=${seen}`}`, {
          headers: byHeader ? { 'last-event-id': String(seen) } : {},
        }),
      );
      expect(rest.map((one) => one.id)).toEqual(all.slice(seen).map((one) => one.id));
      expect(cardsOf([...all.slice(0, seen), ...rest])).toEqual(final);
    }
  });

  it('whose connection is killed at every event while it runs ends as the same page', async () => {
    const whole = cardsOf(await readAll(await app.post('/api/ask', QUESTION)));
    const count = (await readAll(await app.post('/api/ask', QUESTION))).length;
    for (let seen = 1; seen < count; seen += 1) {
      const first: Numbered[] = [];
      for await (const one of events(await app.post('/api/ask', QUESTION))) {
        first.push(one);
        // Whatever else has arrived by now is lost with the connection.
        if (first.length === seen) break;
      }
      const rest = await readAll(
        await app.fetch(`/api/answers/${answerIdOf(first)}/events`, {
          headers: { 'last-event-id': String(seen) },
        }),
      );
      const all = [...first, ...rest];
      expect(all.map(({ id }) => id)).toEqual(all.map((_, index) => index + 1));
      expect([seen, cardsOf(all)]).toEqual([seen, whole]);
      expect(doneOf(all)).toMatchObject({ ok: true, events: all.length });
    }
  }, 180_000);

  it('goes on for a reader who lost the connection, and goes on live', async () => {
    const door = gate();
    const [head, tail] = cutAfterBlock(GOOD, 2);
    model.use(gated([head, door, tail]));
    const first = await readUntil(await app.post('/api/ask', QUESTION), (all) => hasCard(all, 'c0'));
    const back = reading(
      await app.fetch(`/api/answers/${answerIdOf(first)}/events`, {
        headers: { 'last-event-id': String(first.at(-1)?.id) },
      }),
    );
    await door.reached;
    await back.until(() => hasCard([...first, ...back.seen], 'c1'));
    door.open();
    const all = [...first, ...(await back.rest())];
    expect(doneOf(all)).toMatchObject({ ok: true, cards: 4, events: all.length });
    expect(all.map(({ id }) => id)).toEqual(all.map((_, index) => index + 1));
  });

  it('that nobody comes back to ends the model call and is kept as far as it came', async () => {
    const door = gate();
    const [head, tail] = cutAfterBlock(GOOD, 1);
    model.use(gated([head, door, tail]));
    const request = model.requests.length;
    const first = await readUntil(await app.post('/api/ask', QUESTION), (all) => hasCard(all, 'c0'));
    expect(await model.requests[request]?.closed).toBe(true);
    const all = await readAll(await app.fetch(`/api/answers/${answerIdOf(first)}/events`));
    expect(doneOf(all)).toMatchObject({ ok: false, code: 'abandoned', cards: 1 });
    expect(all.some(({ event }) => event.event === 'report')).toBe(false);
    expect(cardsOf(all)[0]?.data.mark).toMatchObject({ state: 'unverified' });
  });

  it('is stopped for everyone who reads it, and the model call with it', async () => {
    const door = gate();
    const [head, tail] = cutAfterBlock(GOOD, 2);
    model.use(gated([head, door, tail]));
    const request = model.requests.length;
    const page = reading(await app.post('/api/ask', QUESTION));
    await page.until(() => hasCard(page.seen, 'c0') && hasCard(page.seen, 'c1'));
    const id = answerIdOf(page.seen);
    const other = readAll(await app.fetch(`/api/answers/${id}/events`));
    expect((await app.post(`/api/answers/${id}/stop`, {})).status).toBe(200);
    const all = await page.rest();
    expect(doneOf(all)).toMatchObject({ ok: false, code: 'stopped', cards: 2 });
    expect(await other).toEqual(all);
    expect(all.some(({ event }) => event.event === 'report')).toBe(false);
    expect(cardsOf(all).map(({ data }) => data.mark)).toEqual([
      expect.objectContaining({ state: 'unverified' }),
      expect.objectContaining({ state: 'unverified' }),
    ]);
    expect(await model.requests[request]?.closed).toBe(true);
    expect((await app.post(`/api/answers/${id}/stop`, {})).status).toBe(200);
    expect((await app.post('/api/answers/unknown/stop', {})).status).toBe(404);
  });

  it('ends for its readers when the server does', async () => {
    const door = gate();
    const [head, tail] = cutAfterBlock(
      plan([chart('The slowest features'), note('In short', 'It took {took}.')]),
      1,
    );
    model.use(gated([head, door, tail]));
    const own = await start({
      planner: openaiPlanner({ apiKey: 'sk-test', baseURL: model.baseURL, model: 'scripted' }),
    });
    const page = reading(await own.post('/api/ask', QUESTION));
    await page.until(() => hasCard(page.seen, 'c0'));
    await own.close();
    expect(doneOf(await page.rest()).code).toBe('stopped');
  });
});
