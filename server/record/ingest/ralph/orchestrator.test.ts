import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { orchestrator } from './orchestrator.ts';

const DIR = '.ralph/diagnostics/2026-01-27T14-30-22';
const jsonl = (...lines: object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const orchestration = (iteration: number, clock: string, event: object, hat = 'builder'): object => ({
  timestamp: `2026-01-27T${clock}.123456789+01:00`,
  iteration,
  hat,
  event,
});

const FILES = {
  [`${DIR}/orchestration.jsonl`]: jsonl(
    orchestration(1, '14:30:22', { type: 'iteration_started' }),
    orchestration(1, '14:30:23', { type: 'hat_selected', hat: 'builder', reason: 'tasks_ready' }),
    orchestration(1, '14:34:00', { type: 'backpressure_triggered', reason: 'tests failed' }),
    orchestration(2, '14:35:00', { type: 'iteration_started' }),
    orchestration(2, '14:40:00', { type: 'weather' }),
    orchestration(2, '14:41:00', { type: 'loop_terminated', reason: 'max_iterations' }),
  ),
  [`${DIR}/performance.jsonl`]: jsonl(
    {
      timestamp: '2026-01-27T13:34:30Z',
      iteration: 1,
      hat: 'builder',
      metric: { type: 'iteration_duration', duration_ms: 240500 },
    },
    {
      timestamp: '2026-01-27T13:34:30Z',
      iteration: 1,
      hat: 'builder',
      metric: { type: 'token_count', input: 1000, output: 500 },
    },
  ),
  [`${DIR}/errors.jsonl`]: jsonl({
    ts: '2026-01-27T13:36:00Z',
    iteration: 2,
    hat: 'builder',
    error_type: 'timeout',
    message: 'Too slow',
    context: {},
  }),
  [`${DIR}/agent-output.jsonl`]: jsonl(
    { ts: '2026-01-27T13:31:00Z', iteration: 1, hat: 'builder', type: 'text', text: 'Hello' },
    {
      ts: '2026-01-27T13:31:01Z',
      iteration: 1,
      hat: 'builder',
      type: 'tool_call',
      name: 'Read',
      id: 't1',
      input: { file: 'lamp.ts' },
    },
    {
      ts: '2026-01-27T13:31:02Z',
      iteration: 1,
      hat: 'builder',
      type: 'tool_result',
      id: 't1',
      output: 'a lamp',
    },
  ),
  [`${DIR}/trace.jsonl`]: jsonl({
    timestamp: '2026-01-27T13:31:00Z',
    level: 'WARN',
    target: 'core',
    fields: { message: 'slow' },
    iteration: 1,
    hat: 'builder',
  }),
  '.ralph/events-20260127-143022.jsonl': jsonl(
    {
      ts: '2026-01-27T13:30:22Z',
      iteration: 1,
      hat: 'loop',
      topic: 'task.start',
      triggered: 'planner',
      payload: 'Mend the lamps',
    },
    { ts: '2026-01-27T13:32:00Z', topic: 'build.blocked', payload: { why: 'no bulbs' } },
  ),
  '.ralph/agent/tasks.jsonl': jsonl(
    {
      id: 'task-1',
      title: 'Lamp',
      status: 'open',
      priority: 1,
      blocked_by: [],
      created: '2026-01-27T13:30:00Z',
    },
    {
      id: 'task-2',
      title: 'Door',
      status: 'in_progress',
      priority: 2,
      blocked_by: ['task-1'],
      created: '2026-01-27T13:30:00Z',
    },
    {
      id: 'task-1',
      title: 'Lamp',
      status: 'closed',
      priority: 1,
      blocked_by: [],
      created: '2026-01-27T13:30:00Z',
      closed: '2026-01-27T13:33:00Z',
    },
  ),
};

describe('ralph-orchestrator', () => {
  const RUN = 'ralph-orchestrator.20260127143022';

  it('puts the files of one loop together and says why it ended', async () => {
    const read = await readWith(orchestrator, FILES);
    expect(read.rows('runs_told')).toMatchObject([
      {
        run_id: RUN,
        name: 'loop of 20260127-143022',
        started_at_ms: Date.UTC(2026, 0, 27, 13, 30, 22),
        ended_at_ms: Date.UTC(2026, 0, 27, 13, 41, 0, 123),
        status: 'stopped',
        end_reason: 'max_iterations',
        source_line: 6,
      },
    ]);
    expect(read.rows('attempts').map((row) => [row.n, row.duration_s, row.verdict])).toEqual([
      [1, 240.5, 'block'],
      // From its start to the last line about it.
      [2, 360, 'timeout'],
    ]);
    expect(read.rows('gate_events')).toMatchObject([
      { gate: 'backpressure', verdict: 'block', attempt_n: 1, reason: 'tests failed' },
    ]);
    expect(
      read
        .rows('observations_told')
        .filter((row) => row.fact === 'iterations')
        .map((row) => row.value),
    ).toEqual([2]);
    expect(read.rows('tool_calls_told')).toMatchObject([{ name: 'Read', target: '{"file":"lamp.ts"}' }]);
  });

  it('keeps what it does not know, and all events with their hats', async () => {
    const read = await readWith(orchestrator, FILES);
    expect(read.counts[`${DIR}/orchestration.jsonl`]).toEqual({ ok: 5, bad: 1 });
    expect(
      read
        .rows('log_events')
        .filter((row) => row.kind === 'raw')
        .map((row) => [row.run_id, row.source_line]),
    ).toEqual([[RUN, 5]]);
    expect(
      read
        .rows('log_events')
        .filter((row) => row.kind === 'event')
        .map((row) => [row.level, row.message]),
    ).toEqual([
      ['info', 'task.start: Mend the lamps (iteration 1, loop)'],
      ['warning', 'build.blocked: {"why":"no bulbs"}'],
    ]);
  });

  it('takes the later line of a task', async () => {
    const read = await readWith(orchestrator, FILES);
    expect(
      read.rows('features_told').map((row) => [row.ext_id, row.depends_on, row.run_id, row.source_line]),
    ).toEqual([
      ['task-1', null, RUN, 3],
      ['task-2', 'task-1', RUN, 2],
    ]);
    expect(
      read
        .rows('observations_told')
        .filter((row) => row.fact !== 'iterations')
        .map((row) => [row.fact, row.text_value ?? row.value, row.basis]),
    ).toEqual([
      ['status', 'accepted', 'claimed'],
      ['completed_at', Date.UTC(2026, 0, 27, 13, 33), 'measured'],
      ['status', 'in_progress', 'claimed'],
    ]);
    expect(read.issues['.ralph/agent/tasks.jsonl']?.map((issue) => [issue.code, issue.line])).toEqual([
      ['superseded', 1],
    ]);
  });

  it('finds the end in the events where there are no diagnostics', async () => {
    const read = await readWith(orchestrator, {
      '.ralph/events-20260127-143022.jsonl': jsonl(
        { ts: '2026-01-27T13:30:22Z', iteration: 1, hat: 'loop', topic: 'task.start', payload: '' },
        {
          ts: '2026-01-27T13:50:22Z',
          iteration: 3,
          hat: 'loop',
          topic: 'loop.terminate',
          payload: '## Reason\nconsecutive_failures\n\n## Status\nGave up',
        },
      ),
    });
    expect(read.rows('runs_told')).toMatchObject([{ status: 'failed', end_reason: 'consecutive_failures' }]);
    expect(read.rows('observations_told').map((row) => [row.fact, row.value, row.how])).toEqual([
      ['iterations', 2, 'counted numbers of iterations'],
    ]);
  });
});
