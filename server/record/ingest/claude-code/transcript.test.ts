import { describe, expect, it } from 'vitest';
import type { AnyRow } from '../../tables.ts';
import { readWith } from '../test-adapter.ts';
import { transcript } from './index.ts';
import { back, file, line, prompt, S1, S2, said, text, usage, use } from './test-lines.ts';

const PATH = `${S1}.jsonl`;
const read = (content: string, path = PATH) => readWith(transcript, { [path]: content });
const pick = (rows: readonly AnyRow[], ...columns: string[]) =>
  rows.map((row) => columns.map((column) => row[column] ?? null));
const tokens = (rows: readonly AnyRow[]) =>
  pick(
    rows,
    'message_id',
    'request_ref',
    'in_uncached',
    'in_cache_read',
    'in_cache_write_5m',
    'in_cache_write_1h',
    'out_total',
  );

describe('a message of the model', () => {
  it('is one call however many rows it has: each class of tokens the most that any row tells', async () => {
    const rows = (
      await read(
        file(
          prompt('10:00:00', 'Light the lamp'),
          said('10:00:05', 'm1', usage(9), [text('I look')]),
          said('10:00:06', 'm1', usage(9, { input_tokens: 3 }), [text('and')]),
          said('10:00:07', 'm1', usage(159, { iterations: [usage(159)] }), [
            use('t1', 'Bash', { command: 'ls' }),
          ]),
        ),
      )
    ).rows('llm_requests_told');
    expect(tokens(rows)).toEqual([['m1', 'req-m1', 4, 1_000, 0, 0, 159]]);
    expect(
      pick(
        rows,
        'started_at_ms',
        'ended_at_ms',
        'duration_ms',
        'status',
        'query_source',
        'cwd',
        'git_branch',
      ),
    ).toEqual([
      [Date.UTC(2026, 4, 4, 10), Date.UTC(2026, 4, 4, 10, 0, 7), 7_000, 'ok', 'main', '/srv/lamp', 'main'],
    ]);
  });

  it('is one call with an empty request id too', async () => {
    const rows = (
      await read(
        file(
          said('10:00:05', 'm1', usage(20), [text('a')], { requestId: '' }),
          said('10:00:06', 'm1', usage(20), [text('b')], { requestId: '' }),
        ),
      )
    ).rows('llm_requests_told');
    expect(tokens(rows)).toEqual([['m1', null, 4, 1_000, 0, 0, 20]]);
  });

  it('keeps writes to the cache by how long they last; a later row that does not divide them changes nothing', async () => {
    const divided = {
      cache_creation_input_tokens: 1_200,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 1_200 },
    };
    const rows = (
      await read(
        file(
          said('10:00:05', 'm1', usage(9, divided), [text('a')]),
          said('10:00:06', 'm1', usage(30, { cache_creation_input_tokens: 1_200 }), [text('b')]),
          said('10:00:09', 'm2', usage(30, { cache_creation_input_tokens: 700 }), [text('c')]),
        ),
      )
    ).rows('llm_requests_told');
    expect(tokens(rows)).toEqual([
      ['m1', 'req-m1', 4, 1_000, 0, 1_200, 30],
      ['m2', 'req-m2', 4, 1_000, 700, 0, 30],
    ]);
  });

  it('that goes on between the rows of another goes on from what was known: two processes may share one session', async () => {
    const rows = (
      await read(
        file(
          said('10:00:05', 'm1', usage(9), [text('a')]),
          said('10:00:06', 'm2', usage(40), [text('b')]),
          said('10:00:07', 'm1', usage(80, { cache_read_input_tokens: 0 }), [text('c')]),
        ),
      )
    ).rows('llm_requests_told');
    expect(tokens(rows)).toEqual([
      ['m1', 'req-m1', 4, 1_000, 0, 0, 9],
      ['m2', 'req-m2', 4, 1_000, 0, 0, 40],
      ['m1', 'req-m1', 4, 1_000, 0, 0, 80],
    ]);
  });

  it('that says more than its output tokens can hold is a lower bound; one of the harness itself is no call', async () => {
    const { rows } = await read(
      file(
        said('10:00:05', 'm1', usage(3), [text('word '.repeat(100))]),
        said('10:00:06', 'm2', usage(120), [text('word '.repeat(100))]),
        line('assistant', '10:00:07', {
          isApiErrorMessage: true,
          message: {
            id: 'x',
            model: '<synthetic>',
            content: [text('API Error: 529 overloaded')],
            usage: usage(0),
          },
        }),
      ),
    );
    expect(pick(rows('llm_requests_told'), 'message_id', 'token_quality')).toEqual([
      ['m1', 'lower_bound'],
      ['m2', 'exact'],
    ]);
    expect(pick(rows('log_events'), 'kind', 'level', 'message')).toEqual([
      ['api_error', 'error', 'API Error: 529 overloaded'],
    ]);
  });

  it('of early versions has no type, and a cost of its own', async () => {
    const rows = (
      await read(
        file({
          timestamp: '2026-05-04T10:00:00Z',
          sessionId: S1,
          requestId: 'r',
          costUSD: 0.12,
          message: {
            role: 'assistant',
            id: 'm',
            model: 'claude-sonnet-4',
            usage: usage(50, { speed: 'fast' }),
          },
        }),
      )
    ).rows('llm_requests_told');
    expect(pick(rows, 'message_id', 'out_total', 'cost_reported_uusd', 'speed')).toEqual([
      ['m', 50, 120_000, 'fast'],
    ]);
  });
});

