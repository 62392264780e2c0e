import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NamedPlanner } from '../../server/answer/types.ts';
import type { SavedAnswer, Trace } from '../../shared/wire.ts';
import { answerIdOf, ask, type Running, start } from './harness.ts';

const QUESTION = 'why did feature 28 take three attempts?';
const SECRET = 'sk-a-very-secret-key-of-this-test';

const traceOf = async (app: Running, id: string): Promise<Trace> =>
  (await app.fetch(`/api/answers/${id}/trace`)).json();
const fileOf = async (app: Running, id: string): Promise<SavedAnswer> =>
  (await app.fetch(`/api/answers/${id}/file`)).json();

let app: Running;
beforeAll(async () => {
  app = await start();
});
afterAll(() => app.close());

describe('the way of a real answer', () => {
  it('has the plan, every card, every frame and every verdict', async () => {
    const all = await ask(app, QUESTION);
    const id = answerIdOf(all);
    const trace = await traceOf(app, id);
    expect(trace).toMatchObject({
      answerId: id,
      question: QUESTION,
      ended: true,
      planner: { kind: 'builtin' },
    });
    const plan: { blocks: unknown[] } = JSON.parse(trace.plan.text);
    expect(plan.blocks.length).toBeGreaterThan(0);
    expect(trace.plan.pieces.reduce((sum, { chars }) => sum + chars, 0)).toBe(trace.plan.text.length);
    expect(trace.premises).toMatchObject([{ verdict: 'disputed' }]);
    expect(trace.evidence.length).toBeGreaterThan(0);
    expect(trace.cards.map(({ card }) => card)).toEqual(expect.arrayContaining(['premise', 'c0', 'c1']));
    for (const card of trace.cards) expect(card.readyMs).not.toBeNull();
    expect(trace.steps.map(({ step }) => step)).toEqual(['premise', 'plan', 'cards', 'verify']);
    expect(trace.frames.map(({ id: n }) => n)).toEqual(all.map(({ id: n }) => n));
    expect(trace.frames.map(({ event }) => event)).toEqual(all.map(({ event }) => event.event));
    for (const [index, { ms }] of trace.frames.entries())
      expect(ms).toBeGreaterThanOrEqual(trace.frames[index - 1]?.ms ?? 0);
    expect(trace.verdicts.every(({ state }) => state === 'verified')).toBe(true);
    expect(trace.verdicts.length).toBe(trace.cards.length);
  });

  it('as a file has every event as it was sent', async () => {
    const all = await ask(app, QUESTION);
    const saved = await fileOf(app, answerIdOf(all));
    expect(saved).toMatchObject({ format: 'looplight-answer', version: 1 });
    expect(saved.frames.map(({ id, event, data }) => ({ id, event: { event, data } }))).toEqual(all);
  });

  it('is not there for an answer that never was', async () => {
    for (const path of ['trace', 'file']) {
      expect((await app.fetch(`/api/answers/nothing/${path}`)).status).toBe(404);
      expect((await app.fetch(`/api/answers/..%2f..%2fx/${path}`)).status).toBe(404);
    }
  });

  it('tells what was refused and why, and no configured secret', async () => {
    const planner: NamedPlanner = {
      kind: 'model',
      name: 'a model',
      model: 'm',
      plan: async function* () {
        yield '{"about":{"feature":null,"scope":[]},"facts":[],"premises":[],"checks":[],"explanation":[],"blocks":[';
        yield `{"type":"hologram","title":"${SECRET}"},`;
        yield `{"type":"note","title":"Said","body":[{"says":"It is ${SECRET}."}],"actions":[]}`;
        yield '],"followUps":[]}';
      },
    };
    const own = await start({ planner, secrets: [SECRET] });
    try {
      const id = answerIdOf(await ask(own, 'what is the key?'));
      const trace = await traceOf(own, id);
      const refused = trace.cards.find(({ card }) => card === 'c0');
      expect(refused).toMatchObject({ code: 'block_unknown' });
      expect(refused?.issues.length).toBeGreaterThan(0);
      expect(trace.scan.map(({ kind }) => kind)).toContain('block');
      expect(JSON.stringify(trace)).not.toContain('very-secret');
      expect(JSON.stringify(await fileOf(own, id))).not.toContain('very-secret');
    } finally {
      await own.close();
    }
  });
});
