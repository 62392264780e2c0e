import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnswerPorts, ResolverOptions } from '../../server/answer/ports.ts';
import { pageOf } from '../../server/answer/test-ports.ts';
import type { Resolver } from '../../server/answer/types.ts';
import { figuresOf } from '../../server/answer/verify/walk.ts';
import { type VerifyPorts, verify } from '../../server/answer/verify.ts';
import { openaiPlanner } from '../../server/planner/openai.ts';
import type { CardData } from '../../shared/cards.ts';
import { answer, type OpenAiServer, startOpenAiServer } from '../openai-server/index.ts';
import { ask, demoCopy, doneOf, type Numbered, type Running, reportOf, start } from './harness.ts';
import { attempts, GOOD, note, plan, stat, text } from './plans.ts';

let model: OpenAiServer;
let app: Running;
const scripted = () => openaiPlanner({ apiKey: 'sk-test', baseURL: model.baseURL, model: 'scripted' });
beforeAll(async () => {
  model = await startOpenAiServer(answer(text(GOOD)));
  app = await start({ planner: scripted() });
});
afterAll(async () => {
  await app.close();
  await model.close();
});

const QUESTION = 'how long did the loading skeletons take?';
const cards = (all: readonly Numbered[]) => pageOf(all.map(({ event }) => event));
const verdicts = (all: readonly Numbered[]) =>
  reportOf(all)?.verdicts.map(({ card, state }) => [card, state]);
/** A card as the server's own types have it. */
const readCard = (data: unknown): CardData => JSON.parse(JSON.stringify(data));
/** Every figure and typed number of the final cards, as text. */
const finalText = (all: readonly Numbered[]): string => JSON.stringify(cards(all).map(({ data }) => data));

describe('what a model wrote is checked a second time', () => {
  it('and verified when it holds', async () => {
    model.use(answer(text(GOOD)));
    const all = await ask(app, QUESTION);
    const report = reportOf(all);
    expect(report).toMatchObject({ ok: true, code: null, cards: 4, changed: 0, passes: 1 });
    expect(new Set(report?.verdicts.map(({ state }) => state))).toEqual(new Set(['verified']));
    expect(report?.figures).toBeGreaterThan(20);
    expect(report?.sources).toBeGreaterThanOrEqual(2);
    expect(finalText(all)).toContain('415');
    const last = all.findLast(({ event }) => event.event === 'chat')?.event;
    expect(last).toMatchObject({ event: 'chat', data: { final: true } });
  });

  it('a number it made up is replaced by the one the record has', async () => {
    model.use(
      answer(
        text(
          plan([note('In short', 'It took three attempts.')], { facts: [GOOD.facts[1]], explanation: [] }),
        ),
      ),
    );
    const all = await ask(app, QUESTION);
    expect(verdicts(all)).toEqual([['c0', 'corrected']]);
    expect(cards(all)[0]?.data).toMatchObject({ mark: { state: 'corrected' } });
    const { body } = Object(cards(all)[0]?.data);
    const figures = body[0].inlines.filter(({ kind }: { kind: string }) => kind === 'figure');
    expect(figures.map(({ figure }: { figure: { value: number } }) => figure.value)).toEqual([1]);
    expect(JSON.stringify(body)).not.toContain('three');
  });

  it('a number nothing bears out stays marked, and its card with it', async () => {
    model.use(answer(text(plan([note('In short', 'It cost 12 dollars, and took {took}.')]))));
    const all = await ask(app, QUESTION);
    expect(verdicts(all)).toEqual([['c0', 'unverified']]);
    expect(finalText(all)).toContain('"state":"unverified"');
  });

  it('a number that happens to be right is supported', async () => {
    model.use(answer(text(plan([note('In short', 'It took 415 s.')]))));
    const all = await ask(app, QUESTION);
    expect(verdicts(all)).toEqual([['c0', 'verified']]);
    expect(finalText(all)).toContain('"state":"supported"');
  });

  it('a title with a number that nothing bears out is told', async () => {
    model.use(answer(text(plan([stat('It took 9999 s', 'took')]))));
    const all = await ask(app, QUESTION);
    expect(verdicts(all)).toEqual([['c0', 'unverified']]);
    expect(reportOf(all)?.verdicts[0]?.reasons.join()).toContain('9999');
  });

  it('a model that says a part twice, or changes its mind after the end, is not followed', async () => {
    const whole = text(GOOD);
    const later = text(plan([stat('Another story', 'typical')]));
    for (const odd of [
      `${whole.slice(0, -1)},"blocks":[${text(stat('Another story', 'typical'))}]}`,
      `${whole}\n\nOn reflection:\n${later}`,
    ]) {
      model.use(answer(odd));
      const all = await ask(app, QUESTION);
      expect(doneOf(all)).toBeDefined();
      expect(finalText(all)).not.toContain('Another story');
      const states = reportOf(all)?.verdicts.map(({ state }) => state) ?? [];
      expect(states.length).toBeGreaterThan(0);
      expect(states).not.toContain('dropped');
    }
  });

  it('a wrong figure that was streamed is replaced on the same surface, and the others stay as they are', async () => {
    const lying = (ports: AnswerPorts): AnswerPorts => ({
      ...ports,
      resolver: (options) => {
        const real = ports.resolver(options);
        return {
          ...real,
          card: async (block, id) => {
            const card = await real.card(block, id);
            if (card.type !== 'stat') return card;
            const figures = card.figures.map((one) => ({ ...one, figure: { ...one.figure, value: 120 } }));
            return { ...card, figures };
          },
        };
      },
    });
    const own = await start({ planner: scripted(), ports: lying });
    try {
      model.use(answer(text(GOOD)));
      const all = await ask(own, QUESTION);
      expect(verdicts(all)).toEqual([
        ['c0', 'corrected'],
        ['c1', 'verified'],
        ['c2', 'verified'],
        ['c3', 'verified'],
      ]);
      expect(reportOf(all)).toMatchObject({ ok: true, changed: 1 });
      expect(cards(all)[0]?.data).toMatchObject({
        mark: { state: 'corrected' },
        figures: [{ figure: { value: 415 } }],
      });
      const created = all.filter(({ event }) => event.event === 'a2ui' && 'createSurface' in event.data);
      expect(created).toHaveLength(1);
    } finally {
      await own.close();
    }
  });
});

