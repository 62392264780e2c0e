import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { loopMetrics } from './loop-metrics.ts';

const PATH = '.ralph/logs/metrics.jsonl';
const turn = (loop: number, clock: string, duration: number, success = true): string =>
  JSON.stringify({ timestamp: `2026-02-01T${clock}Z`, loop, duration, success, calls: loop });

describe('metrics.jsonl of a loop', () => {
  const lines = [turn(1, '10:05:00', 300), turn(2, '10:10:12', 312, false), turn(1, '11:00:00', 60)];

  it('gives a turn a line, with seconds, and says where the loop started again', async () => {
    const read = await readWith(loopMetrics, { [PATH]: `${lines.join('\n')}\n` });
    expect(
      read
        .rows('attempts')
        .map((row) => [row.n, row.started_at_ms, row.duration_s, row.verdict, row.passed ?? null, row.basis]),
    ).toEqual([
      [1, Date.UTC(2026, 1, 1, 10, 0), 300, null, null, 'measured'],
      [2, Date.UTC(2026, 1, 1, 10, 5), 312, 'error', null, 'measured'],
      [1, Date.UTC(2026, 1, 1, 10, 59), 60, null, null, 'measured'],
    ]);
    expect(read.rows('log_events').map((row) => [row.kind, row.message, row.data])).toEqual([
      ['iteration', 'Loop 1, 300 s, ended well', '{"loop":1,"duration":300,"success":true,"calls":1}'],
      ['iteration', 'Loop 2, 312 s, failed', '{"loop":2,"duration":312,"success":false,"calls":2}'],
      ['loop_start', 'The loop starts again at 1.', undefined],
      ['iteration', 'Loop 1, 60 s, ended well', '{"loop":1,"duration":60,"success":true,"calls":1}'],
    ]);
    expect(read.rows('attempts').every((row) => row.tokens_coder === undefined)).toBe(true);
  });

  it('keeps what it does not know and counts it; a line that breaks off is left for later', async () => {
    const read = await readWith(loopMetrics, {
      [PATH]: `${lines[0]}\nnot json\n{"loop":"two"}\n{"timestamp":"2026-`,
    });
    expect(read.counts[PATH]).toEqual({ ok: 1, bad: 2 });
    expect(
      read
        .rows('log_events')
        .filter((row) => row.kind === 'raw')
        .map((row) => [row.message, row.source_line]),
    ).toEqual([
      ['not json', 2],
      ['{"loop":"two"}', 3],
    ]);
    expect(read.issues[PATH]?.map((issue) => [issue.code, issue.line])).toEqual([
      ['json_invalid', 2],
      ['wrong_type', 3],
      ['line_cut', 4],
    ]);
  });

  it('reads on where it stopped, and still sees that the loop started again', async () => {
    const first = await readWith(loopMetrics, { [PATH]: `${lines.slice(0, 2).join('\n')}\n` });
    expect(first.resume[PATH]).toMatchObject({ no: 2, carry: '1 2' });
    const whole = `${lines.join('\n')}\n`;
    const next = await readWith(loopMetrics, { [PATH]: whole }, first.resume);
    expect(next.rows('attempts').map((row) => row.n)).toEqual([2, 1]);
    // The line read again was counted the first time, and the run told.
    expect(next.counts[PATH]).toEqual({ ok: 1, bad: 0 });
    expect(next.rows('runs_told')).toEqual([]);
    expect(next.rows('log_events').map((row) => row.kind)).toEqual(['iteration', 'loop_start', 'iteration']);
  });
});
