import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { OTLP } from './index.ts';
import { AT, claude, log, PATH, readKept, span, textOf } from './test-telemetry.ts';

describe('events of Claude Code', () => {
  it('tell of calls to the model with their duration and cost, numbers written as text among them', async () => {
    const read = await readKept([
      claude('claude_code.api_request', {
        model: 'claude-opus-5',
        cost_usd: '0.0421',
        duration_ms: '7100',
        input_tokens: '4',
        output_tokens: 159,
        cache_read_tokens: '90000',
        cache_creation_tokens: 1200,
        request_id: 'req_1',
        'prompt.id': 'p1',
        query_source: 'repl_main_thread',
        speed: 'fast',
      }),
    ]);
    expect(read.rows('llm_requests_told')).toMatchObject([
      {
        channel: 'otlp_event',
        provider: 'anthropic',
        session_id: 's1',
        request_ref: 'req_1',
        turn_id: 'p1',
        model: 'claude-opus-5',
        started_at_ms: AT - 7_100,
        ended_at_ms: AT,
        duration_ms: 7_100,
        in_uncached: 4,
        in_cache_read: 90_000,
        in_cache_write_5m: 1_200,
        out_total: 159,
        cost_reported_uusd: 42_100,
        query_source: 'main',
        speed: 'fast',
        status: 'ok',
        source_line: 1,
      },
    ]);
    expect(read.rows('sessions_told')).toMatchObject([
      { session_id: 's1', harness: 'claude-code', placed_by: 'first', source_line: 1 },
    ]);
  });

  it('leave unknown what is no number, and say so', async () => {
    const read = await readKept([
      claude('api_request', {
        model: 'm',
        input_tokens: 'NaN',
        output_tokens: '-3',
        cost_usd: 'Infinity',
        request_id: 'r',
      }),
    ]);
    expect(read.rows('llm_requests_told')).toMatchObject([
      { in_uncached: null, out_total: null, cost_reported_uusd: null, duration_ms: null },
    ]);
    expect(read.issues[PATH]?.map(({ code }) => code)).toEqual(['not_a_number', 'not_a_number']);
  });

  it('prefer whole micro-dollars to dollars', async () => {
    const read = await readKept([claude('api_request', { cost_usd: 0.1, cost_usd_micros: '100001' })]);
    expect(read.rows('llm_requests_told')[0]?.cost_reported_uusd).toBe(100_001);
  });

  it('tell of calls that failed, with the try and the status', async () => {
    const read = await readKept([
      claude('claude_code.api_error', {
        model: 'm',
        status_code: '529',
        attempt: '2',
        error: 'Overloaded',
        duration_ms: 900,
      }),
    ]);
    expect(read.rows('llm_requests_told')).toMatchObject([
      { status: 'error', http_status: 529, try_no: 2, duration_ms: 900 },
    ]);
    expect(read.rows('log_events')).toMatchObject([
      {
        kind: 'api_error',
        level: 'error',
        message: 'The call to the model failed with status 529: Overloaded',
      },
    ]);
  });

  it.each([
    ['true', 'ok'],
    ['false', 'error'],
    [true, 'ok'],
    [false, 'error'],
    ['perhaps', 'unknown'],
  ])('read success %s of a tool as %s', async (success, status) => {
    const read = await readKept([
      claude('tool_result', {
        tool_name: 'Bash',
        tool_use_id: 'toolu_1',
        success,
        duration_ms: 50,
        error: 'Exit code 1',
      }),
    ]);
    expect(read.rows('tool_calls_told')).toMatchObject([
      {
        tool_call_id: 'toolu_1',
        name: 'Bash',
        kind: 'shell',
        status,
        started_at_ms: AT - 50,
        ended_at_ms: AT,
      },
    ]);
  });

  it('find the command and the commit in the parameters of a tool, and survive broken ones', async () => {
    const read = await readKept([
      claude('tool_result', {
        tool_name: 'Bash',
        success: 'true',
        tool_parameters: '{"full_command":"git commit -m x","git_commit_id":"abc1234"}',
      }),
      claude('tool_result', { tool_name: 'Bash', success: 'true', tool_parameters: '{"full_command":' }),
    ]);
    expect(read.rows('tool_calls_told')).toMatchObject([
      { target: 'git commit -m x', commit_sha: 'abc1234' },
      { target: null, commit_sha: null },
    ]);
  });

  it.each([
    [{ num_success: 2, num_blocking: 1 }, 'block', true, 'unknown'],
    [{ num_success: 2, num_non_blocking_error: '1' }, 'error', false, 'verifier'],
    [{ num_cancelled: 1 }, 'cancelled', false, 'unknown'],
    [{ num_success: 3 }, 'pass', true, 'unknown'],
  ])('tell of hooks as gates: %j', async (counts, verdict, enforced, attribution) => {
    const read = await readKept([
      claude('hook_execution_complete', {
        hook_event: 'Stop',
        num_hooks: 3,
        total_duration_ms: 1_000,
        ...counts,
      }),
    ]);
    expect(read.rows('gate_events')).toMatchObject([
      { gate: 'hook:Stop', verdict, enforced, attribution, session_id: 's1', duration_ms: 1_000 },
    ]);
  });

  it('tell of prompts, compactions and permissions', async () => {
    const read = await readKept([
      claude('user_prompt', { prompt_length: '120', prompt: '<REDACTED>' }),
      claude('user_prompt', { prompt: 'Implement F-003' }),
      claude('compaction', { trigger: 'auto', pre_tokens: 168000, post_tokens: 31000, duration_ms: 41000 }),
      claude('tool_decision', { tool_name: 'Edit', decision: 'reject', source: 'user' }),
    ]);
    expect(read.rows('log_events').map(({ kind, message }) => [kind, message])).toEqual([
      ['prompt', 'A prompt of 120 characters; its text is not sent.'],
      ['prompt', 'Implement F-003'],
      ['compaction', 'The context was compacted (auto): 168000 tokens became 31000'],
      ['permission', 'Edit: reject (user)'],
    ]);
    expect(read.rows('session_spans')).toMatchObject([
      { kind: 'compaction', session_id: 's1', started_at_ms: AT - 41_000, ended_at_ms: AT },
    ]);
  });

  it('are kept when they are not known, and counted as that', async () => {
    const read = await readKept([
      claude('claude_code.brand_new', { a: 1 }),
      claude('auth', { action: 'login' }),
    ]);
    expect(read.rows('log_events')).toMatchObject([
      { kind: 'raw', message: 'claude_code.brand_new', data: '{"a":1}' },
      { kind: 'auth', message: 'Signing in: login' },
    ]);
    expect(read.counts[PATH]).toEqual({ ok: 1, bad: 1 });
  });
});

