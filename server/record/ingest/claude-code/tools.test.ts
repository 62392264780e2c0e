import { describe, expect, it } from 'vitest';
import type { AnyRow } from '../../tables.ts';
import { readWith } from '../test-adapter.ts';
import { transcript } from './index.ts';
import { back, file, line, prompt, S1, said, usage, use } from './test-lines.ts';

const pick = (rows: readonly AnyRow[], ...columns: string[]) =>
  rows.map((row) => columns.map((column) => row[column] ?? null));
/** One call and its result. */
const call = (name: string, input: Record<string, unknown>, content: string, more = {}, failed = false) =>
  readWith(transcript, {
    [`${S1}.jsonl`]: file(
      said('10:00:00', 'm1', usage(20), [use('t1', name, input)]),
      back('10:00:04', 't1', content, more, failed),
    ),
  });
const told = (stdout: string, more = {}) => ({
  toolUseResult: { stdout, stderr: '', interrupted: false, ...more },
});

describe('a command', () => {
  it('that went well has exit code 0; what it was, and how long it took', async () => {
    const rows = (await call('Bash', { command: 'npm test' }, 'ok', told('ok'))).rows('tool_calls_told');
    expect(
      pick(rows, 'tool_call_id', 'name', 'kind', 'target', 'status', 'exit_code', 'output_bytes'),
    ).toEqual([
      ['t1', 'Bash', 'shell', 'npm test', null, null, null],
      ['t1', null, null, null, 'ok', 0, 2],
    ]);
    expect(
      rows.map(({ started_at_ms, ended_at_ms }) => Number(ended_at_ms ?? started_at_ms) % 60_000),
    ).toEqual([0, 4_000]);
  });

  it.each([
    [
      'Exit code 1\n2 of 14 tests failed in 3.1 s',
      'error',
      1,
      'exit_nonzero',
      '<n> of <n> tests failed in <n> s',
    ],
    ['Exit code 127\nsh: gate: not found', 'error', 127, 'not_found', 'sh: gate: not found'],
    ['Command timed out after 2m 0s', 'error', null, 'timeout', 'Command timed out after <n>m <n>s'],
    [
      '<tool_use_error>String to replace not found in file.</tool_use_error>',
      'error',
      null,
      'no_match',
      'String to replace not found in file.',
    ],
    ["The user doesn't want to proceed with this tool use.", 'denied', null, 'denied', null],
    ['PreToolUse:Bash hook error: no deletes', 'denied', null, 'hook', null],
    ['[Request interrupted by user for tool use]', 'interrupted', null, 'interrupted', null],
  ])('that ends with "%s"', async (content, status, exit, cls, sig) => {
    const rows = (await call('Bash', { command: 'x' }, content, {}, true)).rows('tool_calls_told');
    expect(pick(rows, 'status', 'exit_code', 'error_class', 'error_sig')[1]).toEqual([
      status,
      exit,
      cls,
      sig,
    ]);
  });

  it('in the background, or with a code that means something else, has told no exit code', async () => {
    for (const more of [{ backgroundTaskId: 'b1' }, { returnCodeInterpretation: 'No matches found' }])
      expect(
        pick(
          (await call('Bash', { command: 'x' }, '', told('', more))).rows('tool_calls_told'),
          'status',
          'exit_code',
        )[1],
      ).toEqual(['ok', null]);
  });

  it('that made commits names them, the last one on the call; another command’s output names none', async () => {
    const out = '[main 1a2b3c4] Wick\n 1 file changed\n[main (root-commit) 5d6e7f8] Oil\n';
    const made = await call('Bash', { command: 'git commit -m Wick && git commit -m Oil' }, out, told(out));
    expect(made.rows('tool_calls_told')[1]?.commit_sha).toBe('5d6e7f8');
    expect(pick(made.rows('log_events'), 'kind', 'message')).toEqual([
      ['commit', '1a2b3c4 Wick'],
      ['commit', '5d6e7f8 Oil'],
    ]);
    const other = await call('Bash', { command: 'cat notes' }, out, told(out));
    expect(other.rows('tool_calls_told')[1]?.commit_sha ?? null).toBeNull();
    const failed = await call('Bash', { command: 'git commit -m x' }, `Exit code 1\n${out}`, {}, true);
    expect(failed.rows('tool_calls_told')[1]?.commit_sha ?? null).toBeNull();
  });
});

