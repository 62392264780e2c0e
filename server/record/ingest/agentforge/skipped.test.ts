import { describe, expect, it } from 'vitest';
import { type Entry, emptyReading, type PassCount } from '../facts.ts';
import type { Run } from './place.ts';
import { skippedByCount } from './skipped.ts';
import { readProgressLog } from './test-readings.ts';

const entry = (feature: string): Entry => ({
  feature,
  atMs: null,
  line: 1,
  description: null,
  category: null,
  facts: [],
  attempts: [],
});
/** A run of these features; those of the log are accepted by it. */
const run = (all: string[], log: string[]): Pick<Run, 'features'> => ({
  features: new Map(
    all.map((id) => [
      id,
      new Map([
        ['feature_list' as const, entry(id)],
        ...(log.includes(id) ? [['progress_log' as const, entry(id)] as const] : []),
      ]),
    ]),
  ),
});
const pass = (skipped: number, of: number, line = 7): PassCount => ({ atMs: null, skipped, of, line });

describe('features skipped by count', () => {
  it('are those the log never accepted, when its last planning pass counts just as many', () => {
    const found = skippedByCount(run(['1', '2', '3'], ['1', '3']), [pass(0, 3), pass(1, 3, 9)]);
    expect(found?.features).toEqual(['2']);
    expect(found?.fact).toMatchObject({ fact: 'status', text: 'skipped', basis: 'derived', line: 9 });
  });

  it('are none when the numbers do not fit', () => {
    expect(skippedByCount(run(['1', '2', '3'], ['1']), [pass(1, 3)])).toBeNull();
    expect(skippedByCount(run(['1', '2', '3'], ['1', '3']), [pass(1, 4)])).toBeNull();
    expect(skippedByCount(run(['1', '2'], ['1', '2']), [pass(0, 2)])).toBeNull();
    expect(skippedByCount(run(['1', '2'], ['1']), [])).toBeNull();
  });

  it('are read from a planning pass with their line', () => {
    const log = [
      '# Run 2026-01-02 10:00',
      '=== PLANNING PASS [2026-01-02 10:30:00 -0700] ===',
      'Features passing: 2/3',
      'Features skipped: 1/3',
      'Features skipped: many',
      '',
    ].join('\n');
    expect(readProgressLog(log).passes).toEqual([
      { atMs: Date.parse('2026-01-02T10:30:00-07:00'), skipped: 1, of: 3, line: 4 },
    ]);
    expect(readProgressLog(log.replace('1/3', 'one')).passes).toEqual(emptyReading().passes);
  });
});
