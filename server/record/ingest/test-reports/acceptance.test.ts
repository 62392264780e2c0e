import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Read, readWith } from '../test-adapter.ts';
import { TEST_REPORTS } from './index.ts';

/** Reports of two small suites, each in both forms, kept beside the project and not in it. */
const FIXTURES = join(import.meta.dirname, '../../../../../shared/fixtures/test-reports');
const there = existsSync(join(FIXTURES, 'pw.json'));
if (!there)
  console.info('The real test reports are not beside this project, so their acceptance tests do not run.');

const [adapter] = TEST_REPORTS;
const read = async (...names: string[]): Promise<Read> => {
  if (!adapter) throw new Error('test reports have an adapter');
  return readWith(
    adapter,
    Object.fromEntries(names.map((name) => [name, readFileSync(join(FIXTURES, name))])),
  );
};
const statuses = (of: Read) => of.rows('test_results').map((row) => row.status);
const evidence = (of: Read) =>
  of.rows('evidence_told').map((row) => [row.requirement_ref, row.polarity, row.link, row.commit_sha]);

describe.runIf(there)('the real reports', () => {
  it('of Playwright as JSON', async () => {
    const report = await read('pw.json');
    expect(statuses(report)).toEqual(['passed', 'failed', 'flaky', 'skipped', 'expected_failure', 'timeout']);
    expect(report.rows('test_results').map((row) => row.retries)).toEqual([0, 1, 1, 0, 0, 1]);
    expect(report.rows('test_runs')).toEqual([
      expect.objectContaining({
        framework: 'playwright',
        cases: 6,
        load_errors: 0,
        status: 'failed',
        duration_ms: 22053.397,
        commit_sha: null,
      }),
    ]);
    expect(report.rows('gate_events')).toEqual([
      expect.objectContaining({ verdict: 'block', cases_run: 5, cases_passed: 3, attribution: 'agent' }),
    ]);
    expect(evidence(report)).toEqual([['REQ-7', 'supports', 'explicit', null]]);
    // Colours of the terminal are gone from messages.
    expect(report.rows('test_results')[1]?.message).toMatch(/^Error: expect\(received\)\.toBe\(expected\)/);
  });

  it('of Playwright as JUnit: a timeout is an error there, and what was flaky looks passed', async () => {
    const report = await read('pw.xml');
    expect(statuses(report)).toEqual([
      'passed',
      'failed',
      'passed',
      'skipped',
      'expected_failure',
      'timeout',
    ]);
    expect(report.rows('test_runs')).toEqual([expect.objectContaining({ cases: 6, duration_ms: 22053.397 })]);
    expect(evidence(report)).toEqual([['REQ-7', 'supports', 'explicit', null]]);
    expect(report.issues['pw.xml']?.map(({ code }) => code)).toEqual(['unanchored']);
  });

  it('of vitest as JSON: five cases, one of them retried, and a file that did not load', async () => {
    const report = await read('vt.json');
    expect(statuses(report)).toEqual(['passed', 'failed', 'skipped', 'todo', 'flaky', 'load_error']);
    expect(report.rows('test_runs')).toEqual([
      expect.objectContaining({ framework: 'vitest', cases: 5, load_errors: 1, status: 'failed' }),
    ]);
    expect(evidence(report)).toEqual([['REQ-12', 'supports', 'tag', null]]);
    expect(report.issues['vt.json']?.map(({ code }) => code)).toEqual(['unanchored']);
  });

  it('of vitest as JUnit: the same five cases, though its totals count the file as a sixth', async () => {
    const report = await read('vt.xml');
    expect(statuses(report)).toEqual(['passed', 'failed', 'skipped', 'skipped', 'passed', 'load_error']);
    expect(report.rows('test_runs')).toEqual([
      expect.objectContaining({ framework: 'vitest', cases: 5, load_errors: 1 }),
    ]);
    expect(report.rows('gate_events')).toEqual([expect.objectContaining({ cases_run: 3, cases_passed: 2 })]);
    expect(report.issues['vt.xml']?.map(({ code }) => code)).toEqual(['unanchored']);
  });

  it('are counted once where both forms tell of one run', async () => {
    const report = await read('pw.json', 'pw.xml');
    expect(report.rows('test_runs').map((row) => row.framework)).toEqual(['playwright']);
    expect(report.issues['pw.xml']?.map(({ code }) => code)).toEqual(['superseded']);
  });
});
