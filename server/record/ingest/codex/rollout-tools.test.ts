import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { rollout } from './rollout.ts';
import { rolloutOf, type TestRollout } from './test-rollout.ts';

const read = (made: TestRollout) => readWith(rollout, { 'rollout-a.jsonl': made.text() });
type Got = Awaited<ReturnType<typeof read>>;
const pick = (got: Got, table: Parameters<Got['rows']>[0], ...columns: string[]) =>
  got.rows(table).map((row) => columns.map((column) => row[column] ?? null));
const start = () => rolloutOf('s').turn('t');
const at = (s: number): number => Date.UTC(2026, 7, 20, 10, 0, s);

const PATCH = `*** Begin Patch
*** Add File: src/new.ts
+one
+two
*** Update File: src/old.ts
@@
-gone
+here
 same
*** Delete File: src/dead.ts
*** Update File: a.ts
*** Move to: b.ts
@@
+x
*** End Patch`;

describe('commands', () => {
  it('have a text, an exit code and a duration, in each of the ways they are written', async () => {
    const got = await read(
      start()
        .call('c1', 'exec_command', { cmd: 'npm test' })
        .output(
          'c1',
          'Chunk ID: 1\nWall time: 1.25 seconds\nProcess exited with code 1\nOutput:\nFAIL src/a.test.ts:12 expected 3\n',
        )
        .call('c2', 'shell', { command: ['bash', '-lc', 'ls | wc'] })
        .output('c2', 'Exit code: 0\nWall time: 0 seconds\nOutput:\n3\n')
        .call('c3', 'shell', { command: ['cat', 'x'] })
        .output(
          'c3',
          JSON.stringify({
            output: 'cat: x: No such file',
            metadata: { exit_code: 1, duration_seconds: 0.1 },
          }),
        )
        .item('local_shell_call', { call_id: 'c4', action: { type: 'exec', command: ['make'] } })
        .event('exec_command_end', {
          call_id: 'c4',
          exit_code: 127,
          duration: { secs: 2, nanos: 500_000_000 },
          stdout: '',
          stderr: 'make: not found',
          status: 'failed',
        })
        .event('exec_command_begin', { call_id: 'c5', command: ['/bin/zsh', '-c', 'sleep 9'] })
        .event('exec_command_end', {
          call_id: 'c5',
          exit_code: 124,
          duration: '9.5s',
          aggregated_output: 'command timed out after 9000 milliseconds',
        }),
    );
    expect(pick(got, 'tool_calls_told', 'tool_call_id', 'name', 'kind', 'target', 'started_at_ms')).toEqual([
      ['c1', 'exec_command', 'shell', 'npm test', at(3)],
      ['c1', null, null, null, null],
      ['c2', 'shell', 'shell', 'ls | wc', at(5)],
      ['c2', null, null, null, null],
      ['c3', 'shell', 'shell', 'cat x', at(7)],
      ['c3', null, null, null, null],
      ['c4', 'local_shell', 'shell', 'make', at(9)],
      ['c4', null, null, null, null],
      ['c5', 'exec_command', 'shell', 'sleep 9', at(11)],
      ['c5', null, null, null, null],
    ]);
    const results = got.rows('tool_calls_told').filter(({ status }) => status !== undefined);
    expect(
      results.map((row) => [row.status, row.exit_code, row.duration_ms, row.error_class, row.error_sig]),
    ).toEqual([
      ['error', 1, 1_250, 'exit_nonzero', 'FAIL <path>:<n> expected <n>'],
      ['ok', 0, 0, null, null],
      ['error', 1, 100, 'exit_nonzero', 'cat: x: No such file'],
      ['error', 127, 2_500, 'not_found', 'make: not found'],
      ['error', 124, 9_500, 'timeout', 'command timed out after <n> milliseconds'],
    ]);
    expect(results.map((row) => row.ended_at_ms)).toEqual([at(4), at(6), at(8), at(10), at(12)]);
  });

  it('may be refused, be stopped, or not say how they ended', async () => {
    const got = await read(
      start()
        .call('c1', 'shell', { command: ['rm', '-r', '/'] })
        .output('c1', 'exec command rejected by user')
        .call('c2', 'shell', { command: ['sleep', '99'] })
        .output('c2', 'aborted by user after 3.4s')
        .call('c3', 'exec_command', { cmd: 'x' })
        .output('c3', 'something without a code')
        .output('never-called', 'something')
        .event('exec_command_end', { call_id: 'c5', status: 'declined', command: ['rm', 'x'] }),
    );
    expect(
      got
        .rows('tool_calls_told')
        .flatMap((row) =>
          row.status === undefined ? [] : [[row.tool_call_id, row.status, row.error_class]],
        ),
    ).toEqual([
      ['c1', 'denied', 'denied'],
      ['c2', 'interrupted', 'interrupted'],
      ['c3', 'unknown', null],
      ['never-called', 'unknown', null],
      ['c5', 'denied', 'denied'],
    ]);
    expect(pick(got, 'tool_calls_told', 'tool_call_id', 'target').at(-1)).toEqual(['c5', 'rm x']);
  });

  it('that commit name the commit their output names', async () => {
    const got = await read(
      start()
        .call('c1', 'exec_command', { cmd: 'git add . && git commit -m "Dial"' })
        .output('c1', 'Process exited with code 0\nOutput:\n[main 1a2b3c4] Dial\n 1 file changed\n')
        .call('c2', 'exec_command', { cmd: 'cat log' })
        .output('c2', 'Process exited with code 0\nOutput:\n[main 9999999] not mine\n'),
    );
    expect(pick(got, 'tool_calls_told', 'commit_sha').flat()).toEqual([null, '1a2b3c4', null, null]);
  });
});

