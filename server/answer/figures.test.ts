import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findTypedFigures } from './figures.ts';

const found = (text: string) =>
  findTypedFigures(text).map((figure) => [figure.text, figure.value, figure.unit]);

describe('typed figures', () => {
  it.each([
    ['took 415 s in all', [['415', 415, 's']]],
    [
      'took ４１５ s, 𝟕 𝟗𝟗 lines',
      [
        ['４１５', 415, 's'],
        ['𝟕', 7, null],
        ['𝟗𝟗', 99, 'lines'],
      ],
    ],
    ['took 7 minutes', [['7', 420, 's']]],
    ['4,011 lines', [['4,011', 4011, 'lines']]],
    ['3.2× the median', [['3.2×', 3.2, 'times']]],
    [
      '97 % of them, 9/10',
      [
        ['97 %', 0.97, 'ratio'],
        ['9/10', 9, 'points'],
      ],
    ],
    ['cost $0.95', [['$0.95', 0.95, 'usd']]],
    ['three attempts', [['three', 3, 'attempts']]],
    ['twenty-nine features', [['twenty-nine', 29, 'features']]],
    ['two hundred lines', [['two hundred', 200, 'lines']]],
    ['both agree', [['both', 2, null]]],
    [
      'a single entry, tried twice',
      [
        ['single', 1, null],
        ['twice', 2, null],
      ],
    ],
    ['on the first try', [['first', 1, 'attempts']]],
    ['first-try rate', [['first-try', 1, 'attempts']]],
    ['one attempt', [['one', 1, 'attempts']]],
    ['415s', [['415', 415, 's']]],
    [
      'between 3 and 5.',
      [
        ['3', 3, null],
        ['5', 5, null],
      ],
    ],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
  it.each([
    '#28',
    'feature 28',
    'features 3, 13 and 28',
    'cited in [E1] and E12',
    'on 28 March',
    'March 28, 2026',
    '2026-03-28T14:03:26-07:00',
    'at 14:03',
    'metrics.json:1412',
    'commit 6016520',
    'b5460df',
    'line 71',
    'the one that took longest',
    'no one of them',
    'the second is that it stops',
    'h264 and v4 and utf8',
    'attempt 2',
    '',
  ])('is a reference or no figure: %s', (text) => {
    expect(found(text)).toEqual([]);
  });
  it('gives spans of the text, in order, never overlapping, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: 'grapheme' }), (text) => {
        let last = 0;
        for (const { start, end, text: span, value } of findTypedFigures(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(text.slice(start, end)).toBe(span);
          expect(Number.isFinite(value)).toBe(true);
          last = end;
        }
      }),
    );
  });
  it('is linear enough for a long text', () => {
    const long = 'a1 #2 feature 3, 4 and 5 : 6/10 seven '.repeat(3000);
    const begun = Date.now();
    findTypedFigures(long);
    expect(Date.now() - begun).toBeLessThan(3000);
  });
});
