import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Unit } from '../../shared/cards.ts';
import { numberedNames } from './figures/numbered-names.ts';
import { findTypedFigures } from './figures.ts';

type Expected = [text: string, value: number | null, unit: Unit | null];
const found = (text: string): Expected[] =>
  findTypedFigures(text).map(({ start, unitEnd, value, unit }) => [text.slice(start, unitEnd), value, unit]);

describe('a typed figure in digits', () => {
  it.each<[string, Expected[]]>([
    ['took 415 s in all', [['415 s', 415, 's']]],
    ['415s', [['415s', 415, 's']]],
    ['took 7 minutes', [['7 minutes', 420, 's']]],
    ['took 0.115 h', [['0.115 h', 414, 's']]],
    ['4,011 lines', [['4,011 lines', 4011, 'lines']]],
    ['4\u202f011 lines', [['4\u202f011 lines', 4011, 'lines']]],
    ['4 011 lines', [['4 011 lines', 4011, 'lines']]],
    ["4'011 lines", [["4'011 lines", 4011, 'lines']]],
    ['1.234.567,5 tokens', [['1.234.567,5 tokens', 1234567.5, 'tokens']]],
    ['0,95 usd', [['0,95 usd', 0.95, 'usd']]],
    ['45k tokens', [['45k tokens', 45_000, 'tokens']]],
    ['45 thousand tokens', [['45 thousand tokens', 45_000, 'tokens']]],
    ['1.2M', [['1.2M', 1_200_000, null]]],
    ['1.2m tokens', [['1.2m tokens', 1_200_000, 'tokens']]],
    ['3.2× the median', [['3.2×', 3.2, 'times']]],
    ['3x slower', [['3x', 3, 'times']]],
    ['x3', [['x3', 3, 'times']]],
    [
      '97 % of them, 9/10',
      [
        ['97 %', 0.97, 'ratio'],
        ['9/10', 9, 'points'],
      ],
    ],
    ['97 per cent', [['97 per cent', 0.97, 'ratio']]],
    ['9 out of 10', [['9 out of 10', 9, 'points']]],
    ['cost $0.95', [['$0.95', 0.95, 'usd']]],
    ['cost -$5', [['-$5', -5, 'usd']]],
    ['cost €5', [['€5', null, null]]],
    ['6 min 55 s', [['6 min 55 s', 415, 's']]],
    ['6m55s', [['6m55s', 415, 's']]],
    ['1 h, 2 minutes and 3 seconds', [['1 h, 2 minutes and 3 seconds', 3723, 's']]],
    ['took 6:55', [['6:55', 415, 's']]],
    ['6:55 min', [['6:55 min', 415, 's']]],
    ['1e3 lines', [['1e3 lines', 1000, 'lines']]],
    ['10²', [['10²', 100, null]]],
    ['3½ minutes', [['3½ minutes', 210, 's']]],
    ['.5', [['.5', 0.5, null]]],
    ['3rd attempt', [['3rd attempt', 3, 'attempts']]],
    ['ranked 3rd', [['3rd', 3, null]]],
    [
      'between 3 and 5.',
      [
        ['3', 3, null],
        ['5', 5, null],
      ],
    ],
    [
      '3-5 lines',
      [
        ['3', 3, null],
        ['5 lines', 5, 'lines'],
      ],
    ],
    [
      'took ４１５ s, 𝟕 𝟗𝟗 lines',
      [
        ['４１５ s', 415, 's'],
        ['𝟕', 7, null],
        ['𝟗𝟗 lines', 99, 'lines'],
      ],
    ],
    ['٤١٥ s', [['٤١٥ s', 415, 's']]],
    ['4\u200b1\u00ad5 s', [['4\u200b1\u00ad5 s', 415, 's']]],
    ['took999 s', [['999 s', 999, 's']]],
    ['Ⅳ attempts', [['Ⅳ', null, null]]],
    ['attempts 9', [['9', 9, null]]],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});

describe('a typed figure in words', () => {
  it.each<[string, Expected[]]>([
    ['three attempts', [['three attempts', 3, 'attempts']]],
    ['Three Attempts', [['Three Attempts', 3, 'attempts']]],
    ['thr\u200bee attempts', [['thr\u200bee attempts', 3, 'attempts']]],
    ['thrее attempts', [['thrее attempts', 3, 'attempts']]],
    ['twenty-nine features', [['twenty-nine features', 29, 'features']]],
    ['two hundred lines', [['two hundred lines', 200, 'lines']]],
    ['four hundred and fifteen seconds', [['four hundred and fifteen seconds', 415, 's']]],
    ['forty-five thousand tokens', [['forty-five thousand tokens', 45_000, 'tokens']]],
    ['a hundred lines', [['a hundred lines', 100, 'lines']]],
    ['ninety-seven percent', [['ninety-seven percent', 0.97, 'ratio']]],
    ['nine out of ten', [['nine out of ten', 9, 'points']]],
    ['two and a half minutes', [['two and a half minutes', 150, 's']]],
    ['took a minute and a half', [['a minute and a half', 90, 's']]],
    ['half an hour', [['half an hour', 1_800, 's']]],
    ['took an hour', [['an hour', 3_600, 's']]],
    ['six minutes and fifty-five seconds', [['six minutes and fifty-five seconds', 415, 's']]],
    ['half of them', [['half', 0.5, 'ratio']]],
    ['half again as long', [['half again', 1.5, 'times']]],
    ['two thirds', [['two thirds', 2 / 3, 'ratio']]],
    ['a quarter of it', [['a quarter', 0.25, 'ratio']]],
    ['a couple of tries', [['a couple', 2, null]]],
    ['dozens of lines', [['dozens', 20, null]]],
    ['a dozen files', [['a dozen files', 12, 'files']]],
    ['two dozen', [['two dozen', 24, null]]],
    ['it doubled', [['doubled', 2, 'times']]],
    ['both agree', [['both', 2, null]]],
    [
      'a single entry, tried twice',
      [
        ['single entry', 1, 'entries'],
        ['twice', 2, null],
      ],
    ],
    ['on the first try', [['first try', 1, 'attempts']]],
    ['first-try rate', [['first-try', 1, 'attempts']]],
    ['the third slowest', [['third', 3, null]]],
    ['one attempt', [['one attempt', 1, 'attempts']]],
    ['drei Versuche', [['drei Versuche', 3, 'attempts']]],
    ['ein Versuch', [['ein Versuch', 1, 'attempts']]],
    ['vierhundertfünfzehn Sekunden', [['vierhundertfünfzehn Sekunden', 415, 's']]],
    ['neunundzwanzig', [['neunundzwanzig', 29, null]]],
    ['dreimal', [['dreimal', 3, 'times']]],
    ['trois tentatives', [['trois tentatives', 3, 'attempts']]],
    ['quatre cent quinze secondes', [['quatre cent quinze secondes', 415, 's']]],
    ['quatre-vingt-dix-sept pour cent', [['quatre-vingt-dix-sept pour cent', 0.97, 'ratio']]],
    ['soixante et onze', [['soixante et onze', 71, null]]],
    ['tres intentos', [['tres intentos', 3, 'attempts']]],
    ['cuatrocientos quince segundos', [['cuatrocientos quince segundos', 415, 's']]],
    ['treinta y uno', [['treinta y uno', 31, null]]],
    [
      'fue en dos o tres',
      [
        ['dos', 2, null],
        ['tres', 3, null],
      ],
    ],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it('may be meant as several numbers', () => {
    const [figure] = findTypedFigures('4.011 lines');
    expect(figure?.readings.map(({ value }) => value)).toEqual([4.011, 4011]);
  });

  it('says whether it is a bound, and is rounded further where it says so', () => {
    const of = (text: string) => findTypedFigures(text)[0];
    expect(of('more than 5 minutes')?.bound).toBe('more');
    expect(of('at most 5 lines')?.bound).toBe('less');
    expect(of('5 minutes')?.bound).toBeNull();
    expect(of('about 4,000 lines')?.readings[0]).toMatchObject({ low: 3_500, high: 4_500 });
    expect(of('4,000 lines')?.readings[0]).toMatchObject({ low: 3_999.5, high: 4_000.5 });
    expect(of('about 7 minutes')?.readings[0]).toMatchObject({ low: 390, high: 450 });
    expect(of('45k')?.readings[0]).toMatchObject({ low: 44_500, high: 45_500 });
  });
});

describe('a reference, or no figure', () => {
  it.each([
    '#28',
    '#3, #4 and #5',
    'feature 28',
    'features 3, 13 and 28',
    'cited in [E1] and E12',
    'T5 and US-003',
    'on 28 March',
    'March 28, 2026',
    'am 28. März 2026',
    'le 28 mars',
    'el 28 de marzo',
    '28.03.2026',
    '2026-03-28T14:03:26-07:00',
    'in 2026',
    'at 14:03',
    'metrics.json:1412',
    'src/app.ts:3-9',
    'commit 6016520',
    'b5460df',
    'line 71',
    'version 1.2.3',
    'the one that took longest',
    'no one of them',
    'the second is that it stops',
    'the other half',
    'h264 and v4 and utf8',
    'attempt 2',
    'a 3D view',
    'seize the day with no cent of it',
    'this is très bien',
    'once it was accepted',
    'double-check it',
    'for a second time',
    'a pair programming session',
    '',
  ])('%s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('is a name of the record that holds a number, as a whole word', () => {
    const names = numberedNames([
      'Error 404 page',
      'Two-factor login',
      'Plain name',
      '404',
      'three attempts',
    ]);
    const rest = (text: string) => findTypedFigures(text, names).map((figure) => figure.text);
    expect(rest('The error 404 page and TWO-FACTOR login')).toEqual([]);
    expect(rest('The terror 404 pages, 404 and three attempts')).toEqual(['404', '404', 'three']);
  });
});

describe('whatever the text', () => {
  it('gives spans of it, in order, never overlapping', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: 'grapheme' }), (text) => {
        let last = 0;
        for (const { start, end, unitEnd, text: span, value, readings } of findTypedFigures(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(unitEnd).toBeGreaterThanOrEqual(end);
          expect(text.slice(start, end)).toBe(span);
          expect(value === null).toBe(readings.length === 0);
          expect(readings.every(({ low, high }) => Number.isFinite(low) && low <= high)).toBe(true);
          last = unitEnd;
        }
      }),
    );
  });

  it('leaves no digit out that stands alone', () => {
    const digit = fc.constantFrom(...'0123456789٣४７𝟗');
    const number = fc.array(digit, { minLength: 1, maxLength: 20 }).map((all) => all.join(''));
    const word = fc.constantFrom('took', 'and', 'the record says', 'about', 'more than', '(', '—', '"');
    fc.assert(
      fc.property(word, number, word, (before, typed, after) => {
        const text = `${before} ${typed} ${after}`;
        const [figure] = findTypedFigures(text);
        expect(figure?.start).toBe(before.length + 1);
        expect(figure?.end).toBe(before.length + 1 + typed.length);
      }),
    );
  });

  it.each([
    'a1 #2 feature 3, 4 and 5 : 6/10 seven ',
    '1',
    '1,',
    '1 ',
    'one ',
    'one-',
    'twenty-',
    'dreiundzwanzig',
    'a',
    'a.',
    'a1',
    'a-',
    '#',
    '# ',
    'feature ',
    'feature 1111111111',
    '1:',
    '1/',
    '1.2.',
    '\u200b',
    '1\u200b',
    'é1',
    '½',
    '6 min ',
    '[e1,',
    'more than ',
    'features 1, ',
    'abcdef0',
    'half a ',
    '\ue100',
  ])('takes time in proportion to it: %s', (part) => {
    const long = part.repeat(Math.ceil(64_000 / part.length));
    const time = (text: string): number => {
      const begun = performance.now();
      findTypedFigures(text);
      return performance.now() - begun;
    };
    time(long);
    const [quarter, whole] = [time(long.slice(0, 16_000)), time(long)];
    // Four times the text: at most some twenty times the time on a busy machine, never sixteen squared.
    expect(whole).toBeLessThan(Math.max(400, quarter * 40));
  });
});