describe('the answer comes from the files', () => {
  it('a question that takes three attempts for granted is told so first, by what each source says', async () => {
    const own = await start();
    try {
      const all = await ask(own, 'why did feature 28 take three attempts?');
      const first = all.find(
        ({ event }) => event.event === 'a2ui' && JSON.stringify(event.data).includes('"path":"/cards/'),
      );
      expect(first?.event).toMatchObject({ data: { updateDataModel: { path: '/cards/premise' } } });
      const [premise, story] = cards(all);
      expect([premise?.data.type, story?.data.type]).toEqual(['premise', 'attempts']);
      const values = figuresOf(readCard(premise?.data)).map(({ value }) => value);
      for (const told of [3, 4, 6, 9, 120, 140, 159, 1, 415]) expect(values).toContain(told);
      expect(doneOf(all)).toMatchObject({ ok: true, code: null });
      expect(new Set(reportOf(all)?.verdicts.map(({ state }) => state))).toEqual(new Set(['verified']));
    } finally {
      await own.close();
    }
  });

  it('a score changed in a file changes the answer', async () => {
    const copy = await demoCopy();
    const own = await start({ planner: scripted(), record: copy.folder });
    try {
      model.use(answer(text(plan([attempts('The story')]))));
      const story = async () => {
        const { tellings } = Object(cards(await ask(own, QUESTION)).find(({ id }) => id === 'c0')?.data);
        return JSON.stringify(tellings);
      };
      const before = await story();
      const path = join(copy.folder, 'metrics.json');
      const metrics = JSON.parse(await readFile(path, 'utf8'));
      const feature = metrics.features.find(({ id }: { id: number | string }) => String(id) === '28');
      feature.attempts[0].score = 2;
      await writeFile(path, JSON.stringify(metrics, null, 2));
      const after = await story();
      expect(after).not.toBe(before);
      expect(after).toContain('"value":2');
      expect(before).not.toContain('"value":2,');
    } finally {
      await own.close();
      await copy.remove();
    }
  });

  /** Changes the record's log each time the second reading has made a card, `times` times at most. */
  const meddling = (folder: string, times: number) => {
    let left = times;
    return (ports: AnswerPorts, verifying: VerifyPorts): AnswerPorts => {
      const resolver = (options: ResolverOptions): Resolver => {
        const real = verifying.resolver(options);
        return {
          ...real,
          card: async (block, id) => {
            const card = await real.card(block, id);
            if (left > 0) {
              left -= 1;
              await appendFile(join(folder, 'claude-progress.txt'), `\nedited ${left}\n`);
            }
            return card;
          },
        };
      };
      return { ...ports, verify: (input) => verify(input, { ...verifying, resolver }) };
    };
  };

  it('a record edited while it is checked is checked again', async () => {
    const copy = await demoCopy();
    const own = await start({ planner: scripted(), record: copy.folder, ports: meddling(copy.folder, 1) });
    try {
      model.use(answer(text(plan([stat('How it compares', 'took')]))));
      const all = await ask(own, QUESTION);
      expect(reportOf(all)).toMatchObject({ ok: true, code: null, passes: 2 });
      expect(verdicts(all)).toEqual([['c0', 'verified']]);
    } finally {
      await own.close();
      await copy.remove();
    }
  });

  it('a record that does not stay still gives no verdict', async () => {
    const copy = await demoCopy();
    const own = await start({ planner: scripted(), record: copy.folder, ports: meddling(copy.folder, 99) });
    try {
      model.use(answer(text(plan([stat('How it compares', 'took')]))));
      const all = await ask(own, QUESTION);
      expect(reportOf(all)).toMatchObject({ ok: false, code: 'record_moved' });
      expect(verdicts(all)).toEqual([['c0', 'unverified']]);
      expect(doneOf(all).ok).toBe(true);
    } finally {
      await own.close();
      await copy.remove();
    }
  });
});
