import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { isRollout, rollout } from './rollout.ts';
import { rolloutOf, TestRollout } from './test-rollout.ts';

const ID = '019f0000-0000-7000-8000-00000000000a';
const FILE = `sessions/2026/08/20/rollout-2026-08-20T10-00-00-${ID}.jsonl`;
const at = (s: number): number => Date.UTC(2026, 7, 20, 10, 0, s);

const read = (made: TestRollout | string, path = FILE) =>
  readWith(rollout, { [path]: typeof made === 'string' ? made : made.text() });
type Got = Awaited<ReturnType<typeof read>>;
const pick = (got: Got, table: Parameters<Got['rows']>[0], ...columns: string[]) =>
  got.rows(table).map((row) => columns.map((column) => row[column] ?? null));
const tokens = (got: Got) =>
  pick(got, 'llm_requests_told', 'in_uncached', 'in_cache_read', 'out_total', 'out_reasoning');

describe('files that are rollouts', () => {
  it('are told by their first line', () => {
    expect(isRollout(rolloutOf('a').text())).toBe(true);
    expect(isRollout(`\uFEFF${new TestRollout().turn('t').text()}`)).toBe(true);
    expect(isRollout(`{"id":"${ID}","timestamp":"2025-07-01T10:00:00Z","instructions":null}\n`)).toBe(true);
    expect(isRollout('{"type":"user","sessionId":"s","message":{}}\n')).toBe(false);
    expect(isRollout(`{"a":1}\n${rolloutOf('a').text()}`)).toBe(false);
    expect(isRollout('# notes\n"type":"session_meta","payload":{}')).toBe(false);
  });
});

describe('a session', () => {
  it('has the head of its file, a title, and how it stands', async () => {
    const made = rolloutOf(ID).turn('t1').event('user_message', { message: 'Build the dial\nand the hands' });
    const running = await read(made);
    expect(running.rows('sessions_told')).toMatchObject([
      {
        session_id: ID,
        harness: 'codex',
        harness_version: '0.145.0',
        cwd: '/repo',
        git_branch: 'main',
        base_commit: 'abcdef0123',
        is_subagent: false,
        started_at_ms: at(0),
        rank: 0,
      },
      { session_id: ID, end_reason: 'unknown' },
      { session_id: ID, title: 'Build the dial' },
    ]);
    const done = await read(made.event('task_complete', { turn_id: 't1', last_agent_message: 'Built' }));
    const ends = done.rows('sessions_told').filter(({ end_reason }) => end_reason !== undefined);
    const last = ends.reduce((a, b) => (Number(a.rank) < Number(b.rank) ? a : b));
    expect(last.end_reason).toBe('completed');
    expect(pick(done, 'log_events', 'kind', 'message', 'at_ms')).toEqual([
      ['prompt', 'Build the dial\nand the hands', at(3)],
      ['turn_end', 'Built', at(4)],
    ]);
  });

  it('names the session it came from, whichever way that is written', async () => {
    const spawned = await read(
      rolloutOf(ID, {
        source: { subagent: { thread_spawn: { parent_thread_id: 'p', agent_nickname: 'Ada' } } },
      }),
    );
    expect(spawned.rows('sessions_told')).toMatchObject([
      { parent_session_id: 'p', forked_from: null, is_subagent: true, title: 'Ada' },
    ]);
    const forked = await read(
      rolloutOf(ID, { forked_from_id: 'f', thread_source: 'subagent', parent_thread_id: 'p' }),
    );
    expect(forked.rows('sessions_told')).toMatchObject([
      { parent_session_id: 'p', forked_from: 'f', is_subagent: true },
    ]);
    const review = await read(rolloutOf(ID, { source: { subagent: 'review' } }));
    expect(review.rows('sessions_told')).toMatchObject([{ role: 'reviewer', is_subagent: true }]);
  });

  it('is the one of the first head; a later head is history of another', async () => {
    const got = await read(rolloutOf(ID, { forked_from_id: 'f' }).meta('f').turn('t').tokens({ input: 5 }));
    expect(got.rows('sessions_told').map((row) => row.session_id)).toEqual([ID, ID]);
    expect(pick(got, 'llm_requests_told', 'session_id')).toEqual([[ID]]);
  });

  it('goes by the name of its file, or by the source, where there is no head', async () => {
    const made = new TestRollout().turn('t').tokens({ input: 5 });
    expect(pick(await read(made), 'llm_requests_told', 'session_id')).toEqual([[ID]]);
    const other = await read(made, 'logs/some.jsonl');
    expect(pick(other, 'sessions_told', 'session_id', 'harness')[0]).toEqual([
      'codex_rollout-logs-some-jsonl',
      'codex',
    ]);
  });
});

