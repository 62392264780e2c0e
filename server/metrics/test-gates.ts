import type { Row, SqlValue } from '../record/store.ts';
import type { RowOf } from '../record/tables.ts';
import { type TestStore, testStore } from './test-record.ts';

/** A small record of a gated loop: two features, gate runs, requirements, a log, test results. For tests of several modules. */

export const GATE_START = Date.UTC(2026, 8, 2, 14, 0, 0);
const MINUTE = 60_000;
const at = (minutes: number, ms = 0): number => GATE_START + minutes * MINUTE + ms;

export const GATE_CONTEXT = {
  zone: '+00:00',
  startedAtMs: GATE_START,
  sources: [
    { kind: 'activity_log', label: 'activity.log' },
    { kind: 'task_tracker', label: 'tracker.md' },
    { kind: 'junit', label: 'junit.xml' },
  ],
} as const;

const SOURCES = [
  ['log', 'activity_log', 'activity.log'],
  ['tracker', 'task_tracker', 'tracker.md'],
  ['report', 'junit', 'junit.xml'],
] as const;

const gate = (id: string, more: Partial<RowOf<'gate_events'>>): RowOf<'gate_events'> => ({
  gate_event_id: id,
  run_id: 'k',
  feature_id: 'k.fT1',
  gate: 'scripted_test',
  verdict: 'pass',
  attribution: 'unknown',
  source_id: 'log',
  source_kind: 'activity_log',
  ...more,
});
const entry = (line: number, minutes: number, more: Partial<RowOf<'log_events'>>): RowOf<'log_events'> => ({
  event_id: `e${line}`,
  run_id: 'k',
  feature_id: 'k.fT1',
  at_ms: at(minutes),
  zone: '+00:00',
  level: 'info',
  kind: 'info',
  message: '',
  source_id: 'log',
  source_kind: 'activity_log',
  source_line: line,
  last_line: line,
  ...more,
});

const requirement = (
  ext: string,
  claimed: boolean | null,
  feature = 'k.fT1',
): RowOf<'requirements_told'> => ({
  requirement_id: `k.q${ext}`,
  run_id: 'k',
  feature_id: feature,
  ext_id: ext,
  text: `Criterion ${ext}`,
  kind: 'criterion',
  claimed_pass: claimed,
  parent_ref: 'UC-1',
  rank: 0,
  source_id: 'tracker',
  source_line: 10,
});
const evidence = (
  id: string,
  ref: string,
  polarity: 'supports' | 'refutes' | 'void',
  minutes: number,
  link = 'tag',
): RowOf<'evidence_told'> => ({
  evidence_id: id,
  requirement_ref: ref,
  kind: 'test',
  ref_id: `case ${id}`,
  polarity,
  link,
  at_ms: at(minutes),
  says: `case ${id} ran`,
  source_id: 'report',
  source_kind: 'junit',
  source_line: 30,
});

