import { describe, expect, it } from 'vitest';
import { checkQuery } from './fit.ts';
import { onlyFeature, type Query, single } from './query.ts';
import { CONTEXT } from './test-record.ts';
import { offsetMs, parseWhen } from './time.ts';
import { wilson } from './wilson.ts';
import { list, queryWords } from './words.ts';

const words = (query: Query) => queryWords(checkQuery(query), 0, CONTEXT);

describe('queries in words', () => {
  it('say what is computed, over what, and in which order', () => {
    expect(words({ ...single('build_time', 'counted'), by: 'feature', order: 'largest' })).toBe(
      'The sum of build seconds by feature, in the run of 28 March, 12:48, slowest first.',
    );
    expect(words(single('build_time', 'counted', [onlyFeature('28')]))).toBe(
      'The build time of feature 28, in the run of 28 March, 12:48.',
    );
    expect(
      words({
        ...single('attempts', 'metrics', [
          { type: 'in', dim: 'category', not: true, any_of: ['scaffold', 'polish'] },
        ]),
        by: 'category',
        order: 'smallest',
      }),
    ).toBe(
      'The sum of attempts by category, as metrics.json says it, where category not scaffold or polish, in the run of 28 March, 12:48, fewest first.',
    );
    expect(words({ ...single('features', 'counted'), by: 'run' })).toBe(
      'The number of features by run, over all runs.',
    );
  });
  it('say bounds as people do', () => {
    const bound = (dim: string, from: string | null, to: string | null) =>
      words(single('features', 'counted', [{ type: 'range', dim, from, to }]));
    const where = (text: string) => `The number of features, where ${text}, in the run of 28 March, 12:48.`;
    expect(bound('build_time', '200.01', null)).toBe(where('build time over 200 s'));
    expect(bound('build_time', null, '199.99')).toBe(where('build time under 200 s'));
    expect(bound('build_time', '200', null)).toBe(where('build time of 200 s or more'));
    expect(bound('build_time', '100', '200')).toBe(where('build time 100 to 200 s'));
    expect(bound('completed_at', '14:10', null)).toContain('from 14:10 on');
  });
  it('list things as people do', () => {
    expect(list([])).toBe('');
    expect(list(['a'])).toBe('a');
    expect(list(['a', 'b', 'c'])).toBe('a, b and c');
  });
});

describe('times', () => {
  const run = { zone: '-07:00', startedAtMs: Date.UTC(2026, 2, 28, 19, 48, 30) };
  it('are read in the zone of the run, to the end of what was named', () => {
    expect(parseWhen('14:10', 'from', run)).toBe(Date.UTC(2026, 2, 28, 21, 10));
    expect(parseWhen('14:10', 'to', run)).toBe(Date.UTC(2026, 2, 28, 21, 10, 59, 999));
    expect(parseWhen('2026-03-28', 'to', run)).toBe(Date.UTC(2026, 2, 29, 6, 59, 59, 999));
    expect(parseWhen('2026-03-28T14:10:35-07:00', 'from', run)).toBe(Date.UTC(2026, 2, 28, 21, 10, 35));
    expect(parseWhen('2026-03-28T21:10:35Z', 'from', run)).toBe(Date.UTC(2026, 2, 28, 21, 10, 35));
  });
  it('of the night after belong to the next day', () => {
    const late = { zone: '+00:00', startedAtMs: Date.UTC(2026, 0, 1, 23, 0) };
    expect(parseWhen('01:30', 'from', late)).toBe(Date.UTC(2026, 0, 2, 1, 30));
  });
  it('that cannot be read are null', () => {
    for (const text of ['', 'noon', '25:00', '12:60', '2026-13-45', '1; DROP TABLE x'])
      expect(parseWhen(text, 'from', run)).toBeNull();
  });
  it('know fixed and named zones', () => {
    expect(offsetMs('-0700', 0)).toBe(-7 * 3_600_000);
    expect(offsetMs('America/Los_Angeles', Date.UTC(2026, 2, 28))).toBe(-7 * 3_600_000);
    expect(offsetMs('Nowhere/Else', 0)).toBe(0);
  });
});

describe('the interval of a share', () => {
  it('stays inside 0..1 and holds the share', () => {
    for (const [hits, n] of [
      [0, 1],
      [1, 1],
      [29, 30],
      [5, 10],
    ] as const) {
      const interval = wilson(hits, n);
      expect(interval?.low).toBeGreaterThanOrEqual(0);
      expect(interval?.high).toBeLessThanOrEqual(1);
      expect(interval?.low).toBeLessThanOrEqual(hits / n);
      expect(interval?.high).toBeGreaterThanOrEqual(hits / n);
    }
    expect(wilson(0, 0)).toBeNull();
  });
});