describe('waiting', () => {
  it('is the whole time of a question, and of a call a person refused', async () => {
    const asked = await call('AskUserQuestion', { questions: [] }, 'blue');
    expect(asked.rows('tool_calls_told')[1]?.wait_user_ms).toBe(4_000);
    const refused = await call('Edit', { file_path: '/srv/lamp/a.ts' }, 'User rejected tool use', {}, true);
    expect(refused.rows('tool_calls_told')[1]?.wait_user_ms).toBe(4_000);
    expect(pick(refused.rows('session_spans'), 'kind')).toEqual([['permission']]);
    expect(pick(refused.rows('log_events'), 'kind', 'message')).toEqual([['permission', 'Edit: refused']]);
    expect(refused.rows('file_touches')).toEqual([]);
    const plain = await call('Bash', { command: 'x' }, 'ok', told('ok'));
    expect(plain.rows('tool_calls_told')[1]?.wait_user_ms ?? null).toBeNull();
  });

  it('is no part of what a tool itself says it took', async () => {
    const rows = (await call('WebFetch', { url: 'u' }, 'page', { toolUseResult: { durationMs: 900 } })).rows(
      'tool_calls_told',
    );
    expect(pick(rows, 'kind', 'duration_ms')).toEqual([
      ['web', null],
      [null, 900],
    ]);
  });
});

describe('files', () => {
  const patch = { structuredPatch: [{ lines: [' a', '+b', '+c', '-d'] }, { lines: ['+e'] }] };
  it.each([
    ['Edit', { filePath: '/srv/lamp/src/a.ts', ...patch }, 'src/a.ts', 'edit', 3, 1],
    ['MultiEdit', { filePath: '/srv/lamp/src/../b.ts', ...patch }, 'b.ts', 'edit', 3, 1],
    [
      'Write',
      { type: 'create', filePath: '/srv/lamp/c.ts', content: 'x\ny\n', structuredPatch: [] },
      'c.ts',
      'create',
      2,
      0,
    ],
    ['Write', { type: 'update', filePath: '/srv/lamp/c.ts', content: 'x', ...patch }, 'c.ts', 'edit', 3, 1],
    ['NotebookEdit', { notebook_path: '/elsewhere/n.ipynb' }, '/elsewhere/n.ipynb', 'edit', null, null],
    ['Read', { type: 'text', file: { filePath: '/srv/lamp/a.ts', numLines: 5 } }, 'a.ts', 'read', null, null],
  ])('%s touches its file', async (name, toolUseResult, path, op, added, removed) => {
    const { rows } = await call(name, { file_path: '/srv/lamp/x' }, 'ok', { toolUseResult });
    expect(
      pick(rows('file_touches'), 'tool_call_id', 'path', 'op', 'lines_added', 'lines_removed', 'session_id'),
    ).toEqual([['t1', path, op, added, removed, S1]]);
  });

  it('are those of the call where the result does not name them, and none where it failed', async () => {
    const quiet = await call('Edit', { file_path: '/srv/lamp/a.ts' }, 'ok');
    expect(pick(quiet.rows('file_touches'), 'path', 'lines_added')).toEqual([['a.ts', null]]);
    const failed = await call('Edit', { file_path: '/srv/lamp/a.ts' }, 'Error', {}, true);
    expect(failed.rows('file_touches')).toEqual([]);
  });
});

it('many results in one line each belong to their own call', async () => {
  const { rows } = await readWith(transcript, {
    [`${S1}.jsonl`]: file(
      prompt('10:00:00', 'Go'),
      said('10:00:01', 'm1', usage(20), [
        use('t1', 'Read', { file_path: '/srv/lamp/a' }),
        use('t2', 'Read', { file_path: '/srv/lamp/b' }),
      ]),
      line('user', '10:00:02', {
        message: {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content: 'a' },
            {
              type: 'tool_result',
              tool_use_id: 't2',
              content: [{ type: 'text', text: 'File does not exist' }],
              is_error: true,
            },
          ],
        },
      }),
    ),
  });
  expect(pick(rows('tool_calls_told'), 'tool_call_id', 'status', 'error_class').slice(2)).toEqual([
    ['t1', 'ok', null],
    ['t2', 'error', 'not_found'],
  ]);
  expect(pick(rows('file_touches'), 'path')).toEqual([['a']]);
});
