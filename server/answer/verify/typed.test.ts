import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Figure, Inline, Unit } from '../../../shared/cards.ts';
import { findTypedFigures } from '../figures.ts';
import { markTyped } from '../typed-spans.ts';
import { checkLabel, checkRequest } from './labels.ts';
import { checkProse, type Known } from './typed.ts';

const figure = (value: number | null, unit: Unit): Figure => ({
  value,
  unit,
  basis: 'measured',
  evidence: 'q1',
  disputed: false,
  n: 1,
  missing: value === null ? 'not recorded' : null,
});
const facts = [figure(415, 's'), figure(1, 'attempts'), figure(9.69, 'points'), figure(0.967, 'ratio')];
const knowing = (all: readonly Figure[], own: readonly Figure[] = all, names: string[] = []): Known => ({
  facts: all,
  own: new Set(own),
  features: new Set(['3', '28']),
  names,
});
const known = knowing(facts);
const text = (value: string): Inline => ({ kind: 'text', text: value });
const prose = (value: string, given: Known = known) =>
  checkProse(
    markTyped([text(value)], given.names, () => false),
    given,
  );
/** What became of each typed number of a sentence, in order. */
const states = (value: string, given: Known = known): string[] =>
  prose(value, given).inlines.flatMap((inline) =>
    inline.kind === 'typed' ? [inline.state] : inline.kind === 'figure' ? ['replaced'] : [],
  );

describe('a number a model typed', () => {
  it.each([
    'It took 415 s.',
    'It took 415 seconds.',
    'It took 415.',
    'It took about 7 minutes.',
    'It took 7 minutes.',
    'It took 6 min 55 s.',
    'It took 0.115 h.',
    'It took six minutes and fifty-five seconds.',
    'It took four hundred and fifteen seconds.',
    'Es dauerte vierhundertfünfzehn Sekunden.',
    'It took more than 6 minutes.',
    'It took at least 415 s.',
    'It took about 400 s.',
    'It scored 9.7 points.',
    'It scored 9.7/10.',
    'It scored 9.7 out of 10.',
    'It is 97 % of them.',
    'It is ninety-seven percent of them.',
    'It took one attempt.',
    'It took a single attempt.',
    'It passed on the first try.',
    'It was 1.',
  ])('is supported when a fact says it within rounding: %s', (sentence) => {
    expect(states(sentence)).toEqual(['supported']);
  });

  it.each([
    'It took 414 s.',
    'It took 400 s.',
    'It took 8 minutes.',
    'It took 6 min 56 s.',
    'It scored 9.6 points.',
    'It took three attempts.',
    'Es brauchte drei Versuche.',
    'Il a fallu trois tentatives.',
    'Fueron tres intentos.',
    'It is 98 % of them.',
  ])('is replaced when the one fact of its unit says otherwise: %s', (sentence) => {
    expect(states(sentence)).toEqual(['replaced']);
  });

  it.each([
    'It added 226 lines.',
    'It was 99.',
    'It took 45k tokens.',
    'It took dozens of files.',
    'It cost €5.',
    'It cost $5.',
    'It doubled.',
    'It passed on the third try.',
    'It took more than 8 minutes.',
    'It took less than 6 minutes.',
    'It took Ⅳ of them.',
  ])('is marked when nothing supports it: %s', (sentence) => {
    expect(states(sentence)).toEqual(['unverified']);
  });

  it('is not replaced by a fact about something else than the plan', () => {
    expect(states('It took 414 s.', knowing(facts, []))).toEqual(['unverified']);
    expect(states('It took 415 s.', knowing(facts, []))).toEqual(['supported']);
  });

  it('stays unverified when several facts could be meant, or none is recorded', () => {
    expect(states('It took 7 s.', knowing([figure(415, 's'), figure(129, 's')]))).toEqual(['unverified']);
    expect(states('It took 7 s.', knowing([figure(null, 's')]))).toEqual(['unverified']);
  });

  it('is not a figure where it names a feature', () => {
    expect(states('Features 3, 28 and 3 took long.')).toEqual([]);
    expect(states('Feature 28 and #3 took long.')).toEqual([]);
  });
});