describe('other calls', () => {
  it('are of a kind, and failed where they say so', async () => {
    const got = await read(
      start()
        .call('m1', 'mcp__browser__open', { url: 'x' })
        .output('m1', 'fine')
        .call('m2', 'mcp__browser__open', { url: 'y' })
        .output('m2', { content: 'tool call error: no page 17', success: false })
        .event('mcp_tool_call_end', {
          call_id: 'm3',
          invocation: { server: 'db', tool: 'query' },
          duration: { secs: 1, nanos: 0 },
          result: { Err: 'connection refused' },
        })
        .event('mcp_tool_call_end', {
          call_id: 'm4',
          invocation: { server: 'db', tool: 'query' },
          result: { Ok: { content: [], isError: false } },
        })
        .item('web_search_call', { status: 'completed', action: { type: 'search', query: 'clock faces' } })
        .call('a1', 'spawn_agent', { message: 'Look at the hands' })
        .call('p1', 'update_plan', { plan: [] }),
    );
    expect(pick(got, 'tool_calls_told', 'tool_call_id', 'name', 'kind', 'target')).toEqual([
      ['m1', 'mcp__browser__open', 'mcp', '{"url":"x"}'],
      ['m1', null, null, null],
      ['m2', 'mcp__browser__open', 'mcp', '{"url":"y"}'],
      ['m2', null, null, null],
      ['m3', 'mcp__db__query', 'mcp', null],
      ['m3', null, null, null],
      ['m4', 'mcp__db__query', 'mcp', null],
      ['m4', null, null, null],
      ['codex_rollout-rollout-a-jsonl.10', 'web_search', 'web', 'clock faces'],
      ['a1', 'spawn_agent', 'subagent', 'Look at the hands'],
      ['p1', 'update_plan', 'other', '{"plan":[]}'],
    ]);
    const results = got.rows('tool_calls_told').filter(({ status }) => status !== undefined);
    expect(results.map((row) => [row.tool_call_id, row.status, row.error_sig ?? null])).toEqual([
      ['m1', 'ok', null],
      ['m2', 'error', 'tool call error: no page <n>'],
      ['m3', 'error', 'connection refused'],
      ['m4', 'ok', null],
      ['codex_rollout-rollout-a-jsonl.10', 'ok', null],
    ]);
  });
});

