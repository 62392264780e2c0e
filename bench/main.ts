import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../server/paths.ts';
import { largeLog, READ_ARGUMENT, readLog } from './large-log.ts';
import { latency } from './latency.ts';
import { pageWeight } from './page-weight.ts';
import { met, type Result } from './result.ts';
import { run as scanner } from './scanner.ts';
import { READ_SESSIONS, readSessions, transcripts } from './transcripts.ts';
import { verification } from './verification.ts';
import { watching } from './watching.ts';

/** Runs every benchmark and writes `reports/bench.json` and `reports/bench.md`. Aims that are missed are reported, never hidden. */
async function main(): Promise<void> {
  const root = packageRoot();
  const results: Result[] = [
    ...(await scanner()),
    ...(await latency(join(root, 'data', 'agentforge'))),
    ...(await verification(join(root, 'data', 'agentforge'))),
    ...(await watching()),
    ...pageWeight(join(root, 'dist', 'web')),
    ...(await largeLog(process.env.LOOPLIGHT_BENCH_LOG_MB)),
    ...(await transcripts(process.env.LOOPLIGHT_BENCH_SESSIONS_MB)),
  ];
  const words = (result: Result): string => {
    const kept = met(result);
    return kept === null ? '' : kept ? 'kept' : 'missed';
  };
  const table = [
    '| what | measured | aim | | detail |',
    '|---|---|---|---|---|',
    ...results.map(
      (r) =>
        `| ${r.name} | ${r.value.toFixed(2)} ${r.unit} | ${r.aim === null ? '' : `at most ${r.aim}`} | ${words(r)} | ${r.detail} |`,
    ),
  ].join('\n');
  const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`;
  mkdirSync(join(root, 'reports'), { recursive: true });
  writeFileSync(join(root, 'reports', 'bench.json'), `${JSON.stringify({ machine, results }, null, 2)}\n`);
  writeFileSync(join(root, 'reports', 'bench.md'), `# Benchmarks\n\n${machine}\n\n${table}\n`);
  process.stdout.write(`\n${table}\n\nWritten to reports/bench.json and reports/bench.md.\n`);
}

const [, , argument, folder] = process.argv;
/** The benchmarks of large files start this program once more to read them. */
const reader = argument === READ_ARGUMENT ? readLog : argument === READ_SESSIONS ? readSessions : null;
const work = reader !== null && folder !== undefined ? reader(folder) : main();
work.catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