describe('prose', () => {
  it('is put right in place, its unit with it', () => {
    expect(prose('It took three attempts, they say.')).toEqual({
      inlines: [text('It took '), { kind: 'figure', figure: facts[1] }, text(', they say.')],
      typed: 1,
      corrections: ['"three attempts" is not what the record says and was replaced'],
      unverified: [],
    });
  });

  it('marks every other number, and leaves everything else as it is', () => {
    const given: Inline[] = [{ kind: 'cite', id: 'E1' }, text(' 415 s and 12 lines')];
    const checked = checkProse(
      markTyped(given, [], () => false),
      known,
    );
    expect(checked.inlines).toEqual([
      { kind: 'cite', id: 'E1' },
      text(' '),
      { kind: 'typed', text: '415 s', state: 'supported' },
      text(' and '),
      { kind: 'typed', text: '12 lines', state: 'unverified' },
    ]);
    expect(checked.typed).toBe(2);
    expect(checked.unverified).toEqual(['no fact of this answer supports "12 lines"']);
  });

  it('takes a number that touches a value of the server for no number of its own', () => {
    const built: Inline = { kind: 'figure', figure: figure(15, 's') };
    const glued = checkProse(
      markTyped([text('It took 1'), built], [], () => false),
      known,
    );
    expect(glued.inlines).toEqual([
      text('It took '),
      { kind: 'typed', text: '1', state: 'unverified' },
      built,
    ]);
  });

  it('is one text whatever it is made of', () => {
    const styled: Inline[] = [
      text('It took th'),
      { kind: 'text', text: 'r', bold: true },
      { kind: 'text', text: 'ee', code: true },
      text(' attempts.'),
    ];
    const checked = checkProse(
      markTyped(styled, [], () => false),
      known,
    );
    expect(checked.inlines).toEqual([text('It took '), { kind: 'figure', figure: facts[1] }, text('.')]);
  });
});

describe('plain text', () => {
  const asked = { question: findTypedFigures('show the 10 slowest, why 404?'), shown: 5 };
  const label = (value: string, given: Known = known) => checkLabel(value, 80, given, asked);

  it.each([
    'Feature 28 took 415 s',
    'The 10 slowest',
    'The 5 slowest',
    'Top 10',
    'Why 404?',
    'No number',
    'Build of the error 404 page',
  ])('may say numbers of the card, of features, of names, and how many are to be seen: %s', (title) => {
    const checked = checkLabel(title, 80, knowing(facts, facts, ['error 404 page']), asked);
    expect(checked).toMatchObject({ text: title, unverified: [], corrections: [] });
  });

  it('is put right where a number stands for a fact', () => {
    expect(label('Feature 28 took 120 s')).toMatchObject({ text: 'Feature 28 took 415 s', unverified: [] });
    expect(label('Three attempts')).toMatchObject({ text: '1 attempt', unverified: [] });
  });

  it('says in words what nothing supports, each number of it', () => {
    expect(label('404 pages, dozens of lines')).toMatchObject({
      text: '404 (unverified) pages, dozens (unverified) of lines',
      typed: 2,
      unverified: ['no fact of this answer supports "404"', 'no fact of this answer supports "dozens"'],
    });
  });

  it('never shows such a number where there is no room for the mark', () => {
    const { text: shown } = checkLabel(`${'word '.repeat(14)}99 lines`, 80, known, asked);
    expect(shown).not.toContain('99');
    expect(shown.length).toBeLessThanOrEqual(80);
  });

  it('is left out where it is there to be pressed', () => {
    const request = (value: string) => checkRequest(value, 400, known, asked.question).text;
    expect(request('Why did it take 45 attempts more than twice?')).toBeNull();
    expect(request('Which are the 7 slowest?')).toBe('Which are the 7 slowest?');
    expect(request('Why 404?')).toBe('Why 404?');
    expect(request('Why did feature 28 take 415 s?')).toBe('Why did feature 28 take 415 s?');
  });
});

