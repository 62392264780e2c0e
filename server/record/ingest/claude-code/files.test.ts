import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LIMITS } from '../../../../shared/limits.ts';
import { openRecord } from '../../index.ts';
import { testFolder } from '../../test-folder.ts';
import { back, file, hook, line, prompt, S1, S2, said, text, usage, use } from './test-lines.ts';

type Asked = (sql: string) => Promise<unknown[][]>;

/** A record of files in the folder `sessions`; asked with SQL, rows as lists of their cells. */
async function record(
  files: Readonly<Record<string, string | Uint8Array>>,
  prepare?: (root: string) => Promise<void>,
): Promise<Asked> {
  const root = await testFolder(files);
  await prepare?.(root);
  const opened = await openRecord({ root, database: ':memory:' });
  onTestFinished(() => opened.close());
  return async (sql) => (await opened.store.query(sql)).rows.map((row) => Object.values(row));
}

const first = (session: string) => [
  prompt('10:00:00', 'Light the lamp', { sessionId: session }),
  said('10:00:05', 'm1', usage(50), [use('t1', 'Edit', { file_path: '/srv/lamp/a.ts' })], {
    sessionId: session,
  }),
  back('10:00:06', 't1', 'ok', { sessionId: session }),
  hook('10:00:07', 'hook_success', { exitCode: 0 }, { sessionId: session }),
];
const own = (session: string, clock: string, id: string) => [
  prompt(`${clock}:00`, 'Go on', { sessionId: session }),
  said(`${clock}:05`, id, usage(7), [text('yes')], { sessionId: session }),
];

