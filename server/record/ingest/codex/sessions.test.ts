import { appendFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LIMITS } from '../../../../shared/limits.ts';
import { openRecord } from '../../index.ts';
import { testFolder } from '../../test-folder.ts';
import { CODEX } from './index.ts';
import { rolloutOf, type TestRollout } from './test-rollout.ts';

const open = async (root: string) => {
  const record = await openRecord({ root, database: ':memory:', adapters: CODEX });
  onTestFinished(() => record.close());
  return record;
};
type Opened = Awaited<ReturnType<typeof open>>;
const rowsOf = async (record: Opened, sql: string) => (await record.store.query(sql)).rows;

/** Calls that count and their tokens, by session. */
const USED = `SELECT session_id AS id, count(*) AS calls, CAST(sum(in_uncached + coalesce(in_cache_read, 0) + out_total) AS BIGINT) AS tokens
 FROM llm_requests_told WHERE told_id IN (SELECT told_id FROM rollout_counts) GROUP BY 1 ORDER BY 1`;

const files = (made: Readonly<Record<string, TestRollout>>): Promise<string> =>
  testFolder(
    Object.fromEntries(Object.entries(made).map(([name, one]) => [`s/rollout-${name}.jsonl`, one.text()])),
  );

const five = (made: TestRollout, s = 10, gap = 1): TestRollout => {
  for (let n = 1; n <= 5; n += 1) made.tokens({ input: 100 * n, output: n }, s + (n - 1) * gap);
  return made;
};

