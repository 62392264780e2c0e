import { describe, expect, it } from 'vitest';
import type { SourceSummary } from '../record/store.ts';
import { foundText, type NamedSummary } from './found.ts';

const source = (path: string, more: Partial<SourceSummary> = {}): SourceSummary => ({
  id: path,
  kind: 'metrics',
  label: path,
  path,
  format: 'AgentForge',
  bytes: 10,
  ok: 3,
  bad: 0,
  problems: [],
  problemCount: 0,
  ...more,
});
const summary = (name: string, sources: SourceSummary[], more: Partial<NamedSummary> = {}): NamedSummary => ({
  name,
  sources,
  findings: 0,
  left: [],
  ...more,
});

describe('the table of what was found', () => {
  it('has a row a source, with what was read and what was not', () => {
    const text = foundText([
      summary(
        'demo',
        [
          source('metrics.json'),
          source('claude-progress.txt', {
            bad: 2,
            problems: [{ line: 7, detail: 'a line that cannot be read' }],
            problemCount: 4,
          }),
          source('feature_list.json', {
            ok: null,
            bad: null,
            problems: [{ line: null, detail: 'no permission to read it' }],
            problemCount: 1,
          }),
        ],
        { findings: 1, left: ['300 more files were not looked at'] },
      ),
    ]);
    const rows = text.split('\n').filter((line) => line.startsWith('│'));
    expect(
      rows.map((row) =>
        row
          .split('│')
          .map((cell) => cell.trim())
          .slice(1, -1),
      ),
    ).toEqual([
      ['File', 'Format', 'Entries', 'Problems'],
      ['metrics.json', 'AgentForge', '3', ''],
      ['claude-progress.txt', 'AgentForge', '3 of 5', '4'],
      ['feature_list.json', 'AgentForge', 'not read', '1'],
    ]);
    expect(text.slice(text.indexOf('Problems;'))).toBe(
      [
        'Problems; 1 file could not be read',
        '  claude-progress.txt:7  a line that cannot be read (and 3 more in this file)',
        '  feature_list.json  no permission to read it',
        '',
        'Left out',
        '  300 more files were not looked at',
        '',
        '3 sources, 1 audit finding',
      ].join('\n'),
    );
  });

  it('tells projects apart where there are several, and says which has nothing', () => {
    const text = foundText([
      summary('one', [source('a.json')]),
      summary('two', [source('a.json', { problems: [{ line: 1, detail: 'odd' }], problemCount: 1 })]),
      summary('three', []),
    ]);
    expect(text).toMatch(/│ one +│ a\.json/);
    expect(text).toMatch(/│ two +│ a\.json/);
    expect(text).toContain('two: a.json:1  odd');
    expect(text).toContain('three: Nothing that Looplight reads was found.');
  });

  it('stays short, shows what has problems, and counts the rest', () => {
    const many = Array.from({ length: 500 }, (_, n) => source(`runs/${n}/report.json`));
    const bad = source('runs/zz/report.json', { problems: [{ line: 1, detail: 'odd' }], problemCount: 1 });
    const left = Array.from({ length: 50 }, (_, n) => `reason ${n}`);
    const text = foundText([summary('demo', [...many, bad], { left })]);
    expect(text.split('\n').filter((line) => line.startsWith('│'))).toHaveLength(61);
    expect(text).toContain('441 more files were read.');
    expect(text).toContain('runs/zz/report.json');
    expect(text).toContain('  30 more');
  });

  it('lets nothing of a file move the cursor or fill the screen', () => {
    const name = `\u001b[2J${'x'.repeat(300)}\n.json`;
    const text = foundText([
      summary('demo\u0007', [
        source(name, { problems: [{ line: 1, detail: 'a\rb'.repeat(200) }], problemCount: 1 }),
      ]),
    ]);
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(300);
  });
});
