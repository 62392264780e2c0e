import { describe, expect, it } from 'vitest';
import { createReporter, readEvidence, readHealth } from './api.ts';
import { rowsAsCsv } from './csv.ts';
import { readEvent } from './events.ts';
import { evidenceIds, readParagraphs } from './figures.ts';

const odd = [
  undefined,
  null,
  3,
  'x',
  [],
  {},
  [[]],
  { rows: 7, raw: 'x', params: {}, record: { sources: [null] } },
];

describe('what comes from the server', () => {
  it('is read without throwing whatever it is', () => {
    for (const value of odd) {
      expect(readHealth(value).planner.kind).toBe('builtin');
      expect(readEvidence(value).rows).toEqual([]);
      expect(readParagraphs(value)).toBeInstanceOf(Array);
    }
    for (const name of ['open', 'a2ui', 'progress', 'chat', 'report', 'suggestions', 'done', 'x']) {
      for (const value of odd) {
        expect(() => readEvent(name, JSON.stringify(value) ?? '')).not.toThrow();
      }
    }
  });

  it('keeps a missing figure missing', () => {
    const [paragraph] = readParagraphs([
      {
        kind: 'p',
        inlines: [{ kind: 'figure', figure: { value: '415', unit: 'parsecs' } }, { kind: 'script' }],
      },
    ]);
    expect(paragraph?.inlines).toEqual([
      {
        kind: 'figure',
        figure: {
          value: null,
          unit: 'none',
          basis: 'unknown',
          evidence: null,
          disputed: false,
          n: null,
          missing: 'not recorded',
        },
      },
    ]);
  });

  it('refuses an answer id that is no id', () => {
    const data = { answerId: '../x', surfaceId: 's' };
    expect(readEvent('open', JSON.stringify(data))).toBeNull();
  });
});

it('gathers the queries behind a text, each once, in reading order', () => {
  const figure = (evidence: string | null) => ({ kind: 'figure', figure: { value: 1, unit: 's', evidence } });
  const text = readParagraphs([
    { kind: 'p', inlines: [figure('q2'), figure('q1'), figure(null)] },
    { kind: 'li', inlines: [figure('q2'), { kind: 'label', text: 'x', evidence: 'q3' }] },
  ]);
  expect(evidenceIds(text)).toEqual(['q2', 'q1', 'q3']);
});

it('reports each failure once, and stops at a bound', () => {
  const sent: unknown[] = [];
  const report = createReporter((body) => sent.push(body));
  report({ code: 'CARD_FAILED', surfaceId: 's', path: '/cards/c1', message: 'x'.repeat(900) });
  report({ code: 'CARD_FAILED', surfaceId: 's', path: '/cards/c1', message: 'x'.repeat(900) });
  expect(sent).toEqual([
    {
      version: 'v0.9',
      error: { code: 'CARD_FAILED', surfaceId: 's', path: '/cards/c1', message: 'x'.repeat(500) },
    },
  ]);
  for (let n = 0; n < 100; n += 1) report({ code: 'CARD_FAILED', surfaceId: 's', message: `${n}` });
  expect(sent).toHaveLength(40);
});

it('writes rows as CSV that a spreadsheet does not run', () => {
  const { rows } = readEvidence({
    rows: [
      {
        label: '=HYPERLINK("x")',
        value: 415,
        unit: 's',
        basis: 'measured',
        source: 'a,b',
        line: 71,
        counted: true,
        how: 'as\nwritten',
      },
      { label: '28', value: null },
    ],
  });
  expect(rowsAsCsv(rows)).toBe(
    'label,value,unit,basis,source,line,counted,how\r\n' +
      '"\'=HYPERLINK(""x"")",415,s,measured,"a,b",71,yes,"as\nwritten"\r\n' +
      '28,,none,unknown,,,no,',
  );
});