describe('sessions that came from others', () => {
  it.each([
    ['all at once', 0],
    ['spread over forty seconds', 10],
  ])(
    'count what they repeat once, %s: five rows, and two children with two more each',
    async (_name, gap) => {
      const child = (id: string, turn: string): TestRollout =>
        five(rolloutOf(id, { forked_from_id: 'parent' }).turn('t1'), 100, gap)
          .turn(turn)
          .tokens({ input: 10, output: 1 }, 200)
          .tokens({ input: 20, output: 1 }, 201);
      const record = await open(
        await files({
          parent: five(rolloutOf('parent').turn('t1')),
          one: child('one', 't2'),
          two: child('two', 't3'),
        }),
      );
      expect(await rowsOf(record, USED)).toEqual([
        { id: 'one', calls: 2, tokens: 32 },
        { id: 'parent', calls: 5, tokens: 1_515 },
        { id: 'two', calls: 2, tokens: 32 },
      ]);
      expect(await rowsOf(record, "SELECT says FROM findings WHERE rule = 'replay_unsure'")).toEqual([]);
    },
  );

  it('count in full where they repeat nothing', async () => {
    const record = await open(
      await files({
        parent: rolloutOf('parent').turn('t1').tokens({ input: 69_000, output: 254 }),
        child: rolloutOf('child', { source: { subagent: { thread_spawn: { parent_thread_id: 'parent' } } } })
          .turn('t2')
          .tokens({ input: 46_000, output: 353 }),
      }),
    );
    expect(await rowsOf(record, USED)).toEqual([
      { id: 'child', calls: 1, tokens: 46_353 },
      { id: 'parent', calls: 1, tokens: 69_254 },
    ]);
    expect(
      await rowsOf(
        record,
        'SELECT session_id AS id, parent_session_id AS parent, is_subagent FROM sessions ORDER BY 1',
      ),
    ).toEqual([
      { id: 'child', parent: 'parent', is_subagent: true },
      { id: 'parent', parent: null, is_subagent: false },
    ]);
  });

  it('cost nothing for a total they only inherit', async () => {
    const record = await open(
      await files({
        parent: rolloutOf('parent').turn('t1').tokens({ input: 69_000, output: 254 }),
        child: rolloutOf('child', { forked_from_id: 'parent' })
          .turn('t2')
          .count({ total: { input: 69_000, output: 254 }, last: { input: 0 } })
          .tokens({ input: 30, output: 3 }),
      }),
    );
    expect(await rowsOf(record, USED)).toEqual([
      { id: 'child', calls: 1, tokens: 33 },
      { id: 'parent', calls: 1, tokens: 69_254 },
    ]);
  });

  it('count in full, and are told, where the other one is not there', async () => {
    const record = await open(
      await files({ child: five(rolloutOf('child', { forked_from_id: 'gone' }).turn('t1')) }),
    );
    expect(await rowsOf(record, USED)).toEqual([{ id: 'child', calls: 5, tokens: 1_515 }]);
    expect(await rowsOf(record, 'SELECT count(*) AS n FROM rollout_counts WHERE NOT certain')).toEqual([
      { n: 5 },
    ]);
    expect(
      await rowsOf(record, "SELECT rule, severity, says FROM findings WHERE rule = 'replay_unsure'"),
    ).toEqual([
      {
        rule: 'replay_unsure',
        severity: 'warning',
        says: 'Session child began from session gone, which is not in the record; its 5 model calls all count, though some may be copies.',
      },
    ]);
    expect(
      await rowsOf(record, "SELECT source_line FROM finding_rows WHERE finding_id LIKE 'replay_unsure.%'"),
    ).toEqual([{ source_line: 1 }]);
  });

  it('have calls that stay with the session that made them', async () => {
    const work = (made: TestRollout, s: number): TestRollout =>
      made
        .turn('t1')
        .item('function_call', { call_id: 'c1', name: 'exec_command', arguments: '{"cmd":"npm test"}' }, s)
        .item('function_call_output', { call_id: 'c1', output: 'Process exited with code 1' }, s + 9);
    const record = await open(
      await files({
        child: work(rolloutOf('child', { forked_from_id: 'parent' }), 500),
        other: work(rolloutOf('other', { forked_from_id: 'parent' }), 700),
        parent: work(rolloutOf('parent'), 50),
      }),
    );
    expect(await rowsOf(record, 'SELECT session_id, name, exit_code, duration_ms FROM tool_calls')).toEqual([
      { session_id: 'parent', name: 'exec_command', exit_code: 1, duration_ms: 9_000 },
    ]);
  });

  it('have prompts and files that count once', async () => {
    const work = (made: TestRollout): TestRollout =>
      made
        .turn('t1')
        .event('user_message', { message: 'Build it' })
        .event('patch_apply_end', {
          call_id: 'p1',
          success: true,
          changes: { '/repo/a.ts': { add: { content: 'x' } } },
        });
    const record = await open(
      await files({
        parent: work(rolloutOf('parent')),
        child: work(rolloutOf('child', { forked_from_id: 'parent' }))
          .turn('t2')
          .event('user_message', { message: 'Build it' }),
      }),
    );
    const keys = await rowsOf(
      record,
      "SELECT count(*) AS prompts, count(DISTINCT copy_key) AS different FROM log_events WHERE kind = 'prompt'",
    );
    expect(keys).toEqual([{ prompts: 3, different: 2 }]);
    expect(
      await rowsOf(record, 'SELECT count(*) AS n, count(DISTINCT copy_key) AS different FROM file_touches'),
    ).toEqual([{ n: 2, different: 1 }]);
    expect(await rowsOf(record, 'SELECT count(*) AS n FROM tool_calls')).toEqual([{ n: 1 }]);
  });
});

describe('a session that is there more than once', () => {
  it('counts once: archived and active, and the same file by another name', async () => {
    const active = five(rolloutOf('a').turn('t1'));
    const root = await testFolder({
      'old/archived_sessions/rollout-a.jsonl': active.text(),
      'old/sessions/2026/rollout-a.jsonl': active.tokens({ input: 7, output: 1 }).text(),
    });
    await symlink('rollout-a.jsonl', join(root, 'old/sessions/2026/z.jsonl'));
    const record = await open(root);
    expect((await record.summary()).sources).toHaveLength(2);
    expect(await rowsOf(record, USED)).toEqual([{ id: 'a', calls: 6, tokens: 1_523 }]);
    const sources = await rowsOf(
      record,
      'SELECT DISTINCT path FROM llm_requests_told JOIN sources USING (source_id) WHERE told_id IN (SELECT told_id FROM rollout_counts)',
    );
    expect(sources).toEqual([{ path: 'old/sessions/2026/rollout-a.jsonl' }]);
  });
});

