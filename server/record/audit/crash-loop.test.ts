import { describe, expect, it } from 'vitest';
import { findingsOf } from './test-findings.ts';

const section = (n: number, clock: string, status: string): string =>
  `## Iteration ${n} - 2026-02-01 ${clock}\n**Status**: ${status}\n`;
const NO_SIGNAL = 'Partial work (no explicit completion signal)';
const turn = (loop: number, clock: string, success: boolean): string =>
  `${JSON.stringify({ timestamp: `2026-02-01T${clock}Z`, loop, duration: 5, success, calls: 1 })}\n`;

describe('crash_loop', () => {
  it('finds seven turns of one minute that end without a signal, once', async () => {
    const notes = [1, 2, 3, 4, 5, 6, 7].map((n) => section(n, '10:00', NO_SIGNAL)).join('');
    expect(
      await findingsOf('crash_loop', { 'progress.txt': `${notes}${section(8, '11:30', 'Complete')}` }),
    ).toEqual([
      {
        feature: null,
        severity: 'error',
        says: '7 iterations (1 to 7) carry one time and none of them came to an end of its own: the loop crashed over and over',
        lines: '1 3 5 7 9 11 13',
      },
    ]);
  });

  it('finds two crowds apart in the metrics of a loop', async () => {
    const log = [
      turn(1, '10:00:05', false),
      turn(2, '10:00:15', false),
      turn(3, '10:00:25', false),
      turn(4, '10:20:00', true),
      turn(5, '10:40:05', false),
      turn(6, '10:40:12', false),
      turn(7, '10:40:19', false),
      turn(8, '10:40:26', false),
    ].join('');
    expect(
      (await findingsOf('crash_loop', { '.ralph/logs/metrics.jsonl': log })).map((row) => [
        row.says,
        row.lines,
      ]),
    ).toEqual([
      [
        '3 iterations (1 to 3) lie within 20 s and none of them came to an end of its own: the loop crashed over and over',
        '1 2 3',
      ],
      [
        '4 iterations (5 to 8) lie within 21 s and none of them came to an end of its own: the loop crashed over and over',
        '5 6 7 8',
      ],
    ]);
  });

  it('finds nothing where turns are completed, few, apart, or divided by one that got somewhere', async () => {
    const notes = [
      ...[1, 2, 3, 4].map((n) => section(n, '10:00', 'Complete')),
      section(5, '11:00', NO_SIGNAL),
      section(6, '11:00', NO_SIGNAL),
      section(7, '11:00', 'Complete'),
      section(8, '11:00', NO_SIGNAL),
      section(9, '11:05', NO_SIGNAL),
      section(10, '11:10', NO_SIGNAL),
    ];
    expect(await findingsOf('crash_loop', { 'progress.txt': notes.join('') })).toEqual([]);
    const log = [turn(1, '10:00:05', false), turn(2, '10:00:40', false), turn(3, '10:01:05', false)].join('');
    expect(await findingsOf('crash_loop', { '.ralph/logs/metrics.jsonl': log })).toEqual([]);
  });

  it('finds nothing in sections that tell no time', async () => {
    const notes = [1, 2, 3, 4].map((n) => `## 2026-02-01 - US-00${n}\n**Status**: failed\n`).join('');
    expect(await findingsOf('crash_loop', { 'progress.txt': notes })).toEqual([]);
  });
});
