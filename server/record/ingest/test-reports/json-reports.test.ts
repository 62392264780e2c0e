import { describe, expect, it } from 'vitest';
import { Issues } from '../issue.ts';
import { readPlaywright } from './playwright.ts';
import { tallyOf } from './report.ts';
import { readVitest } from './vitest.ts';

const read = (of: typeof readVitest, value: unknown) => {
  const issues = new Issues();
  const report = of(typeof value === 'string' ? value : JSON.stringify(value, null, 1), issues);
  return { ...report, issues: issues.list(), tally: tallyOf(report) };
};

interface Told {
  status: string;
  results?: string[];
  expectedStatus?: string;
  annotations?: { type: string; description?: string }[];
}
const spec = (
  title: string,
  { status, results = ['passed'], expectedStatus = 'passed', annotations = [] }: Told,
  tags: string[] = [],
) => ({
  title,
  tags,
  file: 'bell.spec.ts',
  tests: [
    {
      annotations,
      expectedStatus,
      projectName: '',
      status,
      results: results.map((result, retry) => ({
        status: result,
        duration: 100,
        retry,
        startTime: '2026-05-04T10:00:00.000Z',
        ...(result === 'passed' ? {} : { error: { message: `\u001b[31m${result} ${retry}\u001b[39m` } }),
      })),
    },
  ],
});
const playwright = (specs: unknown[], more: Record<string, unknown> = {}) => ({
  config: { rootDir: '/srv', metadata: {} },
  suites:
    specs.length === 0
      ? []
      : [
          {
            title: 'bell.spec.ts',
            file: 'bell.spec.ts',
            specs: [],
            suites: [{ title: 'bell', specs, suites: [] }],
          },
        ],
  errors: [],
  stats: {
    startTime: '2026-05-04T09:59:59.000Z',
    duration: 22053.397,
    expected: specs.length,
    unexpected: 0,
    flaky: 0,
    skipped: 0,
  },
  ...more,
});

describe('a Playwright report', () => {
  it('takes the outcome of a test and not that of its last result', () => {
    const report = read(
      readPlaywright,
      playwright([
        spec('rings', { status: 'expected' }),
        spec('is meant to fail', { status: 'expected', expectedStatus: 'failed', results: ['failed'] }),
        spec('passes against hope', { status: 'unexpected', expectedStatus: 'failed', results: ['passed'] }),
        spec('is flaky', { status: 'flaky', results: ['failed', 'failed', 'passed'] }),
        spec('fails', { status: 'unexpected', results: ['failed', 'failed'] }),
        spec('takes too long', { status: 'unexpected', results: ['timedOut'] }),
        spec('is stopped', { status: 'unexpected', results: ['interrupted'] }),
        spec('is skipped', { status: 'skipped', expectedStatus: 'skipped', results: ['skipped'] }),
        spec('is to be repaired', {
          status: 'skipped',
          results: ['skipped'],
          annotations: [{ type: 'fixme' }],
        }),
      ]),
    );
    expect(
      report.cases.map(({ status, retries, durationMs, message }) => [status, retries, durationMs, message]),
    ).toEqual([
      ['passed', 0, 100, null],
      ['expected_failure', 0, 100, 'failed 0'],
      ['failed', 0, 100, 'It was expected to fail, and passed.'],
      ['flaky', 2, 300, 'failed 1'],
      ['failed', 1, 200, 'failed 1'],
      ['timeout', 0, 100, 'timedOut 0'],
      ['error', 0, 100, 'interrupted 0'],
      ['skipped', 0, 100, 'skipped 0'],
      ['todo', 0, 100, 'skipped 0'],
    ]);
    expect(report).toMatchObject({
      startedMs: 1_777_888_799_000,
      durationMs: 22053.397,
      zone: '+00:00',
      issues: [],
    });
    expect(report.cases[0]).toMatchObject({
      suite: 'bell',
      file: 'bell.spec.ts',
      startedMs: 1_777_888_800_000,
    });
  });

  it('finds requirements in annotations, tags and titles, each once', () => {
    const { cases } = read(
      readPlaywright,
      playwright([
        spec(
          'rings @req-7',
          { status: 'expected', annotations: [{ type: 'requirement', description: 'REQ-7, AC-2' }] },
          ['req-7', 'smoke', 'us-003'],
        ),
      ]),
    );
    expect(cases[0]?.refs).toEqual([
      { ref: 'REQ-7', link: 'explicit' },
      { ref: 'AC-2', link: 'explicit' },
      { ref: 'US-003', link: 'tag' },
    ]);
  });

  it('takes a configuration that crashed for no run at all', () => {
    const report = read(
      readPlaywright,
      playwright([], { errors: [{ message: 'Error: globalSetup: no database' }] }),
    );
    expect(report.fatal).toEqual([{ message: 'Error: globalSetup: no database', line: expect.any(Number) }]);
    expect(report.tally).toMatchObject({ cases: 0, status: 'errored' });
    expect(read(readPlaywright, playwright([])).tally.status).toBe('empty');
  });

  it('is tied to the commit Playwright wrote down', () => {
    const at = (metadata: unknown) =>
      read(readPlaywright, playwright([], { config: { rootDir: '/srv', metadata } })).commit;
    expect(at({ gitCommit: { hash: 'a1b2c3d4e5f6' } })).toBe('a1b2c3d4e5f6');
    expect(at({ ci: { commitHash: 'a1b2c3d4e5f6' } })).toBe('a1b2c3d4e5f6');
    expect(at({ 'revision.id': 'a1b2c3d4e5f6' })).toBe('a1b2c3d4e5f6');
    expect(at({ actualWorkers: 1 })).toBe(null);
  });

  it('says when its own totals are not what it lists', () => {
    const report = read(
      readPlaywright,
      playwright([spec('rings', { status: 'expected' })], {
        stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0 },
      }),
    );
    expect(report.issues).toEqual([
      expect.objectContaining({
        code: 'totals_differ',
        detail: expect.stringContaining('2 tests and lists 1'),
      }),
    ]);
  });

  it('keeps what is complete of a file that is cut', () => {
    const text = JSON.stringify(
      playwright([spec('rings', { status: 'expected' }), spec('fails', { status: 'unexpected' })]),
      null,
      1,
    );
    const report = read(readPlaywright, text.slice(0, text.indexOf('"fails"')));
    expect(report.cases.map(({ name }) => name)).toContain('rings');
    expect(report.issues).toContainEqual(expect.objectContaining({ code: 'json_cut' }));
  });
});

