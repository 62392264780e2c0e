import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CardData, Figure } from '../../shared/cards.ts';
import type { Evidence, Health, Projects, StreamEvent } from '../../shared/wire.ts';
import {
  answerIdOf,
  ask,
  DEMO,
  doneOf,
  type Numbered,
  type Running,
  readAll,
  reportOf,
  start,
} from './harness.ts';

// Whole answers about three projects, one after the other.
vi.setConfig({ testTimeout: 90_000 });

/** Three projects: the demo, and two folders of one name in which feature 28 took other times. */
let folder: string;
let left: string;
let right: string;
let state: string;
let app: Running;

const LINE = '1 attempts, 415s)';
async function copyWith(path: string, seconds: number): Promise<void> {
  await mkdir(path, { recursive: true });
  await cp(DEMO, path, { recursive: true });
  const log = join(path, 'claude-progress.txt');
  const text = await readFile(log, 'utf8');
  expect(text).toContain(LINE);
  await writeFile(log, text.replace(LINE, `1 attempts, ${seconds}s)`));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'looplight-projects-'));
  state = join(folder, 'state');
  left = join(folder, 'left', 'shop');
  right = join(folder, 'right', 'shop');
  await copyWith(left, 601);
  await copyWith(right, 702);
  app = await start({ records: [DEMO, left, right, `${left}/`], state });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const openOf = (all: readonly Numbered[]): Extract<StreamEvent, { event: 'open' }>['data'] => {
  const first = all[0]?.event;
  if (first?.event !== 'open') throw new Error('the answer did not begin with open');
  return first.data;
};
const projectsOf = (all: readonly Numbered[]): string[] => (openOf(all).projects ?? []).map(({ id }) => id);

/** Cards as they were last sent, by id. What the server writes is trusted to have its shape here. */
function cardsOf(all: readonly Numbered[]): CardData[] {
  const cards = new Map<string, CardData>();
  for (const { event } of all) {
    if (event.event !== 'a2ui') continue;
    const update: { path?: string; value?: CardData } | undefined = JSON.parse(
      JSON.stringify(event.data),
    ).updateDataModel;
    if (update?.path?.startsWith('/cards/') && update.value) cards.set(update.path, update.value);
  }
  return [...cards.values()];
}
const cardOf = <T extends CardData['type']>(
  all: readonly Numbered[],
  type: T,
): Extract<CardData, { type: T }> => {
  const found = cardsOf(all).find((card): card is Extract<CardData, { type: T }> => card.type === type);
  if (found === undefined) throw new Error(`no card of type ${type}`);
  return found;
};
const json = async <T>(path: string): Promise<T> => (await app.fetch(path)).json();

