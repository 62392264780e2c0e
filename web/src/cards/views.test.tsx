// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CardChrome } from '../a2ui/types.ts';
import { AttemptsView } from './attempts/AttemptsCard.tsx';
import { ChartView } from './chart/ChartCard.tsx';
import { FigureText } from './figure.tsx';
import { attempts, bars, note, premise, skeleton, stat } from './fixtures/answer.ts';
import { claim, fig } from './fixtures/make.ts';
import { allMissing, conflict, failure, longTable, noScores, table } from './fixtures/more.ts';
import { NoteView } from './note/NoteCard.tsx';
import { PremiseView } from './premise/PremiseCard.tsx';
import { Prose } from './prose.tsx';
import { SkeletonView } from './skeleton/CardSkeleton.tsx';
import { readSkeleton } from './skeleton/read.ts';
import { StatView } from './stat/StatCard.tsx';
import { ConflictView, TableView } from './table/TableCard.tsx';

const chrome = {
  ask: vi.fn(),
  openEvidence: vi.fn(),
  openFigure: vi.fn(),
  busy: false,
  pin: null,
  change: null,
} satisfies CardChrome;
// The drawing's code is there before a test waits for the drawing, however busy the machine is.
beforeAll(async () => {
  await import('./chart/plots/RowPlot.tsx');
});
beforeEach(() => vi.clearAllMocks());
afterEach(cleanup);

const plain = (element: Element | null): string => (element?.textContent ?? '').replaceAll('\u00a0', ' ');

describe('FigureText', () => {
  it('opens what is behind it, and says the exact value in its title', () => {
    render(
      <FigureText
        figure={fig(4_927.25, 's', { evidence: 'q7' })}
        onOpen={chrome.openFigure}
        label="run time"
      />,
    );
    const button = screen.getByRole('button', { name: /82.min/ });
    expect(button.title).toBe('4,927.25\u00a0s');
    fireEvent.click(button);
    expect(chrome.openFigure).toHaveBeenCalledWith('q7', 'run time');
  });
  it('shows a missing value as a dash with its reason', () => {
    const { container } = render(<FigureText figure={fig(null, 's', 'not in a commit')} />);
    expect(plain(container)).toBe('— not in a commit');
    expect(screen.queryByRole('button')).toBeNull();
  });
  it('shows a true zero as zero', () => {
    const { container } = render(<FigureText figure={fig(0, 'features')} />);
    expect(plain(container)).toBe('0 features');
  });
  it('says in words that a figure is claimed and disputed', () => {
    const { container } = render(<FigureText figure={claim(3, 'attempts')} onOpen={chrome.openFigure} />);
    expect(plain(container)).toContain('(claimed)');
    expect(plain(container)).toContain('disputed');
  });
  it('is plain text without evidence', () => {
    render(<FigureText figure={{ ...fig(9, 'points'), evidence: null }} onOpen={chrome.openFigure} />);
    expect(screen.queryByRole('button')).toBeNull();
  });
  it('washes a value that was corrected in place, and no other', () => {
    const { container, rerender } = render(<FigureText figure={fig(415, 's')} />);
    expect(container.querySelector('.fig-new')).toBeNull();
    rerender(<FigureText figure={fig(415, 's')} />);
    expect(container.querySelector('.fig-new')).toBeNull();
    rerender(<FigureText figure={fig(416, 's')} />);
    expect(container.querySelector('.fig-new')).not.toBeNull();
  });
});

describe('frame', () => {
  it('asks the whole question of a button, and says how the card was computed', () => {
    render(<PremiseView model={premise} card={chrome} />);
    fireEvent.click(screen.getByRole('button', { name: 'Other disputed features' }));
    expect(chrome.ask).toHaveBeenCalledWith('Other disputed features', 'Which other features are disputed?');
    fireEvent.click(screen.getByRole('button', { name: /^How was this computed/ }));
    expect(chrome.openEvidence).toHaveBeenCalledWith('q.premise', premise.title);
  });
  it('cannot ask while an answer is being made', () => {
    render(<PremiseView model={premise} card={{ ...chrome, busy: true }} />);
    expect(screen.getByRole('button', { name: 'Other disputed features' })).toHaveProperty('disabled', true);
  });
  it('tells the state in a word and in the rule', () => {
    const { container } = render(<PremiseView model={premise} card={chrome} />);
    expect(plain(container.querySelector('.mark'))).toContain('disputed');
    expect([...container.querySelectorAll('.rule i')].map((part) => part.className)).toEqual([
      'r-solid',
      'r-hatch',
    ]);
  });
  it('is named by its title', () => {
    render(<StatView model={stat} card={chrome} />);
    expect(screen.getByRole('region', { name: stat.title })).toBeDefined();
  });
});

