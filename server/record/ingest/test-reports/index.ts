import { LIMITS } from '../../../../shared/limits.ts';
import type { SourceKind } from '../../source-kinds.ts';
import type { Adapter } from '../adapter.ts';
import { Issues } from '../issue.ts';
import { readJUnit } from './junit.ts';
import { readPlaywright } from './playwright.ts';
import type { Report } from './report.ts';
import { addReport } from './rows.ts';
import { markOf, type RunMark, twinOf } from './twins.ts';
import { readVitest } from './vitest.ts';

/** How each form is read, the one that tells most first: where two tell of the same run, the later one is left out. */
const FORMS: readonly (readonly [SourceKind, (text: string, issues: Issues) => Report])[] = [
  ['playwright_report', readPlaywright],
  ['vitest_report', readVitest],
  ['junit', readJUnit],
];

/**
 * Reports of test runs, wherever they lie in the project: JUnit XML of any runner, Playwright's JSON, and the JSON of vitest
 * and jest. They are known by what they begin with, so their names do not matter.
 */
const testReports: Adapter = {
  id: 'test-reports',
  version: 1,
  label: 'Test reports',
  sources: [
    {
      kind: 'playwright_report',
      paths: ['**/*.json'],
      sniff: (head) =>
        /^\s*\{\s*"config"\s*:\s*\{/.test(head) && /"(?:rootDir|configFile|argv)"\s*:/.test(head),
    },
    {
      kind: 'vitest_report',
      paths: ['**/*.json'],
      sniff: (head) => /^\s*\{/.test(head) && /"num(?:Total|Passed|Failed)Tests"\s*:\s*\d/.test(head),
    },
    { kind: 'junit', paths: ['**/*.xml'], sniff: (head) => /<testsuites?[\s>/]/i.test(head) },
  ],
  unit: 'together',
  async read(unit, out) {
    const read: RunMark[] = [];
    for (const [kind, parse] of FORMS) {
      for (const source of unit.of(kind)) {
        const text = await source.text();
        if (text === null) continue;
        const issues = new Issues();
        const report = parse(text, issues);
        const mark = markOf(report, source.label);
        const unread = issues.list().some(({ severity }) => severity === 'error');
        const twin = kind === 'junit' ? twinOf(mark, read) : null;
        if (twin)
          issues.add(
            'superseded',
            'info',
            null,
            `This tells of the same run as ${twin.label.slice(0, LIMITS.label)}, which tells more of it, so nothing was counted twice.`,
          );
        // What breaks off before its first case is no report without cases.
        else if (!unread || report.cases.length > 0) {
          if (mark) read.push(mark);
          addReport(out, source, report);
          if (report.commit === null && report.cases.length > 0)
            issues.add(
              'unanchored',
              'info',
              null,
              'The report names no commit, so what it proves is tied to a time at most, and not to a state of the code.',
            );
        }
        source.count(report.cases.length, unread ? 1 : 0);
        for (const { code, severity, line, detail } of issues.list())
          source.issue(code, severity, line, detail);
        await out.flush();
      }
    }
  },
};

export const TEST_REPORTS: readonly Adapter[] = [testReports];
