// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createCatalog } from '../a2ui/catalog.ts';
import { defineCard } from '../a2ui/define-card.tsx';
import { createMemory } from '../app/memory.ts';
import { createServerDouble, type ServerDouble, writeOneCard } from '../app/server-double.ts';
import { createSession, type Session } from '../app/session.ts';
import { currentAnswer } from '../app/state.ts';

const catalog = createCatalog([defineCard({ name: 'NoteCard', read: () => null, View: () => null })]);
const settle = () => vi.advanceTimersByTimeAsync(100);
const project = (id: string) => ({
  id,
  name: id.toUpperCase(),
  path: `data/${id}`,
  harnesses: ['AgentForge'],
  state: 'ready',
  features: 3,
  findings: 0,
});
const health = (id: string) => ({
  ok: true,
  planner: { kind: 'builtin', model: null },
  record: { project: id.toUpperCase(), run: 'run 1', features: 3, sources: [], suggestions: [] },
});

let server: ServerDouble;
let history: string[];
let moved: () => void;
let session: Session;

beforeEach(() => {
  vi.useFakeTimers();
  server = createServerDouble();
  server.json.set('/api/projects', { projects: ['one', 'two'].map(project) });
  server.json.set('/api/health', health('one'));
  server.json.set('/api/health?project=two', health('two'));
  vi.stubGlobal('fetch', server.fetch);
  history = ['/'];
  session = createSession({
    catalog,
    address: {
      path: () => history.at(-1) ?? '/',
      push: (path) => {
        if (path !== history.at(-1)) history.push(path);
      },
      onChange: (listener) => {
        moved = listener;
        return () => undefined;
      },
    },
    memory: createMemory(null),
    visibility: { visible: () => true, onChange: () => undefined },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const now = () => currentAnswer(session.state());
async function answer(match: string, nth: number, id: string, question: string | null, about: string[]) {
  const call = server.call(match, nth);
  writeOneCard(call, id, question, 'One', about.map(project));
  call.write('done', {});
  call.end();
  await settle();
  return call;
}
async function begin(path = '/'): Promise<void> {
  history = [path];
  session.start();
  await settle();
}

it('keeps the project in the address, with its own starting view and facts', async () => {
  await begin();
  await answer('/api/start', 0, 's1', null, ['one']);
  expect(session.state()).toMatchObject({ project: null, health: { record: { project: 'ONE' } } });
  session.choose('two');
  await settle();
  expect(history).toEqual(['/', '/p/two']);
  await answer('/api/start?project=two', 0, 's2', null, ['two']);
  expect(session.state()).toMatchObject({ project: 'two', health: { record: { project: 'TWO' } } });
  expect(now()?.id).toBe('s2');

  // Back and forth again without asking for anything anew.
  const before = server.calls.length;
  session.choose('one');
  await settle();
  expect(now()?.id).toBe('s1');
  history.push('/p/two');
  moved();
  await settle();
  expect(now()?.id).toBe('s2');
  expect(server.calls.length).toBe(before);
});

it('opens where the address says after a reload, the default one under its name too', async () => {
  await begin('/p/two');
  await answer('/api/start?project=two', 0, 's2', null, ['two']);
  expect(session.state().project).toBe('two');
  session.choose('one');
  await settle();
  expect(history.at(-1)).toBe('/');
  expect(session.state().project).toBeNull();
});

it('asks in the project on the page, and has a conversation for each', async () => {
  await begin('/p/two');
  await answer('/api/start?project=two', 0, 's2', null, ['two']);
  session.ask('why?');
  await settle();
  const first = await answer('/api/ask', 0, 'A1', 'why?', ['two']);
  expect(first.body).toMatchObject({ question: 'why?', project: 'two' });
  expect(history.at(-1)).toBe('/p/two/a/A1');
  session.choose('one');
  await settle();
  await answer('/api/start', 1, 's1', null, ['one']);
  expect(session.state().earlier).toEqual([]);
  session.ask('why?');
  await settle();
  const second = await answer('/api/ask', 1, 'A2', 'why?', ['one']);
  expect(JSON.stringify(second.body)).not.toContain('project');
  const talk = (body: unknown): string | undefined =>
    /"conversation":"(\w+)"/.exec(JSON.stringify(body))?.[1];
  expect(talk(first.body)).toMatch(/^\w{24}$/);
  expect(talk(second.body)).not.toBe(talk(first.body));
});

it('goes with an answer to the project its question names; a comparison stays where it was asked', async () => {
  await begin();
  await answer('/api/start', 0, 's1', null, ['one']);
  session.ask('what failed in two?');
  await settle();
  await answer('/api/ask', 0, 'A1', 'what failed in two?', ['two']);
  expect(session.state().project).toBe('two');
  expect(history.at(-1)).toBe('/p/two/a/A1');
  expect(now()?.project).toBe('two');
  session.ask('compare the projects');
  await settle();
  await answer('/api/ask', 1, 'A2', 'compare the projects', ['one', 'two']);
  expect(session.state().project).toBe('two');
  expect(now()?.projects.map(({ id }) => id)).toEqual(['one', 'two']);
});

it('an answer opened without a project in its address brings its own', async () => {
  await begin('/a/A9');
  await answer('/api/answers/A9/events', 0, 'A9', 'why?', ['two']);
  expect(session.state().project).toBe('two');
  expect(history).toEqual(['/a/A9']);
});

it('of a project that is not loaded the rest of the page still works', async () => {
  server.gone.add('/api/health?project=gone');
  await begin('/p/gone');
  await answer('/api/start?project=gone', 0, 's0', null, []);
  expect(session.state()).toMatchObject({
    project: 'gone',
    offline: false,
    health: { ok: true, record: null },
  });
});
