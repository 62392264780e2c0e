import { describe, expect, it } from 'vitest';
import { runFiles } from '../ingest/agent-loop/test-run.ts';
import { findingsOf } from './test-findings.ts';

const says = async (rule: string, files: Record<string, string>): Promise<string[]> =>
  (await findingsOf(rule, files)).map(
    (row) => `${row.feature ?? ''} ${row.severity}: ${row.says} [${row.lines}]`,
  );
const suite = (cases: string): string =>
  `<testsuite name="bell" timestamp="2026-05-04T10:00:00Z">\n${cases}\n</testsuite>\n`;

describe('report_without_cases', () => {
  const of = (files: Record<string, string>) => says('report_without_cases', files);

  it('finds reports in which nothing ran, and says why', async () => {
    expect(await of({ 'junit.xml': suite('') })).toEqual([
      ' warning: No case ran in junit.xml: it lists none [1]',
    ]);
    expect(
      await of({
        'junit.xml': suite(
          '<testcase name="a"><skipped/></testcase>\n<testcase name="b"><skipped/></testcase>',
        ),
      }),
    ).toEqual([' warning: No case ran in junit.xml: all 2 were skipped [1]']);
    const crashed = {
      config: { rootDir: '/srv' },
      suites: [],
      errors: [{ message: 'Error: no database\n  at setup' }],
    };
    expect(await of({ 'pw.json': JSON.stringify(crashed) })).toEqual([
      ' warning: No case ran in pw.json: Error: no database [1]',
    ]);
  });

  it('finds nothing where a case ran, whatever became of it', async () => {
    expect(await of({ 'junit.xml': suite('<testcase name="a"><failure/></testcase>') })).toEqual([]);
    expect(
      await of({ 'junit.xml': suite('<testcase name="a"/><testcase name="b"><skipped/></testcase>') }),
    ).toEqual([]);
    expect(await says('start_without_outcome', { 'junit.xml': suite('') })).toEqual([]);
  });
});

describe('file_not_loaded', () => {
  const of = (cases: string) => says('file_not_loaded', { 'junit.xml': suite(cases) });
  const broken = (name: string) =>
    `<testcase classname="${name}" name="Test suite failed to run"><failure message="SyntaxError"/></testcase>`;

  it('finds files that are in no total, once for a report', async () => {
    expect(await of(`<testcase name="a"/>\n${broken('src/b.test.ts')}`)).toEqual([
      ' warning: junit.xml lists 1 case, and src/b.test.ts could not be loaded [3]',
    ]);
    expect(await of(`<testcase name="a"/>\n${broken('src/b.test.ts')}\n${broken('src/c.test.ts')}`)).toEqual([
      ' warning: junit.xml lists 1 case, and 2 files, the first src/b.test.ts, could not be loaded [3 4]',
    ]);
  });

  it('finds nothing where all were loaded', async () => {
    expect(
      await of('<testcase name="a"/>\n<testcase name="b"><failure message="expected 1"/></testcase>'),
    ).toEqual([]);
  });
});

describe('passed_on_retry', () => {
  const of = (cases: string) => says('passed_on_retry', { ...runFiles(), 'junit.xml': suite(cases) });
  const flaky = '<testcase name="chimes @ac-1"><flakyFailure message="first"/></testcase>';

  it('finds a requirement that only a retried test supports', async () => {
    // The verifier's own verdict supports it as well, so the run must not have passed.
    const files = { ...runFiles({ 'test-report.md': null }), 'junit.xml': suite(flaky) };
    expect(await says('passed_on_retry', files)).toEqual([
      '2026-05-04-chime info: AC-1 rests on "chimes @ac-1", which passed only on a retry [2]',
    ]);
  });

  it('finds nothing where something else supports it, or nothing names it', async () => {
    expect(await of(flaky)).toEqual([]);
    expect(await of('<testcase name="chimes @ac-9"><flakyFailure/></testcase>')).toEqual([]);
    const files = runFiles({ 'test-report.md': null });
    expect(
      await says('passed_on_retry', { ...files, 'junit.xml': suite('<testcase name="chimes @ac-1"/>') }),
    ).toEqual([]);
    expect(
      await says('passed_on_retry', {
        ...files,
        'junit.xml': suite(`${flaky}\n<testcase name="chimes again @ac-1"/>`),
      }),
    ).toEqual([]);
  });
});
