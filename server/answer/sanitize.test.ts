import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import { Block, Check, Fact, Premise, Sentence } from '../../shared/plan.ts';
import { example } from '../planner/example.ts';
import {
  cleanText,
  cutText,
  DEFAULT_TITLES,
  sanitizeAttempts,
  sanitizeBlock,
  sanitizeChart,
  sanitizeExplanation,
  sanitizeFeatureTable,
  sanitizeFollowUps,
  sanitizeNote,
  sanitizePreamble,
  sanitizeStat,
} from './sanitize.ts';
import type { Checked } from './types.ts';

function good<T>(result: Checked<T>): T {
  if (!result.ok) throw new Error(result.issues.join('; '));
  return result.value;
}
const notes = (result: Checked<unknown>): string[] => (result.ok ? result.notes : ['refused']);
const code = (result: Checked<unknown>): string => (result.ok ? 'ok' : result.code);
const sections = (given: Record<string, unknown>): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(given));

const chart = { type: 'chart', title: 'T', measures: ['build_time'], by: 'category' };

describe('blocks', () => {
  it('keeps what is strict already', () => {
    for (const block of example.blocks) expect(good(sanitizeBlock(block))).toEqual(block);
  });

  it('fills empty slots with their defaults', () => {
    expect(good(sanitizeChart(chart))).toEqual({
      type: 'chart',
      title: 'T',
      measures: [{ measure: 'build_time', source: 'counted' }],
      by: 'category',
      split: null,
      draw: 'bar',
      order: 'natural',
      size: 'some',
      scope: 'about',
      where: [],
      actions: [],
    });
    expect(good(sanitizeStat({ figures: [{ fact: 'time_28' }] }))).toEqual({
      type: 'stat',
      title: DEFAULT_TITLES.stat,
      figures: [{ label: 'Time 28', fact: 'time_28', compare_to: null, caption: null }],
      actions: [],
    });
    expect(good(sanitizeAttempts({ feature: 28 }))).toMatchObject({ feature: '28', title: 'Attempts' });
    expect(good(sanitizeNote({ body: 'One sentence.' }))).toMatchObject({
      body: [{ says: 'One sentence.', when: null }],
    });
    expect(good(sanitizeFeatureTable({})).columns.length).toBeGreaterThan(2);
  });

  it('drops unknown keys, and reads no inherited ones', () => {
    expect(good(sanitizeChart({ ...chart, sql: 'DROP TABLE', style: {} }))).not.toHaveProperty('sql');
    const inherited: unknown = Object.create(chart);
    expect(code(sanitizeChart(inherited))).toBe('block_invalid');
    const polluted: unknown = JSON.parse(
      '{"type":"chart","__proto__":{"by":"category","measures":["build_time"]}}',
    );
    expect(code(sanitizeBlock(polluted))).toBe('block_invalid');
  });

  it('says in words what it left out', () => {
    const many = (n: number): string[] => Array.from({ length: n }, (_, i) => `m${i}`);
    expect(notes(sanitizeChart({ ...chart, measures: many(14) }))).toEqual([
      `${LIMITS.series} of 14 measures shown`,
    ]);
    const figures = [...many(6).map((fact) => ({ fact })), { fact: '' }];
    expect(notes(sanitizeStat({ figures }))).toEqual([`${LIMITS.statFigures} of 7 figures shown`]);
    const actions = many(5).map((label) => ({ label, request: label }));
    expect(notes(sanitizeAttempts({ feature: '1', actions }))).toEqual([
      `${LIMITS.actions} of 5 buttons shown`,
    ]);
    expect(notes(sanitizeNote({ body: many(14) }))).toEqual([
      `${LIMITS.noteSentences} of 14 sentences shown`,
    ]);
    expect(notes(sanitizeFeatureTable({ columns: ['feature', 'nope', 'score'] }))).toEqual([
      '2 of 3 columns shown',
    ]);
  });

  it('refuses what would mean something else when guessed', () => {
    const filter = (where: unknown): string => code(sanitizeChart({ ...chart, where }));
    for (const where of [
      'category',
      [{ dim: 'category' }],
      [{ dim: 'category', any_of: [] }],
      [{ dim: 'category', any_of: ['x', {}] }],
      [{ dim: 'category', any_of: ['x'], not: 'yes' }],
      [{ type: 'like', dim: 'category', any_of: ['x'] }],
      [{ type: 'range', dim: 'score', from: null, to: null }],
      [{ type: 'range', dim: 'score', from: [1], to: null }],
      Array.from({ length: 20 }, () => ({ dim: 'category', any_of: ['x'] })),
    ])
      expect(filter(where), JSON.stringify(where)).toBe('block_invalid');
    for (const wrong of [
      { by: undefined },
      { by: 5.5e300 / 0 },
      { measures: [] },
      { draw: 'pie3d' },
      { order: 'random' },
      { scope: 'all' },
      { split: {} },
    ])
      expect(code(sanitizeChart({ ...chart, ...wrong })), JSON.stringify(wrong)).toBe('block_invalid');
    expect(code(sanitizeNote({ body: [{ says: 'x', when: 'sometimes' }] }))).toBe('block_invalid');
    expect(code(sanitizeFeatureTable({ columns: ['nope'] }))).toBe('block_invalid');
    expect(code(sanitizeStat({ figures: [{ fact: 'a b' }] }))).toBe('block_invalid');
  });

  it('reads filters in their short forms', () => {
    const where = [
      { dim: 'feature', any_of: 28 },
      { dim: 'score', from: 5 },
      { dim: 'disputed', any_of: [true], not: true },
    ];
    expect(good(sanitizeChart({ ...chart, where })).where).toEqual([
      { type: 'in', dim: 'feature', not: false, any_of: ['28'] },
      { type: 'range', dim: 'score', from: '5', to: null },
      { type: 'in', dim: 'disputed', not: true, any_of: ['true'] },
    ]);
  });

  it('keeps a note inside its length, and cuts no placeholder', () => {
    const long = good(
      sanitizeNote({ body: ['a'.repeat(1_100), `${'b'.repeat(97)}{fact} ${'c'.repeat(400)}`, 'd'] }),
    );
    expect(long.body.reduce((sum, { says }) => sum + says.length, 0)).toBeLessThanOrEqual(LIMITS.body);
    expect(long.body[1]?.says).toMatch(/^b+…$/);
  });

  it('drops a button whose request would be cut', () => {
    const actions = [
      { label: 'Long', request: 'x'.repeat(LIMITS.request + 1) },
      { label: 'Short', request: 'y' },
    ];
    expect(good(sanitizeAttempts({ feature: '1', actions })).actions).toEqual([
      { label: 'Short', request: 'y' },
    ]);
  });

  it('knows the kinds of cards, and no others', () => {
    for (const type of ['premise', 'skeleton', '__proto__', 'constructor', 'toString', ''])
      expect(code(sanitizeBlock({ type }))).toBe('block_unknown');
    for (const value of [null, undefined, 1, 'stat', [], [{ type: 'stat' }], {}, { type: 1 }])
      expect(code(sanitizeBlock(value))).toBe('block_invalid');
  });

  it('gives a strict block or a code for anything at all, and changes nothing it is given', () => {
    const key = fc.constantFrom(
      'type',
      'title',
      'figures',
      'fact',
      'measures',
      'measure',
      'by',
      'where',
      'dim',
      'any_of',
      'body',
      'says',
      'when',
      'name',
      'is',
      'columns',
      'feature',
      'actions',
      'label',
      'request',
      '__proto__',
    );
    const leaf = fc.oneof(
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom('stat', 'chart', 'note', 'feature_table', 'attempts', 'is', 'true'),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        leaf,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 6 }),
      ),
    }));
    const block = fc
      .tuple(
        fc.constantFrom(
          'stat',
          'chart',
          'attempts',
          'feature_table',
          'commit_table',
          'finding_table',
          'note',
        ),
        fc.dictionary(key, tree),
      )
      .map(([type, rest]) => ({ ...rest, type }));
    fc.assert(
      fc.property(fc.oneof(block, tree), (value) => {
        const before = JSON.stringify(value);
        const result = sanitizeBlock(value);
        expect(JSON.stringify(value)).toBe(before);
        if (result.ok) expect(Block.parse(result.value)).toEqual(result.value);
        else expect(['block_invalid', 'block_unknown']).toContain(result.code);
      }),
      { numRuns: 500 },
    );
  });
});