describe('sessions', () => {
  it('of a subagent stand below their parent, from its own file and from steps in that of the parent', async () => {
    const inner = {
      type: 'assistant',
      requestId: 'r9',
      message: { id: 'm9', model: 'claude-haiku-4-5', content: [], usage: usage(12) },
    };
    const { rows } = await readWith(transcript, {
      [PATH]: file(
        said('10:00:05', 'm1', usage(20), [use('t1', 'Task', { description: 'look around' })]),
        line('progress', '10:00:06', { data: { type: 'agent_progress', agentId: 'b7', message: inner } }),
        back('10:00:09', 't1', 'done', {
          toolUseResult: { status: 'completed', agentId: 'b7', totalTokens: 99 },
        }),
      ),
      [`${S1}/subagents/agent-a1.jsonl`]: file(
        line('user', '10:00:06', {
          isSidechain: true,
          agentId: 'a1',
          message: { role: 'user', content: 'Look around' },
        }),
        said('10:00:07', 'm5', usage(8), [text('ok')], { isSidechain: true, agentId: 'a1' }),
      ),
    });
    expect(
      pick(rows('sessions_told'), 'session_id', 'parent_session_id', 'is_subagent', 'end_reason'),
    ).toEqual([
      [`${S1}/agent-a1`, S1, true, null],
      [S1, null, false, null],
      [`${S1}/agent-b7`, S1, true, null],
      [`${S1}/agent-b7`, S1, true, 'completed'],
    ]);
    expect(
      pick(rows('llm_requests_told'), 'message_id', 'session_id', 'is_sidechain', 'query_source'),
    ).toEqual([
      ['m5', `${S1}/agent-a1`, true, 'subagent'],
      ['m9', `${S1}/agent-b7`, true, 'subagent'],
      ['m1', S1, false, 'main'],
    ]);
    expect(pick(rows('log_events'), 'kind').flat()).toContain('task');
  });

  it('name the one they were forked from, and are called what people call them', async () => {
    const { rows } = await read(
      file(
        prompt('10:00:00', 'Go on', { sessionId: S2, forkedFrom: { sessionId: S1, messageUuid: 'u' } }),
        { type: 'ai-title', aiTitle: 'The lamp', sessionId: S2 },
        { type: 'custom-title', customTitle: 'Lamps at night', sessionId: S2 },
      ),
      `${S2}.jsonl`,
    );
    expect(pick(rows('sessions_told'), 'session_id', 'forked_from', 'title', 'rank')).toEqual([
      [S2, S1, null, 10],
      [S2, null, 'The lamp', 20],
      [S2, null, 'Lamps at night', 5],
    ]);
  });
});