describe('token counts', () => {
  it('are calls of the model of their turn, with what they answer', async () => {
    const got = await read(
      rolloutOf(ID)
        .turn('t1')
        .tokens({ input: 100, cached: 60, output: 20, reasoning: 5 })
        .turn('t2', 'gpt-5.6-mini')
        .tokens({ input: 200, cached: 150, output: 10 }),
    );
    expect(got.rows('llm_requests_told')).toMatchObject([
      {
        channel: 'rollout',
        provider: 'openai',
        session_id: ID,
        turn_id: 't1',
        n: 1,
        model: 'gpt-5.6',
        effort: 'high',
        started_at_ms: at(2),
        ended_at_ms: at(3),
        in_uncached: 40,
        in_cache_read: 60,
        out_total: 20,
        out_reasoning: 5,
        query_source: 'main',
        cwd: '/repo',
        git_branch: 'main',
        token_quality: 'exact',
        status: 'ok',
      },
      { turn_id: 't2', n: 2, model: 'gpt-5.6-mini', in_uncached: 50, in_cache_read: 150, out_total: 10 },
    ]);
  });

  it('that are written again add nothing, nor do rows with limits alone', async () => {
    const got = await read(
      rolloutOf(ID)
        .turn('t')
        .event('token_count', { info: null, rate_limits: { primary: { used_percent: 4 } } })
        .tokens({ input: 100, output: 10 })
        .count({ total: { input: 100, output: 10 }, last: { input: 100, output: 10 } })
        .count({ total: { input: 100, output: 10 }, last: { input: 100, output: 10 } })
        .tokens({ input: 100, output: 10 }),
    );
    expect(tokens(got)).toEqual([
      [100, 0, 10, 0],
      [100, 0, 10, 0],
    ]);
    expect(got.counts[FILE]).toEqual({ ok: 8, bad: 0 });
  });

  it('take the cached part out of the input, and leave reasoning in the output', async () => {
    const got = await read(
      rolloutOf(ID)
        .turn('t')
        .tokens({ input: 16_845_360, cached: 16_358_912, output: 63_820, reasoning: 24_882 }),
    );
    const [row] = tokens(got);
    expect(row).toEqual([486_448, 16_358_912, 63_820, 24_882]);
    const [uncached, cached, output] = (row ?? []).map(Number);
    expect((uncached ?? 0) + (cached ?? 0) + (output ?? 0)).toBe(16_909_180);
  });

  it('keep writing to the cache apart where it is told', async () => {
    const info = {
      total_token_usage: { input_tokens: 100, output_tokens: 1, total_tokens: 101 },
      last_token_usage: {
        input_tokens: 100,
        cached_input_tokens: 30,
        cache_write_input_tokens: 50,
        output_tokens: 1,
        total_tokens: 101,
      },
    };
    const got = await read(rolloutOf(ID).turn('t').event('token_count', { info }));
    expect(pick(got, 'llm_requests_told', 'in_uncached', 'in_cache_read', 'in_cache_write_5m')).toEqual([
      [20, 30, 50],
    ]);
  });

  it('of a total that was there before cost nothing, and the next one costs what it adds', async () => {
    const got = await read(
      rolloutOf(ID, { parent_thread_id: 'p' })
        .turn('t')
        .count({ total: { input: 60_000, output: 9_254 }, last: { input: 0 } })
        .count({ total: { input: 60_100, output: 9_260 }, last: { input: 100, output: 6 } }),
    );
    expect(tokens(got)).toEqual([[100, 0, 6, 0]]);
    expect(pick(got, 'log_events', 'kind')).toEqual([['inherited_total']]);
  });

  it('that fill the window up are none', async () => {
    const filled = {
      last_token_usage: { total_tokens: 171_900 },
      total_token_usage: { input_tokens: 100, output_tokens: 10, total_tokens: 272_000 },
    };
    const got = await read(
      rolloutOf(ID)
        .turn('t')
        .tokens({ input: 100, output: 10 })
        .event('token_count', { info: filled })
        .tokens({ input: 50, output: 5 }),
    );
    expect(tokens(got)).toEqual([
      [100, 0, 10, 0],
      [50, 0, 5, 0],
    ]);
  });

  it('without a vector of their own are the difference of totals; after a total fell, the new one', async () => {
    const got = await read(
      rolloutOf(ID)
        .turn('t')
        .count({ total: { input: 100, cached: 10, output: 10 } })
        .count({ total: { input: 250, cached: 60, output: 15 } })
        .count({ total: { input: 30, output: 2 } }),
    );
    expect(tokens(got)).toEqual([
      [90, 10, 10, 0],
      [100, 50, 5, 0],
      [30, 0, 2, 0],
    ]);
    expect(pick(got, 'llm_requests_told', 'token_quality')).toEqual([
      ['estimated'],
      ['estimated'],
      ['estimated'],
    ]);
  });

  it('have no model where none is told, and their own where they name one', async () => {
    const got = await read(
      rolloutOf(ID)
        .turn('t', null)
        .tokens({ input: 5 })
        .event('token_count', {
          info: {
            model: 'gpt-5.3',
            last_token_usage: { input_tokens: 7, output_tokens: 1, total_tokens: 8 },
          },
        }),
    );
    expect(pick(got, 'llm_requests_told', 'model')).toEqual([[null], ['gpt-5.3']]);
  });

  it('with figures that are none are not read as such', async () => {
    const info =
      '{"last_token_usage":{"input_tokens":NaN,"cached_input_tokens":-4,"output_tokens":1.5,"total_tokens":1e300}}';
    const got = await read(
      `${rolloutOf(ID).turn('t').text()}{"timestamp":"2026-08-20T10:00:05Z","type":"event_msg","payload":{"type":"token_count","info":${info}}}\n`,
    );
    expect(tokens(got)).toEqual([]);
    const odd = await read(rolloutOf(ID).turn('t').tokens({ input: 10, cached: 40, output: 1 }));
    expect(tokens(odd)).toEqual([[0, 40, 1, 0]]);
    expect(pick(odd, 'llm_requests_told', 'token_quality')).toEqual([['estimated']]);
  });

  it('that are missing leave a call whose tokens are not known', async () => {
    const answer = { role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] };
    const got = await read(
      rolloutOf(ID)
        .turn('t1')
        .item('message', answer)
        .event('turn_aborted', { reason: 'interrupted' })
        .turn('t2')
        .item('message', answer)
        .tokens({ input: 5, output: 1 })
        .event('task_complete', { turn_id: 't2' })
        .turn('t3')
        .event('task_complete', { turn_id: 't3' }),
    );
    expect(
      pick(got, 'llm_requests_told', 'turn_id', 'n', 'in_uncached', 'out_total', 'status', 'token_quality'),
    ).toEqual([
      ['t1', 1, null, null, 'aborted', null],
      ['t2', 2, 5, 1, 'ok', 'exact'],
    ]);
  });
});

