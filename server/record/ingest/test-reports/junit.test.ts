import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../../shared/limits.ts';
import { Issues } from '../issue.ts';
import { milliseconds, readJUnit } from './junit.ts';
import { tallyOf } from './report.ts';

const read = (xml: string) => {
  const issues = new Issues();
  const report = readJUnit(xml, issues);
  return { ...report, issues: issues.list(), tally: tallyOf(report) };
};
const suite = (cases: string, attributes = '', before = ''): string =>
  `<?xml version="1.0"?>\n<testsuite name="bells" ${attributes}>${before}\n${cases}\n</testsuite>`;
const statuses = (cases: string) => read(suite(cases)).cases.map(({ status }) => status);

describe('cases of a JUnit report', () => {
  it('keeps failure, error, timeout and skip apart', () => {
    expect(
      statuses(`
        <testcase name="a"/>
        <testcase name="b"><failure message="expected 1 to be 2"/></testcase>
        <testcase name="c"><error message="x is not a function"/></testcase>
        <testcase name="d"><error message="Test timeout of 300ms exceeded."/></testcase>
        <testcase name="e"><failure type="TimeoutError">waited</failure></testcase>
        <testcase name="f"><skipped/></testcase>
        <testcase name="g"><skipped message="todo"/></testcase>`),
    ).toEqual(['passed', 'failed', 'error', 'timeout', 'timeout', 'skipped', 'todo']);
  });

  it('knows a case that passed when it was run again, and how often that was', () => {
    const { cases } = read(
      suite(`<testcase name="a"><flakyFailure message="first"/><flakyError message="second"/></testcase>
             <testcase name="b"><failure message="last"/><rerunFailure message="first"/></testcase>`),
    );
    expect(cases.map(({ status, retries, message }) => [status, retries, message])).toEqual([
      ['flaky', 2, 'first'],
      ['failed', 1, 'last'],
    ]);
  });

  it('knows a case that is meant to fail', () => {
    expect(
      statuses(`<testcase name="a"><properties><property name="fail" value=""/></properties></testcase>
                <testcase name="b"><skipped type="pytest.xfail" message="known"/></testcase>`),
    ).toEqual(['expected_failure', 'expected_failure']);
  });

  it('counts a file that could not be loaded apart from cases', () => {
    const report = read(
      suite(`<testcase name="bells" classname="bells"><failure message="Cannot find module './nope'"/></testcase>
             <testcase name="Test suite failed to run"><error message="SyntaxError"/></testcase>
             <testcase name="rings"/>`),
    );
    expect(report.tally).toMatchObject({ cases: 1, run: 1, passed: 1, loadErrors: 2, status: 'errored' });
  });

  it('reads names, files, seconds, lines and messages', () => {
    const report = read(
      suite(
        '<testcase classname="src/bell.test.ts" name="rings" time="1.5">\n<failure><![CDATA[no <sound> \uFFFD[31mred\uFFFD[39m]]></failure></testcase>',
      ),
    );
    expect(report.cases).toEqual([
      expect.objectContaining({
        name: 'rings',
        suite: 'src/bell.test.ts',
        file: 'src/bell.test.ts',
        durationMs: 1500,
        line: 3,
        message: 'no <sound> red',
      }),
    ]);
  });

  it('finds requirements in properties, tags and titles', () => {
    const { cases } = read(
      suite(
        `<testcase name="one @us-003"><properties><property name="requirement" value="REQ-7"/></properties></testcase>
         <testcase name="two"><properties><property name="requirements">req-8, REQ-9</property></properties></testcase>`,
        '',
        '<properties><property name="requirement" value="REQ-1"/></properties>',
      ),
    );
    expect(cases.map(({ refs }) => refs.map(({ ref, link }) => `${ref} ${link}`))).toEqual([
      ['REQ-1 explicit', 'REQ-7 explicit', 'US-003 tag'],
      ['REQ-1 explicit', 'REQ-8 explicit', 'REQ-9 explicit'],
    ]);
  });
});