describe('premise', () => {
  it('shows several values of one source in their order', () => {
    render(<PremiseView model={premise} card={chrome} />);
    const row = screen.getByRole('row', { name: /metrics\.json:1412/ });
    expect(plain(row)).toContain('4→ then 6→ then 9');
    expect(plain(row)).toContain('120 + 140 + 159 s');
    expect(row.querySelectorAll('.n .sw.c')).toHaveLength(3);
    expect(plain(screen.getByRole('row', { name: /commit 6016520/ }))).toContain('— not in a commit');
  });
});

describe('attempts', () => {
  it('tells scores, feedback, the finding, and the measured build', () => {
    const { container } = render(<AttemptsView model={attempts} card={chrome} />);
    const words = plain(container);
    for (const said of ['told only by metrics.json', 'pass threshold', 'heights do not match the content'])
      expect(words).toContain(said);
    expect(words).toContain('Audit: a 6 already passes at 5');
    expect(words).toContain('Measured: 1 attempt, 9/10, 415 s');
    expect(words).toContain('time since the feature began, seconds');
  });
  it('never calls a derived time measured', () => {
    const tellings = attempts.tellings.map((telling) =>
      telling.source === 'git log' ? { ...telling, total: fig(419, 's', { basis: 'derived' }) } : telling,
    );
    const { container } = render(<AttemptsView model={{ ...attempts, tellings }} card={chrome} />);
    const bars = [...container.querySelectorAll('.mrow')];
    expect(bars.map((bar) => plain(bar.querySelector('.m-words')))).toEqual([
      'Measured: 1 attempt, 9/10, 415 s',
      'Measured: 1 attempt, 9/10; derived: 419 s',
    ]);
    expect(bars.map((bar) => bar.className)).toEqual(['mrow m-in m-solid', 'mrow m-in m-derived']);
    expect(container.querySelector('[role="img"]')?.getAttribute('aria-label')).toContain('derived: 419');
  });
  it('draws a lone build by what its time is', () => {
    const only = (basis: 'measured' | 'derived') => {
      const tellings = attempts.tellings
        .slice(1, 2)
        .map((one) => ({ ...one, total: fig(419, 's', { basis }) }));
      const { container } = render(<AttemptsView model={{ ...attempts, tellings }} card={chrome} />);
      return container.querySelector('.step-solid')?.getAttribute('class');
    };
    expect(only('measured')).toBe('step-solid');
    expect(only('derived')).toBe('step-solid step-derived');
  });
  it('has no plot of scores where nothing gives one, and tells how each attempt ended', () => {
    const { container } = render(<AttemptsView model={noScores} card={chrome} />);
    expect(container.querySelector('svg[role="img"], .t-axis, .order-ticks')).toBeNull();
    const words = plain(container);
    expect(words).not.toContain('score');
    expect(words).toContain('as told by metrics.json');
    expect([...container.querySelectorAll('.fb li')].map((item) => plain(item).slice(0, 21))).toEqual([
      'Attempt 1, 120 sfails',
      'Attempt 2, 140 spasse',
      'Attempt 3, 159 spasse',
    ]);
  });
  it('has a table behind it, one press away', () => {
    render(<AttemptsView model={attempts} card={chrome} />);
    expect(screen.queryByRole('table')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Show as a table' }));
    expect(within(screen.getByRole('table')).getAllByRole('row')).toHaveLength(1 + 3 + 2);
  });
});

describe('charts', () => {
  it('have a name, and values that open', async () => {
    render(<ChartView model={bars} card={chrome} />);
    const drawing = await screen.findByRole('img');
    expect(drawing.getAttribute('aria-label')).toContain('largest Loading skeletons');
    fireEvent.click(screen.getByRole('button', { name: '415' }));
    expect(chrome.openFigure).toHaveBeenCalledWith('q.s.415', 'build time, seconds, Loading skeletons');
  });
  it('have the same values in a table', async () => {
    render(<ChartView model={bars} card={chrome} />);
    const toggle = screen.getByRole('button', { name: 'Show as a table' });
    fireEvent.click(toggle);
    expect(toggle.getAttribute('aria-pressed')).toBe('true');
    expect(screen.getAllByRole('row')).toHaveLength(bars.points.length + 1);
    fireEvent.click(toggle);
    expect(await screen.findByRole('img')).toBeDefined();
  });
  it('say why there is nothing to draw', () => {
    const { container } = render(<ChartView model={allMissing} card={chrome} />);
    expect(plain(container)).toContain('No value to draw. Why: no time recorded.');
  });
});

describe('tables', () => {
  const firstCells = () =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => plain(row.querySelector('td')));

  it('are ordered by a column and say so', () => {
    render(<TableView model={table} card={chrome} />);
    const head = screen.getByRole('columnheader', { name: 'build time' });
    expect(head.getAttribute('aria-sort')).toBe('none');
    const press = () => fireEvent.click(within(head).getByRole('button'));
    press();
    expect(head.getAttribute('aria-sort')).toBe('descending');
    expect(firstCells().map((cell) => cell.slice(0, 2))).toEqual(['28', '1P', '13', '3D']);
    press();
    expect(head.getAttribute('aria-sort')).toBe('ascending');
    expect(firstCells().map((cell) => cell.slice(0, 2))).toEqual(['13', '1P', '28', '3D']);
    press();
    expect(firstCells().map((cell) => cell.slice(0, 2))).toEqual(['1P', '3D', '28', '13']);
  });
  it('say what is missing and why, and how much is shown', () => {
    const { container } = render(<TableView model={table} card={chrome} />);
    expect(plain(container)).toContain('4 of 30 shown.');
    expect(plain(container.querySelector('.dt-why'))).toBe('— skipped before this run');
  });
  it('hold a hundred rows', () => {
    render(<TableView model={longTable} card={chrome} />);
    expect(screen.getAllByRole('row')).toHaveLength(101);
  });
  it('set the claim beside what is counted', () => {
    const { container } = render(<ConflictView model={conflict} card={chrome} />);
    const change = container.querySelector('.chg');
    expect(plain(change?.querySelector('.cl0') ?? null)).toBe('2');
    expect(plain(change?.querySelector('.to') ?? null)).toBe('1');
    expect(screen.getAllByText('agree').length).toBeGreaterThan(0);
  });
});

