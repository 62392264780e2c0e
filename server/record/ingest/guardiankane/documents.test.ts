import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { documents } from './documents.ts';
import { likeness } from './graph-rows.ts';
import { insideOf, rootOf, testName } from './paths.ts';

const TRACKER = `\`\`\`yaml
tasks:
  - {id: L1, title: Lend a book, prd_ref: 'PRD.md#UC-1', state: KANE_VERIFIED, last_run: '2026-05-04T09:00:00Z', last_verdict: {summary: 'testrun batch: 1/1 passed', ac_snapshot: {ac-1: x, ac-2: y}}}
  - {id: L2, title: Ground work, state: IN_PROGRESS}
\`\`\`
`;
const read = (files: Record<string, unknown>) =>
  readWith(documents, {
    '.testmuai/task-tracker.md': TRACKER,
    ...Object.fromEntries(
      Object.entries(files).map(([name, value]) => [
        `.testmuai/${name}`,
        typeof value === 'string' ? value : JSON.stringify(value, null, 1),
      ]),
    ),
  });
const events = (read: Awaited<ReturnType<typeof readWith>>, ...kinds: string[]) =>
  read.rows('log_events').filter((row) => kinds.includes(String(row.kind)));

describe('paths', () => {
  it('finds where the project lay by what its paths have in common', () => {
    expect(rootOf(['src/a.js', 'b.js', '/x/lend/src/a.js', '/x/lend/b.js', '/y/b.js'])).toBe('/x/lend');
    expect(rootOf(['/x/lend/.testmuai/tests/a_test.md', '/x/.testmuai/kaneai/sessions/1'])).toBe('/x/lend');
    expect(rootOf(['C:\\work\\lend\\src\\a.js', 'src/a.js'])).toBe('C:/work/lend');
    expect(rootOf(['a.js', '/x/c.js'])).toBeNull();
  });
  it('spells a path inside the project, and leaves others', () => {
    expect(insideOf('/x/lend', '/x/lend/src//a.js')).toBe('src/a.js');
    expect(insideOf('/x/lend', '/x/lending/a.js')).toBe('/x/lending/a.js');
    expect(insideOf(null, './a.js')).toBe('a.js');
  });
  it('gives a test, its folder and its file one name', () => {
    expect(
      ['tests/lend-it_test.md', '../lend-it_test.md', 'output-lend-it', 'lend-it'].map(testName),
    ).toEqual(Array(4).fill('lend-it'));
  });
});

