import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { frankbria } from './frankbria.ts';

const PLAN = `# Fix plan
## High Priority
- [x] Mend the lamp
- [ ] Mend the door
- [2026-01-29] Talked about windows
- [~] Paint
* [-] Wallpaper
- [a link](docs/x.md)
- [x](docs/y.md) is a link too
- [] no box
- [xx] no box either
\`\`\`
- [ ] not a task: code
\`\`\`
## Low
1. [X] Sweep
`;

describe('fix_plan.md', () => {
  it('takes exactly one character between brackets for a checkbox', async () => {
    const read = await readWith(frankbria, { '.ralph/fix_plan.md': PLAN });
    expect(read.rows('features_told').map((row) => [row.description, row.category, row.source_line])).toEqual(
      [
        ['Mend the lamp', 'High Priority', 3],
        ['Mend the door', 'High Priority', 4],
        ['Paint', 'High Priority', 6],
        ['Wallpaper', 'High Priority', 7],
        ['Sweep', 'Low', 16],
      ],
    );
    expect(read.rows('observations_told').map((row) => [row.text_value, row.how, row.basis])).toEqual([
      ['accepted', '[x]', 'claimed'],
      ['pending', '[ ]', 'claimed'],
      ['in_progress', '[~]', 'claimed'],
      ['skipped', '[-]', 'claimed'],
      ['accepted', '[X]', 'claimed'],
    ]);
    expect(read.counts['.ralph/fix_plan.md']).toEqual({ ok: 5, bad: 0 });
  });
});

describe('state files', () => {
  it('reads how the loop stands; calls are a budget and stay out of the facts', async () => {
    const read = await readWith(frankbria, {
      '.ralph/status.json': JSON.stringify(
        {
          timestamp: '2026-02-01T10:00:00+01:00',
          loop_count: 12,
          calls_made_this_hour: 40,
          max_calls_per_hour: 100,
          tokens_used_this_hour: 9000,
          last_action: 'executing',
          status: 'halted',
          exit_reason: 'stagnation_detected',
        },
        null,
        1,
      ),
    });
    expect(read.rows('runs_told')).toMatchObject([
      { run_id: 'ralph-loop', status: 'stopped', end_reason: 'stagnation_detected' },
    ]);
    expect(read.rows('observations_told')).toEqual([]);
    expect(read.rows('log_events')).toMatchObject([
      {
        kind: 'loop_status',
        message: 'halted, executing, stagnation_detected',
        at_ms: Date.UTC(2026, 1, 1, 9),
        zone: '+01:00',
        level: 'warning',
        data: '{"loop_count":12,"calls_made_this_hour":40,"max_calls_per_hour":100,"tokens_used_this_hour":9000}',
      },
    ]);
  });

  it('marks the time of progress.json as one without a zone', async () => {
    const read = await readWith(frankbria, {
      '.ralph/progress.json':
        '{"status":"executing","indicator":"-","elapsed_seconds":42,"last_output":"tests","timestamp":"2026-02-01 10:00:00"}',
    });
    expect(read.rows('log_events')).toMatchObject([
      { message: 'executing, 42 s so far, tests', zone: null, at_ms: Date.UTC(2026, 1, 1, 10) },
    ]);
    expect(read.issues['.ralph/progress.json']?.map((issue) => issue.code)).toEqual(['time_without_zone']);
  });

  it('reads the circuit breaker and its history', async () => {
    const read = await readWith(frankbria, {
      '.ralph/.circuit_breaker_state':
        '{"state":"OPEN","last_change":"2026-02-01T10:00:00Z","consecutive_no_progress":3,"reason":"No progress","current_loop":7}',
      '.ralph/.circuit_breaker_history': JSON.stringify(
        [
          {
            timestamp: '2026-02-01T09:50:00Z',
            loop: 6,
            from_state: 'CLOSED',
            to_state: 'HALF_OPEN',
            reason: 'Watching',
          },
          {
            timestamp: '2026-02-01T10:00:00Z',
            loop: 7,
            from_state: 'HALF_OPEN',
            to_state: 'OPEN',
            reason: 'No progress',
          },
          { timestamp: '2026-02-01T10:00:00Z', loop: 8, from_state: 'OPEN', to_state: 'AJAR', reason: '' },
        ],
        null,
        1,
      ),
    });
    expect(
      read
        .rows('log_events')
        .map((row) => [row.source_kind, row.kind, row.level, row.message, row.source_line]),
    ).toEqual([
      ['circuit_breaker', 'circuit_open', 'error', 'No progress', 1],
      ['circuit_breaker', 'circuit_half_open', 'warning', 'Watching', 6],
      ['circuit_breaker', 'circuit_open', 'error', 'No progress', 13],
    ]);
    expect(read.counts['.ralph/.circuit_breaker_history']).toEqual({ ok: 2, bad: 1 });
    expect(read.issues['.ralph/.circuit_breaker_history']?.map((issue) => [issue.code, issue.line])).toEqual([
      ['unknown_status', 20],
    ]);
  });

  it('reads the analysis of an answer and the signals to stop', async () => {
    const read = await readWith(frankbria, {
      '.ralph/.response_analysis': JSON.stringify({
        loop_number: 4,
        timestamp: '2026-02-01T10:00:00Z',
        analysis: { has_completion_signal: false, is_stuck: true, work_summary: 'Looked at doors' },
      }),
      '.ralph/.exit_signals': '{"test_only_loops":[2,3],"done_signals":[],"completion_indicators":[4]}',
    });
    expect(read.rows('log_events').map((row) => [row.kind, row.level, row.message])).toEqual([
      ['response_analysis', 'warning', 'Analysis of loop 4, stuck, Looked at doors'],
      ['exit_signals', 'info', 'Loops of tests only: 2, with a done signal: 0, with a sign of completion: 1'],
    ]);
  });

  it('reports files that are no JSON', async () => {
    const read = await readWith(frankbria, {
      '.ralph/status.json': 'running',
      '.ralph/queue.json': '[1]',
      '.ralph/.circuit_breaker_history': '{}',
    });
    expect(read.counts).toEqual({
      '.ralph/status.json': { ok: 0, bad: 1 },
      '.ralph/queue.json': { ok: 0, bad: 1 },
      '.ralph/.circuit_breaker_history': { ok: 0, bad: 1 },
    });
    expect(read.rows('runs_told')).toEqual([]);
  });
});

