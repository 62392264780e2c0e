import { describe, expect, it } from 'vitest';
import { packOf, runYaml } from '../ingest/guardiankane/test-pack.ts';
import { findingsOf } from './test-findings.ts';

const says = async (rule: string, files: Record<string, string | Uint8Array>) =>
  (await findingsOf(rule, files)).map((row) => [row.feature, row.says, row.lines]);
const tracker = (...tasks: string[]) => ({
  '.testmuai/task-tracker.md': ['# Tracker', '', '```yaml', 'tasks:', ...tasks, '```', ''].join('\n'),
});
const task = (id: string, state: string, ...more: string[]): string =>
  [
    `  - id: ${id}`,
    `    title: Task ${id}`,
    `    state: ${state}`,
    ...more.map((line) => `    ${line}`),
  ].join('\n');

const claim = (id: string, title: string) => ({ id, type: 'claim', title });
const graph = (at: string, more: object): string =>
  JSON.stringify({ generatedAt: at, target: '/srv/lend', nodes: [], edges: [], drift: {}, ...more }, null, 1);
const OLD = '2026-05-04T10:00:00.000Z';
const NEW = '2026-05-05T10:00:00.000Z';
const coverage = (designed: number, proven: number, acs: string, of: string) => ({
  drift: {
    coverage: { design: { pct: designed, acs_designed: of }, proven: { pct: proven, acs_proven: acs } },
  },
});

describe('made_up_times', () => {
  const touched = (...times: string[]) =>
    tracker(
      task(
        'L1',
        'IN_PROGRESS',
        'file_touches:',
        ...times.map((time, i) => `  src/${i}.js: '2026-05-04T10:${time}Z'`),
      ),
    );

  it('finds touches at an even pace on full seconds', async () => {
    expect(await says('made_up_times', touched('05:00.000', '05:10.000', '05:20.000'))).toEqual([
      [
        'L1',
        '3 files of L1 are said to have been touched exactly 10 s apart, on full seconds, and no tool call is recorded at that time',
        '9 10 11',
      ],
    ]);
  });

  it('finds nothing in times of a clock, in two files, or in one moment', async () => {
    for (const times of [
      ['05:00.120', '05:10.120', '05:20.120'],
      ['05:00.000', '05:10.000', '05:21.000'],
      ['05:00.000', '05:10.000'],
      ['05:00.000', '05:00.000', '05:00.000'],
    ])
      expect(await says('made_up_times', touched(...times))).toEqual([]);
  });
});

describe('use_case_renumbered', () => {
  const files = (before: object[], after: object[]) => ({
    '.testmuai/graph-2026-05-04.json': graph(OLD, { nodes: before }),
    '.testmuai/graph.json': graph(NEW, { nodes: after }),
  });

  it('finds a use case under another id, and what stands under both ids', async () => {
    const found = await says(
      'use_case_renumbered',
      files(
        [claim('uc-1', 'Lend a book'), claim('uc-2', 'Return a book')],
        [claim('uc-1', 'Return a book.'), claim('uc-3', 'Pay a fine')],
      ),
    );
    expect(found.map(([, text]) => text)).toEqual([
      '"Return a book." is uc-2 in the graph of 2026-05-04 10:00 and uc-1 in that of 2026-05-05 10:00; uc-1 was "Lend a book"',
    ]);
  });

  it('finds nothing where ids stay, a title is reworded, or use cases come and go', async () => {
    expect(
      await says(
        'use_case_renumbered',
        files(
          [claim('uc-1', 'Lend a book'), claim('uc-2', 'Return it')],
          [claim('uc-1', 'Lend a book'), claim('uc-2', 'Give it back'), claim('uc-3', 'Pay')],
        ),
      ),
    ).toEqual([]);
    expect(
      await says('use_case_renumbered', {
        '.testmuai/graph.json': graph(NEW, { nodes: [claim('uc-1', 'Lend')] }),
      }),
    ).toEqual([]);
  });
});