describe('logs of before there was an envelope', () => {
  const message = (role: string, text: string): string =>
    JSON.stringify({ type: 'message', role, content: [{ type: 'input_text', text }] });
  const old = [
    `{"id":"${ID}","timestamp":"2025-07-01T10:00:00Z","instructions":"x","git":{"commit_hash":"c0ffee0","branch":"dev"}}`,
    '{"record_type":"state"}',
    message('user', '<environment_context>\ncwd</environment_context>'),
    message('user', 'Build it'),
    message('assistant', 'Done'),
    '{"type":"function_call","name":"shell","arguments":"{\\"command\\":[\\"bash\\",\\"-lc\\",\\"npm test\\"]}","call_id":"c1"}',
    '{"type":"function_call_output","call_id":"c1","output":"{\\"output\\":\\"2 failed\\\\n\\",\\"metadata\\":{\\"exit_code\\":1,\\"duration_seconds\\":0.5}}"}',
    message('user', 'Again'),
    message('assistant', 'Done'),
  ];
  it('have sessions, prompts and calls; what their turns used is not known', async () => {
    const got = await read(`${old.join('\n')}\n`, 'old/rollout-2025-07-01.jsonl');
    expect(got.rows('sessions_told')[0]).toMatchObject({
      session_id: ID,
      git_branch: 'dev',
      started_at_ms: Date.UTC(2025, 6, 1, 10),
    });
    expect(pick(got, 'log_events', 'kind', 'message')).toEqual([
      ['prompt', 'Build it'],
      ['prompt', 'Again'],
    ]);
    expect(pick(got, 'llm_requests_told', 'session_id', 'model', 'in_uncached', 'out_total')).toEqual([
      [ID, null, null, null],
      [ID, null, null, null],
    ]);
    expect(
      pick(got, 'tool_calls_told', 'name', 'target', 'status', 'exit_code', 'duration_ms', 'error_sig'),
    ).toEqual([
      ['shell', 'npm test', null, null, null, null],
      [null, null, 'error', 1, 500, '<n> failed'],
    ]);
    expect(got.counts['old/rollout-2025-07-01.jsonl']).toEqual({ ok: 9, bad: 0 });
  });
});