describe('the graph', () => {
  const graph = {
    generatedAt: '2026-05-04T12:00:00.000Z',
    target: '/srv/lend',
    nodes: [
      { id: 'L1', type: 'feature', label: 'Lend a book', state: 'KANE_VERIFIED' },
      { id: 'uc-3', type: 'claim', title: 'Lend book', trust: 'trusted' },
      { id: '/srv/lend/app.js', type: 'code' },
      { type: 'code' },
    ],
    edges: [{ from: 'L1', to: '/srv/lend/app.js', type: 'touches', confidence: 'confirmed' }, { from: 'L1' }],
    drift: {
      orphanClaims: [{ id: 'uc-3' }],
      gaps: [
        { ref: 'uc-3', id: 'uc-3', kind: 'zero-scenario', why: 'none' },
        {
          ref: 'ac-2',
          id: 'ac-2',
          kind: 'execution-failed',
          why: 'covering test failed',
          title: 'It has a due date',
          usecaseTitle: 'Lend book',
        },
      ],
      coverage: {
        design: { pct: 100, acs_designed: '2/2' },
        proven: { pct: 50, acs_proven: '1/2', latest_run: { started_at: '2026-05-04T11:00:00.000Z' } },
      },
    },
  };

  it('gives nodes, edges, figures, states, and what is not proven', async () => {
    const { rows, counts, issues } = await read({ 'graph.json': graph });
    expect(counts['.testmuai/graph.json']).toEqual({ ok: 4, bad: 2 });
    expect(issues['.testmuai/graph.json']?.map(({ code }) => code)).toEqual([
      'unknown_shape',
      'unknown_shape',
    ]);
    expect(rows('graph_nodes').map((row) => row.node_id)).toEqual(['L1', 'uc-3', 'app.js']);
    expect(rows('graph_edges').map((row) => [row.from_node, row.to_node, row.type])).toEqual([
      ['L1', 'app.js', 'touches'],
    ]);
    const facts = rows('observations_told').filter((row) => row.source_kind === 'graph');
    expect(facts.map((row) => [row.fact, row.value ?? row.text_value])).toEqual([
      ['designed_percent', 100],
      ['proven_percent', 50],
      ['requirements_designed', 2],
      ['requirements_proven', 1],
      ['requirements_total', 2],
      ['status', 'accepted'],
    ]);
    const told = rows('requirements_told').filter((row) => row.rank === 2);
    expect(told.map((row) => [row.requirement_id, row.kind, row.text, row.parent_ref])).toEqual([
      ['guardiankane.qL1.uc-3', 'use_case', 'Lend book', null],
      ['guardiankane.qL1.ac-2', 'criterion', 'It has a due date', 'uc-3'],
    ]);
    expect(rows('evidence_told').filter((row) => row.polarity === 'refutes')).toEqual([
      expect.objectContaining({
        requirement_ref: 'guardiankane.qL1.ac-2',
        at_ms: Date.UTC(2026, 4, 4, 11),
        link: 'explicit',
      }),
    ]);
  });

  it('lets only the latest build speak about states', async () => {
    const old = {
      ...graph,
      generatedAt: '2026-05-03T12:00:00.000Z',
      nodes: [{ id: 'L1', type: 'feature', label: 'Lend', state: 'PLANNED' }],
    };
    const both = await read({ 'graph.json': graph, 'graph-2026-05-03.json': old });
    expect(
      both
        .rows('observations_told')
        .filter((row) => row.fact === 'status' && row.source_kind === 'graph')
        .map((row) => row.text_value),
    ).toEqual(['accepted']);
    expect(events(both, 'graph_build')).toHaveLength(2);
  });

  it('says how its build went', async () => {
    const ok = await read({
      'graph-status.json': {
        ok: true,
        generatedAt: '2026-05-04T12:00:00Z',
        nodeCount: 3,
        edgeCount: 1,
        summary: 'written',
      },
    });
    expect(events(ok, 'graph_status')).toEqual([
      expect.objectContaining({ level: 'info', message: 'written' }),
    ]);
    const failed = await read({
      'graph-status.json': { ok: false, attemptedAt: '2026-05-04T12:00:00Z', error: 'no parser' },
    });
    expect(events(failed, 'graph_status')).toEqual([
      expect.objectContaining({ level: 'error', message: 'no parser', at_ms: Date.UTC(2026, 4, 4, 12) }),
    ]);
  });

  it('compares titles by the words they share', () => {
    expect(likeness('Add a book to the shelf', 'Add book to shelf')).toBe(1);
    expect(likeness('Lend a book', 'Pay a fine')).toBe(0);
    expect(likeness('', '')).toBe(0);
  });
});

describe('memories', () => {
  it('keep family and confidence, and count the runs of a task', async () => {
    const runs = [
      {
        timestamp: '2026-05-04T09:00:00Z',
        objective: 'PRD.md#UC-1',
        status: 'fail',
        bugTitle: 'No date',
        rootCause: 'Not set',
        family: 'product_bug',
        confidence: 0.9,
      },
      { timestamp: '2026-05-04T09:10:00Z', objective: 'PRD.md#UC-1', status: 'pass' },
    ];
    const read_ = await read({
      'knowledge-memory.json': {
        entries: {
          aa: { nodeIds: ['app.js'], runs, status: 'fixed' },
          bb: {
            nodeIds: ['app.js', '/srv/lend/app.js'],
            runs: [
              { timestamp: '2026-05-04T09:20:00Z', objective: 'Ground work', status: 'fail' },
              { objective: 'something else', status: 'fail' },
            ],
            status: 'failing',
          },
        },
      },
      'bug-memory.json': {
        entries: [
          {
            taskId: 'L2',
            bugTitle: 'Stuck',
            family: 'automation_bug',
            confidence: 0.7,
            timestamp: '2026-05-04T09:20:00Z',
          },
        ],
      },
    });
    expect(
      read_
        .rows('observations_told')
        .filter((row) => row.source_kind === 'knowledge_memory')
        .map((row) => [row.feature_id, row.fact, row.value, row.basis]),
    ).toEqual([
      ['guardiankane.fL1', 'attempts', 2, 'derived'],
      ['guardiankane.fL2', 'attempts', 1, 'derived'],
    ]);
    expect(
      events(read_, 'failure_family').map((row) => [
        row.feature_id,
        row.message,
        JSON.parse(String(row.data)).confidence,
      ]),
    ).toEqual([
      ['guardiankane.fL2', 'Stuck', 0.7],
      ['guardiankane.fL1', 'No date: Not set', 0.9],
    ]);
    expect(events(read_, 'remembered_fail').map((row) => row.feature_id)).toEqual([
      'guardiankane.fL1',
      'guardiankane.fL2',
      null,
    ]);
    expect(read_.rows('file_touches').map((row) => [row.feature_id, row.path])).toEqual([
      ['guardiankane.fL1', 'app.js'],
      ['guardiankane.fL2', 'app.js'],
      ['guardiankane.fL2', 'app.js'],
    ]);
  });
});

