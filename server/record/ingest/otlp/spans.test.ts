import { describe, expect, it } from 'vitest';
import type { KeptAttributes } from './kept.ts';
import { AT, PATH, readKept, span } from './test-telemetry.ts';

const chat = (attrs: KeptAttributes, more: object = {}) =>
  span('chat m', { 'gen_ai.operation.name': 'chat', ...attrs }, more);
const usage = (input: number, read: number, output = 10): KeptAttributes => ({
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.cache_read.input_tokens': read,
  'gen_ai.usage.output_tokens': output,
});

/** All input of each call. */
const inputs = async (records: Parameters<typeof readKept>[0]): Promise<number[]> =>
  (await readKept(records))
    .rows('llm_requests_told')
    .map(
      (row) =>
        Number(row.in_uncached ?? 0) + Number(row.in_cache_read ?? 0) + Number(row.in_cache_write_5m ?? 0),
    );

describe('what a span says its input is', () => {
  it('comes to the same with the cache in it and without', async () => {
    expect(await inputs([chat(usage(17_903, 17_817), { scope: 'total' })])).toEqual([17_903]);
    expect(await inputs([chat(usage(86, 17_817), { scope: 'exclusive' })])).toEqual([17_903]);
  });

  it('is told per scope: one span that shows it speaks for those after it', async () => {
    const records = [
      chat(usage(86, 17_817), { scope: 'a' }),
      chat(usage(500, 100), { scope: 'a' }),
      chat(usage(500, 100), { scope: 'b' }),
    ];
    expect(await inputs(records)).toEqual([17_903, 600, 500]);
  });

  it('is told by a total where there is one', async () => {
    const records = [
      chat({ ...usage(500, 100, 20), 'gen_ai.usage.total_tokens': 620 }, { scope: 'a' }),
      chat({ ...usage(500, 100, 20), 'gen_ai.usage.total_tokens': 520 }, { scope: 'b' }),
    ];
    expect(await inputs(records)).toEqual([600, 500]);
  });

  it("is without the cache in Claude Code's own spans", async () => {
    const own = span(
      'claude_code.llm_request',
      {
        model: 'claude-opus-5',
        input_tokens: '500',
        cache_read_tokens: '100',
        cache_creation_tokens: '30',
        output_tokens: '7',
        request_id: 'req_9',
      },
      { scope: 'com.anthropic.claude_code.tracing' },
    );
    const read = await readKept([own]);
    expect(read.rows('llm_requests_told')).toMatchObject([
      {
        in_uncached: 500,
        in_cache_read: 100,
        in_cache_write_5m: 30,
        out_total: 7,
        request_ref: 'req_9',
        token_quality: 'exact',
        provider: 'anthropic',
      },
    ]);
  });

  it('is marked as estimated where nothing shows it', async () => {
    const read = await readKept([chat(usage(500, 100), { scope: 'x' }), chat(usage(500, 0), { scope: 'x' })]);
    expect(read.rows('llm_requests_told').map(({ token_quality }) => token_quality)).toEqual([
      'estimated',
      'exact',
    ]);
  });

  it.each([
    [
      {
        'gen_ai.usage.prompt_tokens': 12,
        'gen_ai.usage.completion_tokens': 3,
        'gen_ai.operation.name': 'chat',
      },
    ],
    [{ 'llm.token_count.prompt': 12, 'llm.token_count.completion': 3, 'openinference.span.kind': 'LLM' }],
    [{ 'gen_ai.usage.prompt_tokens': 12, 'gen_ai.usage.completion_tokens': 3, 'llm.request.type': 'chat' }],
  ])('is read by older names too: %j', async (attrs) => {
    const read = await readKept([span('x', attrs)]);
    expect(read.rows('llm_requests_told')).toMatchObject([{ in_uncached: 12, out_total: 3 }]);
  });
});

describe('spans around calls', () => {
  const agent = (more: object) =>
    span('invoke_agent a', { 'gen_ai.operation.name': 'invoke_agent', ...usage(900, 0) }, more);

  it('are totals, kept apart, when the calls inside are told', async () => {
    const read = await readKept([
      chat(usage(900, 0), { trace: 'aa', span: '03', parent: '02' }),
      span(
        'execute_tool t',
        { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 't' },
        { trace: 'aa', span: '02', parent: '01' },
      ),
      agent({ trace: 'aa', span: '01' }),
    ]);
    expect(read.rows('llm_requests_told')).toHaveLength(1);
    expect(read.rows('reported_totals')).toMatchObject([{ scope: 'tree', in_uncached: 900, source_line: 3 }]);
    expect(read.rows('tool_calls_told')).toMatchObject([{ name: 't', status: 'ok', duration_ms: 2_000 }]);
  });

  it('count when nothing inside does', async () => {
    const read = await readKept([agent({ trace: 'aa', span: '01' }), agent({ trace: 'bb', span: '01' })]);
    expect(read.rows('llm_requests_told')).toHaveLength(2);
    expect(read.rows('reported_totals')).toEqual([]);
  });
});

describe('times and errors of spans', () => {
  it('are unknown when a span ends before it begins, or never began', async () => {
    const read = await readKept([
      chat({}, { start: AT, end: AT - 1 }),
      chat({}, { start: null }),
      chat({}, { end: null }),
    ]);
    expect(read.rows('llm_requests_told').map(({ duration_ms }) => duration_ms)).toEqual([null, null, null]);
    expect(read.issues[PATH]?.map(({ code }) => code)).toEqual(['time_invalid']);
  });

  it('tell a tool that failed, and the wait for a permission', async () => {
    const read = await readKept([
      span(
        'execute_tool Bash',
        { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'Bash', 'gen_ai.tool.call.id': 'c9' },
        { status: 2, says: 'tool exited with code 1' },
      ),
      span('claude_code.tool.blocked_on_user', { 'session.id': 's1' }),
      span('GET /', {}),
    ]);
    expect(read.rows('tool_calls_told')).toMatchObject([
      { tool_call_id: 'c9', kind: 'shell', status: 'error' },
    ]);
    expect(read.rows('session_spans')).toMatchObject([
      { kind: 'permission', started_at_ms: AT - 2_000, ended_at_ms: AT },
    ]);
    expect(read.counts[PATH]).toEqual({ ok: 2, bad: 1 });
  });
});