describe('whatever is typed', () => {
  const SMALL = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
  const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
  /** A number up to 999 in English words. */
  const words = (n: number): string => {
    if (n <= 12) return SMALL[n] ?? '';
    if (n < 20) return `${['thir', 'four', 'fif', 'six', 'seven', 'eigh', 'nine'][n - 13]}teen`;
    if (n < 100) return `${TENS[Math.floor(n / 10) - 2]}${n % 10 === 0 ? '' : `-${SMALL[n % 10]}`}`;
    return `${words(Math.floor(n / 100))} hundred${n % 100 === 0 ? '' : ` and ${words(n % 100)}`}`;
  };
  const grouped = (n: number, sep: string): string => String(n).replace(/\B(?=(\d{3})+$)/g, sep);
  const counts = ['attempts', 'features', 'lines', 'files', 'commits', 'tokens', 'findings'] as const;
  const forms = (n: number, unit: string): string[] => [
    `${n} ${unit}`,
    `${n}`,
    `${grouped(n, ',')} ${unit}`,
    `${grouped(n, '\u202f')} ${unit}`,
    `${grouped(n, ' ')} ${unit}`,
    `about ${n} ${unit}`,
    ...(n < 1_000 ? [`${words(n)} ${unit}`, `${words(n).toUpperCase()} ${unit}`] : []),
    ...(n % 1_000 === 0 && n > 0 ? [`${n / 1_000}k ${unit}`, `${n / 1_000} thousand ${unit}`] : []),
  ];
  const cut = (value: string, at: number): Inline[] => {
    const place = value.length === 0 ? 0 : at % value.length;
    return [text(value.slice(0, place)), { kind: 'text', text: value.slice(place), bold: true }];
  };
  const check = (sentence: string, at: number, given: Known) =>
    checkProse(
      markTyped(cut(sentence, at), [], () => false),
      given,
    );

  it('a count that is a fact is supported in every form, wherever markup cuts it', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.integer({ min: 2, max: 999 }),
          fc.integer({ min: 1, max: 99 }).map((n) => n * 1_000),
        ),
        fc.constantFrom(...counts),
        fc.nat(200),
        fc.nat(200),
        (n, unit, pick, at) => {
          const all = forms(n, unit);
          const form = all[pick % all.length] ?? '';
          const { inlines } = check(`It had ${form} in the end.`, at, knowing([figure(n, unit)]));
          expect(inlines.filter(({ kind }) => kind === 'typed')).toEqual([
            { kind: 'typed', text: expect.any(String), state: 'supported' },
          ]);
        },
      ),
    );
  });

  it('any other count is replaced or marked', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 99_999 }),
        fc.integer({ min: 2, max: 99_999 }),
        fc.constantFrom(...counts),
        fc.nat(200),
        fc.nat(200),
        (n, other, unit, pick, at) => {
          // "About" rounds to the last digit that is not zero.
          fc.pre(Math.abs(n - other) > Math.max(n, other) / 2);
          const all = forms(n, unit);
          const form = all[pick % all.length] ?? '';
          const { inlines } = check(`It had ${form} in the end.`, at, knowing([figure(other, unit)]));
          expect(inlines.some((inline) => inline.kind === 'typed' && inline.state !== 'unverified')).toBe(
            false,
          );
          expect(inlines.filter(({ kind }) => kind === 'typed' || kind === 'figure')).toHaveLength(1);
          expect(
            inlines.some((inline) => inline.kind === 'text' && /\d|hundred|ty\b/.test(inline.text)),
          ).toBe(false);
        },
      ),
    );
  });

  it('a time is supported in seconds, minutes and hours, and their sums', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40_000 }), fc.nat(20), fc.nat(200), (s, pick, at) => {
        const [h, m] = [Math.floor(s / 3_600), Math.floor((s % 3_600) / 60)];
        const parts = [h > 0 ? `${h} h` : '', m > 0 ? `${m} min` : '', s % 60 > 0 ? `${s % 60} s` : ''];
        const all = [
          `${s} s`,
          `${s}s`,
          `${(s / 60).toFixed(2)} minutes`,
          `${(s / 3_600).toFixed(4)} hours`,
          parts.filter((part) => part !== '').join(' '),
          `about ${Math.round(s / 60)} minutes`,
        ];
        const form = all[pick % all.length] ?? '';
        const { inlines } = check(`It took ${form} in the end.`, at, knowing([figure(s, 's')]));
        expect(inlines.filter(({ kind }) => kind === 'typed')).toEqual([
          { kind: 'typed', text: expect.any(String), state: 'supported' },
        ]);
      }),
    );
  });

  it('a share is supported in per cent as exactly as it is written', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 0.99, noNaN: true }), fc.nat(2), (share, digits) => {
        const form = `${(share * 100).toFixed(digits)} %`;
        const { inlines } = check(`It was ${form} of them.`, 3, knowing([figure(share, 'ratio')]));
        expect(inlines).toContainEqual({ kind: 'typed', text: form, state: 'supported' });
      }),
    );
  });
});