describe('small files', () => {
  it('give flags, tool calls, words, scores and states', async () => {
    const all = await read({
      'scope-status.json': {
        flag: { taskId: 'L1', taskPhase: 'P0', file: '/srv/lend/pay.js', conflictingPhases: ['P2'] },
        checkedAt: '2026-05-04T09:00:00Z',
      },
      'lock-status.json': {
        flag: { taskId: 'L2', file: 'app.js', lockedBy: { id: 'L1', title: 'Lend', state: 'IN_PROGRESS' } },
        checkedAt: '2026-05-04T09:01:00Z',
      },
      'trace.json': [
        { ts: '2026-05-04T09:00:00Z', taskId: 'L1', tool: 'Edit', bucket: 'changed', detail: 'app.js' },
        { ts: '2026-05-04T09:00:05Z', taskId: 'L1', tool: 'Bash', bucket: 'inspected', detail: 'ls -la' },
      ],
      'chat-log.json': [{ role: 'user', text: 'Why?', nodeIds: [], ts: '2026-05-04T09:00:00Z' }],
      'quality.json': {
        generatedAt: '2026-05-04T09:00:00Z',
        files: {
          'app.js': { mutationScore: 75, total: 4, killed: 3, survived: 1, timeout: 0, noCoverage: 0 },
        },
      },
      'review-acks.json': [{ taskId: 'L1', acRef: 'ac-1', ackedAt: '2026-05-04T09:00:00Z' }],
      'guardian-kane.config.json': { srcDir: '.', appUrl: 'http://localhost:4000' },
      'variables-app.json': { reader_password: { value: 'open sesame' } },
    });
    expect(events(all, 'out_of_scope', 'file_locked').map((row) => [row.feature_id, row.message])).toEqual([
      ['guardiankane.fL1', '/srv/lend/pay.js belongs to another phase'],
      ['guardiankane.fL2', 'app.js is held by L1'],
    ]);
    expect(all.rows('tool_calls_told').map((row) => [row.name, row.kind, row.target])).toEqual([
      ['Edit', 'changed', 'app.js'],
      ['Bash', 'inspected', 'ls -la'],
    ]);
    expect(all.rows('file_touches').map((row) => [row.path, row.op])).toEqual([['app.js', 'edit']]);
    expect(all.rows('evaluations')).toEqual([
      expect.objectContaining({
        dimension: 'mutation score of app.js',
        score: 75,
        rationale: '3 of 4 killed, 1 survived, 0 timed out, 0 not covered',
      }),
    ]);
    expect(events(all, 'chat', 'review_acks', 'guardian_kane_config').map((row) => row.message)).toEqual([
      'user: Why?',
      'srcDir: ., appUrl: http://localhost:4000',
      'taskId: L1, acRef: ac-1, ackedAt: 2026-05-04T09:00:00Z',
    ]);
    // A variable may be a password: its name is kept and its value is not.
    expect(events(all, 'variables')).toEqual([
      expect.objectContaining({ message: '1 variable: reader_password' }),
    ]);
    expect(JSON.stringify(all.rows('log_events'))).not.toContain('sesame');
  });

  it('leave no rows where nothing was flagged, and report what they are not', async () => {
    const none = await read({
      'scope-status.json': { flag: null, checkedAt: '2026-05-04T09:00:00Z' },
      'trace.json': [],
      'chat-log.json': { not: 'a list' },
    });
    expect(events(none, 'out_of_scope', 'chat')).toEqual([]);
    expect(none.issues['.testmuai/chat-log.json']).toEqual([
      expect.objectContaining({ code: 'unknown_shape' }),
    ]);
  });

  it('read a hostile document without harm', async () => {
    const deep = `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`;
    for (const name of [
      'graph.json',
      'knowledge-memory.json',
      'bug-memory.json',
      'quality.json',
      'trace.json',
      'scope-status.json',
      'graph-status.json',
      'review-acks.json',
    ]) {
      for (const text of [
        deep,
        '',
        '{',
        '[{',
        'null',
        '{"entries": 5, "files": [], "nodes": {}, "generatedAt": [], "flag": 1, "ts": 0, "bucket": 0}',
        '{"__proto__": {"x": 1}}',
      ]) {
        await read({ [name]: text });
      }
    }
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });
});