describe('several projects', () => {
  it('are listed, the first one first, the same folder once, two of one name told apart', async () => {
    const { projects } = await json<Projects>('/api/projects');
    expect(projects.map(({ id }) => id)).toEqual(['agentforge', 'shop', 'shop-2']);
    expect(new Set(projects.map(({ name }) => name)).size).toBe(3);
    expect(projects.map(({ path }) => path)).toEqual(['data/agentforge', 'left/shop', 'right/shop']);
    expect(projects.map(({ state: its, features }) => [its, features])).toEqual([
      ['ready', 30],
      ['ready', 30],
      ['ready', 30],
    ]);
    expect(projects.flatMap(({ harnesses }) => harnesses)).toEqual([
      'AgentForge',
      'AgentForge',
      'AgentForge',
    ]);
    expect(JSON.stringify(projects)).not.toContain(folder);
  });

  it('are asked one at a time; the words of a question can name another one', async () => {
    expect(projectsOf(await ask(app, 'how did the run go?'))).toEqual(['agentforge']);
    expect(projectsOf(await ask(app, 'how did the run go?', { project: 'shop-2' }))).toEqual(['shop-2']);
    const named = await ask(app, 'why did feature 28 of the project shop-2 take three attempts?');
    expect(projectsOf(named)).toEqual(['shop-2']);
    expect(doneOf(named).ok).toBe(true);
    expect(cardsOf(named).some(({ type }) => type === 'attempts')).toBe(true);
  });

  it('that are not loaded are said to be so', async () => {
    const all = await ask(app, 'how did the run go?', { project: 'gone' });
    expect(projectsOf(all)).toEqual([]);
    expect(doneOf(all)).toMatchObject({ ok: false, code: 'project_gone', cards: 1 });
    expect(doneOf(await readAll(await app.fetch('/api/start?project=gone'))).code).toBe('project_gone');
    expect((await app.fetch('/api/health?project=gone')).status).toBe(404);
    for (const bad of ['../shop', 'Shop', 'a'.repeat(61)]) {
      expect((await app.post('/api/ask', { question: 'x', project: bad })).status).toBe(400);
      expect((await app.fetch(`/api/start?project=${encodeURIComponent(bad)}`)).status).toBe(400);
    }
  });

  it('have their own starting view and health', async () => {
    expect(projectsOf(await readAll(await app.fetch('/api/start?project=shop')))).toEqual(['shop']);
    expect(projectsOf(await readAll(await app.fetch('/api/start')))).toEqual(['agentforge']);
    const health = await json<Health>('/api/health?project=shop-2');
    expect(health.project?.id).toBe('shop-2');
    expect(health.record?.features).toBe(30);
    expect((await json<Health>('/api/health')).project?.id).toBe('agentforge');
  });

  it('open their own lines, though their sources have the same ids', async () => {
    const question = 'how long did feature 28 take?';
    const seen: { seconds: number; line: string }[] = [];
    for (const project of ['shop', 'shop-2']) {
      const all = await ask(app, question, { project });
      const figures = cardsOf(all).flatMap((card) =>
        card.type === 'stat' ? card.figures.map(({ figure }) => figure) : [],
      );
      const figure = figures.find(({ unit }) => unit === 's');
      const evidence = await json<Evidence>(`/api/evidence/${figure?.evidence}`);
      expect(evidence.project?.id).toBe(project);
      expect(evidence.figure?.value).toBe(figure?.value);
      const row = evidence.rows.find(({ counted }) => counted);
      const cited = evidence.raw.find(({ sourceId }) => sourceId === row?.sourceId);
      const line = cited?.lines.find((entry) => entry.line === row?.line)?.text ?? '';
      seen.push({ seconds: figure?.value ?? 0, line });
      const raw = await json<{ lines: { line: number; text: string }[] }>(
        `/api/raw/${row?.sourceId}/${row?.line}?project=${project}`,
      );
      expect(raw.lines.find((entry) => entry.line === row?.line)?.text).toBe(line);
    }
    expect(seen.map(({ seconds }) => seconds)).toEqual([601, 702]);
    expect(seen[0]?.line).toContain('601s');
    expect(seen[1]?.line).toContain('702s');
    expect((await app.fetch('/api/raw/progress_log/1?project=gone')).status).toBe(404);
  });

  it('have their own turns of a conversation', async () => {
    await ask(app, 'how long did feature 3 take?', { project: 'shop', conversation: 'one' });
    const there = await ask(app, 'and how many attempts?', { project: 'shop', conversation: 'one' });
    const elsewhere = await ask(app, 'and how many attempts?', { project: 'shop-2', conversation: 'one' });
    const words = (all: readonly Numbered[]): string => JSON.stringify(cardsOf(all));
    expect(words(there)).toContain('feature 3');
    expect(words(elsewhere)).not.toContain('feature 3');
  });
});