describe('turns', () => {
  it('go from a prompt to what ends them, and a person is waited for after that', async () => {
    const { rows } = await read(
      file(
        prompt('10:00:00', 'First'),
        said('10:00:05', 'm1', usage(20), [text('done')]),
        line('system', '10:00:06', { subtype: 'turn_duration', durationMs: 6_000 }),
        prompt('10:01:00', 'Second'),
        said('10:01:05', 'm2', usage(20), [text('done')]),
        prompt(
          '10:03:00',
          '<command-message>x</command-message>\n<command-name>/x</command-name>\n<command-args>now</command-args>',
        ),
      ),
    );
    const at = (minute: number, second: number) => Date.UTC(2026, 4, 4, 10, minute, second);
    expect(pick(rows('session_spans'), 'kind', 'started_at_ms', 'ended_at_ms')).toEqual([
      ['turn', at(0, 0), at(0, 6)],
      ['person', at(0, 6), at(1, 0)],
      ['turn', at(1, 0), at(1, 5)],
      ['person', at(1, 5), at(3, 0)],
    ]);
    expect(pick(rows('log_events'), 'kind', 'message', 'copy_key')).toEqual([
      ['prompt', 'First', 'u-10:00:00'],
      ['turn_end', 'The turn ended after 6000 ms.', 'u-10:00:06'],
      ['prompt', 'Second', 'u-10:01:00'],
      ['prompt', '/x now', 'u-10:03:00'],
    ]);
  });

  it('tell of compactions with their size and time', async () => {
    const { rows } = await read(
      file(
        line('system', '10:05:00', {
          subtype: 'compact_boundary',
          compactMetadata: { trigger: 'auto', preTokens: 168_000, postTokens: 31_000, durationMs: 41_000 },
        }),
      ),
    );
    expect(pick(rows('log_events'), 'kind', 'message')).toEqual([
      ['compaction', 'auto: 168000 tokens before, 31000 after'],
    ]);
    const end = Date.UTC(2026, 4, 4, 10, 5);
    expect(pick(rows('session_spans'), 'kind', 'started_at_ms', 'ended_at_ms')).toEqual([
      ['compaction', end - 41_000, end],
    ]);
  });
});