describe('queue.json', () => {
  it('gives items with the state and times the loop keeps', async () => {
    const read = await readWith(frankbria, {
      '.ralph/queue.json': JSON.stringify({
        queue: [
          {
            id: 'q1',
            source: 'github',
            title: 'Lamp',
            status: 'completed',
            dependencies: [],
            started_at: '2026-02-01T10:00:00Z',
            completed_at: '2026-02-01T10:05:30Z',
          },
          {
            id: 'q2',
            source: 'github',
            title: 'Door',
            status: 'failed',
            dependencies: ['q1'],
            started_at: '2026-02-01T10:06:00Z',
            completed_at: '2026-02-01T10:05:00Z',
            error_message: 'no hinges',
          },
          { id: 'q3', source: 'prd', title: 'Paint', status: 'someday' },
          { title: 'no id' },
        ],
      }),
    });
    expect(read.rows('features_told').map((row) => [row.ext_id, row.title, row.depends_on])).toEqual([
      ['q1', 'Lamp', null],
      ['q2', 'Door', 'q1'],
      ['q3', 'Paint', null],
    ]);
    expect(read.rows('observations_told').map((row) => [row.fact, row.text_value ?? row.value])).toEqual([
      ['status', 'accepted'],
      ['completed_at', Date.UTC(2026, 1, 1, 10, 5, 30)],
      ['status', 'failed'],
      ['completed_at', Date.UTC(2026, 1, 1, 10, 5)],
    ]);
    // An end before the start is no end.
    expect(
      read.rows('attempts').map((row) => [row.feature_id, row.duration_s, row.verdict, row.feedback]),
    ).toEqual([
      ['ralph-loop.fq1', 330, null, null],
      ['ralph-loop.fq2', null, 'error', 'no hinges'],
    ]);
    expect(read.counts['.ralph/queue.json']).toEqual({ ok: 4, bad: 1 });
    expect(read.issues['.ralph/queue.json']?.map((issue) => issue.code)).toEqual([
      'unknown_status',
      'unknown_shape',
    ]);
  });
});
