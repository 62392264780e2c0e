import { describe, expect, it } from 'vitest';
import { isSpanOf } from './span-of-question.ts';

describe('a span of the question', () => {
  it('is one in whole words, whatever its spacing and case', () => {
    const question = 'Why did feature 28 take  “three attempts”, not 13 or 4.5?';
    for (const claimed of ['three attempts', 'Three   Attempts', 'feature 28', '13', '4.5'])
      expect(isSpanOf(claimed, question), claimed).toBe(true);
    for (const claimed of [
      '',
      ' ',
      'ree attempts',
      'three attempt',
      'feature 2',
      '3',
      'attempts 13',
      '28',
      '4',
      '5',
    ])
      expect(isSpanOf(claimed, question), claimed).toBe(false);
  });
});
