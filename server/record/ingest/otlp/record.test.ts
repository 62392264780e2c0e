import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRecord } from '../../index.ts';
import type { RecordHandle, Row } from '../../store.ts';
import { AT, claude, log, textOf } from './test-telemetry.ts';

/** A session that a rollout tells of and telemetry too, beside one that only telemetry knows. */
const SESSION = '019f0000-0000-7000-8000-00000000000a';
const line = (type: string, payload: object): string =>
  `${JSON.stringify({ timestamp: new Date(AT).toISOString(), type, payload })}\n`;
const usage = {
  input_tokens: 1_000,
  cached_input_tokens: 400,
  output_tokens: 50,
  reasoning_output_tokens: 20,
  total_tokens: 1_050,
};
const ROLLOUT = [
  line('session_meta', {
    id: SESSION,
    timestamp: new Date(AT).toISOString(),
    cwd: '/repo',
    cli_version: '0.145.0',
  }),
  line('turn_context', { turn_id: 't1', cwd: '/repo', model: 'gpt-5.6' }),
  line('event_msg', { type: 'user_message', message: 'Implement F-003' }),
  line('event_msg', { type: 'token_count', info: { total_token_usage: usage, last_token_usage: usage } }),
].join('');
const codex = (name: string, attrs: Record<string, string | number>) =>
  log(name, { 'conversation.id': SESSION, ...attrs }, { service: 'codex_cli_rs' });
const TELEMETRY = textOf([
  codex('codex.user_prompt', { prompt: 'Implement F-003' }),
  codex('codex.sse_event', {
    'event.kind': 'response.completed',
    input_token_count: 1_000,
    cached_token_count: 400,
    output_token_count: 50,
  }),
  claude('api_request', { model: 'm', input_tokens: 7, output_tokens: 3, request_id: 'r1', cost_usd: 0.5 }),
  claude('user_prompt', { prompt: 'Another' }),
  claude('hook_execution_complete', { hook_event: 'Stop', num_blocking: 1 }),
]);

describe('telemetry beside a rollout', () => {
  let folder = '';
  let kept = '';
  let record: RecordHandle;
  const rows = async (sql: string): Promise<Row[]> => (await record.store.query(sql)).rows;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'looplight-telemetry-'));
    kept = join(folder, 'kept');
    await mkdir(join(folder, 'project'));
    await mkdir(kept);
    await writeFile(join(folder, 'project', `rollout-2026-08-20T10-00-00-${SESSION}.jsonl`), ROLLOUT);
    await writeFile(join(kept, '000001.jsonl'), TELEMETRY);
    await writeFile(join(kept, 'notes.txt'), 'not telemetry');
    record = await openRecord({ root: join(folder, 'project'), database: ':memory:', telemetry: kept });
  }, 120_000);
  afterAll(async () => {
    await record.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('adds no money of a session that counts already, and all of one that does not', async () => {
    expect(
      await rows(
        'SELECT session_id, channel, CAST(sum(in_uncached) AS BIGINT) AS input, CAST(sum(out_total) AS BIGINT) AS output FROM llm_requests GROUP BY ALL ORDER BY session_id',
      ),
    ).toEqual([
      { session_id: SESSION, channel: 'rollout', input: 600, output: 50 },
      { session_id: 's1', channel: 'otlp_event', input: 7, output: 3 },
    ]);
    expect(await rows("SELECT cost_uusd FROM llm_requests WHERE session_id = 's1'")).toEqual([
      { cost_uusd: 500_000 },
    ]);
  });

  it('marks what the rollout tells itself as a copy, and nothing else', async () => {
    expect(
      await rows(
        "SELECT session_id, is_copy FROM log_events WHERE source_kind = 'otlp_events' AND kind = 'prompt' ORDER BY session_id",
      ),
    ).toEqual([
      { session_id: SESSION, is_copy: true },
      { session_id: 's1', is_copy: false },
    ]);
    expect(await rows("SELECT gate, verdict, is_copy FROM gate_events WHERE session_id = 's1'")).toEqual([
      { gate: 'hook:Stop', verdict: 'block', is_copy: false },
    ]);
  });

  it('says which session stands here by nothing but being first', async () => {
    expect(await rows("SELECT says FROM findings WHERE rule = 'telemetry_placed'")).toMatchObject([
      { says: expect.stringContaining('1 session (s1)') },
    ]);
  });

  it('grows with its file, and goes with it', async () => {
    await appendFile(
      join(kept, '000001.jsonl'),
      textOf([claude('api_request', { model: 'm', output_tokens: 4, request_id: 'r2' })]),
    );
    expect(await record.reload()).toBe(true);
    const count = "SELECT count(*) AS n FROM llm_requests WHERE session_id = 's1'";
    expect(await rows(count)).toEqual([{ n: 2 }]);
    expect(await rows("SELECT lines_ok, lines_bad FROM sources WHERE kind = 'otlp_events'")).toEqual([
      { lines_ok: 6, lines_bad: 0 },
    ]);
    await writeFile(
      join(kept, '000002.jsonl'),
      textOf([claude('api_request', { model: 'm', output_tokens: 1, request_id: 'r3' })]),
    );
    await record.reload();
    expect(await rows(count)).toEqual([{ n: 3 }]);
    await rm(join(kept, '000001.jsonl'));
    await record.reload();
    expect(await rows(count)).toEqual([{ n: 1 }]);
  }, 120_000);
});