describe('events of Codex', () => {
  const codex = (name: string, attrs: Record<string, string | number>) =>
    log(name, { 'conversation.id': 'c1', ...attrs }, { service: 'codex_cli_rs', time: null });

  it('tell of answers with the cached part taken out of the input', async () => {
    const read = await readKept([
      codex('codex.sse_event', {
        'event.kind': 'response.completed',
        'event.timestamp': '2026-08-20T10:00:00.000Z',
        model: 'gpt-5.6',
        input_token_count: '14700',
        cached_token_count: '9000',
        output_token_count: '800',
        reasoning_token_count: '500',
      }),
      codex('codex.sse_event', { 'event.kind': 'response.output_text.delta' }),
    ]);
    expect(read.rows('llm_requests_told')).toMatchObject([
      {
        provider: 'openai',
        session_id: 'c1',
        ended_at_ms: AT,
        in_uncached: 5_700,
        in_cache_read: 9_000,
        out_total: 800,
        out_reasoning: 500,
      },
    ]);
  });

  it('count a call that failed, and not twice one that did not', async () => {
    const read = await readKept([
      codex('codex.api_request', { 'http.response.status_code': 200, attempt: 1 }),
      codex('codex.api_request', {
        'http.response.status_code': 429,
        attempt: 1,
        'error.message': 'slow down',
      }),
      codex('codex.tool_result', {
        tool_name: 'shell',
        call_id: 'call_1',
        success: 'false',
        output: 'Exit code: 1\nError: no such file',
      }),
      codex('codex.conversation_starts', {}),
    ]);
    expect(read.rows('llm_requests_told')).toMatchObject([{ status: 'error', http_status: 429 }]);
    expect(read.rows('tool_calls_told')).toMatchObject([
      { tool_call_id: 'call_1', kind: 'shell', status: 'error' },
    ]);
    expect(read.rows('sessions_told')).toMatchObject([{ session_id: 'c1', harness: 'codex' }]);
  });
});

