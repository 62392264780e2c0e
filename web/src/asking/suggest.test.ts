import { describe, expect, it } from 'vitest';
import { suggest } from './suggest.ts';

const menu = {
  features: [
    { id: '2', title: 'App shell', status: 'accepted' },
    { id: '28', title: 'Loading skeletons', status: 'accepted' },
    { id: 'T5', title: 'Search by author', status: 'failed' },
  ],
  questions: [
    'How did the run go?',
    'Which features were the slowest?',
    'Which features took the most attempts?',
  ],
  subjects: [],
};
const questions = (text: string): string[] => suggest(text, menu).map(({ question }) => question);

describe('suggestions while typing', () => {
  it.each([
    ['28', ['What happened to feature 28?']],
    ['#28', ['What happened to feature 28?']],
    ['what about t5', ['What happened to feature T5?']],
    ['skel', ['What happened to feature 28?']],
    ['why did loading sk', ['What happened to feature 28?']],
    ['slow', ['Which features were the slowest?']],
    ['which features', ['Which features were the slowest?', 'Which features took the most attempts?']],
    ['how did', ['How did the run go?']],
  ])('%s', (text, wanted) => {
    expect(questions(text)).toEqual(wanted);
  });

  it.each(['', ' ', 'h', 'how did the run go?', 'zebra', 'feature'])('has nothing to add to "%s"', (text) => {
    expect(questions(text).filter((one) => one.toLowerCase() === text)).toEqual([]);
    if (text !== 'feature') expect(questions(text)).toEqual([]);
  });

  it('puts the feature of that number before one whose number only begins so', () => {
    expect(questions('2')[0]).toBe('What happened to feature 2?');
  });

  it('is bounded', () => {
    const many = Array.from({ length: 500 }, (_, n) => ({ id: `A${n}`, title: `Page ${n}`, status: '' }));
    expect(suggest('page', { ...menu, features: many })).toHaveLength(6);
  });
});
