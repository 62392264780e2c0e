import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnswerPorts, Surface, VerifyInput } from '../../server/answer/ports.ts';
import { pageOf } from '../../server/answer/test-ports.ts';
import type { VerifiedAnswer } from '../../server/answer/types.ts';
import { type VerifyPorts, verify } from '../../server/answer/verify.ts';
import { openaiPlanner } from '../../server/planner/openai.ts';
import type { Store } from '../../server/record/store.ts';
import { answer, type OpenAiServer, startOpenAiServer } from '../openai-server/index.ts';
import { ask, doneOf, type Numbered, reportOf, start } from './harness.ts';
import { attempts, chart, note, plan, stat, text } from './plans.ts';

let model: OpenAiServer;
const scripted = () => openaiPlanner({ apiKey: 'sk-test', baseURL: model.baseURL, model: 'scripted' });
beforeAll(async () => {
  model = await startOpenAiServer(answer(text(LYING)));
});
afterAll(() => model.close());

const QUESTION = 'how long did the loading skeletons take?';
/** True things, and false ones of several kinds. */
const LYING = plan([
  stat('It took 9999 s', 'took', 'typical'),
  attempts('The story of this feature'),
  chart('The slowest features'),
  note('In short', 'It took {took}, in th**ree** attempts, for €12 [E1].'),
  note('More', 'Nobody knows [E999].'),
]);

const cardsOf = (all: readonly Numbered[]) => pageOf(all.map(({ event }) => event));

/** Notes what the verifier was told and what it said. */
function noting(change: (ports: AnswerPorts) => AnswerPorts = (ports) => ports) {
  const seen: { inputs: VerifyInput[]; found: VerifiedAnswer[]; verifying: VerifyPorts[] } = {
    inputs: [],
    found: [],
    verifying: [],
  };
  const ports = (given: AnswerPorts, verifying: VerifyPorts): AnswerPorts => ({
    ...change(given),
    verify: async (input) => {
      seen.inputs.push(input);
      seen.verifying.push(verifying);
      const found = await verify(input, verifying);
      seen.found.push(found);
      return found;
    },
  });
  return { seen, ports };
}