describe('evaluations and points', () => {
  it('are scored where the score is a number, and unscored where it is not', async () => {
    const evaluation = (value: string | number, label: string) =>
      log('gen_ai.evaluation.result', {
        'gen_ai.evaluation.name': 'Relevance',
        'gen_ai.evaluation.score.value': value,
        'gen_ai.evaluation.score.label': label,
        'gen_ai.evaluation.explanation': 'on the point',
      });
    const read = await readKept([
      evaluation(4, 'pass'),
      evaluation('NaN', 'fail'),
      evaluation('0.5', 'fair'),
    ]);
    expect(read.rows('evaluations')).toMatchObject([
      { dimension: 'Relevance', state: 'scored', score: 4, passed: true, rationale: 'pass: on the point' },
      { state: 'unscored', score: null, passed: false },
      { state: 'scored', score: 0.5, passed: null },
    ]);
    expect(read.rows('runs_told')).toHaveLength(1);
  });

  it('never become calls or costs', async () => {
    const read = await readKept([
      {
        v: 1,
        at: AT,
        placed: 'first',
        what: 'point',
        name: 'claude_code.cost.usage',
        start: AT - 60_000,
        time: AT,
        unit: 'USD',
        temporality: 'delta',
        value: 4.66,
        attrs: { 'session.id': 's1', model: 'm' },
      },
    ]);
    expect(read.rows('metric_points')).toMatchObject([
      {
        name: 'claude_code.cost.usage',
        session_id: 's1',
        model: 'm',
        temporality: 'delta',
        value: 4.66,
        start_ms: AT - 60_000,
        at_ms: AT,
      },
    ]);
    expect(read.rows('llm_requests_told')).toEqual([]);
    expect(read.rows('reported_totals')).toEqual([]);
  });
});

describe('a file that grows', () => {
  const [adapter] = OTLP;
  if (adapter === undefined) throw new Error('there is no adapter');
  const records = [
    claude('user_prompt', { prompt: 'one' }),
    span(
      'chat m',
      { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 5 },
      { trace: 'aa', span: '01', parent: '02' },
    ),
    span(
      'invoke_agent',
      { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.usage.input_tokens': 5 },
      { trace: 'aa', span: '02' },
    ),
  ];

  it('is read on from its last line, with what was known there', async () => {
    const whole = await readWith(adapter, { [PATH]: textOf(records) });
    const before = await readWith(adapter, { [PATH]: textOf(records.slice(0, 2)) });
    const after = await readWith(adapter, { [PATH]: textOf(records) }, before.resume);
    expect(before.resume[PATH]?.no).toBe(2);
    expect(whole.rows('llm_requests_told')).toHaveLength(1);
    expect(after.rows('llm_requests_told')).toEqual(
      whole.rows('llm_requests_told').filter(({ source_line }) => Number(source_line) >= 2),
    );
    expect(after.rows('reported_totals')).toEqual(whole.rows('reported_totals'));
    expect(after.rows('reported_totals')).toHaveLength(1);
    const ok = (before.counts[PATH]?.ok ?? 0) + (after.counts[PATH]?.ok ?? 0);
    expect(ok).toBe(3);
  });

  it('is read to its last whole line, and not thrown by what is no record', async () => {
    const text = `${textOf(records.slice(0, 1))}not json\n{"v":1}\n[]\n{"v":1,"at":`;
    const read = await readWith(adapter, { [PATH]: text });
    expect(read.rows('log_events')).toHaveLength(1);
    expect(read.counts[PATH]).toEqual({ ok: 1, bad: 3 });
    expect(read.issues[PATH]?.map(({ code }) => code)).toEqual([
      'json_invalid',
      'json_invalid',
      'json_invalid',
      'line_cut',
    ]);
  });
});