describe('a rollout with a line too long to be read', () => {
  it('is read around it', async () => {
    const long = 'x'.repeat(LIMITS.lineBytes + 1);
    const made = rolloutOf('a')
      .turn('t')
      .tokens({ input: 5, output: 1 })
      .line('compacted', { message: long })
      .tokens({ input: 7, output: 1 });
    const record = await open(await files({ a: made }));
    expect(await rowsOf(record, USED)).toEqual([{ id: 'a', calls: 2, tokens: 14 }]);
    expect((await record.summary()).sources.map(({ ok, bad, problems }) => [ok, bad, problems])).toEqual([
      [5, 0, [{ line: 5, detail: expect.stringContaining('This line has 1.0 MB') }]],
    ]);
  });

  it('is still the session of its name when that line is its head', async () => {
    const id = '019f0000-0000-7000-8000-00000000000b';
    const made = rolloutOf(id, { base_instructions: 'x'.repeat(LIMITS.lineBytes) })
      .turn('t')
      .tokens({ input: 5, output: 1 });
    const record = await open(await files({ [`2026-08-20T10-00-00-${id}`]: made }));
    expect(await rowsOf(record, USED)).toEqual([{ id, calls: 1, tokens: 6 }]);
    expect(await rowsOf(record, 'SELECT session_id, harness FROM sessions')).toEqual([
      { session_id: id, harness: 'codex' },
    ]);
  });
});

describe('processes that share the id of a session', () => {
  it('each count what they did', async () => {
    const record = await open(
      await files({
        one: rolloutOf('a').turn('t1').tokens({ input: 5, output: 1 }).tokens({ input: 6, output: 1 }),
        two: rolloutOf('a').turn('t2').tokens({ input: 7, output: 1 }),
      }),
    );
    expect(await rowsOf(record, USED)).toEqual([{ id: 'a', calls: 3, tokens: 21 }]);
    expect(await rowsOf(record, 'SELECT count(*) AS n FROM sessions')).toEqual([{ n: 1 }]);
  });
});

describe('paths of files', () => {
  it('are told from the project where a session worked in a folder below it', async () => {
    const root = await testFolder();
    const cwd = join(root, 'app');
    const text = rolloutOf('a', { cwd })
      .line('turn_context', { turn_id: 't', cwd, model: 'm' })
      .event('patch_apply_end', {
        call_id: 'p1',
        success: true,
        changes: {
          [join(cwd, 'a.ts')]: { add: { content: 'x' } },
          '/elsewhere/b.ts': { add: { content: 'x' } },
        },
      })
      .text();
    await mkdir(join(root, 's'));
    await writeFile(join(root, 's/rollout-a.jsonl'), text);
    const record = await open(root);
    const paths = 'SELECT path FROM file_touches ORDER BY 1';
    expect(await rowsOf(record, paths)).toEqual([{ path: '/elsewhere/b.ts' }, { path: 'app/a.ts' }]);
    await writeFile(join(root, 's/rollout-b.jsonl'), rolloutOf('b').text());
    await record.reload();
    expect(await rowsOf(record, paths)).toEqual([{ path: '/elsewhere/b.ts' }, { path: 'app/a.ts' }]);
  });
});

const TABLES = [
  'sessions_told',
  'llm_requests_told',
  'tool_calls_told',
  'file_touches',
  'log_events',
  'session_spans',
  'gate_events',
  'rollout_counts',
];
const all = async (record: Opened): Promise<unknown> =>
  Object.fromEntries(
    await Promise.all(
      TABLES.map(
        async (table) => [table, await rowsOf(record, `SELECT * FROM ${table} ORDER BY ALL`)] as const,
      ),
    ),
  );

