import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchFeatures, missingFeatures, SURE } from './entities.ts';
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

describe('ids of letters and numbers', () => {
  const record = (ids: string[]) => ({
    ...testProfile,
    features: ids.map((id) => ({
      id,
      title:
        { T1: 'Cart lines', 'US-003': 'Export a list', '2026-09-02-export-csv': 'Export csv' }[id] ??
        `Thing of ${id}`,
      description: '',
      category: 'shop',
      status: 'accepted',
    })),
  });
  const tasks = record(['T0', 'T1', 'T5', 'T12']);
  const stories = record(['US-001', 'US-003', 'US-012']);
  const runs = record(['2026-09-02-export-csv', '2026-09-03-import', '2026-09-03-theme']);
  const named = (text: string, profile: typeof tasks): string[] =>
    matchFeatures(text, profile)
      .filter(({ score }) => score >= SURE)
      .map(({ id }) => id);

  it.each<[string, string[]]>([
    ['show me the log of T1', ['T1']],
    ['what happened to t5?', ['T5']],
    ['T-5 please', ['T5']],
    ['feature T12', ['T12']],
    ['feature 5', ['T5']],
    ['#5', ['T5']],
    ['compare T0 and T5', ['T0', 'T5']],
    ['T1 took 5 attempts', ['T1']],
    ['T99', []],
    ['US-5', []],
    ['xT5', []],
    ['T5x', []],
    ['at 5 pm', []],
  ])('%s', (text, ids) => {
    expect(named(text, tasks)).toEqual(ids);
  });
  it.each<[string, string[]]>([
    ['why did US-003 fail', ['US-003']],
    ['us 3', ['US-003']],
    ['us003', ['US-003']],
    ['story 12', ['US-012']],
    ['tell us 3 things', []],
  ])('%s', (text, ids) => {
    expect(named(text, stories)).toEqual(ids);
  });
  it.each<[string, string[]]>([
    ['what happened in 2026-09-02-export-csv?', ['2026-09-02-export-csv']],
    ['the run of 2026-09-02', ['2026-09-02-export-csv']],
    ['what happened on 2026-09-03?', []],
    ['why did the csv export fail', ['2026-09-02-export-csv']],
  ])('%s', (text, ids) => {
    expect(named(text, runs)).toEqual(ids);
  });
  it('are missed by their own name', () => {
    expect(missingFeatures('what about T99?', tasks)).toEqual(['T99']);
    expect(missingFeatures('feature 99', tasks)).toEqual(['99']);
    expect(missingFeatures('show T5 and T12', tasks)).toEqual([]);
    expect(missingFeatures('US-044', stories)).toEqual(['US-044']);
  });
  it('are spans of the text', () => {
    expect(matchFeatures('log of task T1, please', tasks)[0]?.span).toBe('task T1');
  });
});
