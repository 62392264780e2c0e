import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageOf } from '../../server/answer/test-ports.ts';
import { builtinPlanner } from '../../server/planner/builtin/index.ts';
import { openaiPlanner } from '../../server/planner/openai.ts';
import { CODES, isCode } from '../../shared/codes.ts';
import {
  answer,
  apiError,
  finishing,
  page as htmlPage,
  type OpenAiServer,
  pieces,
  type Reply,
  refusal,
  reset,
  type Step,
  silent,
  startOpenAiServer,
  stream,
  unfinished,
} from '../openai-server/index.ts';
import { ask, doneOf, type Numbered, type Running, readAll, start } from './harness.ts';
import { cutAfterBlock, GOOD, text } from './plans.ts';

const KEY = 'sk-proj-PLANTED0key0that0must0not0leak0123456789';

let model: OpenAiServer;
let app: Running;
beforeAll(async () => {
  model = await startOpenAiServer(answer(text(GOOD)));
  app = await start({
    planner: openaiPlanner({
      apiKey: KEY,
      baseURL: model.baseURL,
      model: 'scripted',
      limits: { firstMs: 2_000, totalMs: 4_000 },
    }),
    secrets: [KEY],
  });
});
afterAll(async () => {
  await app.close();
  await model.close();
});

const QUESTION = 'how long did the loading skeletons take?';
const cards = (all: readonly Numbered[]) => pageOf(all.map(({ event }) => event));
const codes = (all: readonly Numbered[]) =>
  cards(all).flatMap(({ data }) => (typeof data.code === 'string' ? [data.code] : []));
const [head] = cutAfterBlock(GOOD, 1);
const asSteps = (value: string): Step[] => pieces(value, 20).map((piece) => ({ do: 'text', text: piece }));

const cases: [string, Reply, string, number][] = [
  ['a refusal', refusal('I will not answer that.'), 'model_refused', 1],
  [
    'a rate limit',
    apiError(429, { message: `slow down, ${KEY}`, code: 'rate_limit_exceeded' }),
    'model_rate_limited',
    1,
  ],
  [
    'a wrong key',
    apiError(401, { message: `Incorrect API key provided: ${KEY}`, code: 'invalid_api_key' }),
    'model_auth',
    1,
  ],
  ['an error of the server', apiError(500, { message: `boom ${KEY}` }), 'model_failed', 1],
  ['a page instead of an answer', htmlPage(502, `<h1>Bad gateway ${KEY}</h1>`), 'model_failed', 1],
  ['no connection', reset(), 'model_unreachable', 1],
  ['silence', silent(), 'model_timeout', 1],
  ['a length limit', finishing(head, 'length'), 'cut_short', 2],
  ['an end in the middle', unfinished(head), 'connection_lost', 2],
  [
    'a connection that breaks',
    stream([...asSteps(head), { do: 'wait', ms: 150 }, { do: 'break', how: 'reset' }]),
    'connection_lost',
    2,
  ],
  ['a hang in the middle', stream([...asSteps(head), { do: 'hang' }]), 'model_timeout', 2],
  ['prose', answer('I cannot help with that.'), 'plan_empty', 1],
  ['nothing', answer(''), 'plan_empty', 1],
  ['another shape', answer('{"answer": 42}'), 'plan_empty', 1],
];

describe('whatever the model server does, there are cards and an end', () => {
  it.each(cases)('%s', async (_name, reply, code, count) => {
    model.use(reply);
    const all = await ask(app, QUESTION);
    expect(doneOf(all)).toMatchObject({ ok: false, code, cards: count });
    expect(codes(all)).toEqual([code]);
    expect(cards(all)).toHaveLength(count);
    if (count === 2) {
      expect(cards(all)[0]?.data).toMatchObject({ type: 'stat', mark: { state: 'unverified' } });
    }
    const end = cards(all).at(-1)?.data;
    expect(isCode(code) && end?.title).toBe(isCode(code) ? CODES[code].title : '');
    expect(JSON.stringify(all)).not.toContain('PLANTED');
  });

  it('and the key in an upstream error is in neither the page nor the log', async () => {
    for (const reply of [
      apiError(401, {
        message: `Incorrect API key provided: ${KEY}. ${Buffer.from(KEY).toString('base64')}`,
      }),
      apiError(500, { message: KEY.split('').join(' ') }),
      htmlPage(403, `<pre>Authorization: Bearer ${KEY}</pre>`),
      stream([
        ...asSteps(head),
        { do: 'event', data: { error: { message: `bad ${KEY}`, code: 'server_error' } } },
      ]),
    ]) {
      model.use(reply);
      const all = await ask(app, QUESTION);
      expect(doneOf(all).ok).toBe(false);
      expect(JSON.stringify(all)).not.toContain('PLANTED');
    }
    expect(app.log()).toContain('the planner failed');
    expect(app.log()).not.toContain('PLANTED');
    expect(app.log()).not.toContain(Buffer.from(KEY).toString('base64').slice(4, 40));
  });
});

it('a question the built-in planner does not understand is a card with questions that can be asked', async () => {
  const own = await start({ planner: builtinPlanner() });
  try {
    const all = await ask(own, 'quel est le sens de la vie ?');
    expect(cards(all).length).toBeGreaterThan(0);
    const last = all.flatMap(({ event }) => (event.event === 'suggestions' ? [event.data.items] : [])).at(-1);
    expect(last).toHaveLength(3);
  } finally {
    await own.close();
  }
});

it('an empty folder is a card too, for a question and for the starting view', async () => {
  const own = await start({ record: '/does/not/exist' });
  try {
    expect(codes(await ask(own, QUESTION))).toEqual(['record_empty']);
    const begun = await readAll(await own.fetch('/api/start'));
    expect(codes(begun)).toEqual(['record_empty']);
    expect(await (await own.fetch('/api/health')).json()).toMatchObject({ ok: true, record: null });
  } finally {
    await own.close();
  }
});
