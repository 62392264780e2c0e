import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { loopLog } from './loop-log.ts';

const PATH = 'ralph/logs/ralph.log';
const LOG = `[2026-03-01 08:00:00] [LOOP] === Iteration #1 ===
[2026-03-01 08:10:00] [SUCCESS] Story 1-1: DONE — lamp glows [proof: tests]
[2026-03-01 08:10:01] [WARN] Story 1-2 — retry 1/10
[2026-03-01 08:10:02] [LOOP] === Iteration #2 ===
[2026-03-01 08:40:02] [WARN] Iteration timed out after 30m
[2026-03-01 08:40:03] [WARN] Story 1-2 — timeout retry 2/10
[2026-03-01 08:40:04] [LOOP] === Iteration #3 ===
[2026-03-01 08:41:04] [ERROR] Claude API usage limit reached
[2026-03-01 08:41:05] [ERROR] Claude Code execution failed (exit code: 1)
[2026-03-01 08:41:06] [WARN] Story 1-2 — timeout retry 3/10
[2026-03-01 08:41:07] [INFO] Progress: 1/9 done, 8 remaining (iterations: 3, elapsed: 41m7s)
[2026-03-01 08:41:08] [ERROR] 3 consecutive failures — halting
[2026-03-01 08:41:09] [INFO] Ralph loop finished
[2026-03-01 09:00:00] [LOOP] === Iteration #1 ===
[2026-03-01 09:02:00] [ERROR] Claude Code execution failed (exit code: 1)
`;

describe('the log of a loop', () => {
  it('gives a turn an iteration and reads its retries for what they are', async () => {
    const read = await readWith(loopLog, { [PATH]: LOG });
    expect(read.counts[PATH]).toEqual({ ok: 15, bad: 0 });
    expect(
      read.rows('attempts').map((row) => [row.n, row.feature_id, row.verdict, row.passed, row.duration_s]),
    ).toEqual([
      // The retry of 1-2 written after the success of 1-1 is of a story nobody had tried.
      [1, 'codeharness.f1-1', 'pass', true, 601],
      [2, 'codeharness.f1-2', 'timeout', null, 1801],
      [3, 'codeharness.f1-2', 'error', null, 65],
      [1, null, 'error', null, 120],
    ]);
    // "timeout retry" does not make a timeout of a process that ended badly; the limit is the provider's.
    expect(read.rows('attempts').map((row) => [row.attribution, row.attribution_basis])).toEqual([
      ['unknown', null],
      ['unknown', null],
      ['provider', 'the log says that the usage limit was reached'],
      ['unknown', null],
    ]);
    expect(read.rows('log_events').map((row) => row.kind)).toEqual([
      'iteration_start',
      'story_done',
      'retry',
      'iteration_start',
      'iteration_timeout',
      'timeout_retry',
      'iteration_start',
      'usage_limit',
      'execution_failed',
      'timeout_retry',
      'loop_progress',
      'halt',
      'loop_end',
      'loop_start',
      'iteration_start',
      'execution_failed',
    ]);
    expect(read.rows('log_events').every((row) => row.zone === null)).toBe(true);
    expect(read.issues[PATH]?.map((issue) => issue.code)).toEqual(['time_without_zone']);
  });

  it('reads on at the turn that was open, as a whole', async () => {
    const at = LOG.indexOf('[2026-03-01 08:41:05]');
    const first = await readWith(loopLog, { [PATH]: LOG.slice(0, at) });
    expect(first.resume[PATH]).toMatchObject({ no: 7, carry: '2 8' });
    const next = await readWith(loopLog, { [PATH]: LOG }, first.resume);
    expect(next.rows('attempts').map((row) => [row.attempt_id, row.n, row.duration_s])).toEqual([
      [`loop_log-ralph-logs-ralph-log.a7`, 3, 65],
      [`loop_log-ralph-logs-ralph-log.a14`, 1, 120],
    ]);
    expect(next.rows('log_events').filter((row) => row.kind === 'loop_start')).toHaveLength(1);
  });

  it('keeps lines without a head', async () => {
    const read = await readWith(loopLog, { [PATH]: `${LOG}Traceback:\n[2026-03-01 09:0` });
    expect(read.counts[PATH]).toEqual({ ok: 15, bad: 1 });
    expect(read.rows('log_events').at(-1)).toMatchObject({
      kind: 'raw',
      message: 'Traceback:',
      source_line: 16,
    });
    expect(read.issues[PATH]?.map((issue) => issue.code)).toEqual(['line_cut', 'time_without_zone']);
  });
});
