import { describe, expect, it } from 'vitest';
import type { AnyRow } from '../../tables.ts';
import { readWith } from '../test-adapter.ts';
import { transcript } from './index.ts';
import { file, hook, line, prompt, S1, said, text, usage } from './test-lines.ts';

const gates = async (...lines: readonly Record<string, unknown>[]): Promise<readonly AnyRow[]> =>
  (await readWith(transcript, { [`${S1}.jsonl`]: file(...lines) })).rows('gate_events');
const pick = (rows: readonly AnyRow[], ...columns: string[]) =>
  rows.map((row) => columns.map((column) => row[column] ?? null));
const stop = (clock: string, errors: readonly string[], more = {}) =>
  line('system', clock, {
    subtype: 'stop_hook_summary',
    hookCount: 1,
    hookInfos: [{ command: './gate.sh', durationMs: 500 }],
    hookErrors: errors,
    preventedContinuation: false,
    ...more,
  });
const turn = (clock: string) => line('system', clock, { subtype: 'turn_duration', durationMs: 10 });

describe('the outcome of a hook', () => {
  it.each([
    ['hook_success', { exitCode: 0 }, 'pass', true, 0, 'unknown'],
    [
      'hook_success',
      { exitCode: 0, stdout: '{"decision":"block","reason":"no"}' },
      'block',
      true,
      0,
      'unknown',
    ],
    [
      'hook_blocking_error',
      { blockingError: { blockingError: '1 failed', command: './gate.sh' } },
      'block',
      true,
      null,
      'unknown',
    ],
    [
      'hook_non_blocking_error',
      { exitCode: 127, stderr: './gate.sh: command not found' },
      'error',
      false,
      127,
      'verifier',
    ],
    ['hook_non_blocking_error', { exitCode: 1, stderr: 'TypeError' }, 'error', false, 1, 'unknown'],
    [
      'hook_non_blocking_error',
      { exitCode: 1, stderr: 'Cannot find module x' },
      'error',
      false,
      1,
      'verifier',
    ],
    ['hook_cancelled', { timedOut: true, timeoutMs: 60_000 }, 'timeout', false, null, 'unknown'],
    ['hook_cancelled', {}, 'cancelled', false, null, 'unknown'],
    ['hook_error_during_execution', { error: 'spawn ENOENT' }, 'error', false, null, 'verifier'],
    ['hook_stopped_continuation', { message: 'enough' }, 'block', true, null, 'unknown'],
    ['hook_permission_decision', { decision: 'deny' }, 'block', true, null, 'unknown'],
    ['hook_permission_decision', { decision: 'ask' }, 'no_verdict', null, null, 'unknown'],
    ['async_hook_response', { exitCode: 1 }, 'error', null, 1, 'unknown'],
    [
      'hook_success',
      { exitCode: 0, stdout: '{"ok":false,"impossible":true,"reason":"never"}' },
      'impossible',
      true,
      0,
      'unknown',
    ],
  ])('%s %j', async (type, more, verdict, enforced, exit, attribution) => {
    const rows = await gates(hook('10:00:00', type, more));
    expect(pick(rows, 'gate', 'verdict', 'enforced', 'exit_code', 'attribution', 'session_id')).toEqual([
      ['hook:Stop', verdict, enforced, exit, attribution, S1],
    ]);
  });

  it('has its command, reason and time, and what its attribution rests on', async () => {
    const [row] = await gates(
      hook('10:00:01', 'hook_non_blocking_error', {
        exitCode: 127,
        stderr: './gate.sh: command not found',
        durationMs: 12,
      }),
    );
    const ended = Date.UTC(2026, 4, 4, 10, 0, 1);
    expect(row).toMatchObject({
      family: './gate.sh',
      reason: './gate.sh: command not found',
      attribution_basis: 'exit code 127: the command of the hook was not found',
      duration_ms: 12,
      started_at_ms: ended - 12,
      ended_at_ms: ended,
      copy_key: 'u-10:00:01',
    });
  });

  it('of a kind that is not known is kept as it is and counted so', async () => {
    const read = await readWith(transcript, { [`${S1}.jsonl`]: file(hook('10:00:00', 'hook_sang_a_song')) });
    expect(read.rows('gate_events')).toEqual([]);
    expect(read.counts[`${S1}.jsonl`]).toEqual({ ok: 0, bad: 1 });
    expect(read.rows('log_events').map(({ kind }) => kind)).toEqual(['raw']);
  });
});

