import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRecord } from '../server/record/index.ts';
import { median, type Result } from './result.ts';

/** As many files of a known kind as are read of one project. */
const FILES = 5_000;
const FOLDERS = 50;
const LOOKS = 9;

/** One test report with one case, small, so that what is measured is looking and not reading. */
const report = (n: number): string =>
  `<testsuite name="part ${n}" tests="1"><testcase classname="part" name="case ${n}" time="0.01"/></testsuite>\n`;

/** One note in the folder of a loop: a file that is a unit of its own. */
const note = (n: number): string => `note ${n}\n`;

async function fill(folder: string, name: (n: number) => string, text: (n: number) => string): Promise<void> {
  for (let n = 0; n < FOLDERS; n += 1) await mkdir(join(folder, `part-${n}`), { recursive: true });
  for (let n = 0; n < FILES; n += 1) await writeFile(join(folder, `part-${n % FOLDERS}`, name(n)), text(n));
}

/** Reads a folder once, and then looks at it again and again while nothing in it changes. */
async function looks(
  inside: string,
  name: (n: number) => string,
  text: (n: number) => string,
): Promise<{ first: number; wall: number; cpu: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'looplight-bench-'));
  try {
    await fill(join(folder, inside), name, text);
    const began = performance.now();
    const record = await openRecord({ root: folder, database: ':memory:' });
    const first = performance.now() - began;
    const wall: number[] = [];
    const cpu: number[] = [];
    for (let n = 0; n < LOOKS; n += 1) {
      const [at, used] = [performance.now(), process.cpuUsage()];
      if (await record.reload()) throw new Error('a folder in which nothing changed was read again');
      wall.push(performance.now() - at);
      const { user, system } = process.cpuUsage(used);
      cpu.push((user + system) / 1000);
    }
    await record.close();
    return { first, wall: median(wall), cpu: median(cpu) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * What watching a large project costs while nothing happens in it: one look at 5,000 files of a known kind, read together (test
 * reports) and each for itself (notes in the folder of a loop).
 * @throws when a look takes an unchanged folder for a changed one
 */
export async function watching(): Promise<Result[]> {
  const together = await looks('reports', (n) => `report-${n}.xml`, report);
  const each = await looks('.ralph', (n) => `note-${n}.txt`, note);
  return [
    { what: 'read together', ...together },
    { what: 'each read for itself', ...each },
  ].map(({ what, first, wall, cpu }) => ({
    name: `one look at ${FILES} unchanged files, ${what}`,
    value: wall,
    unit: 'ms',
    aim: null,
    detail: `${cpu.toFixed(0)} ms of processor time; looked at once a second; the first reading took ${(first / 1000).toFixed(1)} s`,
  }));
}
