// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { titleOf } from '../a2ui/card-meta.ts';
import { createCatalog } from '../a2ui/catalog.ts';
import { defineCard } from '../a2ui/define-card.tsx';
import { createBoardDesk } from '../boards/desk.ts';
import { App } from './App.tsx';
import { createMemory } from './memory.ts';
import { browserAddress } from './route.ts';
import { createServerDouble, type ServerDouble, writeOneCard } from './server-double.ts';
import { createSession } from './session.ts';

const catalog = createCatalog([
  defineCard({
    name: 'NoteCard',
    read: titleOf,
    View: ({ model, card }) => (
      <section>
        <h2>{model}</h2>
        <button type="button" disabled={card.busy} onClick={() => card.ask('Go on', 'go on, why?')}>
          go on from {model}
        </button>
        <button type="button" onClick={() => card.openFigure('q1', 'build time')}>
          415 s
        </button>
      </section>
    ),
  }),
]);

const evidence = {
  id: 'q1',
  title: 'build time of feature 28',
  words: 'Every source that gives one is read.',
  sql: 'SELECT 1',
  params: ['28'],
  ms: 0.6,
  figure: { value: 415, unit: 's', basis: 'measured' },
  rows: [
    {
      label: '28',
      value: 415,
      unit: 's',
      basis: 'measured',
      source: 'log',
      line: 71,
      counted: true,
      how: 'as written',
    },
  ],
  total: 1,
  raw: [
    {
      source: 'log',
      sourceId: 's1',
      basis: 'measured',
      lines: [{ line: 71, text: '<b>415s</b>', cited: true }],
    },
  ],
};

