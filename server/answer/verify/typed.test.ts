import { describe, expect, it } from 'vitest';
import type { Figure, Inline, Unit } from '../../../shared/cards.ts';
import { checkProse, checkTitle, judge, readTyped } from './typed.ts';

const figure = (value: number | null, unit: Unit): Figure => ({
  value,
  unit,
  basis: 'measured',
  evidence: 'q1',
  disputed: false,
  n: 1,
  missing: value === null ? 'not recorded' : null,
});
const features = new Set(['3', '28']);
const facts = [figure(415, 's'), figure(1, 'attempts'), figure(9.69, 'points'), figure(0.967, 'ratio')];
const verdict = (text: string, after = '', before = '', known = facts, own = known) =>
  judge(text, before, after, known, features, new Set(own)).kind;

describe('a number a model typed', () => {
  it.each([
    ['415 s', ''],
    ['415', ' s long'],
    ['415', ' seconds'],
    ['7', ' minutes'],
    ['9.7', ' points'],
    ['9.7/10', ''],
    ['97 %', ''],
    ['one', ' attempt'],
    ['1', ''],
  ])('is supported when a fact says it within rounding: %s%s', (text, after) => {
    expect(verdict(text, after)).toBe('supported');
  });

  it.each([
    ['414', ' s'],
    ['9.6', ' points'],
    ['three', ' attempts'],
    ['98 %', ''],
  ])('is replaced when the one fact of its unit says otherwise: %s%s', (text, after) => {
    expect(verdict(text, after)).toBe('replaced');
  });

  it('is not replaced by a fact about something else than the plan', () => {
    expect(verdict('414', ' s', '', facts, [])).toBe('unverified');
    expect(verdict('415', ' s', '', facts, [])).toBe('supported');
  });

  it('stays unverified when nothing of its unit is known, or several things are', () => {
    expect(verdict('226', ' lines')).toBe('unverified');
    expect(verdict('99', '')).toBe('unverified');
    expect(verdict('7 s', '', '', [figure(415, 's'), figure(129, 's')])).toBe('unverified');
    expect(verdict('7 s', '', '', [figure(null, 's')])).toBe('unverified');
    expect(verdict('constructor', '')).toBe('unverified');
  });

  it('is not a figure where it names a feature', () => {
    expect(verdict('28', ' took long', 'why feature ')).toBe('supported');
    expect(verdict('29', ' took long', 'why feature ')).toBe('unverified');
  });

  it('takes the unit that follows it along, and no more', () => {
    expect(readTyped('three', ' attempts in all')).toMatchObject({ value: 3, unit: 'attempts', eaten: 9 });
    expect(readTyped('120 s', ' seconds')).toMatchObject({ value: 120, unit: 's', eaten: 0 });
    expect(readTyped('2', '')).toMatchObject({ value: 2, unit: null, eaten: 0 });
    expect(readTyped('nothing', '')).toBeNull();
  });
});

describe('prose', () => {
  const text = (value: string): Inline => ({ kind: 'text', text: value });
  const typed = (value: string): Inline => ({ kind: 'typed', text: value, state: 'unchecked' });

  it('is put right in place, its unit with it', () => {
    const checked = checkProse(
      [text('It took '), typed('three'), text(' attempts, they say.')],
      facts,
      features,
      new Set(facts),
    );
    expect(checked.inlines).toEqual([
      text('It took '),
      { kind: 'figure', figure: facts[1] },
      text(', they say.'),
    ]);
    expect(checked.corrections).toHaveLength(1);
    expect(checked.unverified).toEqual([]);
  });

  it('marks every other number, and leaves everything else as it is', () => {
    const given: Inline[] = [
      { kind: 'cite', id: 'E1' },
      typed('415 s'),
      text(' and '),
      typed('12'),
      text(' lines'),
    ];
    const checked = checkProse(given, facts, features, new Set(facts));
    expect(checked.inlines).toEqual([
      { kind: 'cite', id: 'E1' },
      { kind: 'typed', text: '415 s', state: 'supported' },
      text(' and '),
      { kind: 'typed', text: '12', state: 'unverified' },
      text(' lines'),
    ]);
    expect(checked.typed).toBe(2);
    expect(checked.unverified).toHaveLength(1);
  });
});

describe('a title', () => {
  it('may say numbers of the card, of the question and of features', () => {
    const say = (title: string, question = '') =>
      checkTitle(title, facts, features, question, ['Error 404 page']);
    expect(say('Feature 28 took 415 s')).toEqual([]);
    expect(say('The 10 slowest', 'show the 10 slowest')).toEqual([]);
    expect(say('Feature 28 took 120 s')).toEqual(['120']);
    expect(say('No number')).toEqual([]);
    expect(say('Build of the error 404 page')).toEqual([]);
    expect(say('Error 404 page: 404 points')).toEqual(['404']);
  });
});