describe('what stands before the blocks', () => {
  it('keeps what is strict already', () => {
    const { about, facts, premises, checks, explanation, followUps } = example;
    expect(good(sanitizePreamble(sections(example)))).toEqual({ about, facts, premises, checks });
    expect(sanitizeExplanation(explanation)).toEqual(explanation);
    expect(sanitizeFollowUps(followUps)).toEqual(followUps);
  });

  it('takes absent sections for empty ones', () => {
    const empty = { about: { feature: null, scope: [] }, facts: [], premises: [], checks: [] };
    expect(good(sanitizePreamble(new Map()))).toEqual(empty);
    expect(good(sanitizePreamble(sections({ about: null, facts: null, premises: 3, checks: 'x' })))).toEqual(
      empty,
    );
    expect(sanitizeExplanation(undefined)).toEqual([]);
    expect(sanitizeFollowUps({ a: 1 })).toEqual([]);
  });

  it('leaves out a fact, premise or check that cannot be read, and keeps the others', () => {
    const preamble = good(
      sanitizePreamble(
        sections({
          facts: [
            { name: 'a', measure: 'attempts' },
            { name: '{x}', measure: 'attempts' },
            { name: 'b' },
            { name: 'a', measure: 'score' },
            { name: 'c', of: { measure: 'score', source: 'git' } },
          ],
          premises: [
            { type: 'figure', name: 'p', fact: 'a', claimed: 'three attempts' },
            { type: 'relation', name: 'q', fact: 'a', other: 'b' },
            { type: 'opinion', name: 'r' },
          ],
          checks: [
            { type: 'agree', name: 'p', measure: 'attempts' },
            { type: 'recorded', name: 's', measure: 'tokens' },
          ],
        }),
      ),
    );
    expect(preamble.facts.map((fact) => [fact.name, fact.measure, fact.source])).toEqual([
      ['a', 'attempts', 'counted'],
      ['c', 'score', 'git'],
    ]);
    expect(preamble.premises.map((premise) => premise.name)).toEqual(['p']);
    expect(preamble.checks.map((check) => check.name)).toEqual(['s']);
    for (const fact of preamble.facts) expect(Fact.parse(fact)).toEqual(fact);
    for (const premise of preamble.premises) expect(Premise.parse(premise)).toEqual(premise);
    for (const check of preamble.checks) expect(Check.parse(check)).toEqual(check);
  });

  it('refuses the whole when it cannot tell what it is about', () => {
    expect(code(sanitizePreamble(sections({ about: { feature: {} } })))).toBe('plan_invalid');
    expect(code(sanitizePreamble(sections({ about: { feature: '1', scope: [{ dim: 'x' }] } })))).toBe(
      'plan_invalid',
    );
  });

  it('keeps every list inside its limit', () => {
    const of = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
    const result = sanitizePreamble(
      sections({
        facts: of(30, (i) => ({ name: `f${i}`, measure: 'attempts' })),
        checks: of(9, (i) => ({ type: 'agree', name: `c${i}`, measure: 'attempts' })),
      }),
    );
    expect(good(result).facts).toHaveLength(LIMITS.facts);
    expect(good(result).checks).toHaveLength(LIMITS.checks);
    expect(notes(result)).toEqual([
      `${LIMITS.facts} of 30 facts shown`,
      `${LIMITS.checks} of 9 checks shown`,
    ]);
    expect(sanitizeExplanation(of(20, (i) => `s${i}`))).toHaveLength(LIMITS.explanation);
    expect(sanitizeFollowUps(['A?', 'a?', '', 'x'.repeat(500), 'B?', 'C?', 'D?'])).toEqual([
      'A?',
      'B?',
      'C?',
    ]);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('about', 'facts', 'premises', 'checks'), fc.jsonValue()),
        fc.jsonValue(),
        (given, other) => {
          expect(typeof sanitizePreamble(sections(given)).ok).toBe('boolean');
          for (const sentence of sanitizeExplanation(other))
            expect(Sentence.parse(sentence)).toEqual(sentence);
          expect(sanitizeFollowUps(other).length).toBeLessThanOrEqual(LIMITS.followUps);
        },
      ),
    );
  });
});

