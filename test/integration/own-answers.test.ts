import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pageOf } from '../../server/answer/test-ports.ts';
import { readEntry } from '../../server/archive/entry.ts';
import { openaiPlanner } from '../../server/planner/openai.ts';
import { answer, type OpenAiServer, startOpenAiServer } from '../openai-server/index.ts';
import { answerIdOf, ask, doneOf, type Numbered, type Running, readAll, reportOf, start } from './harness.ts';
import { GOOD, text } from './plans.ts';

vi.setConfig({ testTimeout: 60_000 });

let state: string;
let model: OpenAiServer;
let app: Running;

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'looplight-state-'));
  model = await startOpenAiServer(answer(text(GOOD)));
  app = await start({
    state,
    planner: openaiPlanner({ apiKey: 'sk-test', baseURL: model.baseURL, model: 'scripted' }),
  });
});
afterEach(async () => {
  await app.close();
  await model.close();
  await rm(state, { recursive: true, force: true });
});

const FIRST = 'how long did the loading skeletons take to build?';

/** What the files of the kept answers say they took, the newest last. */
async function meters(n: number) {
  return vi.waitFor(async () => {
    const entries = await files();
    expect(entries).toHaveLength(n);
    return entries;
  });
}
async function files() {
  const folder = join(state, 'answers');
  const entries = await Promise.all(
    (await readdir(folder))
      .filter((name) => name.endsWith('.json'))
      .map(async (name) => readEntry(await readFile(join(folder, name), 'utf8'))),
  );
  return entries.sort((a, b) => a.askedAt - b.askedAt);
}

interface Shown {
  label: string;
  figure: { value: number | null; unit: string; evidence: string | null; basis: string };
}
/** Figures of the stat cards of an answer, by their labels. */
function figuresOf(all: readonly Numbered[]): Map<string, Shown['figure']> {
  const stats = pageOf(all.map(({ event }) => event)).filter(({ data }) => data.type === 'stat');
  const figures: Shown[] = JSON.parse(JSON.stringify(stats.flatMap(({ data }) => data.figures)));
  return new Map(figures.map(({ label, figure }) => [label, figure]));
}

it('answers about answers come from the files they were kept in, and open to them', async () => {
  for (const more of [FIRST, `${FIRST} really`, `${FIRST} truly`]) await ask(app, more);
  const kept = await meters(3);
  expect(kept.map(({ meter }) => [meter.tokensIn, meter.tokensOut, meter.reused])).toEqual([
    [900, 240, false],
    [900, 240, false],
    [900, 240, false],
  ]);
  const firsts = kept.map(({ meter }) => meter.firstCardMs ?? Number.NaN).sort((a, b) => a - b);

  const all = await ask(app, 'How long did my answers take to the first card?');
  expect(doneOf(all)).toMatchObject({ ok: true, code: null });
  expect(reportOf(all)).toMatchObject({ ok: true });
  // No model is asked about this.
  expect(model.requests).toHaveLength(3);
  const figures = figuresOf(all);
  expect(figures.get('To the first card')).toMatchObject({ unit: 's', basis: 'measured' });
  expect(figures.get('To the first card')?.value).toBeCloseTo((firsts[1] ?? 0) / 1_000, 6);
  expect(figures.get('Longest to the first card')?.value).toBeCloseTo((firsts[2] ?? 0) / 1_000, 6);

  const query = figures.get('To the first card')?.evidence ?? '';
  const evidence: {
    rows: { value: number; source: string; line: number }[];
    raw: { lines: { text: string; cited: boolean }[] }[];
    project?: { id: string };
  } = JSON.parse(await (await app.fetch(`/api/evidence/${query}`)).text());
  expect(evidence.rows.map(({ value }) => Math.round(value * 1_000)).sort((a, b) => a - b)).toEqual(
    firsts.map(Math.round),
  );
  expect(evidence.rows.every(({ source, line }) => /^[\w-]{16}\.json$/.test(source) && line === 12)).toBe(
    true,
  );
  const cited = evidence.raw.flatMap(({ lines }) => lines.filter((line) => line.cited));
  expect(cited.length).toBeGreaterThan(0);
  expect(cited.every((line) => line.text.startsWith('"meter": {'))).toBe(true);
});

it('they count cards, tokens and kept plans, and never mix with a run', async () => {
  const first = await ask(app, FIRST);
  await ask(app, FIRST);
  const [one, two] = await meters(2);
  expect(one?.meter).toMatchObject({ reused: false, dropped: 0 });
  expect(two?.meter).toMatchObject({ reused: true, tokensIn: null });

  const cards = figuresOf(await ask(app, 'how many cards were dropped?'));
  expect(cards.get('Cards')?.value).toBe((one?.cards ?? 0) + (two?.cards ?? 0));
  expect(cards.get('Dropped')?.value).toBe(0);
  const tokens = figuresOf(await ask(app, 'how many tokens did my answers take?'));
  expect(tokens.get('Tokens')).toMatchObject({ value: 1_140, unit: 'tokens' });

  // The record of the run is the same as before all of these.
  const again = await ask(app, FIRST);
  expect(reportOf(again)?.record).toBe(reportOf(first)?.record);
  const rows = await app.projects[0].record.store.query('SELECT count(*) AS n FROM own_answers');
  expect(rows.rows).toEqual([{ n: 0 }]);
});

it('a dropped card counts as one', async () => {
  const plan: { blocks: unknown[] } = JSON.parse(text(GOOD));
  const bad = { type: 'chart', title: 'Nothing', measures: [{ measure: 'no_such', source: 'counted' }] };
  model.use(answer(JSON.stringify({ ...plan, blocks: [...plan.blocks.slice(0, 2), bad] })));
  await ask(app, FIRST);
  expect((await meters(1))[0]?.meter.dropped).toBe(1);
  expect(figuresOf(await ask(app, 'how many cards were dropped?')).get('Dropped')?.value).toBe(1);
});

it('without an answer there is nothing to tell, and it says so; later it opens again by its address', async () => {
  const none = await ask(app, 'how many cards were dropped?');
  expect(doneOf(none).code).toBe('record_empty');
  const some = await ask(app, 'how many of my answers failed?');
  expect(doneOf(some).code).toBeNull();
  expect(figuresOf(some).get('Did not end well')?.value).toBe(1);
  const opened = await readAll(await app.fetch(`/api/answers/${answerIdOf(some)}/events`));
  expect(doneOf(opened)).toMatchObject({ ok: true });
});