describe('turns', () => {
  it('take their time, and a person is waited for between them', async () => {
    const got = await read(
      rolloutOf(ID)
        .turn('t1')
        .event('task_complete', { turn_id: 't1' }, 30)
        .event('task_started', { turn_id: 't2' }, 90)
        .event('turn_aborted', { reason: 'interrupted' }, 95),
    );
    expect(pick(got, 'session_spans', 'kind', 'started_at_ms', 'ended_at_ms')).toEqual([
      ['turn', at(1), at(30)],
      ['person', at(30), at(90)],
      ['turn', at(90), at(95)],
    ]);
    expect(pick(got, 'log_events', 'kind', 'message')).toEqual([
      ['turn_end', ''],
      ['turn_aborted', 'interrupted'],
    ]);
  });

  it('have no waiting for a person where none is there, and no time that runs backwards', async () => {
    const got = await read(
      rolloutOf(ID, { source: 'exec' })
        .turn('t1')
        .event('task_complete', { turn_id: 't1' }, 0)
        .event('task_started', { turn_id: 't2' }, 90),
    );
    expect(got.rows('session_spans')).toEqual([]);
  });

  it('that end after an error without a word have failed; with one they have not', async () => {
    const made = rolloutOf(ID).turn('t1').event('error', { message: 'Quota exceeded' });
    const failed = await read(made.event('task_complete', { turn_id: 't1', last_agent_message: null }));
    expect(failed.rows('sessions_told').at(-1)).toMatchObject({ end_reason: 'error' });
    const done = await read(
      made
        .turn('t2')
        .event('error', { message: 'Quota exceeded' })
        .event('task_complete', { turn_id: 't2', last_agent_message: 'Done all the same' }),
    );
    expect(done.rows('sessions_told').at(-1)).toMatchObject({ end_reason: 'completed' });
  });

  it('may fail, be tried again, and be compacted', async () => {
    const got = await read(
      rolloutOf(ID)
        .turn('t1')
        .event('stream_error', { message: 'stream disconnected, retrying 1/5' })
        .line('compacted', { message: 'What was done so far', replacement_history: [{}, {}] })
        .event('context_compacted')
        .event('error', { message: 'Quota exceeded' }),
    );
    expect(pick(got, 'log_events', 'kind', 'level', 'message', 'data')).toEqual([
      ['retry', 'warning', 'stream disconnected, retrying 1/5', null],
      ['compaction', null, 'What was done so far', '{"entries_kept":2}'],
      ['error', 'error', 'Quota exceeded', null],
    ]);
    expect(got.rows('sessions_told').at(-1)).toMatchObject({ end_reason: 'error' });
  });
});

describe('what an entry holds that is not known, or not whole', () => {
  it('is kept as it stands, once said, and the rest is read', async () => {
    const got = await read(
      rolloutOf(ID)
        .line('world_state', { type: 'x', colour: 'red' })
        .line('world_state', { type: 'x', colour: 'blue' })
        .event('brand_new')
        .raw('no json')
        .raw('{"type":"event_msg","payload":"text"}')
        .turn('t')
        .tokens({ input: 5 }),
    );
    expect(pick(got, 'log_events', 'kind', 'source_line')).toEqual([
      ['raw', 2],
      ['raw', 3],
      ['raw', 4],
      ['raw', 5],
      ['raw', 6],
    ]);
    expect(got.counts[FILE]).toEqual({ ok: 4, bad: 5 });
    expect(got.issues[FILE]?.map(({ code, line }) => [code, line])).toEqual([
      ['unknown_line', 2],
      ['unknown_line', 4],
      ['json_invalid', 5],
      ['unknown_line', 6],
    ]);
    expect(tokens(got)).toEqual([[5, 0, 0, 0]]);
  });

  it('may be a last line that breaks off, a byte-order mark, and line breaks of Windows', async () => {
    const text = rolloutOf(ID)
      .turn('t')
      .tokens({ input: 5, output: 1 })
      .tokens({ input: 7, output: 1 })
      .text();
    const cut = await read(text.slice(0, -30));
    expect(tokens(cut)).toEqual([[5, 0, 1, 0]]);
    expect(cut.issues[FILE]?.map(({ code }) => code)).toEqual(['line_cut']);
    const windows = await read(`\uFEFF${text.replaceAll('\n', '\r\n')}`);
    expect(tokens(windows)).toEqual([
      [5, 0, 1, 0],
      [7, 0, 1, 0],
    ]);
  });

  it('may be of any type', async () => {
    for (const odd of [null, 7, 'x', [], {}, { a: { b: [{}] } }])
      for (const type of ['session_meta', 'turn_context', 'event_msg', 'response_item', 'compacted'])
        for (const inner of [
          'token_count',
          'exec_command_end',
          'patch_apply_end',
          'function_call',
          'function_call_output',
          'exited_review_mode',
          'mcp_tool_call_end',
        ])
          await expect(
            read(
              rolloutOf(ID)
                .line(type, {
                  type: inner,
                  id: odd,
                  call_id: odd,
                  info: odd,
                  changes: odd,
                  output: odd,
                  arguments: odd,
                  review_output: odd,
                  duration: odd,
                  result: odd,
                  turn_id: odd,
                  git: odd,
                  source: odd,
                })
                .line(type, odd),
            ),
          ).resolves.toBeDefined();
  });
});