describe('totals and times of a JUnit report', () => {
  it('counts cases where totals are wrong, and says so with both numbers', () => {
    const report = read(
      suite(
        '<testcase name="a"/>\n<testcase name="b"><failure/></testcase>',
        'tests="3" failures="0" errors="0"',
      ),
    );
    expect(report.tally).toMatchObject({ cases: 2, failed: 1 });
    expect(report.issues).toEqual([
      expect.objectContaining({
        code: 'totals_differ',
        line: 2,
        detail: expect.stringContaining('3 tests and lists 2'),
      }),
      expect.objectContaining({
        code: 'totals_differ',
        detail: expect.stringContaining('0 failures and lists 1'),
      }),
    ]);
  });

  it('says nothing of totals that are right or missing, also of suites in suites', () => {
    expect(read(suite('<testcase name="a"/>', 'tests="1" failures="0" errors="0"')).issues).toEqual([]);
    expect(read(suite('<testcase name="a"/>')).issues).toEqual([]);
    expect(
      read(
        '<testsuites tests="2"><testsuite name="a" tests="2"><testsuite name="b" tests="1"><testcase name="x"/></testsuite><testcase name="y"/></testsuite></testsuites>',
      ).issues,
    ).toEqual([]);
  });

  it('reads commas in seconds', () => {
    expect(
      ['1.018', '1,234.5', '12,345,678', '0,25', '7', '1e-3', '', 'fast', '1,2,3'].map(milliseconds),
    ).toEqual([1018, 1_234_500, 12_345_678_000, 250, 7000, 1, null, null, null]);
  });

  it('takes the earliest timestamp, and says when there is no zone', () => {
    const two = (a: string, b: string) =>
      read(
        `<testsuites><testsuite name="a" timestamp="${a}"/><testsuite name="b" timestamp="${b}"/></testsuites>`,
      );
    expect(two('2026-05-04T10:00:01Z', '2026-05-04T10:00:00Z')).toMatchObject({
      startedMs: 1_777_888_800_000,
      zone: '+00:00',
      issues: [],
    });
    expect(two('2026-05-04T10:00:00', '')).toMatchObject({
      startedMs: 1_777_888_800_000,
      zone: null,
      issues: [expect.objectContaining({ code: 'time_without_zone' })],
    });
    expect(two('yesterday', '')).toMatchObject({
      startedMs: null,
      issues: [expect.objectContaining({ code: 'time_invalid' })],
    });
  });

  it('is tied to a commit by a property of its CI system, and to none by the name of a branch', () => {
    const property = (name: string, value: string) =>
      read(
        suite(
          '<testcase name="a"/>',
          '',
          `<properties><property name="${name}" value="${value}"/><property name="git.dirty" value="true"/></properties>`,
        ),
      );
    expect(property('GITHUB_SHA', 'A1B2C3D4E5')).toMatchObject({ commit: 'a1b2c3d4e5', dirty: true });
    expect(property('git.commit', 'a1b2c3d')).toMatchObject({ commit: 'a1b2c3d' });
    expect(property('commit', 'main')).toMatchObject({ commit: null });
    expect(property('color', 'a1b2c3d')).toMatchObject({ commit: null });
  });
});

describe('damaged JUnit reports', () => {
  it('keeps what is complete before a file ends or stops being XML', () => {
    const cut = read('<testsuite name="a"><testcase name="x"/><testcase name="y"><failure mess');
    expect(cut.cases.map(({ name }) => name)).toEqual(['x']);
    expect(cut.issues).toEqual([
      expect.objectContaining({
        code: 'xml_cut',
        severity: 'error',
        detail: expect.stringContaining('1 case.'),
      }),
    ]);
    const bad = read('<testsuite name="a">\n<testcase name="x"/>\n<testcase name="y" & /></testsuite>');
    expect(bad.cases.map(({ name }) => name)).toEqual(['x']);
    expect(bad.issues).toEqual([expect.objectContaining({ code: 'xml_invalid', line: 3 })]);
  });

  it('expands no entities of its own, and is not confused by other XML', () => {
    const bomb = read(
      '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]>\n<testsuite name="a"><testcase name="&c;"/></testsuite>',
    );
    expect(bomb.issues).toEqual([expect.objectContaining({ code: 'xml_invalid' })]);
    expect(read('<project><testsuite/></project>').issues).toEqual([
      expect.objectContaining({ code: 'unknown_shape' }),
    ]);
  });

  it('is bounded in depth and in text', () => {
    expect(read('<testsuite>'.repeat(10_000)).issues).toEqual([
      expect.objectContaining({ code: 'xml_invalid' }),
    ]);
    const [long] = read(
      suite(`<testcase name="a"><failure>${'x'.repeat(100_000)}</failure></testcase>`),
    ).cases;
    expect(long?.message).toHaveLength(LIMITS.sourceText);
  });
});
