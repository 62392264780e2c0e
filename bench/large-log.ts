import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod/v4';
import { openRecord } from '../server/record/index.ts';
import type { Result } from './result.ts';

const MB = 1024 * 1024;
/** Size of the log in MB; `LOOPLIGHT_BENCH_LOG_MB=1024` reads one of 1 GB. */
const DEFAULT_MB = 512;
const MOST_MB = 16 * 1024;
/** One line of this size stands in the middle of each log. */
const LONG_LINE_MB = 60;
/** The same is read at a quarter of the size, to show that memory does not follow the log. */
const SMALL_SHARE = 4;
/** At least as much again as the long line has to be ordinary lines, in the smaller log as well. */
const LEAST_MB = SMALL_SHARE * 2 * LONG_LINE_MB;
/** The database keeps at most 512 MB in memory, whatever it holds; the rest is the program, one line and one batch of rows. */
const PEAK_AIM_MB = 700;
const LINE_CHARS = 1_000;
const LINES_A_TURN = 200;
const CHILD_MS = 60 * 60_000;

/** The argument that makes the benchmark read a log in a process of its own, so that the peak is of nothing else. */
export const READ_ARGUMENT = '--read-log';

const reading = z.object({
  ms: z.number(),
  peakBytes: z.number(),
  events: z.number(),
  attempts: z.number(),
  tooLong: z.number(),
});
type Reading = z.infer<typeof reading>;

function sizeOf(value: string | undefined): number {
  const size = Number(value ?? DEFAULT_MB);
  if (!Number.isInteger(size) || size < LEAST_MB || size > MOST_MB)
    throw new Error(`LOOPLIGHT_BENCH_LOG_MB has to be a whole number from ${LEAST_MB} to ${MOST_MB}`);
  return size;
}

const START = Date.UTC(2026, 2, 1, 8);
const headOf = (line: number, level: string): string =>
  `[${new Date(START + line * 1000).toISOString().slice(0, 19).replace('T', ' ')}] [${level}] `;

/** Writes a log of a loop with `mb` MB, a turn every LINES_A_TURN lines; gives the number of its lines. */
async function writeLog(path: string, mb: number): Promise<number> {
  const out = createWriteStream(path);
  const filler = 'the agent reads a file, thinks about it and writes another one; '.repeat(LINE_CHARS / 50);
  let [bytes, lines] = [0, 0];
  let long = false;
  const put = async (text: string): Promise<void> => {
    bytes += text.length;
    if (!out.write(text)) await once(out, 'drain');
  };
  while (bytes < mb * MB) {
    if (!long && bytes >= ((mb - LONG_LINE_MB) * MB) / 2) {
      long = true;
      await put(headOf(lines, 'DEBUG'));
      for (let i = 0; i < LONG_LINE_MB; i++) await put('x'.repeat(MB));
      await put('\n');
      lines += 1;
    }
    const turn = lines % LINES_A_TURN === 0 ? Math.floor(lines / LINES_A_TURN) + 1 : null;
    const text = turn === null ? filler.slice(0, LINE_CHARS - (lines % 400)) : `=== Iteration #${turn} ===`;
    await put(`${headOf(lines, turn === null ? 'INFO' : 'LOOP')}${text}\n`);
    lines += 1;
  }
  out.end();
  await once(out, 'finish');
  return lines;
}

/** Reads the log of a folder into a database file beside it, and prints what that took. For the process of its own. */
export async function readLog(folder: string): Promise<void> {
  const began = performance.now();
  const record = await openRecord({ root: join(folder, 'project'), database: join(folder, 'record.duckdb') });
  const ms = performance.now() - began;
  const { rows } = await record.store.query(
    `SELECT (SELECT count(*) FROM log_events)::DOUBLE AS events, (SELECT count(*) FROM attempts)::DOUBLE AS attempts,
      (SELECT count(*) FROM ingest_issues WHERE code = 'line_too_long')::DOUBLE AS "tooLong"`,
  );
  await record.close();
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  process.stdout.write(`${JSON.stringify({ ...rows[0], ms, peakBytes })}\n`);
}

/** Writes a log and has another process read it. */
async function measure(mb: number): Promise<Reading & { lines: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'looplight-bench-'));
  try {
    await mkdir(join(folder, 'project'));
    const lines = await writeLog(join(folder, 'project', 'ralph.log'), mb);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [process.argv[1] ?? '', READ_ARGUMENT, folder],
      {
        timeout: CHILD_MS,
      },
    );
    const value: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    return { ...reading.parse(value), lines };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Reads a log with one line far beyond the limit, through the whole of reading: rows, derived tables, audit.
 * @param size the size in MB as LOOPLIGHT_BENCH_LOG_MB gives it, if it does
 * @throws when a line is missing from the record, or the long one is not reported
 */
export async function largeLog(size: string | undefined): Promise<Result[]> {
  const mb = sizeOf(size);
  const small = await measure(Math.floor(mb / SMALL_SHARE));
  const large = await measure(mb);
  for (const { events, lines, tooLong } of [small, large]) {
    if (tooLong !== 1) throw new Error(`${tooLong} lines were reported as too long, and one is`);
    // Each line but the long one is an event.
    if (events !== lines - 1) throw new Error(`${events} events were read of ${lines - 1} lines`);
  }
  const what = `${mb} MB, ${large.lines} lines, one of ${LONG_LINE_MB} MB`;
  return [
    {
      name: 'reading a large log',
      value: mb / (large.ms / 1000),
      unit: 'MB/s',
      aim: null,
      detail: `${what}; ${(large.ms / 1000).toFixed(1)} s with tables and audit; the long line was reported`,
    },
    {
      name: 'peak memory of reading it',
      value: large.peakBytes / MB,
      unit: 'MB',
      aim: PEAK_AIM_MB,
      detail: `process of its own, database in a file; ${(small.peakBytes / MB).toFixed(0)} MB for a log of ${Math.floor(mb / SMALL_SHARE)} MB`,
    },
  ];
}