describe('the second reading', () => {
  it('given only the plan, reaches the same verdicts when the streamed cards are withheld', async () => {
    const { seen, ports } = noting();
    const app = await start({ planner: scripted(), ports });
    try {
      model.use(answer(text(LYING)));
      const all = await ask(app, QUESTION);
      const [input] = seen.inputs;
      const [found] = seen.found;
      const [verifying] = seen.verifying;
      if (input === undefined || found === undefined || verifying === undefined) throw new Error('no check');
      // Nothing but the text and the question: no stream, no cards, no surface.
      const alone = await verify(
        { text: text(LYING), question: QUESTION, about: [], signal: new AbortController().signal },
        verifying,
      );
      expect({ ...alone, ms: 0 }).toEqual({ ...found, ms: 0 });
      expect(Object.keys(input).sort()).toEqual(['about', 'question', 'signal', 'text']);
      expect(input.text).toBe(text(LYING));
      const states = reportOf(all)?.verdicts.map(({ card, state }) => [card, state]);
      expect(states).toEqual([
        ['c0', 'unverified'],
        ['c1', 'verified'],
        ['c2', 'verified'],
        ['c3', 'unverified'],
        ['c4', 'verified'],
      ]);
    } finally {
      await app.close();
    }
  });

  it('gives the same final cards when nothing right was streamed', async () => {
    const plain = await start({ planner: scripted() });
    const silent = await start({
      planner: scripted(),
      ports: (ports) => ({
        ...ports,
        resolver: (options) => ({
          ...ports.resolver(options),
          card: () => Promise.reject(new Error('nothing is streamed')),
        }),
      }),
    });
    try {
      model.use(answer(text(LYING)));
      const one = cardsOf(await ask(plain, QUESTION));
      model.use(answer(text(LYING)));
      const other = cardsOf(await ask(silent, QUESTION));
      const content = (cards: typeof one) => cards.map(({ id, data }) => [id, { ...data, mark: null }]);
      expect(content(other)).toEqual(content(one));
    } finally {
      await plain.close();
      await silent.close();
    }
  });

  it('begins once the first card stands, and does not wait for the others', async () => {
    const order: string[] = [];
    let begin = (): void => undefined;
    /** This card waits for the check, so an answer whose check waited for it would not get it in time. */
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const { ports } = noting((given) => ({
      ...given,
      surface: (id, ...rest): Surface => {
        const real = given.surface(id, ...rest);
        const card = real.card.bind(real);
        real.card = (data) => {
          order.push(data.id);
          return card(data);
        };
        return real;
      },
      resolver: (options) => {
        const real = given.resolver(options);
        return {
          ...real,
          card: async (block, id) => {
            if (id === 'c2') await begun;
            return real.card(block, id);
          },
        };
      },
    }));
    const app = await start({
      planner: scripted(),
      ports: (given, verifying) => {
        const wired = ports(given, verifying);
        return {
          ...wired,
          verify: (input) => {
            order.push('check');
            begin();
            return wired.verify(input);
          },
        };
      },
    });
    try {
      model.use(answer(text(LYING)));
      expect(doneOf(await ask(app, QUESTION))).toMatchObject({ ok: true, code: null });
      expect(order.filter((step) => step === 'check')).toHaveLength(1);
      expect(order.indexOf('check')).toBeGreaterThan(0);
      expect(order.indexOf('check')).toBeLessThan(order.indexOf('c2'));
    } finally {
      await app.close();
    }
  });

  it('asks no statement twice in one pass, and each anew in the next', async () => {
    const { seen, ports } = noting();
    const app = await start({ planner: scripted(), ports });
    try {
      model.use(answer(text(LYING)));
      await ask(app, QUESTION);
      const [verifying] = seen.verifying;
      if (verifying === undefined) throw new Error('no check');
      const passes: string[][] = [];
      const counted = async (): Promise<Store> => {
        const store = await verifying.connect();
        const asked: string[] = [];
        passes.push(asked);
        const results = new Map<unknown, string>();
        return {
          ...store,
          query: async (sql, params, limits) => {
            const result = await store.query(sql, params, limits);
            // An equal statement gives the very rows of the first.
            if (!results.has(result)) asked.push(JSON.stringify([sql, params, limits?.rows ?? null]));
            results.set(result, sql);
            return result;
          },
        };
      };
      const input = {
        text: text(LYING),
        question: QUESTION,
        about: [],
        signal: new AbortController().signal,
      };
      await verify(input, { ...verifying, connect: counted });
      await verify(input, { ...verifying, connect: counted });
      expect(passes).toHaveLength(2);
      expect(new Set(passes[0]).size).toBe(passes[0]?.length);
      expect(passes[1]?.toSorted()).toEqual(passes[0]?.toSorted());
      expect(passes[0]?.length).toBeGreaterThan(5);
      expect(passes[0]?.length).toBeLessThanOrEqual(30);
    } finally {
      await app.close();
    }
  });

  it('is made of failures too: what stands beside them was read from the record', async () => {
    const app = await start({ planner: scripted() });
    try {
      model.use(answer('I would rather not.'));
      const all = await ask(app, 'why did feature 28 take three attempts?');
      expect(doneOf(all)).toMatchObject({ ok: false });
      const report = reportOf(all);
      expect(report?.ok).toBe(false);
      expect(report?.code).toBe(doneOf(all).code);
      expect(report?.record).toMatch(/^[\da-f]{12}$/);
      expect(report?.verdicts).toEqual([{ card: 'premise', state: 'verified', reasons: [] }]);
    } finally {
      await app.close();
    }
  });
});
