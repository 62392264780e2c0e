// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import axe from 'axe-core';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CardChrome } from '../a2ui/types.ts';
import { asCsv } from '../lib/csv.ts';
import * as events from './fixtures/events.ts';
import { ledgerCsv } from './ledger/as-csv.ts';
import { LedgerView } from './ledger/LedgerCard.tsx';
import { LogView } from './log/LogCard.tsx';
import { pausesOf } from './log/pauses.ts';
import { timelineCsv } from './timeline/as-table.ts';
import { TimelineView } from './timeline/TimelineCard.tsx';

const chrome = {
  ask: vi.fn(),
  openEvidence: vi.fn(),
  openFigure: vi.fn(),
  busy: false,
  pin: null,
  change: null,
} satisfies CardChrome;

beforeEach(() => {
  vi.clearAllMocks();
});
afterEach(cleanup);

const plain = (element: Element | null): string => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

/** The element whose name holds these words. */
function labelled(container: Element, words: string): Element {
  const found = [...container.querySelectorAll('[aria-label]')].find((element) =>
    element.getAttribute('aria-label')?.replaceAll('\u00a0', ' ').includes(words),
  );
  if (found === undefined) throw new Error(`nothing is named "${words}"`);
  return found;
}

/** Draws a card; its lazy drawing is there afterwards. */
async function draw(card: ReactNode): Promise<HTMLElement> {
  const { container } = render(card);
  await act(async () => {
    await Promise.all([import('./timeline/Lanes.tsx'), import('./timeline/Strip.tsx')]);
  });
  await act(async () => undefined);
  return container;
}

/** Everything axe finds; colours and sizes are looked at in the browser tests, where they exist. */
async function violations(container: Element): Promise<string[]> {
  const { violations: found } = await axe.run(container, {
    rules: {
      'color-contrast': { enabled: false },
      'label-content-name-mismatch': { enabled: false },
      region: { enabled: false },
    },
  });
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}

describe('a timeline', () => {
  it('names each mark with its exact values, in one place of the focus', async () => {
    const container = await draw(<TimelineView model={events.gates} card={chrome} />);
    const marks = [...container.querySelectorAll('.tl-mark')];
    expect(marks).toHaveLength(9);
    expect(marks.filter((mark) => mark.getAttribute('tabindex') === '0')).toHaveLength(1);
    const names = marks.map((mark) => mark.getAttribute('aria-label')?.replaceAll('\u00a0', ' '));
    expect(names).toContain(
      'T1 Cart lines: scripted test, attempt 1 of 3. blocked, by the verifier. 2 Sep, 16:03:00 to 16:08:00 UTC. 300 s',
    );
    expect(names).toContain(
      'T3 Sign up and sign in: scripted test. timed out, by the infrastructure. 3 Sep, 00:20:00.000 to 00:20:00.003 UTC. 3 ms (0.003 s). sources disagree',
    );
    expect(names).toContain('T1 Cart lines: scripted test. no outcome. 2 Sep, began 15:56:00 UTC');
  });
  it('tells what is pointed at or focused, and walks by arrow keys', async () => {
    const container = await draw(<TimelineView model={events.gates} card={chrome} />);
    expect(plain(container.querySelector('.tl-told'))).toContain('move with the arrow keys');
    const [first] = container.querySelectorAll<HTMLButtonElement>('.tl-mark');
    act(() => first?.focus());
    expect(plain(container.querySelector('.tl-told'))).toContain('T0 Scaffold, clone and boot, defect sweep');
    const press = (key: string) => {
      if (document.activeElement !== null) fireEvent.keyDown(document.activeElement, { key });
      return document.activeElement?.getAttribute('aria-label') ?? '';
    };
    expect(press('ArrowRight')).toContain('secret scan, attempt 1 of 3');
    expect(press('ArrowDown')).toContain('T1 Cart lines');
    expect(press('End')).toContain('17:10:00 to 17:14:00');
    expect(press('Home')).toContain('no outcome');
    expect(press('ArrowUp')).toContain('T0');
    expect(press('ArrowUp')).toContain('T0');
    fireEvent.pointerEnter(labelled(container, 'by the agent'));
    expect(plain(container.querySelector('.tl-told'))).toContain('blocked, by the agent');
  });
  it('opens the lines of a mark', async () => {
    const container = await draw(<TimelineView model={events.gates} card={chrome} />);
    fireEvent.click(labelled(container, 'by the agent'));
    expect(chrome.openFigure).toHaveBeenCalledWith('q.b3', 'T1 Cart lines, scripted test');
  });
  it('says verdicts and whose doing in shapes and words, with how many', async () => {
    const container = await draw(<TimelineView model={events.gates} card={chrome} />);
    expect([...container.querySelectorAll('.tl-legend li')].map(plain)).toEqual([
      'passed 2',
      'blocked 3',
      'error 1',
      'timed out 1',
      'no outcome 2',
      'of those that did not pass:',
      'by the agent 1',
      'Vby the verifier 2',
      'Iby the infrastructure 1',
      'by no one known 1',
    ]);
    expect([...container.querySelectorAll('.tl-mark sup')].map(plain)).toEqual(['V', 'V', 'I']);
    expect(plain(container.querySelector('.tl-zone'))).toBe('clock time, 2 Sep to 3 Sep, UTC');
  });
  it('marks time left out, and says that a zone is not sure', async () => {
    const container = await draw(<TimelineView model={events.gates} card={chrome} />);
    expect(container.querySelectorAll('.tl-cut').length).toBeGreaterThan(0);
    cleanup();
    const days = await draw(<TimelineView model={events.threeDays} card={chrome} />);
    expect(days.querySelectorAll('.tl-cut')).toHaveLength(0);
    expect(plain(days.querySelector('.tl-zone'))).toContain(
      'UTC−07:00; some times are written without a zone',
    );
    expect(labelled(days, '72 h (259,200').tagName).toBe('BUTTON');
  });
  it('has a table behind it, and its rows as a file', async () => {
    await draw(<TimelineView model={events.gates} card={chrome} />);
    fireEvent.click(screen.getByRole('button', { name: 'Show as a table' }));
    expect(within(screen.getByRole('table')).getAllByRole('row')).toHaveLength(1 + 9);
    const csv = asCsv(timelineCsv(events.gates).header, timelineCsv(events.gates).lines).split('\r\n');
    expect(csv).toHaveLength(10);
    expect(csv[5]).toContain('T1,Cart lines,scripted test,1,blocked,the verifier,');
    expect(csv[5]).toContain(
      '2026-09-02T16:03:00.000Z,2026-09-02T16:08:00.000Z,300,measured,activity.log,18',
    );
  });
  it('draws builds as one strip, with a ring for what has no time', async () => {
    const container = await draw(<TimelineView model={events.builds} card={chrome} />);
    expect(container.querySelectorAll('.ts-build')).toHaveLength(29);
    expect(labelled(container, '3 Dark mode: build. skipped. no time recorded').className).toBe('ts-ring');
    expect(container.querySelectorAll('.ts-diamond')).toHaveLength(1);
    expect(plain(container.querySelector('.ts-label'))).toContain('slowest, 369 s');
    const [first] = container.querySelectorAll<HTMLButtonElement>('.ts-build');
    act(() => first?.focus());
    if (document.activeElement !== null) fireEvent.keyDown(document.activeElement, { key: 'ArrowRight' });
    expect(document.activeElement?.getAttribute('aria-label')).toContain('2 Feature 2');
  });
  it.each([
    ['a usual one', events.gates],
    ['a strip', events.builds],
    ['none', events.noMarks],
    ['one', events.oneMark],
    ['no times', events.onlyUntimed],
  ])('passes axe: %s', async (_, model) => {
    const container = await draw(<TimelineView model={model} card={chrome} />);
    expect(await violations(container)).toEqual([]);
  });
});

