// `npm test`: sets itself up, then type check, lint, unit and integration tests, browser tests. All run; any failure fails the whole.
// The last line adds up the test runners' own reports: "N passed, N failed, N skipped".
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser, ensureBuilt, ensureInstalled, root, run } from './lib/setup.mjs';

ensureInstalled();
ensureBuilt();
const browser = await ensureBrowser();

const reports = join(root, 'reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const bin = (name) => join(root, 'node_modules', name);
const node = (script, args, env) => run(process.execPath, [bin(script), ...args], env);

/** Passed, failed and skipped of one runner's report; a missing or empty report is a failure of its own. */
function counted(file, read) {
  const path = join(reports, file);
  if (!existsSync(path)) return { passed: 0, failed: 1, skipped: 0 };
  const counts = read(JSON.parse(readFileSync(path, 'utf8')));
  return counts.passed + counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

const steps = [
  { name: 'Type check', run: () => node('typescript/bin/tsc', ['--noEmit']) },
  { name: 'Lint', run: () => node('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']) },
  {
    name: 'Unit and integration tests',
    run: () =>
      node('vitest/vitest.mjs', [
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${join(reports, 'vitest.json')}`,
      ]),
    count: () =>
      counted('vitest.json', (report) => ({
        passed: report.numPassedTests,
        // A file that fails to load has no tests to count; it is a failure all the same.
        failed:
          report.numFailedTests +
          report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
            .length,
        skipped: report.numPendingTests + report.numTodoTests,
      })),
  },
  {
    name: 'Browser tests',
    run: () => node('@playwright/test/cli.js', ['test'], { CHROMIUM_PATH: browser }),
    count: () =>
      counted('playwright.json', ({ stats, errors }) => ({
        passed: stats.expected + stats.flaky,
        failed: stats.unexpected + errors.length,
        skipped: stats.skipped,
      })),
  },
];

const total = { passed: 0, failed: 0, skipped: 0 };
const broken = [];
for (const step of steps) {
  console.log(`\n── ${step.name}`);
  const code = await step.run();
  const counts = step.count?.() ?? { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  for (const key of Object.keys(total)) total[key] += counts[key];
  if (code !== 0) broken.push(step.name);
}

if (broken.length > 0) console.log(`\nFailed: ${broken.join(', ')}`);
console.log(
  `\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