let server: ServerDouble;
let end: () => void;
const settle = () => act(() => vi.advanceTimersByTimeAsync(200));

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('min-width'),
    addEventListener() {},
    removeEventListener() {},
  }));
  vi.stubGlobal('scrollTo', () => undefined);
  Element.prototype.scrollTo = () => undefined;
  HTMLDialogElement.prototype.show = function show() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
  server = createServerDouble();
  vi.stubGlobal('fetch', server.fetch);
  window.history.replaceState(null, '', '/');
  const session = createSession({
    catalog,
    address: browserAddress(window),
    memory: createMemory(null),
    visibility: { visible: () => true, onChange: () => undefined },
  });
  const boards = createBoardDesk({
    onRedraw: session.redrawBoard,
    onRemoved: () => session.open(null),
    onRestored: session.openBoard,
  });
  end = session.start();
  render(<App session={session} boards={boards} />);
  await settle();
  writeOneCard(server.call('/api/start'), 'S', null, 'State of the run');
  server.call('/api/start').write('done', {});
  await settle();
});
afterEach(() => {
  cleanup();
  end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const box = () => screen.getByLabelText('Ask about this run');
const heading = () => screen.getByRole('heading', { level: 1 });

async function ask(question: string, nth = 0) {
  fireEvent.change(box(), { target: { value: question } });
  fireEvent.keyDown(box(), { key: 'Enter' });
  await settle();
  return server.call('/api/ask', nth);
}

describe('the page', () => {
  it('goes from the starting view to an answer and back', async () => {
    expect(heading().textContent).toBe('All is well');
    expect(screen.getByText('State of the run')).toBeTruthy();
    const call = await ask('why?');
    expect(heading().textContent).toContain('why?');
    // The old cards stay until the first new one is ready; what they ask waits.
    expect(screen.getByText('State of the run')).toBeTruthy();
    expect(screen.getByText('go on from State of the run').hasAttribute('disabled')).toBe(true);
    writeOneCard(call, 'A1', 'why?', 'How it compares');
    await settle();
    expect(screen.getByText('How it compares')).toBeTruthy();
    expect(screen.queryByText('State of the run')).toBeNull();
    expect(location.pathname).toBe('/a/A1');
    expect(screen.getByRole('status').textContent).toBe('How it compares: ready.');
    call.write('report', {
      ok: true,
      cards: 1,
      figures: 2,
      rows: 30,
      sources: 1,
      record: 'abc123',
      ms: 3,
      passes: 1,
      changed: 0,
      verdicts: [],
    });
    call.write('suggestions', { items: ['and then?'] });
    call.write('done', {});
    await settle();
    expect(screen.getByText('2 figures verified against 1 source', { exact: false })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: /^Close this answer/ }));
    await settle();
    expect(location.pathname).toBe('/');
    expect(screen.getByText('State of the run')).toBeTruthy();
  });

  it('asks what a chip or a button says', async () => {
    const call = await ask('why?');
    writeOneCard(call, 'A1', 'why?');
    call.write('suggestions', { items: ['and then?'] });
    call.write('done', {});
    await settle();
    fireEvent.click(screen.getByRole('button', { name: 'go on from One' }));
    await settle();
    expect(server.call('/api/action').body).toMatchObject({
      action: { context: { request: 'go on, why?' } },
    });
    expect(heading().textContent).toContain('go on, why?');
    expect(screen.getByText('with the button “Go on”')).toBeTruthy();
    fireEvent.click(screen.getAllByRole('link', { name: 'Open that answer' }).at(-1) ?? heading());
    await settle();
    fireEvent.click(screen.getByRole('button', { name: 'and then?' }));
    await settle();
    expect(server.call('/api/ask', 1).body).toMatchObject({ question: 'and then?' });
  });

  it('stops with Esc, and says what was read', async () => {
    const call = await ask('why?');
    writeOneCard(call, 'A1', 'why?');
    await settle();
    fireEvent.keyDown(document.body, { key: 'Escape' });
    await settle();
    expect(server.call('/api/answers/A1/stop')).toBeTruthy();
    call.write('done', { ok: false, code: 'stopped' });
    await settle();
    expect(screen.getByText('Stopped after 1 card. What is here was read but not checked.')).toBeTruthy();
  });

  it('keeps the cards of an answer that broke off and offers to resume', async () => {
    const call = await ask('why?');
    writeOneCard(call, 'A1', 'why?', 'Kept');
    await settle();
    call.end();
    await settle();
    await settle();
    server.call('/api/answers/A1/events').end();
    await settle();
    expect(screen.getByText('Kept')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Resume' }));
    await settle();
    server.call('/api/answers/A1/events', 1).write('done', {});
    await settle();
    expect(screen.getByText('Kept')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull();
  });

  it('brings the ask box and earlier questions to the keyboard', async () => {
    const call = await ask('first?');
    writeOneCard(call, 'A1', 'first?');
    call.write('done', {});
    await settle();
    act(() => heading().focus());
    fireEvent.keyDown(heading(), { key: '/' });
    expect(document.activeElement).toBe(box());
    fireEvent.keyDown(box(), { key: 'ArrowUp' });
    expect(box()).toHaveProperty('value', 'first?');
    fireEvent.keyDown(box(), { key: 'ArrowDown' });
    expect(box()).toHaveProperty('value', '');
  });
});

describe('a replay', () => {
  it('is marked as one, while it plays and afterwards', async () => {
    const call = await ask('why?');
    call.write('open', {
      answerId: 'A1',
      surfaceId: 's-A1',
      question: 'why?',
      planner: 'builtin',
      title: null,
      replay: '2026-01-02T03:04:05.000Z',
    });
    await settle();
    expect(screen.getByText('Replay')).toBeTruthy();
    expect(document.title).toBe('Replay: why? · Looplight');
    call.write('done', {});
    await settle();
    expect(screen.getByText(/^A saved answer, played from a file\. Made /)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: /^Close this answer/ }));
    await settle();
    expect(screen.queryByText('Replay')).toBeNull();
  });
});

