import { expect, it } from 'vitest';
import { contextOf } from './refers.ts';
import type { Turn } from './types.ts';

const turn = (question: string): Turn => ({
  question,
  about: { feature: null, scope: [] },
  measures: [],
  by: null,
  titles: [],
});

it.each([
  ['and by category?', true],
  ['why?', true],
  ['how long did it take to build the export?', true],
  ['what about the login feature and its tests?', true],
  ['why did feature 28 take three attempts?', false],
  ['which features were the slowest?', false],
])('%s leans on what was said before: %s', (question, leans) => {
  expect(contextOf(question, [turn('how did the run go?')]) !== '').toBe(leans);
  expect(contextOf(question, [])).toBe('');
});

it('tells conversations apart', () => {
  const [a, b] = ['how did the run go?', 'what was skipped?'].map((question) =>
    contextOf('why?', [turn(question)]),
  );
  expect(a).not.toBe(b);
  expect(contextOf('why?', [turn('how did the run go?')])).toBe(a);
});
