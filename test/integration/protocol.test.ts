import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageValidator } from '../../server/a2ui/schema.ts';
import { TestSurface } from '../../server/a2ui/test-surface.ts';
import { pageOf } from '../../server/answer/test-ports.ts';
import { openaiPlanner } from '../../server/planner/openai.ts';
import { CATALOG_ID } from '../../shared/catalog.ts';
import { LIMITS } from '../../shared/limits.ts';
import { answer, finishing, type OpenAiServer, refusal, startOpenAiServer } from '../openai-server/index.ts';
import { ask, type Numbered, type Running, readAll, start } from './harness.ts';
import { attempts, chart, cutAfterBlock, GOOD, note, plan, stat, text } from './plans.ts';

let model: OpenAiServer;
let withModel: Running;
let builtin: Running;
beforeAll(async () => {
  model = await startOpenAiServer(answer(text(GOOD)));
  withModel = await start({
    planner: openaiPlanner({ apiKey: 'sk-test', baseURL: model.baseURL, model: 'scripted' }),
  });
  builtin = await start();
});
afterAll(async () => {
  await withModel.close();
  await builtin.close();
  await model.close();
});

/** Components of the surface as the messages left them: what each holds. Written anew here, apart from the server's own check. */
class Watcher {
  readonly #children = new Map<string, string[]>();
  created = 0;

  take(message: Record<string, unknown>): void {
    if ('createSurface' in message) this.created += 1;
    const update = Object(message.updateComponents);
    for (const component of Array.isArray(update.components) ? update.components : [])
      this.#children.set(component.id, component.children ?? []);
  }

  /** What is wrong with the tree, or nothing. */
  faults(): string[] {
    if (this.#children.size === 0) return [];
    const root = this.#children.get('root');
    if (root === undefined) return ['no root'];
    const faults = root.filter((id) => !this.#children.has(id)).map((id) => `${id} dangles`);
    if (new Set(root).size !== root.length) faults.push('a child twice');
    for (const [id, children] of this.#children)
      if (id !== 'root' && children.length > 0) faults.push(`${id} holds others`);
    return faults;
  }
}

function expectSound(all: readonly Numbered[]): void {
  const validate = messageValidator();
  const watcher = new Watcher();
  const surface = new TestSurface();
  const messages = all.flatMap(({ event }) => (event.event === 'a2ui' ? [event.data] : []));
  expect(messages.length).toBeGreaterThan(2);
  for (const message of messages) {
    expect(validate(message) ? [] : validate.errors).toEqual([]);
    expect(JSON.stringify(message).length).toBeLessThanOrEqual(LIMITS.envelopeBytes);
    watcher.take(message);
    expect(watcher.faults()).toEqual([]);
    surface.process([JSON.parse(JSON.stringify(message))]);
  }
  expect(watcher.created).toBe(1);
  expect(messages[0]).toMatchObject({ version: 'v0.9', createSurface: { catalogId: CATALOG_ID } });
  expect(surface.errors).toEqual([]);
  const shown = surface.shown();
  expect(shown.map(({ spec }) => spec)).toEqual(
    pageOf(all.map(({ event }) => event)).map(({ data }) => data),
  );
  expect(shown.map(({ component }) => component)).not.toContain('CardSkeleton');
}

describe('every message passes the official schema and the topology check, and replays into the real processor', () => {
  it.each([
    'how did the run go?',
    'why did feature 28 take three attempts?',
    'which features were the slowest?',
    'lines added by category as shares',
    'build time over the run',
    'which features were skipped?',
    'compare feature 28 with feature 1',
    'do the sources agree?',
    'what is the meaning of life?',
  ])('of the built-in planner: %s', async (question) => {
    expectSound(await ask(builtin, question));
  });

  it('of the starting view', async () => {
    expectSound(await readAll(await builtin.fetch('/api/start')));
  });

  it('of a model', async () => {
    model.use(answer(text(GOOD), { size: 4 }));
    expectSound(await ask(withModel, 'how long did the loading skeletons take?'));
  });

  it('of a model that refuses, and of one that is cut short', async () => {
    model.use(refusal('no'));
    expectSound(await ask(withModel, 'how long did it take?'));
    const [head] = cutAfterBlock(GOOD, 2);
    model.use(finishing(`${head},{"type":"note","title":"Half a`, 'length'));
    expectSound(await ask(withModel, 'how long did it take?'));
  });

  it('of a model that writes more, deeper and stranger than it may', async () => {
    const strange = plan([
      stat('No such fact', 'nowhere'),
      { type: 'donut', title: 'No such kind' },
      {
        ...chart('Nothing to draw'),
        where: [{ type: 'in', dim: 'status', not: false, any_of: ['pending'] }],
      },
      { ...chart('Not additive'), draw: 'donut', measures: [{ measure: 'mean_score', source: 'counted' }] },
      attempts('No such feature', '999'),
      note('', ''),
      note('Seventh', 'One more.'),
    ]);
    model.use(answer(text(strange)));
    const all = await ask(withModel, 'how long did it take?');
    expectSound(all);
    expect(pageOf(all.map(({ event }) => event)).map(({ id }) => id)).toEqual([
      'c0',
      'c1',
      'c2',
      'c3',
      'c4',
      'c5',
      'end',
    ]);
  });
});