describe('how an answer was made', () => {
  it('opens by its button and by the keyboard, closes with Esc, and gives the focus back', async () => {
    const button = screen.getByRole('button', { name: 'How this answer was made' });
    act(() => button.focus());
    fireEvent.click(button);
    await act(() => vi.dynamicImportSettled());
    await settle();
    expect(screen.getByRole('dialog', { name: 'How this answer was made' })).toBeTruthy();
    fireEvent.keyDown(document.body, { key: 'Escape' });
    await settle();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(button);
    fireEvent.keyDown(document.body, { key: 'i', ctrlKey: true });
    await settle();
    expect(screen.getByRole('dialog', { name: 'How this answer was made' })).toBeTruthy();
    fireEvent.keyDown(document.body, { key: 'i', metaKey: true });
    await settle();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('the drawer', () => {
  it('opens on a figure, shows what is behind it, and gives the focus back', async () => {
    server.json.set('/api/evidence/q1', evidence);
    server.json.set('/api/evidence/q2', { ...evidence, id: 'q2', title: 'another' });
    const figure = screen.getByRole('button', { name: '415 s' });
    act(() => figure.focus());
    fireEvent.click(figure);
    await settle();
    const drawer = within(screen.getByRole('dialog'));
    expect(drawer.getByText('Every source that gives one is read.')).toBeTruthy();
    expect(drawer.getByText('SELECT')).toBeTruthy();
    expect(drawer.getByText("'28'")).toBeTruthy();
    // Raw lines are text, whatever they hold.
    expect(drawer.getByText('<b>415s</b>', { exact: false })).toBeTruthy();
    expect(figure.hasAttribute('data-open')).toBe(true);
    fireEvent.click(drawer.getByRole('button', { name: 'Next figure' }));
    await settle();
    expect(drawer.getByText('another')).toBeTruthy();
    fireEvent.keyDown(document.body, { key: 'Escape' });
    await settle();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(figure);
    expect(figure.hasAttribute('data-open')).toBe(false);
  });

  it('says when what is behind a figure is not kept any more', async () => {
    server.gone.add('/api/evidence/q1');
    fireEvent.click(screen.getByRole('button', { name: '415 s' }));
    await settle();
    expect(within(screen.getByRole('dialog')).getByText(/not kept any more/)).toBeTruthy();
  });
});

describe('an answer from a kept plan', () => {
  it('says when it was asked and what changed since, and is asked anew', async () => {
    const call = await ask('why?');
    call.write('open', {
      answerId: 'A1',
      surfaceId: 's-A1',
      question: 'why?',
      planner: 'p',
      stored: { askedAt: 1, ageMs: 300_000 },
      title: null,
    });
    await settle();
    expect(screen.getByText('Asked 5 minutes ago.', { exact: false })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Ask anew' })).toBeNull();
    const changed = {
      card: 'How it compares',
      label: 'Build time',
      was: { value: 415, unit: 's' },
      now: null,
    };
    call.write('report', { ok: true, since: { changed: true, gone: false, figures: [changed], total: 3 } });
    call.write('done', {});
    await settle();
    expect(screen.getByText('Asked 5 minutes ago. 3 figures changed since.')).toBeTruthy();
    const items = within(screen.getByRole('list', { name: 'Figures that changed' })).getAllByRole('listitem');
    expect(items.map((item) => item.textContent?.replace(/\s+/g, ' '))).toEqual([
      'How it compares: Build timewas 415 s→ is now not shown',
      'and 2 more',
    ]);
    fireEvent.click(screen.getByRole('button', { name: 'Ask anew' }));
    await settle();
    expect(server.call('/api/ask', 1).body).toMatchObject({ question: 'why?', anew: true });
  });
});

describe('the questions asked earlier', () => {
  const kept = (n: number) => ({
    id: `A${n}`,
    question: `question ${n}?`,
    askedAt: n * 1_000,
    planner: 'p',
    code: null,
    cards: 1,
  });

  it('come from the server, lead to their answers and can be deleted', async () => {
    const all = Array.from({ length: 12 }, (_, n) => kept(n));
    server.json.set('/api/answers', { kept: true, answers: all });
    fireEvent.click(screen.getByRole('link', { name: 'Start' }));
    await settle();
    const list = within(screen.getByRole('region', { name: 'Asked earlier' }));
    expect(list.getAllByRole('link')).toHaveLength(10);
    fireEvent.click(list.getByRole('button', { name: 'Show all 12' }));
    expect(list.getAllByRole('link')[11]?.getAttribute('href')).toBe('/a/A11');
    server.json.set('/api/answers', { kept: true, answers: all.slice(1) });
    fireEvent.click(list.getByRole('button', { name: 'Delete the answer to “question 0?”' }));
    await settle();
    expect(server.deleted).toEqual(['/api/answers/A0']);
    expect(list.queryByText('question 0?')).toBeNull();
    expect(document.activeElement).toBe(list.getByText('Asked earlier'));
  });
});