describe('files that share rows', () => {
  it('a resumed session repeats rows under its own id: they stay with the session that had them first', async () => {
    // The one that was resumed is named so that its files come later.
    const ask = await record({
      [`sessions/a-${S2}.jsonl`]: file(...first(S2), ...own(S2, '12:00', 'm3')),
      [`sessions/b-${S1}.jsonl`]: file(...first(S1), ...own(S1, '10:10', 'm2')),
    });
    expect(
      await ask('SELECT request_id, session_id, out_total FROM llm_requests ORDER BY request_id'),
    ).toEqual([
      ['m1|req-m1', S1, 50],
      ['m2|req-m2', S1, 7],
      ['m3|req-m3', S2, 7],
    ]);
    expect(await ask('SELECT tool_call_id, session_id, status FROM tool_calls')).toEqual([['t1', S1, 'ok']]);
    for (const [table, rows] of [
      ['gate_events', 2],
      ['file_touches', 2],
    ] as const) {
      expect(await ask(`SELECT count(*) FROM ${table}`)).toEqual([[rows]]);
      expect(await ask(`SELECT session_id FROM ${table} WHERE is_copy IS NOT TRUE`)).toEqual([[S1]]);
    }
    expect(
      await ask(
        "SELECT session_id, count(*) FROM log_events WHERE kind = 'prompt' AND is_copy IS NOT TRUE GROUP BY 1 ORDER BY 1",
      ),
    ).toEqual([
      [S1, 2],
      [S2, 1],
    ]);
  });

  it('time of the resumed session is not that of the one that goes on', async () => {
    const ended = (session: string) =>
      line('system', '10:00:08', { subtype: 'turn_duration', durationMs: 8_000, sessionId: session });
    const ask = await record({
      [`sessions/a-${S2}.jsonl`]: file(
        ...first(S2),
        ended(S2),
        ...own(S2, '12:00', 'm3'),
        prompt('12:05:00', 'End', { sessionId: S2 }),
      ),
      [`sessions/b-${S1}.jsonl`]: file(...first(S1), ended(S1)),
    });
    const spans = 'SELECT session_id, kind, is_copy, ended_at_ms - started_at_ms FROM session_spans';
    // Before its own first word: the turn it repeats, and the wait that began with the end of that.
    expect(await ask(`${spans} ORDER BY session_id, started_at_ms`)).toEqual([
      [S1, 'turn', null, 8_000],
      [S2, 'turn', true, 8_000],
      [S2, 'person', true, 7_192_000],
      [S2, 'turn', null, 5_000],
      [S2, 'person', null, 295_000],
    ]);
  });

  it('a session that was resumed and has nothing of its own had its rows first', async () => {
    const ask = await record({
      [`sessions/a-${S2}.jsonl`]: file(...first(S2), ...own(S2, '12:00', 'm3')),
      [`sessions/b-${S1}.jsonl`]: file(...first(S1)),
    });
    expect(await ask('SELECT session_id FROM tool_calls')).toEqual([[S1]]);
    expect(await ask('SELECT session_id FROM gate_events WHERE is_copy IS NOT TRUE')).toEqual([[S1]]);
  });

  it('a copy in a sidechain is counted once, for the main session', async () => {
    const ask = await record({
      [`sessions/${S1}/subagents/agent-a.jsonl`]: file(
        said('10:00:05', 'm1', usage(9), [text('a')], { isSidechain: true, agentId: 'a' }),
        said('10:00:09', 'm2', usage(5), [text('b')], { isSidechain: true, agentId: 'a' }),
      ),
      [`sessions/${S1}.jsonl`]: file(said('10:00:05', 'm1', usage(50), [text('a')])),
    });
    expect(
      await ask('SELECT request_id, session_id, out_total FROM llm_requests ORDER BY request_id'),
    ).toEqual([
      ['m1|req-m1', S1, 50],
      ['m2|req-m2', `${S1}/agent-a`, 5],
    ]);
  });

  it('a subagent’s file of 40 rows adds to its parent, and says what it was for', async () => {
    const rows = Array.from({ length: 40 }, (_, i) =>
      said(`10:00:${String(i + 10)}`, `s${i}`, usage(2), [text('x')], { isSidechain: true, agentId: 'a' }),
    );
    const ask = await record({
      [`sessions/${S1}.jsonl`]: file(said('10:00:05', 'm1', usage(50), [text('a')])),
      [`sessions/${S1}/subagents/agent-a.jsonl`]: file(...rows),
      [`sessions/${S1}/subagents/agent-a.meta.json`]:
        '{"agentType":"code-reviewer","description":"Look at the wick"}',
    });
    expect(await ask('SELECT session_id, parent_session_id, role, title FROM sessions ORDER BY 1')).toEqual([
      [S1, null, null, null],
      [`${S1}/agent-a`, S1, 'reviewer', 'Look at the wick'],
    ]);
    expect(await ask('SELECT count(*), sum(out_total)::INTEGER FROM llm_requests')).toEqual([[41, 130]]);
  });

  it('two processes with one session id both count', async () => {
    const ask = await record({
      'one/x.jsonl': file(...own(S1, '10:00', 'm1')),
      'two/x.jsonl': file(...own(S1, '10:00', 'm2').map((row) => ({ ...row, uuid: `other-${row.uuid}` }))),
    });
    expect(await ask('SELECT count(*), count(DISTINCT session_id) FROM llm_requests')).toEqual([[2, 1]]);
    expect(await ask('SELECT count(*) FROM sessions')).toEqual([[1]]);
    expect(await ask('SELECT count(*) FROM log_events WHERE is_copy')).toEqual([[0]]);
  });

  it('the same file through a link is one file', async () => {
    const ask = await record({ [`sessions/${S1}.jsonl`]: file(...first(S1)) }, async (root) => {
      await mkdir(join(root, 'more'));
      await symlink(join(root, 'sessions', `${S1}.jsonl`), join(root, 'more', 'link.jsonl'));
    });
    expect(await ask("SELECT count(*) FROM sources WHERE kind = 'claude_session'")).toEqual([[1]]);
    expect(await ask('SELECT count(*) FROM llm_requests')).toEqual([[1]]);
  });
});

describe('hostile files', () => {
  it('a line far too long and bytes that are no text cost themselves', async () => {
    const long = line('user', '10:00:08', {
      message: { role: 'user', content: 'x'.repeat(LIMITS.lineBytes) },
    });
    const ask = await record({}, async (root) => {
      await writeFile(
        join(root, `${S1}.jsonl`),
        Buffer.concat([
          Buffer.from(file(...first(S1), long)),
          Buffer.from('{"type":"custom-title","sessionId":"s","customTitle":"'),
          Buffer.from([0xff, 0xfe]),
          Buffer.from('"}\n'),
          Buffer.from(file(...own(S1, '10:10', 'm2'))),
        ]),
      );
    });
    expect(await ask('SELECT count(*), sum(out_total)::INTEGER FROM llm_requests')).toEqual([[2, 57]]);
    expect(await ask('SELECT code, line_no FROM ingest_issues ORDER BY line_no')).toEqual([
      ['line_too_long', 5],
      ['not_utf8', 6],
    ]);
  });
});