describe('lines that are not as they should be', () => {
  it('are kept and counted: unknown types, no objects, parts of no known kind', async () => {
    const found = await read(
      file(
        prompt('10:00:00', 'Go'),
        line('zebra', '10:00:01', { stripes: 7 }),
        '"a text"',
        '[1]',
        line('user', '10:00:02', { message: 'wrong' }),
        said('10:00:03', 'm1', usage(20), [{ type: 'hologram' }]),
      ),
    );
    expect(found.counts[PATH]).toEqual({ ok: 2, bad: 4 });
    expect(pick(found.rows('log_events'), 'kind', 'source_line')).toEqual([
      ['prompt', 1],
      ['raw', 2],
      ['raw', 3],
      ['raw', 4],
      ['raw', 5],
      ['raw', 6],
    ]);
    expect(found.rows('llm_requests_told')).toHaveLength(1);
  });

  it('lose only what is wrong in them: NaN, a count that is none, an impossible time, a clock set back', async () => {
    const broken = JSON.stringify(
      said('10:00:05', 'm1', usage(20), [use('t1', 'Bash', { command: 'ls' })]),
    ).replace('"input_tokens":4', '"input_tokens":NaN');
    const found = await read(
      file(
        prompt('1970-x', 'Go', { timestamp: '1970-01-01T00:00:00Z' }),
        broken,
        back('09:59:00', 't1', 'fine', { toolUseResult: { stdout: 'fine', interrupted: false } }),
        said('10:00:09', 'm2', usage(20, { cache_read_input_tokens: -5 }), [text('a')]),
      ),
    );
    expect(tokens(found.rows('llm_requests_told'))).toEqual([
      ['m1', 'req-m1', null, 1_000, 0, 0, 20],
      ['m2', 'req-m2', 4, null, 0, 0, 20],
    ]);
    expect((found.issues[PATH] ?? []).map(({ code, line: no }) => [code, no])).toEqual([
      ['time_invalid', 1],
      ['not_a_number', 2],
      ['time_invalid', 3],
      ['out_of_range', 4],
    ]);
    expect(pick(found.rows('tool_calls_told'), 'status', 'duration_ms')).toEqual([
      [null, null],
      ['ok', null],
    ]);
    expect(found.rows('log_events')[0]?.at_ms).toBeNull();
  });

  it('may break off at the end, begin with a byte-order mark, and end in CRLF', async () => {
    const whole = file(prompt('10:00:00', 'Go'), said('10:00:05', 'm1', usage(20), [text('a')]));
    const found = await read(`\uFEFF${whole.replaceAll('\n', '\r\n')}{"type":"assis`);
    expect(found.rows('llm_requests_told')).toHaveLength(1);
    expect(pick(found.rows('log_events'), 'kind', 'message')).toEqual([['prompt', 'Go']]);
    expect((found.issues[PATH] ?? []).map(({ code }) => code)).toContain('line_cut');
  });
});

describe('reading on', () => {
  it('gives what reading the whole gives, wherever the file was cut', async () => {
    const lines = [
      prompt('10:00:00', 'First'),
      said('10:00:05', 'm1', usage(9), [text('a')]),
      said('10:00:06', 'm1', usage(70), [use('t1', 'Bash', { command: 'git commit -m x' })]),
      back('10:00:09', 't1', '[main abc1234] x\n 1 file changed', {
        toolUseResult: { stdout: '[main abc1234] x', interrupted: false },
      }),
      said('10:00:12', 'm2', usage(30), [use('t2', 'Read', { file_path: '/srv/lamp/a.ts' })]),
      back('10:00:13', 't2', 'text', { toolUseResult: { file: { filePath: '/srv/lamp/a.ts' } } }),
      line('system', '10:00:14', { subtype: 'turn_duration', durationMs: 14_000 }),
      line('zebra', '10:00:15'),
      prompt('10:02:00', 'Second'),
      said('10:02:03', 'm3', usage(30), [text('b')]),
    ];
    const tables = [
      'sessions_told',
      'llm_requests_told',
      'tool_calls_told',
      'file_touches',
      'log_events',
      'session_spans',
    ] as const;
    const whole = await read(file(...lines));
    const lineOf = (row: AnyRow) => Number(row.source_line);
    for (let cut = 1; cut < lines.length; cut += 1) {
      const first = await read(file(...lines.slice(0, cut)));
      const resume = first.resume[PATH];
      if (!resume) throw new Error('nothing to go on from');
      const second = await readWith(transcript, { [PATH]: file(...lines) }, first.resume);
      for (const table of tables) {
        const kept = first.rows(table).filter((row) => lineOf(row) < resume.no);
        const order = (rows: readonly AnyRow[]) => rows.map((row) => JSON.stringify(row)).sort();
        expect([cut, table, order([...kept, ...second.rows(table)])]).toEqual([
          cut,
          table,
          order(whole.rows(table)),
        ]);
      }
      const counts = [first, second].map(({ counts }) => counts[PATH] ?? { ok: 0, bad: 0 });
      expect(counts.reduce((sum, { ok, bad }) => sum + ok + 1_000 * bad, 0)).toBe(9 + 1_000);
    }
  });
});