describe('patches', () => {
  it('touch the files their text names, once they have worked', async () => {
    const got = await read(
      start()
        .item('custom_tool_call', { call_id: 'p1', name: 'apply_patch', input: PATCH, status: 'completed' })
        .item('custom_tool_call_output', {
          call_id: 'p1',
          output: JSON.stringify({
            output: 'Success. Updated the following files:\nA src/new.ts\n',
            metadata: { exit_code: 0, duration_seconds: 0 },
          }),
        }),
    );
    expect(pick(got, 'tool_calls_told', 'name', 'kind', 'target')[0]).toEqual([
      'apply_patch',
      'edit',
      'src/new.ts and 3 more',
    ]);
    expect(
      pick(got, 'file_touches', 'path', 'op', 'lines_added', 'lines_removed', 'tool_call_id', 'source_line'),
    ).toEqual([
      ['/repo/src/new.ts', 'create', 2, 0, 'p1', 5],
      ['/repo/src/old.ts', 'edit', 1, 1, 'p1', 5],
      ['/repo/src/dead.ts', 'delete', null, null, 'p1', 5],
      ['/repo/b.ts', 'rename', 1, 0, 'p1', 5],
    ]);
  });

  it('may be the argument of a function, or a document a shell is given', async () => {
    const got = await read(
      start()
        .call('p1', 'apply_patch', { input: PATCH })
        .output('p1', 'Success.')
        .call('p2', 'shell', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${PATCH}\nEOF`] })
        .output('p2', 'Exit code: 0\nOutput:\n'),
    );
    expect(
      pick(got, 'file_touches', 'path', 'tool_call_id').map(([path, call]) => `${call} ${path}`),
    ).toEqual(
      ['p1', 'p2'].flatMap((call) =>
        ['src/new.ts', 'src/old.ts', 'src/dead.ts', 'b.ts'].map((path) => `${call} /repo/${path}`),
      ),
    );
  });

  it('touch nothing when they fail', async () => {
    const got = await read(
      start()
        .item('custom_tool_call', { call_id: 'p1', name: 'apply_patch', input: PATCH })
        .item('custom_tool_call_output', {
          call_id: 'p1',
          output: 'apply_patch verification failed: no such line in src/old.ts',
        })
        .call('p2', 'shell', { command: ['apply_patch', PATCH] })
        .output('p2', 'Exit code: 1\nOutput:\nfailed')
        .event('patch_apply_end', {
          call_id: 'p3',
          success: false,
          stderr: 'no',
          changes: { '/repo/a.ts': { add: { content: 'x' } } },
        }),
    );
    expect(got.rows('file_touches')).toEqual([]);
    expect(
      got.rows('tool_calls_told').flatMap((row) => (row.status === undefined ? [] : [row.status])),
    ).toEqual(['error', 'error', 'error']);
  });

  it('touch what their end lists, with paths without detours', async () => {
    const got = await read(
      start()
        .item('custom_tool_call', { call_id: 'p1', name: 'apply_patch', input: PATCH })
        .event('patch_apply_end', {
          call_id: 'p1',
          success: true,
          changes: {
            '/repo/src/new.ts': { add: { content: 'one\ntwo\n' } },
            '/repo/src/old.ts': {
              type: 'update',
              unified_diff: '--- a\n+++ b\n@@\n-x\n+y\n+z\n',
              move_path: null,
            },
            '/elsewhere/x': { delete: { content: 'a\n' } },
          },
        })
        .item('custom_tool_call_output', { call_id: 'p1', output: 'Success.' }),
    );
    expect(pick(got, 'file_touches', 'path', 'raw_path', 'op', 'lines_added', 'lines_removed')).toEqual([
      ['/repo/src/new.ts', '/repo/src/new.ts', 'create', 2, 0],
      ['/repo/src/old.ts', '/repo/src/old.ts', 'edit', 2, 1],
      ['/elsewhere/x', '/elsewhere/x', 'delete', 0, 1],
    ]);
  });
});

describe('reviews', () => {
  const finding = (title: string, priority: number) => ({
    title,
    body: 'why',
    priority,
    confidence_score: 0.9,
    code_location: { absolute_file_path: '/repo/a.ts', line_range: { start: 1, end: 2 } },
  });
  it('are gates that hold nothing back, with their findings', async () => {
    const got = await read(
      start()
        .event('entered_review_mode', { user_facing_hint: 'current changes' })
        .tokens({ input: 5, output: 1 })
        .event('exited_review_mode', {
          review_output: {
            findings: [finding('Hands turn backwards', 0), finding('Name is unclear', 3)],
            overall_correctness: 'patch is incorrect',
            overall_explanation: 'The hands turn backwards.',
            overall_confidence_score: 0.8,
          },
        })
        .tokens({ input: 6, output: 1 })
        .event('entered_review_mode', { user_facing_hint: 'again' })
        .event('exited_review_mode', {
          review_output: {
            findings: [],
            overall_correctness: 'patch is correct',
            overall_explanation: 'Fine.',
          },
        })
        .event('exited_review_mode', { review_output: null }),
    );
    expect(
      pick(
        got,
        'gate_events',
        'gate',
        'verdict',
        'enforced',
        'attribution',
        'confidence',
        'reason',
        'duration_ms',
      ),
    ).toEqual([
      ['review', 'block', null, 'unknown', 0.8, 'The hands turn backwards.', 2_000],
      ['review', 'pass', null, 'unknown', null, 'Fine.', 1_000],
      ['review', 'no_verdict', null, 'unknown', null, null, null],
    ]);
    expect(pick(got, 'log_events', 'kind', 'level', 'message')).toEqual([
      ['review_started', null, 'current changes'],
      ['review_finding', 'error', 'Hands turn backwards'],
      ['review_finding', 'warning', 'Name is unclear'],
      ['review_started', null, 'again'],
    ]);
    expect(pick(got, 'llm_requests_told', 'query_source').flat()).toEqual(['auxiliary', 'main']);
  });
});