describe('notes', () => {
  it('lead from a citation to its evidence', () => {
    const { container } = render(<NoteView model={note} card={chrome} />);
    fireEvent.click(screen.getByRole('button', { name: 'Evidence E2' }));
    expect(document.activeElement).toBe(container.querySelector('[data-cite="E2"]'));
    expect(plain(document.activeElement)).toContain('commit 6016520');
  });
  it('offer what can be asked instead', () => {
    render(<NoteView model={failure} card={chrome} />);
    const question = failure.suggestions[1] ?? '';
    fireEvent.click(screen.getByRole('button', { name: question }));
    expect(chrome.ask).toHaveBeenCalledWith(question, question);
  });
});

describe('prose', () => {
  it('shows hostile text as text', () => {
    const { container } = render(
      <Prose
        chrome={chrome}
        paragraphs={[
          {
            kind: 'p',
            inlines: [
              { kind: 'text', text: '<img src=x onerror=alert(1)>', bold: true },
              { kind: 'label', text: '<script>alert(1)</script>', evidence: 'q1' },
            ],
          },
        ]}
      />,
    );
    expect(container.querySelector('img, script')).toBeNull();
    expect(plain(container)).toBe('<img src=x onerror=alert(1)><script>alert(1)</script>');
  });
  it('marks a figure the model typed until the record supports it', () => {
    const typed = (state: 'unchecked' | 'supported' | 'unverified') =>
      plain(
        render(
          <Prose
            chrome={chrome}
            paragraphs={[{ kind: 'p', inlines: [{ kind: 'typed', text: '17', state }] }]}
          />,
        ).container,
      );
    expect(typed('unchecked')).toContain('not checked yet');
    expect(typed('unverified')).toContain('not found in the record');
    expect(typed('supported')).toBe('17');
  });
});

describe('skeletons', () => {
  it('keep the title and the kind of what will stand there', () => {
    const { container } = render(<SkeletonView model={readSkeleton(skeleton('BarChart'))} />);
    expect(plain(container)).toContain('How feature 28 compares');
    expect(container.querySelector('section')?.getAttribute('aria-busy')).toBe('true');
    expect(container.querySelectorAll('.sk-bar')).toHaveLength(10);
  });
});
