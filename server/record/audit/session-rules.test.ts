import { describe, expect, it } from 'vitest';
import {
  back,
  file,
  hook,
  line,
  prompt,
  S1,
  said,
  text,
  usage,
  use,
} from '../ingest/claude-code/test-lines.ts';
import { findingsOf } from './test-findings.ts';

const found = async (rule: string, ...lines: readonly Record<string, unknown>[]) =>
  (await findingsOf(rule, { [`sessions/${S1}.jsonl`]: file(...lines) })).map(
    ({ severity, says, lines: at }) => [severity, says, at],
  );
const clock = (n: number) => `10:${String(10 + n)}:00`;

describe('hook_did_not_gate', () => {
  const missing = (at: string) =>
    hook(at, 'hook_non_blocking_error', { exitCode: 127, stderr: './gate.sh: command not found' });

  it('finds a hook that ended otherwise than with a verdict, once for all its times', async () => {
    expect(
      await found(
        'hook_did_not_gate',
        missing(clock(1)),
        missing(clock(2)),
        hook(clock(3), 'hook_cancelled', { timedOut: true }),
      ),
    ).toEqual([
      [
        'error',
        'The hook "./gate.sh" of Stop did not gate 2 times in 1 session: it ended with exit code 127, so nothing was checked.',
        '1 2',
      ],
      [
        'error',
        'The hook "./gate.sh" of Stop did not gate 1 time in 1 session: it ran out of time, so nothing was checked.',
        '3',
      ],
    ]);
  });

  it('finds nothing in hooks that passed, blocked, or run beside the session', async () => {
    expect(
      await found(
        'hook_did_not_gate',
        hook(clock(1), 'hook_success', { exitCode: 0 }),
        hook(clock(2), 'hook_blocking_error', { blockingError: { blockingError: 'no' } }),
        hook(clock(3), 'async_hook_response', { exitCode: 1 }),
      ),
    ).toEqual([]);
  });
});

describe('stop_cap_reached', () => {
  const held = (times: number) => [
    prompt('10:00:00', 'Go'),
    ...Array.from({ length: times }, (_, i) => [
      hook(clock(i), 'hook_blocking_error', { blockingError: { blockingError: 'not yet' } }),
      said(`${clock(i)}.5`, `m${i}`, usage(10), [text('again')]),
    ]).flat(),
    line('system', '10:50:00', { subtype: 'turn_duration', durationMs: 1 }),
  ];

  it('finds a stop that went through after eight blocks, and none after seven', async () => {
    expect(await found('stop_cap_reached', ...held(8))).toEqual([
      [
        'error',
        `In the session "${S1}" the gate did not hold: 8 stops in a row were held up by hooks; then the session ended its turn all the same.`,
        '18',
      ],
    ]);
    expect(await found('stop_cap_reached', ...held(7))).toEqual([]);
  });
});

describe('session_without_result', () => {
  const init = { type: 'system', subtype: 'init', session_id: S1, cwd: '/srv/lamp', model: 'claude-opus-5' };
  const headless = async (...lines: readonly Record<string, unknown>[]) =>
    (await findingsOf('session_without_result', { 'out.jsonl': file(...lines) })).map(
      ({ says, lines: at }) => [says, at],
    );

  it('finds output that begins and does not end, and none with a result, whatever it says', async () => {
    expect(await headless(init)).toEqual([
      [`The output of the session ${S1} ends without a result: it was killed, or it is still at work.`, '1'],
    ]);
    expect(
      await headless(init, { type: 'result', subtype: 'error_max_turns', is_error: true, session_id: S1 }),
    ).toEqual([]);
  });
});

describe('tool_call_repeated', () => {
  const failing = (n: number, what: (i: number) => string) =>
    Array.from({ length: n }, (_, i) => [
      said(clock(i), `m${i}`, usage(10), [use(`t${i}`, 'Bash', { command: 'npm test' })]),
      back(`${clock(i)}.5`, `t${i}`, what(i), {}, true),
    ]).flat();

  it('finds the same error three times, whatever numbers it holds', async () => {
    expect(
      await found('tool_call_repeated', ...failing(3, (i) => `Exit code 1\nError: ${i} of 14 failed`)),
    ).toEqual([
      [
        'warning',
        `In the session "${S1}" Bash failed 3 times in the same way: Error: <n> of <n> failed`,
        '1 3 5',
      ],
    ]);
  });

  it('finds nothing in two failures, or in three of different kinds', async () => {
    expect(await found('tool_call_repeated', ...failing(2, () => 'Exit code 1\nError: no'))).toEqual([]);
    const words = ['wick', 'oil', 'glass'];
    expect(
      await found('tool_call_repeated', ...failing(3, (i) => `Exit code 1\nError: no ${words[i]}`)),
    ).toEqual([]);
  });
});

describe('time_without_end', () => {
  const call = (at: string) => said(at, 'm1', usage(10), [use('t1', 'Bash', { command: 'npm test' })]);

  it('finds a call that nothing answered, and an answer from before its call', async () => {
    expect(await found('time_without_end', prompt(clock(0), 'go'), call(clock(1)))).toEqual([
      ['info', expect.stringContaining('no start or no end is told'), '2'],
    ]);
    const backwards = await found(
      'time_without_end',
      prompt(clock(0), 'go'),
      call(clock(3)),
      back(clock(1), 't1', 'ok'),
    );
    expect(backwards.map(([severity, says]) => [severity, says])).toEqual([
      ['warning', expect.stringContaining('the end lies before the start')],
    ]);
  });

  it('finds nothing where every call came back', async () => {
    expect(
      await found('time_without_end', prompt(clock(0), 'go'), call(clock(1)), back(clock(2), 't1', 'ok')),
    ).toEqual([]);
  });
});
