import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod/v4';
import { packageRoot } from '../../paths.ts';
import { openRecord } from '../index.ts';
import { loadPrices } from '../prices/price-files.ts';
import type { RecordHandle } from '../store.ts';
import { testFolder } from '../test-folder.ts';

/** Real sessions, kept beside the project and not in it. */
const FIXTURES = join(import.meta.dirname, '../../../../shared/fixtures/transcripts/claude-code');
const there = existsSync(FIXTURES);
if (!there) console.info('No real sessions are beside this project, so counting them again is not tested.');

const count = z.number().int().nonnegative().catch(0);
const Message = z.object({
  requestId: z.string().nullish(),
  message: z.object({
    id: z.string().min(1),
    model: z.string(),
    usage: z.object({
      input_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
      output_tokens: count,
    }),
  }),
});

/** Everything in a line that holds a message with its usage: the line itself, and what a progress entry carries. */
function messagesIn(value: unknown, levels = 6): z.infer<typeof Message>[] {
  if (levels === 0 || typeof value !== 'object' || value === null) return [];
  const read = Message.safeParse(value);
  return [
    ...(read.success ? [read.data] : []),
    ...Object.values(value).flatMap((inner: unknown) => messagesIn(inner, levels - 1)),
  ];
}

interface Tokens {
  model: string;
  input: number;
  read: number;
  written: number;
  output: number;
}

/** Every message of some files once, each class of tokens at its largest, without anything of the record. */
function countedAnew(files: readonly string[]): Map<string, Tokens> {
  const seen = new Map<string, Tokens>();
  for (const text of files)
    for (const line of text.split(/\r?\n/)) {
      let value: unknown = null;
      try {
        value = JSON.parse(line);
      } catch {
        continue;
      }
      for (const { message, requestId } of messagesIn(value)) {
        if (message.model === '<synthetic>') continue;
        const key = `${message.id}|${requestId ?? ''}`;
        const before = seen.get(key);
        const { usage } = message;
        seen.set(key, {
          model: message.model,
          input: Math.max(before?.input ?? 0, usage.input_tokens),
          read: Math.max(before?.read ?? 0, usage.cache_read_input_tokens),
          written: Math.max(before?.written ?? 0, usage.cache_creation_input_tokens),
          output: Math.max(before?.output ?? 0, usage.output_tokens),
        });
      }
    }
  return seen;
}

async function opened(root: string): Promise<RecordHandle> {
  const prices = await loadPrices(join(packageRoot(), 'data', 'prices'), null);
  const record = await openRecord({ root, database: ':memory:', prices });
  onTestFinished(() => record.close());
  return record;
}

const TOTALS = `SELECT model, count(*) AS calls, sum(coalesce(in_uncached, 0)) AS input, sum(coalesce(in_cache_read, 0)) AS read,
  sum(coalesce(in_cache_write_5m, 0) + coalesce(in_cache_write_1h, 0)) AS written, sum(coalesce(out_total, 0)) AS output
  FROM llm_requests WHERE model <> '<synthetic>' GROUP BY model ORDER BY model`;

function byModel(calls: Iterable<Tokens>) {
  const sums = new Map<string, { calls: number } & Tokens>();
  for (const call of calls) {
    const sum = sums.get(call.model) ?? {
      model: call.model,
      calls: 0,
      input: 0,
      read: 0,
      written: 0,
      output: 0,
    };
    sums.set(call.model, {
      model: call.model,
      calls: sum.calls + 1,
      input: sum.input + call.input,
      read: sum.read + call.read,
      written: sum.written + call.written,
      output: sum.output + call.output,
    });
  }
  return [...sums.values()].sort((a, b) => (a.model < b.model ? -1 : 1));
}

describe.runIf(there)('real sessions', () => {
  it('add up to what counting their lines again gives, for each model', async () => {
    const root = await testFolder();
    await cp(FIXTURES, join(root, 'sessions'), { recursive: true });
    const record = await opened(root);
    const files = readdirSync(FIXTURES)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => readFileSync(join(FIXTURES, name), 'utf8'));
    const anew = byModel(countedAnew(files).values());
    expect(anew.length).toBeGreaterThan(2);
    const { rows } = await record.store.query(TOTALS);
    expect(rows).toEqual(anew);
  });

  it('stay the same when a session is there twice', async () => {
    const root = await testFolder();
    await cp(FIXTURES, join(root, 'sessions'), { recursive: true });
    await cp(FIXTURES, join(root, 'again'), { recursive: true });
    const [once, twice] = [await testFolder(), root];
    await cp(FIXTURES, join(once, 'sessions'), { recursive: true });
    const [a, b] = [await opened(once), await opened(twice)];
    expect((await b.store.query(TOTALS)).rows).toEqual((await a.store.query(TOTALS)).rows);
  });
});