const test = (title: string, status: string, more: Record<string, unknown> = {}) => ({
  ancestorTitles: ['bell'],
  fullName: `bell ${title}`,
  title,
  status,
  failureMessages: [],
  meta: {},
  ...more,
});
const vitest = (testResults: unknown[], more: Record<string, unknown> = {}) => ({
  numTotalTests: testResults.flatMap((file) =>
    typeof file === 'object' &&
    file !== null &&
    'assertionResults' in file &&
    Array.isArray(file.assertionResults)
      ? file.assertionResults
      : [],
  ).length,
  startTime: 1_777_888_800_000,
  testResults,
  ...more,
});
const file = (assertionResults: unknown[], more: Record<string, unknown> = {}) => ({
  name: '/srv/bell.test.ts',
  status: 'passed',
  message: '',
  startTime: 1_777_888_800_100,
  endTime: 1_777_888_800_350.5,
  assertionResults,
  ...more,
});

describe('a report of vitest or jest', () => {
  it('takes a pass that carries failures for one that came at a retry', () => {
    const report = read(
      readVitest,
      vitest([
        file(
          [
            test('rings', 'passed', { duration: 3.5 }),
            test('rings at last', 'passed', { failureMessages: ['AssertionError: 1'] }),
            test('fails', 'failed', { failureMessages: ['AssertionError: 2'] }),
            test('takes too long', 'failed', { failureMessages: ['Error: Test timed out in 5000ms.'] }),
            test('later', 'pending'),
            test('skipped', 'skipped'),
            test('to do', 'todo'),
            test('retried by jest', 'passed', { invocations: 3, failureMessages: ['x'] }),
          ],
          { status: 'failed' },
        ),
      ]),
    );
    expect(report.cases.map(({ status, retries }) => [status, retries])).toEqual([
      ['passed', null],
      ['flaky', null],
      ['failed', null],
      ['timeout', null],
      ['skipped', null],
      ['skipped', null],
      ['todo', null],
      ['flaky', 2],
    ]);
    expect(report).toMatchObject({
      framework: 'vitest',
      startedMs: 1_777_888_800_000,
      zone: '+00:00',
      durationMs: 350.5,
      issues: [],
    });
    expect(report.tally).toMatchObject({
      cases: 8,
      run: 5,
      passed: 3,
      failed: 1,
      timedOut: 1,
      status: 'failed',
    });
  });

  it('counts a file that failed to load, which none of its totals does', () => {
    const report = read(
      readVitest,
      vitest([
        file([test('rings', 'passed')]),
        file([], { status: 'failed', message: "Cannot find module './nope'", name: '/srv/b.test.ts' }),
      ]),
    );
    expect(report.tally).toMatchObject({ cases: 1, loadErrors: 1, status: 'errored' });
    expect(report.cases.at(-1)).toMatchObject({
      status: 'load_error',
      name: '/srv/b.test.ts',
      message: "Cannot find module './nope'",
    });
    expect(report.issues).toEqual([]);
  });

  it('tells of a file that failed outside its tests', () => {
    const report = read(
      readVitest,
      vitest([file([test('rings', 'passed')], { status: 'failed', message: 'afterAll broke' })]),
    );
    expect(report.tally).toMatchObject({ errors: 1, status: 'failed' });
    expect(report.issues).toEqual([]);
  });

  it('finds requirements in meta, tags and titles', () => {
    const { cases } = read(
      readVitest,
      vitest([
        file([
          test('rings [REQ-12]', 'passed', { meta: { requirement: 'REQ-1' }, tags: ['ac-33', 'slow'] }),
          test('REQ-5: stops', 'passed'),
        ]),
      ]),
    );
    expect(cases.map(({ refs }) => refs.map(({ ref, link }) => `${ref} ${link}`))).toEqual([
      ['REQ-1 explicit', 'AC-33 tag', 'REQ-12 tag'],
      ['REQ-5 name_match'],
    ]);
  });

  it('is tied to a commit where its reporter wrote one', () => {
    expect(read(readVitest, vitest([], { metadata: { commit: 'a1b2c3d', dirty: true } }))).toMatchObject({
      commit: 'a1b2c3d',
      dirty: true,
    });
    expect(read(readVitest, vitest([])).commit).toBe(null);
  });

  it('says when its totals differ, and survives values of the wrong kind', () => {
    expect(read(readVitest, vitest([file([test('rings', 'passed')])], { numTotalTests: 4 })).issues).toEqual([
      expect.objectContaining({
        code: 'totals_differ',
        detail: expect.stringContaining('4 tests and lists 1'),
      }),
    ]);
    const odd = read(readVitest, {
      numTotalTests: 'many',
      testResults: [null, 3, file([{ title: 5, status: 'great' }])],
    });
    expect(odd.cases).toEqual([expect.objectContaining({ name: '', status: 'error' })]);
    expect(odd.issues.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['wrong_type', 'unknown_status']),
    );
  });
});
