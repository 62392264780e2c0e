import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { activityLog } from './activity-log.ts';
import { classify } from './log-grammar.ts';

const PATH = '.testmuai/kane-activity.log';
/** A log of the given messages, a minute apart, from 10:00. */
const log = (...lines: (readonly [task: string, message: string])[]): string =>
  lines
    .map(
      ([task, message], minute) =>
        `[2026-05-04T10:${String(minute).padStart(2, '0')}:00.000Z] [${task}] ${message}\n`,
    )
    .join('');
const read = (text: string) => readWith(activityLog, { [PATH]: text });
const START = 'running scripted test: ".testmuai/tests/lend_test.md".';
const SWEEP = 'running general defect sweep against PRD section "PRD.md#UC-1".';
const PASSED = 'scripted test PASSED. summary: testrun batch: 1/1 passed';
const failed = (n: number, reason = 'failed members: /lib/.testmuai/tests/lend_test.md (failed)'): string =>
  `scripted test FAILED (attempt ${n}/3). summary: testrun batch: 0/1 passed. reason: ${reason}`;

describe('classify', () => {
  it.each([
    [
      'running scripted test: ["a_test.md","b_test.md"].',
      'test_start',
      { tests: '["a_test.md","b_test.md"]' },
    ],
    ['no scripted test file — skipping to defect sweep.', 'no_test', {}],
    ['scripted test PASSED. summary: all. good', 'test_pass', { summary: 'all. good' }],
    [
      'scripted test FAILED (attempt 2/3). summary: one\ntwo.. reason: assertion_failed: @ step 3',
      'test_fail',
      { n: '2', cap: '3', summary: 'one\ntwo.', reason: 'assertion_failed: @ step 3' },
    ],
    [SWEEP, 'sweep_start', { section: 'PRD.md#UC-1' }],
    [
      'sweep FOUND ISSUE (attempt 1/3): (no summary)',
      'sweep_fail',
      { n: '1', cap: '3', summary: '(no summary)' },
    ],
    ['sweep found no issues. -> KANE_VERIFIED.', 'sweep_pass', {}],
    ['-> KANE_VERIFIED (no sweep configured).', 'no_sweep', {}],
    ['SECRET SCAN FAILED (attempt 1/3): a.js: key', 'secret_fail', { n: '1', cap: '3', detail: 'a.js: key' }],
    ['AC EVIDENCE CHECK FAILED (attempt 3/3): ac-1', 'evidence_fail', { n: '3', cap: '3', detail: 'ac-1' }],
    ['SECRET SCAN ERROR: no such file', 'check_error', { check: 'SECRET SCAN', detail: ': no such file' }],
    [
      'TEST TAMPERING DETECTED — x_test.md changed -> BLOCKED_NEEDS_HUMAN.',
      'tampering',
      { detail: 'x_test.md changed' },
    ],
    ['-> BLOCKED_NEEDS_HUMAN after 3 failures.', 'blocked', { n: '3', check: undefined }],
    ['-> BLOCKED_NEEDS_HUMAN after 3 AC-evidence failures.', 'blocked', { n: '3', check: 'AC-evidence' }],
    ['Kane run hit a timeout (exit null) — state unchanged.', 'infra', { what: 'timeout', exit: 'null' }],
    [
      'Kane run hit a infra/auth error (exit 2) — state unchanged.',
      'infra',
      { what: 'infra/auth error', exit: '2' },
    ],
    ['STALE — stuck in KANE_VERIFYING >5min. Reset to IN_PROGRESS.', 'stale', {}],
    ['manual verification mode — awaiting manual_confirmed: true.', 'manual_wait', {}],
    ['manual_confirmed: true received -> KANE_VERIFIED.', 'manual_ok', {}],
    ['dev server not responding — cannot verify.', 'server_down', {}],
    ['next task: T-L4 (Return a (late) book).', 'next', { task: 'L4', title: 'Return a (late) book' }],
    ['all tasks KANE_VERIFIED. Build complete.', 'all_done', {}],
    [
      'MEMORY: possible regression — resembles a bug previously seen on T-L2 ("Due date", similarity 0.82).',
      'regression',
      { task: 'L2', title: 'Due date', similarity: '0.82' },
    ],
    ['app URL not configured — set appUrl', 'no_url', { detail: 'set appUrl' }],
    ['auto-refresh failed: timeout', 'graph_fail', { detail: 'timeout' }],
  ])('%s', (message, shape, parts) => {
    expect(classify(message)).toEqual({ shape, parts });
  });

  it('takes nothing else for a shape', () => {
    for (const message of ['', 'scripted test PASSED', `${SWEEP} x`, 'sweep FOUND ISSUE (attempt x/3): y'])
      expect(classify(message)).toBeNull();
  });

  it('is quick on a long message that almost has a shape', () => {
    const started = performance.now();
    expect(classify(`scripted test FAILED (attempt 1/3). summary: ${'. reason'.repeat(8_000)}`)).toBeNull();
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('the activity log', () => {
  it('ties an outcome to its start, and a round to one attempt', async () => {
    const { rows } = await read(
      log(
        ['L1', START],
        ['L1', failed(1)],
        ['L1', START],
        ['L1', PASSED],
        ['L1', SWEEP],
        ['L1', 'sweep found no issues. -> KANE_VERIFIED.'],
      ),
    );
    const from = Date.UTC(2026, 4, 4, 10);
    expect(
      rows('gate_events').map((row) => [
        row.gate,
        row.verdict,
        row.attempt_n,
        row.attempt_cap,
        row.started_at_ms,
        row.duration_ms,
        row.source_line,
      ]),
    ).toEqual([
      ['scripted_test', 'block', 1, 3, from, 60_000, 2],
      ['scripted_test', 'pass', 2, null, from + 120_000, 60_000, 4],
      ['defect_sweep', 'pass', 2, null, from + 240_000, 60_000, 6],
    ]);
    expect(
      rows('attempts').map((row) => [row.n, row.verdict, row.passed, row.duration_s, row.source_line]),
    ).toEqual([
      [1, 'block', false, 60, 1],
      [2, 'pass', true, 180, 3],
    ]);
    expect(rows('gate_events')[0]).toMatchObject({
      cases_run: 1,
      cases_passed: 0,
      attribution: 'unknown',
      attribution_basis: null,
    });
  });

  it('blames nobody without evidence, the verifier and the infrastructure with it', async () => {
    const { rows } = await read(
      log(
        ['L1', START],
        ['L1', failed(1, 'all members passed')],
        ['L1', START],
        ['L1', failed(2, 'Objective completed')],
        ['L1', START],
        ['L1', 'Kane run hit a timeout (exit null) — state unchanged.'],
        ['L1', START],
        ['L1', 'Kane run hit a infra/auth error (exit 2) — state unchanged.'],
        ['L1', SWEEP],
        ['L1', 'sweep FOUND ISSUE (attempt 1/3): (no summary)'],
        ['L1', SWEEP],
        ['L1', 'sweep FOUND ISSUE (attempt 2/3): the due date is empty'],
        ['L1', 'SECRET SCAN FAILED (attempt 3/3): app.js: high entropy'],
        ['L1', 'SECRET SCAN ERROR: spawn failed'],
        ['L1', START],
        ['L1', PASSED],
        [
          'L1',
          'AC EVIDENCE CHECK FAILED (attempt 1/3): a_test.md: no evidence pack path reported by this run',
        ],
        ['L1', 'AC EVIDENCE CHECK FAILED (attempt 2/3): ac-1 is not covered'],
        ['L1', 'TEST TAMPERING DETECTED — lend_test.md -> BLOCKED_NEEDS_HUMAN.'],
      ),
    );
    const events = rows('gate_events').map((row) => [row.gate, row.verdict, row.attribution]);
    expect(events).toEqual([
      ['scripted_test', 'block', 'verifier'],
      ['scripted_test', 'block', 'verifier'],
      ['scripted_test', 'timeout', 'infra'],
      ['scripted_test', 'error', 'infra'],
      ['defect_sweep', 'error', 'verifier'],
      ['defect_sweep', 'block', 'unknown'],
      ['secret_scan', 'block', 'unknown'],
      ['secret_scan', 'bypassed', 'verifier'],
      ['scripted_test', 'pass', 'unknown'],
      ['evidence_check', 'block', 'verifier'],
      ['evidence_check', 'block', 'unknown'],
      ['tampering_check', 'block', 'agent'],
    ]);
    for (const row of rows('gate_events'))
      expect(row.attribution === 'unknown').toBe(row.attribution_basis === null);
    expect(rows('gate_events')[3]).toMatchObject({ exit_code: 2 });
  });

  it('gives a start up when the task is decided without its outcome, or a third one comes', async () => {
    const decided = await read(
      log(
        ['L1', START],
        ['L1', START],
        ['L1', failed(3)],
        ['L1', '-> BLOCKED_NEEDS_HUMAN after 3 failures.'],
      ),
    );
    expect(
      decided.rows('gate_events').map((row) => [row.verdict, row.source_line, row.ended_at_ms === null]),
    ).toEqual([
      ['block', 3, false],
      ['no_verdict', 1, true],
    ]);
    const third = await read(
      log(['L1', START], ['L1', START], ['L1', START], ['L1', failed(1)], ['L1', failed(1)]),
    );
    expect(third.rows('gate_events').map((row) => [row.verdict, row.source_line])).toEqual([
      ['no_verdict', 1],
      ['block', 4],
      ['block', 5],
    ]);
    // Two outcomes after two starts: the later start ends first.
    expect(third.rows('attempts').map((row) => [row.n, row.verdict])).toEqual([
      [1, 'no_verdict'],
      [3, 'block'],
      [2, 'block'],
    ]);
  });

  it('takes a start at the very end for one that may still be running', async () => {
    expect((await read(log(['L1', START]))).rows('gate_events')).toEqual([]);
    const moved = await read(log(['L1', START], ['L2', START]));
    expect(moved.rows('gate_events').map((row) => [row.feature_id, row.verdict])).toEqual([
      ['guardiankane.fL1', 'no_verdict'],
    ]);
  });

  it('reads entries over several lines, and keeps what it does not know', async () => {
    const text = `stray\n${log(['L1', START])}[2026-05-04T10:01:00.000Z] [L1] scripted test PASSED. summary: One.\nTwo.\n\nThree.\n[2026-05-04T10:02:00.000Z] [L1] shrugged.\n`;
    const { rows, counts, issues } = await read(text);
    expect(rows('log_events').map((row) => [row.kind, row.source_line, row.last_line])).toEqual([
      ['raw', 1, 1],
      ['test_start', 2, 2],
      ['test_pass', 3, 6],
      ['raw', 7, 7],
    ]);
    expect(rows('log_events')[2]?.message).toBe('scripted test PASSED. summary: One.\nTwo.\n\nThree.');
    expect(counts[PATH]).toEqual({ ok: 5, bad: 2 });
    expect(issues[PATH]?.map(({ code, line }) => [code, line])).toEqual([
      ['unknown_line', 1],
      ['unknown_line', 7],
    ]);
  });

  it('names tasks by the log and leaves lines about the harness without one', async () => {
    const { rows } = await read(
      log(
        ['L1', START],
        ['L1', 'next task: T-L2 (Return a book).'],
        ['system', 'app URL not configured — set it'],
        ['graph', 'auto-refresh failed: no'],
      ),
    );
    expect(rows('features_told').map((row) => [row.ext_id, row.title])).toEqual([
      ['L1', null],
      ['L2', 'Return a book'],
    ]);
    expect(
      rows('log_events')
        .slice(2)
        .map((row) => [row.kind, row.feature_id]),
    ).toEqual([
      ['no_url', null],
      ['graph_fail', null],
    ]);
  });

  it('marks times without a zone, and takes none the calendar does not have', async () => {
    const { rows, issues } = await read(
      `[2026-05-04T10:00:00.000] [L1] ${START}\n[2026-02-31T10:00:00.000Z] [L1] ${PASSED}\n`,
    );
    expect(rows('log_events').map((row) => [row.at_ms, row.zone])).toEqual([
      [Date.UTC(2026, 4, 4, 10), null],
      [null, null],
    ]);
    expect(issues[PATH]?.map(({ code }) => code)).toEqual(['time_without_zone', 'time_invalid']);
  });

  it('tells a last line that breaks off from one it does not know', async () => {
    const { issues, rows } = await read(`${log(['L1', START])}[2026-05-04T10:01`);
    expect(issues[PATH]).toEqual([expect.objectContaining({ code: 'line_cut', line: 2 })]);
    expect(rows('log_events')[0]?.message).toBe(START);
  });
});

describe('reading on', () => {
  const whole = log(
    ['L1', START],
    ['L1', START],
    ['L2', START],
    ['L1', failed(1)],
    ['L2', PASSED],
    ['L1', failed(1)],
    ['L2', SWEEP],
    ['L1', START],
    ['L2', 'sweep found no issues. -> KANE_VERIFIED.\nmore'],
    ['L1', START],
    ['L1', PASSED],
    ['L1', 'SECRET SCAN FAILED (attempt 1/3): x'],
    ['L3', START],
    ['L1', START],
    ['L1', failed(2)],
    ['L1', '-> BLOCKED_NEEDS_HUMAN after 3 failures.'],
  );
  const TABLES = ['log_events', 'gate_events', 'attempts', 'features_told', 'runs_told'] as const;
  const sorted = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

  it('gives the same rows wherever the log was cut before', async () => {
    const all = await read(whole);
    const bytes = Buffer.from(whole);
    for (let at = 1; at < bytes.length; at += 17) {
      const first = await readWith(activityLog, { [PATH]: bytes.subarray(0, at) });
      const from = first.resume[PATH];
      const second = await readWith(activityLog, { [PATH]: whole }, first.resume);
      const [a, b] = [first.counts[PATH], second.counts[PATH]];
      const before = from === undefined ? { ok: 0, bad: 0 } : a;
      expect({ ok: (before?.ok ?? 0) + (b?.ok ?? 0), bad: (before?.bad ?? 0) + (b?.bad ?? 0) }).toEqual(
        all.counts[PATH],
      );
      for (const table of TABLES) {
        const kept = first
          .rows(table)
          .filter((row) => from !== undefined && Number(row.source_line) < from.no);
        expect(sorted([...kept, ...second.rows(table)]), `${table}, cut at ${at}`).toEqual(
          sorted(all.rows(table)),
        );
      }
    }
  });

  it('takes a line that broke off like a head for what it is once it is whole', async () => {
    const text = `${log(['L1', SWEEP], ['L1', 'sweep FOUND ISSUE (attempt 1/3): (no summary)'])}[2026-draft] is named\n`;
    const all = await read(text);
    const bytes = Buffer.from(text);
    for (const short of [1, 3, 8, 16, 20]) {
      const first = await readWith(activityLog, { [PATH]: bytes.subarray(0, bytes.length - short) });
      const second = await readWith(activityLog, { [PATH]: text }, first.resume);
      const from = first.resume[PATH]?.no ?? 0;
      const kept = first.rows('gate_events').filter((row) => Number(row.source_line) < from);
      const gates = [...kept, ...second.rows('gate_events')];
      expect(gates.map(({ reason }) => reason)).toEqual(['(no summary)\n[2026-draft] is named']);
      expect(gates).toEqual(all.rows('gate_events'));
      expect(second.rows('attempts')).toEqual(all.rows('attempts'));
    }
  });

  it('starts anew from what is carried only when that can be read', async () => {
    const read = await readWith(
      activityLog,
      { [PATH]: whole },
      { [PATH]: { no: 1, offset: 0, carry: '{"from":"x"}' } },
    );
    expect(read.rows('attempts').length).toBe(
      (await readWith(activityLog, { [PATH]: whole })).rows('attempts').length,
    );
  });
});