describe('a comparison', () => {
  it('has one row a project, each computed and cited in its own record', async () => {
    const all = await ask(app, 'compare the projects');
    expect(projectsOf(all)).toEqual(['agentforge', 'shop', 'shop-2']);
    expect(doneOf(all)).toMatchObject({ ok: true, code: null });
    const report = reportOf(all);
    expect(report?.verdicts.flatMap(({ reasons }) => reasons)).toEqual([]);
    expect(report).toMatchObject({ ok: true, changed: 0, sources: 12 });
    const table = cardOf(all, 'table');
    expect(table.rows).toHaveLength(3);
    const column = table.columns.findIndex(({ id }) => id === 'attempts');
    const figures = table.rows.map((row): Figure | null => {
      const cell = row[column];
      return cell?.kind === 'figure' ? cell.figure : null;
    });
    for (const [at, project] of ['agentforge', 'shop', 'shop-2'].entries()) {
      const evidence = await json<Evidence>(`/api/evidence/${figures[at]?.evidence}`);
      expect(evidence.project?.id).toBe(project);
      expect(evidence.figure?.value).toBe(figures[at]?.value);
      expect(evidence.rows.length).toBeGreaterThan(0);
      // What one project answers about itself alone is what the comparison says of it.
      const alone = await ask(app, 'how many attempts in total?', { project });
      expect(JSON.stringify(cardsOf(alone))).toContain(`"value":${figures[at]?.value},"unit":"attempts"`);
    }
  });

  it('of two that are named leaves the third out', async () => {
    expect(projectsOf(await ask(app, 'compare project shop with project shop-2'))).toEqual([
      'shop',
      'shop-2',
    ]);
    const against = await ask(app, 'was this slower than the project shop-2?');
    expect(projectsOf(against)).toEqual(['agentforge', 'shop-2']);
  });

  it('says which has the most, and by how much', async () => {
    const all = await ask(app, 'which project has the longest median build time?');
    const chat = all.flatMap(({ event }) => (event.event === 'chat' ? event.data.paragraphs : []));
    expect(JSON.stringify(chat)).toContain('has the longest median build time');
    const chart = cardOf(all, 'chart');
    expect(chart.points).toHaveLength(3);
    expect(chart.points.map(({ key }) => key).toSorted()).toEqual(['agentforge', 'shop', 'shop-2']);
  });

  it('follows a record that changes between streaming and checking', async () => {
    const before = reportOf(await ask(app, 'compare the projects', { anew: true }))?.record;
    const log = join(right, 'claude-progress.txt');
    const text = await readFile(log, 'utf8');
    await writeFile(log, text.replace('702s)', '703s)'));
    const after = reportOf(await ask(app, 'compare the projects', { anew: true }));
    expect(after?.verdicts.flatMap(({ reasons }) => reasons)).toEqual([]);
    expect(after?.ok).toBe(true);
    expect(after?.record).not.toBe(before);
    await writeFile(log, text);
  });
});

describe('kept answers', () => {
  it('reopen in their own project, and say so when it is not loaded', async () => {
    const one = answerIdOf(await ask(app, 'which features were the slowest?', { project: 'shop-2' }));
    const both = answerIdOf(await ask(app, 'compare project shop with project shop-2'));
    await app.close();
    app = await start({ records: [left, right], state });
    const again = await readAll(await app.fetch(`/api/answers/${one}/events`));
    // The same folder, under whatever id it has now.
    expect(projectsOf(again)).toEqual(['shop-2']);
    expect(doneOf(again).ok).toBe(true);
    const compared = await readAll(await app.fetch(`/api/answers/${both}/events`));
    expect(projectsOf(compared)).toEqual(['shop', 'shop-2']);
    expect(cardOf(compared, 'table').rows).toHaveLength(2);

    await app.close();
    app = await start({ records: [left], state });
    for (const id of [one, both]) {
      const gone = await readAll(await app.fetch(`/api/answers/${id}/events`));
      expect(doneOf(gone)).toMatchObject({ ok: false, code: 'record_gone' });
      expect(projectsOf(gone)).toEqual([]);
    }
    const list = await json<{ answers: { id: string; projects?: { id: string }[] }[] }>('/api/answers');
    expect(list.answers.find(({ id }) => id === one)?.projects).toEqual([]);
    expect(list.answers.some(({ projects = [] }) => projects[0]?.id === 'shop')).toBe(true);
  });
});
