import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod/v4';
import { openRecord } from '../server/record/index.ts';
import { median, type Result } from './result.ts';

const MB = 1024 * 1024;
/** Size of all transcripts in MB; `LOOPLIGHT_BENCH_SESSIONS_MB=100` reads a tenth of it. */
const DEFAULT_MB = 1024;
const LEAST_MB = 100;
const MOST_MB = 16 * 1024;
const FILE_MB = 25;
/** One line of this size stands in the first transcript of the larger set. */
const LONG_LINE_MB = 60;
const SMALL_SHARE = 4;
const PEAK_AIM_MB = 900;
const APPEND_AIM_MS = 200;
const APPENDS = 7;
const CHILD_MS = 60 * 60_000;

/** The argument that makes the benchmark read transcripts in a process of its own. */
export const READ_SESSIONS = '--read-sessions';

const reading = z.object({
  ms: z.number(),
  peakBytes: z.number(),
  appendMs: z.number(),
  requests: z.number(),
  output: z.number(),
  calls: z.number(),
  tooLong: z.number(),
});
type Reading = z.infer<typeof reading>;

interface Written {
  requests: number;
  output: number;
  calls: number;
}

function sizeOf(value: string | undefined): number {
  const size = Number(value ?? DEFAULT_MB);
  if (!Number.isInteger(size) || size < LEAST_MB || size > MOST_MB)
    throw new Error(`LOOPLIGHT_BENCH_SESSIONS_MB has to be a whole number from ${LEAST_MB} to ${MOST_MB}`);
  return size;
}

const START = Date.UTC(2026, 4, 1, 20);
const WORDS = 'the agent reads a file and writes what it has found, then it runs the tests again; ';

/** One round of a session: two rows of a message, a call, what came back from it; every tenth round a person's word before it. */
function round(
  session: string,
  n: number,
): { text: string; requests: number; output: number; calls: number } {
  const line = (type: string, step: number, more: object): string =>
    JSON.stringify({
      parentUuid: `${session}-${n}-${step - 1}`,
      isSidechain: false,
      type,
      uuid: `${session}-${n}-${step}`,
      sessionId: session,
      timestamp: new Date(START + n * 10_000 + step * 1_000).toISOString(),
      cwd: '/srv/bench',
      gitBranch: 'main',
      version: '2.1.220',
      ...more,
    });
  const output = 100 + (n % 400);
  const message = (tokens: number, part: object): object => ({
    requestId: `req-${session}-${n}`,
    message: {
      id: `msg-${session}-${n}`,
      role: 'assistant',
      model: 'claude-opus-5',
      content: [part],
      usage: {
        input_tokens: 4,
        cache_creation_input_tokens: 300,
        cache_read_input_tokens: 40_000 + n,
        output_tokens: tokens,
      },
    },
  });
  const call = `call-${session}-${n}`;
  const rows = [
    ...(n % 10 === 0
      ? [line('user', 0, { message: { role: 'user', content: `Go on with step ${n}` } })]
      : []),
    line('assistant', 1, message(9, { type: 'text', text: WORDS.repeat(1 + (n % 4)) })),
    line(
      'assistant',
      2,
      message(output, {
        type: 'tool_use',
        id: call,
        name: 'Bash',
        input: { command: `npm test -- part-${n}` },
      }),
    ),
    line('user', 3, {
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: call, content: WORDS.repeat(10 + (n % 60)) }],
      },
      toolUseResult: { stdout: WORDS.repeat(10 + (n % 60)), stderr: '', interrupted: false },
    }),
  ];
  return { text: `${rows.join('\n')}\n`, requests: 1, output, calls: 1 };
}

