import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod/v4';
import { openRecord } from '../../index.ts';
import type { RecordHandle } from '../../store.ts';

/** Real transcripts that may lie beside the project; they are no part of it. */
const SAMPLES = fileURLToPath(
  new URL('../../../../../shared/fixtures/transcripts/claude-code', import.meta.url),
);
const there = existsSync(SAMPLES);
if (!there) console.warn('The sample transcripts are not here; the tests over them did not run.');

const count = z.number().optional();
const Usage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  cache_creation: z.object({ ephemeral_1h_input_tokens: count }).optional(),
});
const Part = z.object({
  type: z.string(),
  id: z.string().optional(),
  tool_use_id: z.string().optional(),
  is_error: z.boolean().optional(),
});
const Message = z.object({
  id: z.string().optional(),
  model: z.string().optional(),
  usage: Usage.optional(),
  content: z.unknown(),
});
const Inner = z.object({ requestId: z.string().optional(), message: Message });
const Line = z.object({
  requestId: z.string().optional(),
  message: Message.optional(),
  data: z.object({ type: z.string(), message: Inner.optional() }).optional().catch(undefined),
});

interface Counted {
  input: number;
  output: number;
  read: number;
  written: number;
  hour: number;
}

/** What the files hold, counted by plain loops: nothing of the reader is used. */
async function countedHere(): Promise<{
  calls: Map<string, Counted>;
  uses: Set<string>;
  errors: Set<string>;
  lines: number;
}> {
  const calls = new Map<string, Counted>();
  const uses = new Set<string>();
  const errors = new Set<string>();
  let lines = 0;
  for (const name of (await readdir(SAMPLES)).sort()) {
    for (const text of (await readFile(join(SAMPLES, name), 'utf8')).split('\n')) {
      if (text.trim() === '') continue;
      lines += 1;
      const parsed = Line.safeParse(JSON.parse(text));
      if (!parsed.success) continue;
      const { data, message, requestId } = parsed.data;
      const inner = data?.type === 'agent_progress' ? data.message : undefined;
      for (const row of [
        { message, requestId },
        { message: inner?.message, requestId: inner?.requestId },
      ]) {
        const parts = z.array(Part.catch({ type: '' })).safeParse(row.message?.content);
        for (const part of parts.success ? parts.data : []) {
          if (part.type === 'tool_use' && part.id) uses.add(part.id);
          if (part.type === 'tool_result' && part.is_error && part.tool_use_id) errors.add(part.tool_use_id);
        }
        const used = row.message?.usage;
        if (!row.message?.id || !used || row.message.model === '<synthetic>') continue;
        const key = `${row.message.id}|${row.requestId ?? ''}`;
        const before = calls.get(key) ?? { input: 0, output: 0, read: 0, written: 0, hour: 0 };
        calls.set(key, {
          input: Math.max(before.input, used.input_tokens ?? 0),
          output: Math.max(before.output, used.output_tokens ?? 0),
          read: Math.max(before.read, used.cache_read_input_tokens ?? 0),
          written: Math.max(before.written, used.cache_creation_input_tokens ?? 0),
          hour: Math.max(before.hour, used.cache_creation?.ephemeral_1h_input_tokens ?? 0),
        });
      }
    }
  }
  return { calls, uses, errors, lines };
}

describe.runIf(there)('the sample transcripts', () => {
  let record: RecordHandle;
  let expected: Awaited<ReturnType<typeof countedHere>>;
  beforeAll(async () => {
    record = await openRecord({ root: SAMPLES, database: ':memory:' });
    expected = await countedHere();
  });
  afterAll(() => record.close());
  const rows = async (sql: string) => (await record.store.query(sql)).rows;

  it('have the calls and tokens that plain counting finds, call by call', async () => {
    const calls = await rows(
      `SELECT request_id AS id, coalesce(in_uncached, 0) AS input, coalesce(out_total, 0) AS output, coalesce(in_cache_read, 0) AS read,
        coalesce(in_cache_write_5m, 0) + coalesce(in_cache_write_1h, 0) AS written, coalesce(in_cache_write_1h, 0) AS hour FROM llm_requests ORDER BY 1`,
    );
    const wanted = [...expected.calls]
      .map(([id, one]) => ({ id, ...one }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(calls.sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1))).toEqual(wanted);
    expect(calls.length).toBeGreaterThan(30);
  });

  it('have each call of a tool once, and each that failed', async () => {
    const ids = (await rows('SELECT tool_call_id AS id FROM tool_calls WHERE name IS NOT NULL')).map(
      ({ id }) => id,
    );
    expect(ids.sort()).toEqual([...expected.uses].sort());
    const failed = await rows(
      "SELECT tool_call_id AS id FROM tool_calls WHERE status IN ('error', 'denied', 'interrupted')",
    );
    expect(failed.map(({ id }) => id).sort()).toEqual([...expected.errors].sort());
  });

  it('lose no line: each is understood, or counted as not', async () => {
    expect(
      await rows(
        'SELECT sum(lines_ok + lines_bad)::INTEGER AS n, sum(lines_bad)::INTEGER AS bad FROM sources',
      ),
    ).toEqual([
      // Of the sample of edge cases: a text, a number and a list, an object without a type, and three messages that are none.
      { n: expected.lines, bad: 7 },
    ]);
  });

  it('cost what the one file says that tells costs, kept beside what is computed', async () => {
    expect(await rows('SELECT sum(cost_reported_uusd)::INTEGER AS n FROM llm_requests')).toEqual([
      { n: 1_020_000 },
    ]);
  });
});