describe('path_spelled_twice', () => {
  it('finds counts that are split by spelling, and edges counted twice', async () => {
    const edge = { from: 'L1', to: 'app.js', type: 'touches' };
    const files = {
      ...tracker(
        task('L1', 'IN_PROGRESS', 'files: [app.js, page.html]'),
        task('L2', 'IN_PROGRESS', 'files: [/srv/lend/app.js]'),
      ),
      '.testmuai/graph.json': graph(NEW, { edges: [edge, edge, { ...edge, to: '/srv/lend/page.html' }] }),
    };
    expect((await says('path_spelled_twice', files)).map(([, text]) => text)).toEqual([
      'The graph counts "L1 touches app.js" 2 times',
      'task-tracker.md spells 1 file in more than one way: app.js is listed 2 times, which a count by spelling splits into 1 and 1',
    ]);
  });

  it('finds the folder of the project without a graph', async () => {
    const files = tracker(
      task('L1', 'IN_PROGRESS', 'files: [src/app.js, src/page.html]'),
      task('L2', 'IN_PROGRESS', 'files: [/home/of/lend/src/app.js]'),
    );
    expect(await says('path_spelled_twice', files)).toHaveLength(1);
  });

  it('finds nothing where every file has one spelling, whatever tasks share it', async () => {
    const files = tracker(
      task('L1', 'IN_PROGRESS', 'files: [app.js]'),
      task('L2', 'IN_PROGRESS', 'files: [app.js, /elsewhere/app2.js]'),
    );
    expect(await says('path_spelled_twice', files)).toEqual([]);
  });
});

describe('percentages_differ and percent_not_its_counts', () => {
  const both = async (...args: Parameters<typeof coverage>) => {
    const files = { '.testmuai/graph.json': graph(NEW, coverage(...args)) };
    return [
      ...(await says('percentages_differ', files)),
      ...(await says('percent_not_its_counts', files)),
    ].map(([, text]) => text);
  };

  it('finds two shares that differ, and one that is not the share of its counts', async () => {
    expect(await both(100, 84, '9/15', '15/15')).toEqual([
      'Designed 100 % stands beside proven 84 %',
      '84 % proven stands beside 9 of 15, which is 60.0 %',
    ]);
    expect(await both(90, 60, '9/15', '15/15')).toEqual([
      'Designed 90 % stands beside proven 60 %',
      '90 % designed stands beside 15 of 15, which is 100.0 %',
    ]);
  });

  it('finds nothing where they agree but for rounding', async () => {
    expect(await both(67, 67, '10/15', '10/15')).toEqual([]);
  });

  it('asks only the latest build', async () => {
    const files = {
      '.testmuai/graph-2026-05-04.json': graph(OLD, coverage(100, 20, '3/15', '15/15')),
      '.testmuai/graph.json': graph(NEW, coverage(100, 100, '15/15', '15/15')),
    };
    expect(await says('percentages_differ', files)).toEqual([]);
  });
});

describe('graph_counts_go_back', () => {
  const files = (before: number, after: number) => ({
    '.testmuai/graph-2026-05-04.json': graph(OLD, coverage(100, 100, `${before}/15`, '15/15')),
    '.testmuai/graph.json': graph(NEW, coverage(100, 100, `${after}/15`, '15/15')),
  });

  it('finds a build that counts less than the one before', async () => {
    expect(await says('graph_counts_go_back', files(12, 9))).toEqual([
      [
        null,
        'Between the builds of 2026-05-04 10:00 and 2026-05-05 10:00 (UTC) the graph goes back: proven criteria from 12 to 9',
        '1 1',
      ],
    ]);
  });

  it('finds nothing where it grows or stays', async () => {
    expect(await says('graph_counts_go_back', files(9, 9))).toEqual([]);
    expect(await says('graph_counts_go_back', files(9, 12))).toEqual([]);
  });
});