/** Writes transcripts of `mb` MB in all; gives what is in them. */
async function write(folder: string, mb: number, long: boolean): Promise<Written> {
  const sum: Written = { requests: 0, output: 0, calls: 0 };
  let left = mb * MB;
  for (let file = 0; left > 0; file += 1) {
    const session = `bench-${String(file).padStart(4, '0')}`;
    const out = createWriteStream(join(folder, `${session}.jsonl`));
    const put = async (text: string): Promise<void> => {
      left -= text.length;
      if (!out.write(text)) await once(out, 'drain');
    };
    for (let n = 0, bytes = 0; bytes < FILE_MB * MB && left > 0; n += 1) {
      const { text, ...counts } = round(session, n);
      await put(text);
      bytes += text.length;
      sum.requests += counts.requests;
      sum.output += counts.output;
      sum.calls += counts.calls;
      if (long && file === 0 && n === 100) {
        await put('{"type":"user","sessionId":"x","message":{"role":"user","content":"');
        for (let i = 0; i < LONG_LINE_MB; i += 1) await put('x'.repeat(MB));
        await put('"}}\n');
      }
    }
    out.end();
    await once(out, 'finish');
  }
  return sum;
}

/** Reads the transcripts of a folder into a database file beside them, adds a line a few times, and prints what all that took. */
export async function readSessions(folder: string): Promise<void> {
  const root = join(folder, 'project');
  const began = performance.now();
  const record = await openRecord({ root, database: join(folder, 'record.duckdb') });
  const ms = performance.now() - began;
  const { rows } = await record.store.query(
    `SELECT (SELECT count(*) FROM llm_requests)::DOUBLE AS requests, (SELECT sum(out_total) FROM llm_requests)::DOUBLE AS output,
      (SELECT count(*) FROM tool_calls WHERE status = 'ok')::DOUBLE AS calls,
      (SELECT count(*) FROM ingest_issues WHERE code = 'line_too_long')::DOUBLE AS "tooLong"`,
  );
  const times: number[] = [];
  for (let i = 0; i < APPENDS; i += 1) {
    const { text } = round('bench-0000', 1_000_000 + i);
    await appendFile(join(root, 'bench-0000.jsonl'), `${text.split('\n').at(-3) ?? ''}\n`);
    const at = performance.now();
    if (!(await record.reload())) throw new Error('a line that was added was not seen');
    times.push(performance.now() - at);
  }
  await record.close();
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  process.stdout.write(`${JSON.stringify({ ...rows[0], ms, peakBytes, appendMs: median(times) })}\n`);
}

async function measure(mb: number, long: boolean): Promise<Reading> {
  const folder = await mkdtemp(join(tmpdir(), 'looplight-bench-'));
  try {
    await mkdir(join(folder, 'project'));
    const written = await write(join(folder, 'project'), mb, long);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [process.argv[1] ?? '', READ_SESSIONS, folder],
      {
        timeout: CHILD_MS,
      },
    );
    const value: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    const read = reading.parse(value);
    for (const key of ['requests', 'output', 'calls'] as const)
      if (read[key] !== written[key]) throw new Error(`${read[key]} ${key} were read of ${written[key]}`);
    if (read.tooLong !== (long ? 1 : 0)) throw new Error(`${read.tooLong} lines were reported as too long`);
    return read;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Reads transcripts of sessions through the whole of reading: rows, derived tables, audit; then reads on after one added line.
 * @param size the size in MB as LOOPLIGHT_BENCH_SESSIONS_MB gives it, if it does
 * @throws when a token or call is missing from the record, or the long line is not reported
 */
export async function transcripts(size: string | undefined): Promise<Result[]> {
  const mb = sizeOf(size);
  const small = await measure(Math.floor(mb / SMALL_SHARE), false);
  const large = await measure(mb, true);
  return [
    {
      name: 'reading transcripts',
      value: mb / (large.ms / 1000),
      unit: 'MB/s',
      aim: null,
      detail: `${mb} MB, ${large.requests} model calls, one line of ${LONG_LINE_MB} MB; ${(large.ms / 1000).toFixed(1)} s with tables and audit`,
    },
    {
      name: 'peak memory of reading them',
      value: large.peakBytes / MB,
      unit: 'MB',
      aim: PEAK_AIM_MB,
      detail: `process of its own, database in a file; ${(small.peakBytes / MB).toFixed(0)} MB for ${Math.floor(mb / SMALL_SHARE)} MB`,
    },
    {
      name: 'reading on after one added line',
      value: large.appendMs,
      unit: 'ms',
      aim: APPEND_AIM_MS,
      detail: `median of ${APPENDS}, in ${mb} MB of transcripts, with tables and audit; ${small.appendMs.toFixed(0)} ms in ${Math.floor(mb / SMALL_SHARE)} MB`,
    },
  ];
}