describe('a log', () => {
  it('shows text as written, with place, outcome and whose doing it was', () => {
    const { container } = render(<LogView model={events.logged} card={chrome} />);
    const rows = [...container.querySelectorAll('.lg-entry')].map(plain);
    expect(rows).toHaveLength(7);
    expect(rows[0]).toContain('no outcome follows');
    expect(rows[2]).toContain('blocked, by the verifier: The line says failed');
    expect(rows[4]).toContain('blocked, whose doing is not known');
    expect(container.querySelectorAll('.lg-entry.anchor')).toHaveLength(1);
    expect(plain(container.querySelector('.sub'))).toBe(
      'Times in UTC. In scope: 35 kind 0, 15 kind 1, 10 kind 2, 8 kind 3, 5 kind 4, 3 others. 7 of 98 entries shown.',
    );
    expect(plain(container)).toContain('16 more entries before these');
    expect(plain(container)).toContain('75 more entries after these');
    fireEvent.click(screen.getByRole('button', { name: 'Open the raw lines, kane-activity.log:21–26' }));
    expect(chrome.openFigure).toHaveBeenCalledWith('q.l21', 'kane-activity.log:21–26');
  });
  it('says where nothing was written for long, and when a new day begins', () => {
    const { container } = render(<LogView model={events.logged} card={chrome} />);
    expect([...container.querySelectorAll('.lg-pause')].map(plain)).toEqual(
      ['nothing for 21.7 h', 'nothing for 3.1 h'].reverse(),
    );
    expect([...container.querySelectorAll('.lg-day')].map(plain)).toEqual(['2 Sep', '3 Sep']);
    expect(pausesOf([{ atMs: 0 }, { atMs: 1000 }, { atMs: null }, { atMs: 900_000 }])).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
  it('cuts long entries until they are opened, and shows markup as text', () => {
    const { container } = render(<LogView model={events.longEntry} card={chrome} />);
    const toggle = screen.getByRole('button', { name: 'Show all 90 lines' });
    expect(toggle.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(toggle);
    expect(toggle.getAttribute('aria-expanded')).toBe('true');
    expect(container.querySelector('img')).toBeNull();
    expect(plain(container)).toContain('<img src=x onerror=alert(1)>');
  });
  it('scrolls inside its card when it is long, and can be reached there', () => {
    const { container } = render(<LogView model={events.hundredEntries} card={chrome} />);
    expect(container.querySelector('.lg.scrolls')?.getAttribute('tabindex')).toBe('0');
    expect(container.querySelectorAll('.lg-entry')).toHaveLength(100);
  });
  it.each([
    ['a usual one', events.logged],
    ['nothing', events.emptyLog],
    ['one entry', events.oneEntry],
    ['a hundred', events.hundredEntries],
    ['long ones', events.longEntry],
  ])('passes axe: %s', async (_, model) => {
    const { container } = render(<LogView model={model} card={chrome} />);
    expect(await violations(container)).toEqual([]);
  });
});

describe('a ledger', () => {
  it('says the shares, and the states in shapes, words and figures that open', () => {
    const { container } = render(<LedgerView model={events.proven} card={chrome} />);
    const shares = plain(container.querySelector('.le-shares'));
    expect(shares).toContain('designed100 %');
    expect(shares).toContain('proven53.3 %');
    expect(shares).toContain('proven, as graph.json shows it53 %');
    expect([...container.querySelectorAll('.le-states li')].map(plain)).toEqual([
      'proven 1',
      'likely 1',
      'stale 1',
      'claimed only 1',
      'refuted 1',
      'open 1',
    ]);
    expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
      'Requirements by state: 1 proven, 1 likely, 1 stale, 1 claimed only, 1 refuted, 1 open',
    );
  });
  it('opens the evidence of a requirement, and each piece to its line', () => {
    render(<LedgerView model={events.proven} card={chrome} />);
    const toggle = screen.getByRole('button', { name: 'Evidence about ac-3: 1 against, of 9' });
    const list = document.getElementById(toggle.getAttribute('aria-controls') ?? '');
    expect(list?.hidden).toBe(true);
    fireEvent.click(toggle);
    expect(list?.hidden).toBe(false);
    expect(plain(list)).toContain('against');
    expect(plain(list)).toContain('test, tag: cart keeps its lines, 2 Sep, 14:00');
    expect(plain(list)).toContain('1 of 9 shown, the latest first');
    fireEvent.click(within(list ?? document.body).getByRole('button', { name: /junit\.xml:30$/ }));
    expect(chrome.openFigure).toHaveBeenCalledWith('q.p.ac-3', 'junit.xml:30');
    fireEvent.click(screen.getByRole('button', { name: 'Requirement ac-4: open, task-tracker.md:12' }));
    expect(chrome.openFigure).toHaveBeenCalledWith('q.ac-4', 'task-tracker.md:12');
    expect(screen.getByText('no evidence, only the claim')).toBeDefined();
  });
  it('leaves one state when it is pressed, and all again', () => {
    const { container } = render(<LedgerView model={events.proven} card={chrome} />);
    const refuted = screen.getByRole('button', { name: 'refuted' });
    fireEvent.click(refuted);
    expect(refuted.getAttribute('aria-pressed')).toBe('true');
    expect(
      [...container.querySelectorAll('.le-row')].map((row) => plain(row.querySelector('.le-ref'))),
    ).toEqual(['ac-3']);
    fireEvent.click(refuted);
    expect(container.querySelectorAll('.le-row')).toHaveLength(6);
  });
  it('says how many are left out, and gives its rows as a file', () => {
    const { container } = render(<LedgerView model={events.twoHundred} card={chrome} />);
    expect(container.querySelectorAll('.le-row')).toHaveLength(200);
    expect(plain(container.querySelector('.le-group > .le-more'))).toBe('200 of 256 shown');
    const csv = ledgerCsv(events.proven);
    expect(csv.lines).toHaveLength(6);
    expect(csv.lines[2]).toEqual([
      'T1',
      'ac-3',
      'Criterion ac-3 holds on every page of the shop.',
      'criterion',
      'refuted',
      'yes',
      9,
      'refutes: cart keeps its lines',
      'junit.xml:30',
      'task-tracker.md',
      12,
    ]);
  });
  it.each([
    ['a usual one', events.proven],
    ['all in one state', events.allProven],
    ['nothing', events.noRequirement],
    ['one', events.oneRequirement],
  ])('passes axe: %s', async (_, model) => {
    const { container } = render(<LedgerView model={model} card={chrome} />);
    expect(await violations(container)).toEqual([]);
  });
});

describe('a file of rows', () => {
  it('is saved under a name made of the title', () => {
    const made: Blob[] = [];
    const create = vi.fn((blob: Blob) => {
      made.push(blob);
      return 'blob:x';
    });
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: create, revokeObjectURL: vi.fn() }));
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      expect(this.download).toBe('what-is-proven-and-what-is-only-claimed.csv');
    });
    render(<LedgerView model={events.proven} card={chrome} />);
    fireEvent.click(screen.getByRole('button', { name: /^Save the rows as CSV/ }));
    expect(click).toHaveBeenCalledOnce();
    expect(made[0]?.type).toContain('text/csv');
    vi.unstubAllGlobals();
    click.mockRestore();
  });
});
