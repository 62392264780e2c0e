import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchFeatures, SURE } from './entities.ts';
import { emptyProfile, testProfile } from './test-profile.ts';

const sure = (text: string): string[] =>
  matchFeatures(text, testProfile)
    .filter(({ score }) => score >= SURE)
    .map(({ id }) => id);

describe('matchFeatures', () => {
  it.each<[string, string[]]>([
    ['why did feature 28 take three attempts?', ['28']],
    ['what about #28?', ['28']],
    ['F-028 please', ['28']],
    ['f28', ['28']],
    ['feature twenty-eight was slow', ['28']],
    ['feature number 5', ['5']],
    ['how long did 12 take', ['12']],
    ['was 28 slow?', ['28']],
    ['tell me about 7', ['7']],
    ['compare 5 and 9', ['5', '9']],
    ['compare feature 28 with 1', ['28', '1']],
    ['features 5, 12 and 13', ['5', '12', '13']],
    ['feature twelve vs thirteen', ['12', '13']],
    ['why was 1 slower than 28?', ['1', '28']],
    ['the skeleton one', ['28']],
    ['loading skeletons', ['28']],
    ['what happened to the laoding skelton', ['28']],
    ['did the dark mode thing fail?', ['3']],
    ['the dual axis chart', ['13']],
    ['autorefresh', ['30']],
    ['auto refresh', ['30']],
    ['sortable tabel', ['19']],
    ['the hamburger overlay', ['29']],
    ['how is the project scaffold', ['1']],
    ['the category breakdown chart', ['16']],
  ])('finds the features of: %s', (text, ids) => {
    expect(sure(text)).toEqual(ids);
  });

  it.each([
    'how did the run go?',
    'the 5 slowest features',
    'top 10 by lines',
    'features with three attempts',
    'which features scored less than 9?',
    'which features took more than 12 attempts',
    'features scoring 9/10',
    'what happened at 13:14?',
    'build time by category',
    'how did scaffold do?',
    'lowest score',
    'what did it cost per feature',
    'how many tokens did each feature use?',
    'on 2026-03-28',
    'first 5 features',
    'feature 99',
    'score histogram',
    'what is the category breakdown',
    'when did it enter metrics.json?',
    'what does metrics json claim',
    '',
  ])('finds none in: %s', (text) => {
    expect(sure(text)).toEqual([]);
  });

  it('gives the words that named the feature', () => {
    expect(matchFeatures('Why did feature 28 fail', testProfile)[0]?.span).toBe('feature 28');
    expect(matchFeatures('about #28, please', testProfile)[0]?.span).toBe('#28');
    expect(matchFeatures('did the Dark Mode thing fail', testProfile)[0]?.span).toBe('Dark Mode');
  });

  it('reads ids that are words or padded', () => {
    const features = [
      { id: 'auth-login', title: 'Sign in', description: '', category: 'a', status: 'accepted' },
      { id: 'F-028', title: 'Other', description: '', category: 'a', status: 'accepted' },
    ];
    const profile = { ...testProfile, features };
    expect(matchFeatures('why is auth-login slow', profile)).toEqual([
      { id: 'auth-login', span: 'auth-login', score: 1 },
    ]);
    expect(matchFeatures('feature 28', profile)[0]?.id).toBe('F-028');
  });

  it('takes any text, with spans that stand in it and ids that exist', () => {
    const ids = new Set(testProfile.features.map(({ id }) => id));
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 3000 }), fc.lorem({ maxCount: 40 })),
        (text) => {
          const found = matchFeatures(text, testProfile);
          for (const { id, span, score } of found) {
            expect(ids.has(id)).toBe(true);
            expect(text.includes(span)).toBe(true);
            expect(score).toBeGreaterThan(0);
            expect(score).toBeLessThanOrEqual(1);
          }
          expect(matchFeatures(text, emptyProfile)).toEqual([]);
        },
      ),
    );
  });
});