describe('text', () => {
  it('has no hidden or turning characters, and no half of a pair', () => {
    expect(cleanText('a\u0000b\u202ec\u2066d\u200be\ufefff\u{e0041}g')).toBe('abcdefg');
    expect(cleanText(' x\r\n\ty\u2028z ')).toBe('x y z');
    expect(cleanText('a\r\nb\tc', true)).toBe('a\nb c');
    expect(cleanText('a\ud83d')).toBe('a\ufffd');
    expect(cleanText('👩\u200d🚀')).toBe('👩\u200d🚀');
  });

  it('is cut between characters and before a placeholder', () => {
    expect(cutText('abc', 3)).toBe('abc');
    expect(cutText('abcd', 3)).toBe('ab…');
    expect(cutText('a🚀b', 3)).toBe('a…');
    expect(cutText('took {attempts} now', 10)).toBe('took…');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), (text, max) => {
        const cut = cutText(cleanText(text), max);
        expect(cut.length).toBeLessThanOrEqual(max);
        expect(cleanText(cut)).toBe(cut);
      }),
    );
  });

  it('is bounded however long it comes', () => {
    const title = good(sanitizeAttempts({ feature: '1', title: '<img onerror=x>'.repeat(100_000) })).title;
    expect(title).toHaveLength(LIMITS.title);
    expect(code(sanitizeAttempts({ feature: 'f'.repeat(1_000_000) }))).toBe('block_invalid');
  });
});