describe('telemetry beside a transcript', () => {
  const row = (type: string, more: object): string =>
    `${JSON.stringify({ type, uuid: `u-${type}`, parentUuid: null, sessionId: 's1', timestamp: new Date(AT).toISOString(), cwd: '/repo', version: '2.1.220', isSidechain: false, ...more })}\n`;
  const TRANSCRIPT = [
    row('user', { message: { role: 'user', content: 'Implement F-003' } }),
    row('assistant', {
      requestId: 'req_1',
      message: {
        id: 'msg_1',
        model: 'claude-opus-5',
        role: 'assistant',
        content: [{ type: 'text', text: 'Done.' }],
        stop_reason: 'end_turn',
        usage: {
          input_tokens: 4,
          cache_creation_input_tokens: 1_200,
          cache_read_input_tokens: 90_000,
          output_tokens: 159,
          cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 1_200 },
        },
      },
    }),
  ].join('');
  const told = {
    model: 'claude-opus-5',
    input_tokens: 4,
    cache_read_tokens: 90_000,
    cache_creation_tokens: 1_200,
    output_tokens: 159,
    duration_ms: 7_100,
    cost_usd: '0.0421',
  };

  it('adds the duration and the reported cost to a call it shares the id with, and counts no other', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'looplight-telemetry-'));
    await mkdir(join(folder, 'project'));
    await mkdir(join(folder, 'kept'));
    await writeFile(join(folder, 'project', 's1.jsonl'), TRANSCRIPT);
    await writeFile(
      join(folder, 'kept', '000001.jsonl'),
      textOf([
        claude('api_request', { ...told, request_id: 'req_1' }),
        claude('api_request', { ...told, request_id: 'req_unknown' }),
      ]),
    );
    const record = await openRecord({
      root: join(folder, 'project'),
      database: ':memory:',
      telemetry: join(folder, 'kept'),
    });
    try {
      const { rows } = await record.store.query(
        'SELECT channel, in_uncached, in_cache_read, in_cache_write_5m, in_cache_write_1h, out_total, duration_ms, cost_reported_uusd FROM llm_requests',
      );
      expect(rows).toEqual([
        {
          channel: 'transcript',
          in_uncached: 4,
          in_cache_read: 90_000,
          in_cache_write_5m: 0,
          in_cache_write_1h: 1_200,
          out_total: 159,
          duration_ms: 7_100,
          cost_reported_uusd: 42_100,
        },
      ]);
      const aside = await record.store.query(
        "SELECT role, count(*) AS n FROM request_rows WHERE role <> 'counted' GROUP BY role ORDER BY role",
      );
      expect(aside.rows).toEqual([
        { role: 'aside', n: 1 },
        { role: 'telemetry', n: 1 },
      ]);
    } finally {
      await record.close();
      await rm(folder, { recursive: true, force: true });
    }
  }, 120_000);
});
