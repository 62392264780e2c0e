import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { jeeves } from './jeeves.ts';

const said = (runId: string, event: string, clock: string, more: object = {}): string =>
  JSON.stringify({ event, ts: `2026-01-27T${clock}Z`, runId, ...more });
const steps = (implemented: boolean): object => ({
  issue: { status: { implemented, coverageNeedsFix: true } },
});

const A = [
  said('A', 'run_start', '19:00:00', { branchName: 'issue/2-lamps', issue: { number: 2 } }),
  said('A', 'iteration_start', '19:00:05', { iteration: 1, phase: 'design', ...steps(false) }),
];
const B = [said('B', 'run_start', '19:01:00', { branchName: 'issue/2-doors', issue: { number: 2 } })];
const LATER = [
  said('B', 'iteration_start', '19:01:05', { iteration: 1, phase: 'implement' }),
  said('A', 'iteration_end', '19:02:05', {
    iteration: 1,
    phase: 'design',
    duration_s: 118,
    completed: false,
    ...steps(true),
  }),
  said('A', 'iteration_start', '19:02:10', { iteration: 2, phase: 'review' }),
  said('B', 'iteration_end', '19:03:05', {
    iteration: 1,
    phase: 'implement',
    duration_s: 120,
    completed: true,
    completionReason: 'completed',
  }),
];
const file = (lines: string[]): string => `${lines.join('\n')}\n`;

describe('metrics with runs side by side', () => {
  it('tells runs apart by id, joins starts and ends, and counts an event of two files once', async () => {
    const read = await readWith(jeeves, {
      'jeeves/metrics.jsonl': file(LATER),
      'jeeves/run-A.metrics.jsonl': file(A),
      'jeeves/state-metrics.jsonl': file([...A, ...B]),
    });
    expect(
      read.rows('runs_told').map((row) => [row.run_id, row.name, row.started_at_ms, row.status]),
    ).toEqual([
      ['jeeves.b', 'issue/2-doors', Date.UTC(2026, 0, 27, 19, 1), 'succeeded'],
      ['jeeves.a', 'issue/2-lamps', Date.UTC(2026, 0, 27, 19), null],
    ]);
    expect(
      read.rows('attempts').map((row) => [row.run_id, row.n, row.duration_s, row.verdict, row.passed]),
    ).toEqual([
      ['jeeves.b', 1, 120, 'pass', true],
      ['jeeves.a', 1, 118, 'no_verdict', null],
      // Its end is not told.
      ['jeeves.a', 2, null, null, null],
    ]);
    expect(read.rows('log_events')).toHaveLength(7);
    expect(read.issues['jeeves/state-metrics.jsonl']?.map((issue) => [issue.code, issue.line])).toEqual([
      ['duplicate_id', 1],
      ['duplicate_id', 2],
    ]);
    expect(
      read.rows('observations_told').map((row) => [row.run_id, row.fact, row.value ?? row.text_value]),
    ).toEqual([
      ['jeeves.b', 'iterations', 1],
      ['jeeves.b', 'status', 'accepted'],
      ['jeeves.b', 'attempts', 1],
      ['jeeves.a', 'iterations', 1],
      ['jeeves.a', 'status', 'in_progress'],
      ['jeeves.a', 'attempts', 1],
    ]);
  });

  it('keeps the latest word on the steps of an issue; what says that something is missing is no step', async () => {
    const read = await readWith(jeeves, { 'metrics.jsonl': file([...A, ...LATER]) });
    expect(
      read.rows('requirements_told').map((row) => [row.ext_id, row.claimed_pass, row.source_line]),
    ).toEqual([['2.implemented', true, 4]]);
  });

  it('keeps lines of no known type', async () => {
    const read = await readWith(jeeves, {
      'metrics.jsonl': file([A[0] ?? '', '{"event":"weather","runId":"A"}', 'no']),
    });
    expect(read.counts['metrics.jsonl']).toEqual({ ok: 1, bad: 2 });
    expect(read.rows('log_events').map((row) => row.kind)).toEqual(['run_start', 'raw', 'raw']);
  });

  it('leaves metrics of other loops alone', async () => {
    expect((await readWith(jeeves, { 'metrics.jsonl': '{"loop":1,"duration":3}\n' })).counts).toEqual({});
  });
});