/** Rows by table, as an adapter would give them. */
const ROWS: Readonly<Record<string, readonly object[]>> = {
  projects: [{ project_id: 'p', name: 'shop', root_path: null }],
  sources: SOURCES.map(([source_id, kind, label]) => ({
    source_id,
    project_id: 'p',
    kind,
    label,
    path: label,
    parser: kind,
    parser_version: 1,
    unit: 'test',
    state: '',
  })),
  runs_told: [
    {
      run_id: 'k',
      harness: 'guardiankane',
      ord: 1,
      name: 'shop',
      started_at_ms: GATE_START,
      ended_at_ms: at(60),
      zone: '+00:00',
      is_current: true,
      rank: 0,
      source_id: 'log',
    },
  ],
  features_told: [
    ['T1', 'Cart lines'],
    ['T2', 'Sign in'],
  ].map(([ext, title], ord) => ({
    feature_id: `k.f${ext}`,
    run_id: 'k',
    ext_id: ext ?? '',
    ord,
    title: title ?? '',
    category: 'shop',
    rank: 0,
    source_id: 'tracker',
    source_line: ord + 1,
  })),
  commits_told: [
    {
      sha: 'abcdef1234567',
      run_id: 'k',
      feature_id: 'k.fT2',
      at_ms: at(50),
      subject: 'Sign in',
      kind: 'other',
      source_id: 'log',
    },
  ],
  gate_events: [
    gate('g1', {
      verdict: 'block',
      attempt_n: 1,
      attempt_cap: 3,
      attribution: 'verifier',
      attribution_basis: 'the failure says all members passed',
      reason: 'all members passed',
      started_at_ms: at(2),
      ended_at_ms: at(3),
      source_line: 3,
      last_line: 3,
    }),
    gate('g2', {
      verdict: 'block',
      attempt_n: 2,
      attempt_cap: 3,
      reason: 'failed members: cart',
      started_at_ms: at(4),
      ended_at_ms: at(6),
      source_line: 5,
      last_line: 6,
    }),
    gate('g3', {
      verdict: 'timeout',
      attribution: 'infra',
      attribution_basis: 'the log calls it a time-out',
      started_at_ms: at(18),
      ended_at_ms: at(20),
      source_line: 9,
    }),
    // Given up: the start has no outcome.
    gate('g0', { verdict: 'no_verdict', started_at_ms: at(1), source_line: 1 }),
    gate('g4', {
      verdict: 'pass',
      started_at_ms: at(30),
      ended_at_ms: at(30, 30_000),
      source_id: 'report',
      source_kind: 'junit',
      source_line: 2,
    }),
    gate('g5', {
      feature_id: 'k.fT2',
      gate: 'defect_sweep',
      verdict: 'pass',
      started_at_ms: at(40),
      ended_at_ms: at(40, 3),
      source_line: 11,
    }),
  ],
  log_events: [
    entry(1, 1, { kind: 'test_start', message: 'running scripted test: cart' }),
    entry(2, 2, { kind: 'test_start', message: 'running scripted test: cart' }),
    entry(4, 4, { kind: 'test_start', message: 'running scripted test: cart' }),
    entry(8, 18, { kind: 'test_start', message: 'running scripted test: cart' }),
    entry(9, 20, {
      kind: 'infra',
      level: 'error',
      message: 'Kane run hit a timeout (exit 3) — state unchanged.',
    }),
    entry(10, 40, {
      kind: 'sweep_start',
      feature_id: 'k.fT2',
      message: 'running general defect sweep\nagainst PRD section "UC-2"',
      last_line: 11,
    }),
  ],
  requirements_told: [
    requirement('ac-1', true),
    requirement('ac-2', true),
    requirement('ac-3', true, 'k.fT2'),
    requirement('ac-4', true),
    requirement('ac-5', true),
    requirement('ac-6', null),
  ],
  evidence_told: [
    evidence('v1', 'AC-1', 'refutes', 3),
    evidence('v2', 'ac-1', 'supports', 30),
    evidence('v3', 'ac-2', 'supports', 30, 'name_match'),
    evidence('v4', 'ac-3', 'supports', 40),
    evidence('v5', 'ac-5', 'supports', 3),
    evidence('v6', 'ac-5', 'refutes', 30),
  ],
  attempts: (
    [
      ['a1', 1, false, 'measured', 'activity_log', 'log'],
      ['a2', 2, true, 'measured', 'activity_log', 'log'],
      ['b1', 1, null, 'claimed', 'task_tracker', 'tracker'],
    ] as const
  ).map(([attempt_id, n, passed, basis, source_kind, source_id]) => ({
    attempt_id,
    run_id: 'k',
    feature_id: 'k.fT1',
    n,
    passed,
    attribution: 'unknown',
    basis,
    source_kind,
    source_id,
    source_line: n,
    started_at_ms: at(n),
    ended_at_ms: at(n + 1),
  })),
  test_runs: [
    {
      test_run_id: 'tr',
      run_id: 'k',
      framework: 'junit',
      started_at_ms: at(30),
      load_errors: 1,
      cases: 5,
      status: 'failed',
      source_id: 'report',
    },
  ],
  test_results: (['passed', 'flaky', 'failed', 'load_error', 'skipped'] as const).map((status, n) => ({
    test_result_id: `t${n}`,
    test_run_id: 'tr',
    file: 'cart.spec.ts',
    name: `case ${n}`,
    status,
    source_id: 'report',
    source_line: n + 1,
  })),
};

/** A row as the store takes it: what a row leaves out is not there. */
const rowOf = (value: object): Row =>
  Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, SqlValue] => typeof entry[1] !== 'object'),
  );

/** @param without tables to leave empty */
export async function gateRecord(without: readonly string[] = []): Promise<TestStore> {
  const store = await testStore();
  for (const [table, rows] of Object.entries(ROWS))
    if (!without.includes(table)) await store.insert(table, rows.map(rowOf));
  return store;
}