describe('the summary of the hooks of a stop', () => {
  it('is one gate a hook where nothing else told their outcomes', async () => {
    expect(
      pick(
        await gates(
          stop('10:00:00', [], { hookInfos: [{ command: 'a' }, { command: 'b', durationMs: 40 }] }),
        ),
        'verdict',
        'family',
        'duration_ms',
      ),
    ).toEqual([
      ['pass', 'a', null],
      ['pass', 'b', 40],
    ]);
  });

  it('adds none where the outcomes were told one by one', async () => {
    const rows = await gates(
      hook('10:00:00', 'hook_blocking_error', { blockingError: { blockingError: '1 failed' } }),
      stop('10:00:01', ['1 failed']),
    );
    expect(pick(rows, 'verdict')).toEqual([['block']]);
  });

  it('blocked where the agent was told; else what its error did is not known', async () => {
    const feedback = line('user', '10:00:00', {
      isMeta: true,
      message: { content: 'Stop hook feedback:\n- 1 failed' },
    });
    expect(
      pick(await gates(feedback, stop('10:00:01', ['1 failed'])), 'verdict', 'enforced', 'reason'),
    ).toEqual([['block', true, '1 failed']]);
    expect(pick(await gates(stop('10:00:01', ['odd'])), 'verdict', 'enforced')).toEqual([['error', null]]);
    expect(
      pick(await gates(stop('10:00:01', ['Failed with non-blocking status code: x'])), 'verdict', 'enforced'),
    ).toEqual([['error', false]]);
  });
});

describe('stops held up in a row', () => {
  const clock = (n: number) => `10:${String(10 + n)}:00`;
  const held = (n: number) => [
    hook(clock(n), 'hook_blocking_error', { blockingError: { blockingError: 'not yet' } }),
    said(`${clock(n)}.5`, `m${n}`, usage(10), [text('again')]),
  ];
  const many = (n: number) => Array.from({ length: n }, (_, i) => held(i)).flat();
  const bypassed = (rows: readonly AnyRow[]) =>
    pick(
      rows.filter(({ verdict }) => verdict === 'bypassed'),
      'gate',
      'enforced',
      'source_line',
    );

  it('let the next one through after eight', async () => {
    expect(bypassed(await gates(prompt('10:00:00', 'Go'), ...many(8), turn('10:40:00')))).toEqual([
      ['hook:Stop', false, 18],
    ]);
    // Also at the end of the file, and where the next word of a person tells of the end.
    expect(bypassed(await gates(prompt('10:00:00', 'Go'), ...many(8)))).toHaveLength(1);
    expect(
      bypassed(await gates(prompt('10:00:00', 'Go'), ...many(8), prompt('10:40:00', 'Next'))),
    ).toHaveLength(1);
  });

  it('are no such case below eight, or where a stop passed in between', async () => {
    expect(bypassed(await gates(prompt('10:00:00', 'Go'), ...many(7), turn('10:40:00')))).toEqual([]);
    expect(
      bypassed(
        await gates(
          prompt('10:00:00', 'Go'),
          ...many(4),
          stop('10:20:00', []),
          ...many(7).slice(8),
          turn('10:40:00'),
        ),
      ),
    ).toEqual([]);
  });

  it('count a stop once that two hooks held up', async () => {
    const twice = Array.from({ length: 4 }, (_, i) => [
      hook(clock(i), 'hook_blocking_error', { toolUseID: `s${i}`, blockingError: { blockingError: 'a' } }),
      hook(`${clock(i)}.2`, 'hook_blocking_error', {
        toolUseID: `s${i}`,
        blockingError: { blockingError: 'b' },
      }),
    ]).flat();
    expect(bypassed(await gates(prompt('10:00:00', 'Go'), ...twice, turn('10:40:00')))).toEqual([]);
  });
});