describe('the output of codex exec beside its rollout', () => {
  it('is a copy of it; without one it counts', async () => {
    const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 1 };
    const exec = [
      { type: 'thread.started', thread_id: 'a' },
      { type: 'turn.started' },
      {
        type: 'item.completed',
        item: {
          id: 'i',
          type: 'file_change',
          changes: [{ path: '/repo/a.ts', kind: 'add' }],
          status: 'completed',
        },
      },
      {
        type: 'item.completed',
        item: { id: 'j', type: 'command_execution', command: 'ls', exit_code: 0, status: 'completed' },
      },
      { type: 'turn.completed', usage },
    ]
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join('');
    const root = await testFolder({
      'logs/exec.jsonl': exec,
      'logs/other.jsonl': exec.replace('"a"', '"b"'),
    });
    const record = await open(root);
    const counted = async () => ({
      calls: await rowsOf(
        record,
        'SELECT session_id AS id, CAST(sum(out_total) AS BIGINT) AS output FROM llm_requests GROUP BY 1 ORDER BY 1',
      ),
      tools: await rowsOf(
        record,
        'SELECT session_id AS id, count(*) AS n FROM tool_calls GROUP BY 1 ORDER BY 1',
      ),
      files: await rowsOf(
        record,
        'SELECT session_id AS id, count(*) AS n FROM file_touches WHERE is_copy IS NOT TRUE GROUP BY 1 ORDER BY 1',
      ),
    });
    const one = {
      calls: [
        { id: 'a', output: 1 },
        { id: 'b', output: 1 },
      ],
      tools: [
        { id: 'a', n: 2 },
        { id: 'b', n: 2 },
      ],
      files: [
        { id: 'a', n: 1 },
        { id: 'b', n: 1 },
      ],
    };
    expect(await counted()).toEqual(one);
    await writeFile(
      join(root, 'logs/rollout-a.jsonl'),
      rolloutOf('a')
        .turn('t')
        .call('c1', 'shell', { command: ['ls'] })
        .tokens({ input: 4, output: 1 })
        .output('c1', 'Exit code: 0')
        .event('patch_apply_end', {
          call_id: 'p',
          success: true,
          changes: { '/repo/a.ts': { add: { content: 'x' } } },
        })
        .tokens({ input: 6, output: 1 })
        .text(),
    );
    await record.reload();
    expect(await counted()).toEqual({
      ...one,
      calls: [
        { id: 'a', output: 2 },
        { id: 'b', output: 1 },
      ],
    });
    await rm(join(root, 'logs/rollout-a.jsonl'));
    await record.reload();
    expect(await counted()).toEqual(one);
  });
});

describe('a rollout that grows', () => {
  const whole = rolloutOf('a')
    .turn('t1')
    .event('user_message', { message: 'Build it' })
    .call('c1', 'exec_command', { cmd: 'git commit -m x' })
    .tokens({ input: 10, output: 1 })
    .output('c1', 'Process exited with code 0\nOutput:\n[main 1a2b3c4] x\n')
    .item('custom_tool_call', {
      call_id: 'p1',
      name: 'apply_patch',
      input: '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch',
    })
    .count({ total: { input: 10, output: 1 }, last: { input: 10, output: 1 } })
    .item('custom_tool_call_output', { call_id: 'p1', output: 'Success.' })
    .tokens({ input: 20, output: 2 })
    .event('entered_review_mode', {})
    .event('exited_review_mode', { review_output: { findings: [], overall_correctness: 'patch is correct' } })
    .event('task_complete', { turn_id: 't1' })
    .turn('t2')
    .item('message', { role: 'assistant', content: [] })
    .event('turn_aborted', { reason: 'interrupted' })
    .text();

  it('read on piece by piece, also in the middle of lines, gives the rows of one reading', async () => {
    const root = await testFolder({ 's/rollout-a.jsonl': whole.slice(0, 500) });
    const grown = await open(root);
    const size = Math.ceil((whole.length - 500) / 9);
    for (let from = 500; from < whole.length; from += size) {
      await appendFile(join(root, 's/rollout-a.jsonl'), whole.slice(from, from + size));
      await grown.reload();
    }
    const once = await open(root);
    expect(await all(grown)).toEqual(await all(once));
    const counts = 'SELECT lines_ok, lines_bad FROM sources';
    expect(await rowsOf(grown, counts)).toEqual([{ lines_ok: 18, lines_bad: 0 }]);
    expect(await rowsOf(once, counts)).toEqual([{ lines_ok: 18, lines_bad: 0 }]);
    expect(await rowsOf(once, 'SELECT path, op FROM file_touches')).toEqual([{ path: 'a', op: 'create' }]);
    expect(await rowsOf(once, 'SELECT commit_sha FROM tool_calls ORDER BY 1 NULLS LAST LIMIT 1')).toEqual([
      { commit_sha: '1a2b3c4' },
    ]);
  });
});
