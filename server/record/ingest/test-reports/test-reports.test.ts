import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { TEST_REPORTS } from './index.ts';
import { annotatedRefs, taggedRefs, titleRefs } from './requirement-refs.ts';

const [adapter] = TEST_REPORTS;
if (!adapter) throw new Error('test reports have an adapter');

const junit = (cases: string, properties = '', time = '2026-05-04T10:00:00Z'): string =>
  `<testsuites><testsuite name="bell" timestamp="${time}" time="2">${properties}${cases}</testsuite></testsuites>`;
const SHA = '<properties><property name="commit" value="0123456789abcdef"/></properties>';

describe('test reports', () => {
  it('are found by what they hold, wherever they lie', async () => {
    const read = await readWith(adapter, {
      'out/deep/result.xml': junit('<testcase name="rings"/>'),
      'pom.xml': '<project><testing/></project>',
      'any.json': JSON.stringify({ numTotalTests: 0, testResults: [] }),
      'package.json': '{"name": "x", "config": {"rootDir": 1}}',
      'pw.json': JSON.stringify({ config: { rootDir: '/srv' }, suites: [], errors: [] }),
    });
    expect(Object.keys(read.issues).sort()).toEqual(['any.json', 'out/deep/result.xml', 'pw.json']);
    expect(read.rows('test_runs').map((row) => [row.source_id, row.framework])).toEqual([
      ['playwright_report-pw-json', 'playwright'],
      ['vitest_report-any-json', 'jest'],
      ['junit-out-deep-result-xml', 'junit'],
    ]);
  });

  it('prove and refute what their cases name, at a commit and a time', async () => {
    const read = await readWith(adapter, {
      'junit.xml': junit(
        `<testcase name="rings @req-1"/>
         <testcase name="stops @req-2"><failure message="still rings"/></testcase>
         <testcase name="waits @req-3"><error message="timed out"/></testcase>
         <testcase name="sleeps @req-4"><skipped/></testcase>
         <testcase name="says nothing"/>`,
        SHA,
      ),
    });
    expect(
      read
        .rows('evidence_told')
        .map((row) => [row.requirement_ref, row.polarity, row.link, row.commit_sha, row.at_ms, row.says]),
    ).toEqual([
      ['REQ-1', 'supports', 'tag', '0123456789abcdef', 1_777_888_800_000, '"rings @req-1" passed'],
      ['REQ-2', 'refutes', 'tag', '0123456789abcdef', 1_777_888_800_000, '"stops @req-2" failed'],
      [
        'REQ-3',
        'void',
        'tag',
        '0123456789abcdef',
        1_777_888_800_000,
        '"waits @req-3" timed out, which says nothing about the requirement',
      ],
      ['REQ-4', 'void', 'tag', '0123456789abcdef', 1_777_888_800_000, '"sleeps @req-4" was skipped'],
    ]);
    expect(read.rows('test_results').map((row) => row.requirement_refs)).toEqual([
      'REQ-1',
      'REQ-2',
      'REQ-3',
      'REQ-4',
      null,
    ]);
    expect(read.rows('gate_events')).toEqual([
      expect.objectContaining({
        gate: 'test_report',
        verdict: 'block',
        cases_run: 4,
        cases_passed: 2,
        attribution: 'agent',
        attribution_basis: '1 case ran and failed, the first "stops @req-2"',
        duration_ms: 2000,
        ended_at_ms: 1_777_888_802_000,
      }),
    ]);
    expect(read.issues['junit.xml']).toEqual([]);
  });

  it('are no evidence without a case that ran', async () => {
    const of = async (name: string, text: string) => {
      const read = await readWith(adapter, { [name]: text });
      const [gate] = read.rows('gate_events');
      const [evidence] = read.rows('evidence_told');
      return [
        read.rows('test_runs')[0]?.status,
        gate?.verdict,
        gate?.attribution,
        gate?.attribution_basis,
        evidence?.polarity,
      ];
    };
    const nothing = 'the report lists no case';
    expect(await of('a.xml', junit(''))).toEqual(['empty', 'no_verdict', 'verifier', nothing, 'void']);
    expect(await of('a.json', '{"numTotalTests": 0, "testResults": []}')).toEqual([
      'empty',
      'no_verdict',
      'verifier',
      nothing,
      'void',
    ]);
    expect(await of('a.xml', junit('<testcase name="a"><skipped/></testcase>'))).toEqual([
      'empty',
      'no_verdict',
      'verifier',
      'every case was skipped',
      'void',
    ]);
    const crashed = (message: string) =>
      of('pw.json', JSON.stringify({ config: { rootDir: '/srv' }, suites: [], errors: [{ message }] }));
    expect(await crashed('Error: cannot read config')).toEqual([
      'errored',
      'error',
      'verifier',
      'the test run itself crashed: no case ran: Error: cannot read config',
      'void',
    ]);
    expect(await crashed('connect ECONNREFUSED 127.0.0.1:5432')).toEqual([
      'errored',
      'error',
      'infra',
      'connect ECONNREFUSED 127.0.0.1:5432',
      'void',
    ]);
  });

  it('charge nobody with a timeout, and the machine with a browser that does not start', async () => {
    const gate = async (inner: string) =>
      (await readWith(adapter, { 'a.xml': junit(`<testcase name="a">${inner}</testcase>`) })).rows(
        'gate_events',
      )[0];
    expect(await gate('<error message="Timeout of 5 s exceeded"/>')).toMatchObject({
      verdict: 'timeout',
      attribution: 'unknown',
      attribution_basis: null,
    });
    expect(await gate('<failure message="browserType.launch: Executable doesn\'t exist"/>')).toMatchObject({
      verdict: 'block',
      attribution: 'infra',
    });
    expect(await gate('')).toMatchObject({ verdict: 'pass', attribution: 'unknown' });
  });

  it('say when nothing ties them to a commit', async () => {
    const read = await readWith(adapter, { 'a.xml': junit('<testcase name="a"/>') });
    expect(read.issues['a.xml']).toEqual([expect.objectContaining({ code: 'unanchored', severity: 'info' })]);
  });

  it('are counted once when two tell of the same run', async () => {
    const json = JSON.stringify({
      config: { rootDir: '/srv' },
      suites: [
        {
          title: 'bell.spec.ts',
          file: 'bell.spec.ts',
          suites: [
            {
              title: 'bell',
              specs: [
                {
                  title: 'rings',
                  tests: [
                    {
                      expectedStatus: 'passed',
                      status: 'expected',
                      results: [{ status: 'passed', duration: 5 }],
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
      errors: [],
      stats: { startTime: '2026-05-04T10:00:02.500Z', duration: 5 },
    });
    const same = '<testcase classname="bell.spec.ts" name="bell › rings" />';
    const runs = async (xml: string) => {
      const read = await readWith(adapter, { 'pw.json': json, 'pw.xml': xml });
      return [
        read.rows('test_runs').length,
        read.rows('test_results').length,
        read.issues['pw.xml']?.map(({ code }) => code),
      ];
    };
    const suite = (time: string) => `<testsuite name="bell.spec.ts" timestamp="${time}">${same}</testsuite>`;
    expect(await runs(suite('2026-05-04T10:00:03Z'))).toEqual([1, 1, ['superseded']]);
    expect(await runs(suite('2026-05-04T11:00:00Z'))).toEqual([2, 2, ['unanchored']]);
    expect(await runs(suite('2026-05-04T10:00:03Z').replace('rings', 'stops'))).toEqual([
      2,
      2,
      ['unanchored'],
    ]);
  });

  it('are no reports without cases when they break off before the first', async () => {
    const read = await readWith(adapter, {
      'a.xml': '<testsuite name="a"><testcase na',
      'b.json': '{"numTotalTests": 2, "testResults": [',
    });
    expect(read.rows('test_runs')).toEqual([]);
    expect(read.counts).toEqual({ 'a.xml': { ok: 0, bad: 1 }, 'b.json': { ok: 0, bad: 1 } });
  });
});

describe('requirements that tests name', () => {
  it('have the form of an id', () => {
    expect(
      titleRefs('shows @req-7 and @REQ-8 (@us_003), not @smoke or mail@req-9.example').map(({ ref }) => ref),
    ).toEqual(['REQ-7', 'REQ-8', 'US-003']);
    expect(titleRefs('UTF-8 is read')).toEqual([{ ref: 'UTF-8', link: 'name_match' }]);
    expect(titleRefs('reads UTF-8')).toEqual([]);
    expect(taggedRefs(['@req-7', 'ac-33', 'slow', 'feature-28']).map(({ ref }) => ref)).toEqual([
      'REQ-7',
      'AC-33',
      '28',
    ]);
    expect(annotatedRefs('req-7; checkout.total  <b>').map(({ ref }) => ref)).toEqual([
      'REQ-7',
      'checkout.total',
    ]);
  });
});
