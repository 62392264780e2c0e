import { describe, expect, it } from 'vitest';
import { findingsOf, rowsAdapter } from './test-findings.ts';

const DAY = Date.UTC(2026, 1, 1);
/** Findings over features of one source that end at these seconds of a day. */
const over = (seconds: readonly number[], basis = 'claimed') =>
  findingsOf(
    'equally_spaced_times',
    { 'rows.txt': 'x\n' },
    rowsAdapter((out, source) => {
      for (const [i, second] of seconds.entries()) {
        out.add('features_told', {
          feature_id: `r.f${i}`,
          run_id: 'r',
          ext_id: String(i),
          rank: 0,
          source_id: source,
        });
        out.add('observations_told', {
          observation_id: `o${String(i).padStart(3, '0')}`,
          run_id: 'r',
          feature_id: `r.f${i}`,
          fact: 'completed_at',
          value: DAY + second * 1000,
          basis,
          how: 'as written',
          source_id: source,
          source_kind: 'metrics',
          source_line: i + 1,
        });
      }
    }),
  );

describe('equally_spaced_times', () => {
  it('finds ends that fall on one second', async () => {
    expect(await over([10, 100, 100, 100, 317])).toEqual([
      {
        feature: null,
        severity: 'warning',
        says: 'rows.txt lets 3 features end at the same second, so these times were not taken from a clock',
        lines: '2 3 4',
      },
    ]);
  });

  it('finds ends at a steady pace', async () => {
    expect((await over([7, 90, 390, 690, 990, 1290, 1500])).map((row) => [row.says, row.lines])).toEqual([
      [
        'rows.txt lets 5 features end exactly 300 s apart, so these times were not taken from a clock',
        '2 3 4 5 6',
      ],
    ]);
  });

  it('finds nothing in a pace that varies, in two alike, or in three equal gaps', async () => {
    expect(await over([7, 290, 641, 880, 1290, 1291, 1291])).toEqual([]);
    expect(await over([7, 107, 207, 307, 999])).toEqual([]);
  });

  it('finds nothing in what was measured', async () => {
    expect(await over([10, 100, 100, 100, 100], 'measured')).toEqual([]);
  });

  it('finds nothing in times written to the minute', async () => {
    expect(await over([60, 60, 60, 120, 180, 240, 300])).toEqual([]);
  });

  it('takes a section about three stories for one end', async () => {
    const notes = '## 2026-02-01T10:00:07Z - US-001 through US-003\n- all at once\n';
    expect(await findingsOf('equally_spaced_times', { 'progress.txt': notes })).toEqual([]);
  });
});