describe('graph_status_differs', () => {
  const files = (nodeCount: number, at = NEW) => ({
    '.testmuai/graph.json': graph(NEW, { nodes: [claim('uc-1', 'Lend')] }),
    '.testmuai/graph-status.json': JSON.stringify({
      ok: true,
      generatedAt: at,
      nodeCount,
      edgeCount: 0,
      summary: 'written',
    }),
  });

  it('finds a status that counts otherwise than its graph', async () => {
    expect(await says('graph_status_differs', files(4))).toEqual([
      [null, 'The status of the graph says 4 nodes, the graph has 1', '1 1'],
    ]);
  });

  it('finds nothing where they agree, or where the status is that of another build', async () => {
    expect(await says('graph_status_differs', files(1))).toEqual([]);
    expect(await says('graph_status_differs', files(4, OLD))).toEqual([]);
  });
});

describe('accepted_but_refuted', () => {
  const gap = {
    ref: 'ac-2',
    id: 'ac-2',
    kind: 'execution-failed',
    title: 'A book has a due date',
    why: 'covering test failed',
  };
  const files = (state: string, gaps: object[]) => ({
    ...tracker(
      task(
        'L1',
        state,
        "last_run: '2026-05-04T09:00:00.000Z'",
        'last_verdict:',
        '  summary: "testrun batch: 1/1 passed"',
        '  ac_snapshot: {ac-1: x, ac-2: y}',
      ),
    ),
    '.testmuai/graph.json': graph(NEW, { drift: { gaps } }),
  });

  it('finds an accepted task with criteria whose test failed', async () => {
    expect(
      (await says('accepted_but_refuted', files('KANE_VERIFIED', [gap]))).map(([about, text]) => [
        about,
        text,
      ]),
    ).toEqual([['L1', 'L1 is accepted, yet the last proof speaks against 1 of its 2 requirements: ac-2']]);
  });

  it('finds nothing where nothing failed, or nobody accepted it', async () => {
    expect(await says('accepted_but_refuted', files('KANE_VERIFIED', []))).toEqual([]);
    expect(await says('accepted_but_refuted', files('BLOCKED_NEEDS_HUMAN', [gap]))).toEqual([]);
  });
});

describe('evidence_after_decision', () => {
  const cites = (lastRun: string) =>
    tracker(
      task(
        'L1',
        'KANE_VERIFIED',
        `last_run: ${lastRun}`,
        'last_verdict:',
        '  summary: "testrun batch: 1/1 passed"',
        '  evidence: [{file: tests/lend_test.md, pack: /srv/lend/.testmuai/evidence/p1.evidence}, {file: tests/fee_test.md, pack: p1.evidence}]',
      ),
    );
  const pack = (started: string) => ({
    '.testmuai/evidence/p1.evidence': packOf({
      'run.yaml': runYaml(`2026-05-04T${started}Z`, '2026-05-04T23:00:00Z'),
    }),
  });
  const accepted = (clock: string) => ({
    '.testmuai/kane-activity.log': `[2026-05-04T${clock}.000Z] [L1] sweep found no issues. -> KANE_VERIFIED.\n`,
  });

  it('finds a pack that began after the log had accepted the task that cites it', async () => {
    const files = { ...cites('2026-05-04T10:00:00Z'), ...pack('10:30:00'), ...accepted('10:05:00') };
    expect((await says('evidence_after_decision', files)).map(([about, text]) => [about, text])).toEqual([
      ['L1', 'L1 was decided at 10:05:00, the evidence it cites began at 10:30:00 (p1.evidence)'],
    ]);
  });

  it('takes a time that was typed in for the decision', async () => {
    const files = { ...cites('2026-05-04T10:00:00Z by hand'), ...pack('10:03:00'), ...accepted('10:05:00') };
    expect((await says('evidence_after_decision', files)).map(([, text]) => text)).toEqual([
      'L1 was decided at 10:00:00, the evidence it cites began at 10:03:00 (p1.evidence)',
    ]);
  });

  it('finds nothing where the evidence was there, where nobody decided, or where the pack is not', async () => {
    const run = cites('2026-05-04T10:00:00Z');
    expect(
      await says('evidence_after_decision', { ...run, ...pack('10:00:01'), ...accepted('10:05:00') }),
    ).toEqual([]);
    expect(await says('evidence_after_decision', { ...run, ...pack('10:30:00') })).toEqual([]);
    expect(await says('evidence_after_decision', { ...run, ...accepted('10:05:00') })).toEqual([]);
  });
});
