import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openRecord } from '../../index.ts';
import type { RecordHandle, Row } from '../../store.ts';
import { testFolder } from '../../test-folder.ts';

/** A run that follows the contract, kept beside the project and not in it; and the demo, which holds faults on purpose. */
const SAMPLE = join(import.meta.dirname, '../../../../../shared/fixtures/agent-loop/synthetic');
const TEMPLATES = join(SAMPLE, '../templates');
const DEMO = join(import.meta.dirname, '../../../../data/agent-loop');
const there = existsSync(join(SAMPLE, '.agent-loop/profile.md'));
if (!there)
  console.info(
    'The sample run of agent-loop is not beside this project, so its acceptance tests do not run.',
  );

const counted = async (record: RecordHandle, sql: string): Promise<Row[]> =>
  (await record.store.query(sql)).rows;

describe.runIf(there)('the sample run', () => {
  let record: RecordHandle;
  beforeAll(async () => {
    record = await openRecord({ root: SAMPLE, database: ':memory:' });
  }, 60_000);
  afterAll(() => record.close());

  it('is one accepted task of tier L with three attempts', async () => {
    expect(
      await counted(record, 'SELECT ext_id, title, category, status, attempts, is_current FROM v_feature'),
    ).toEqual([
      {
        ext_id: '2026-09-02-export-csv',
        title: 'Add a CSV export button',
        category: 'tier L',
        status: 'accepted',
        attempts: 3,
        is_current: true,
      },
    ]);
    expect(
      await counted(
        record,
        "SELECT fact, text_value FROM observations WHERE fact IN ('mode', 'run_date') ORDER BY fact",
      ),
    ).toEqual([
      { fact: 'mode', text_value: 'B' },
      { fact: 'run_date', text_value: '2026-09-02' },
    ]);
  });

  it('has the verdict at its line, with the cases that ran', async () => {
    expect(
      await counted(
        record,
        'SELECT verdict, attempt_n, cases_run, cases_passed, source_line FROM gate_events',
      ),
    ).toEqual([{ verdict: 'pass', attempt_n: 3, cases_run: 11, cases_passed: 11, source_line: 5 }]);
  });

  it('proves its check, and not what only a person can see', async () => {
    expect(await counted(record, 'SELECT ext_id, state FROM v_requirement ORDER BY ext_id')).toEqual([
      { ext_id: '2026-09-02-export-csv.check', state: 'proven' },
      { ext_id: '2026-09-02-export-csv.manual-1', state: 'open' },
      { ext_id: '2026-09-02-export-csv.step-1', state: 'likely' },
      { ext_id: '2026-09-02-export-csv.step-2', state: 'likely' },
      { ext_id: '2026-09-02-export-csv.step-3', state: 'likely' },
    ]);
  });

  it('has six artifacts, three planned and three changed files, and no finding', async () => {
    expect(
      await counted(record, "SELECT count(*)::INTEGER AS n FROM log_events WHERE kind = 'artifact'"),
    ).toEqual([{ n: 6 }]);
    expect(
      await counted(record, 'SELECT op, count(*)::INTEGER AS n FROM file_touches GROUP BY op ORDER BY op'),
    ).toEqual([
      { op: 'listed', n: 3 },
      { op: 'touch', n: 3 },
    ]);
    expect(await counted(record, 'SELECT rule, says FROM findings')).toEqual([]);
  });

  it('finds in unfilled templates sections that hold nothing, no check and no verdict', async () => {
    const names = ['analysis', 'plan', 'implementation', 'test-report'];
    const files = names.map((name) => [
      `.agent-loop/runs/2026-09-03-empty/${name}.md`,
      readFileSync(join(TEMPLATES, `${name}.md`), 'utf8'),
    ]);
    const own = await openRecord({ root: await testFolder(Object.fromEntries(files)), database: ':memory:' });
    onTestFinished(() => own.close());
    expect(await counted(own, 'SELECT status, attempts FROM v_feature')).toEqual([
      { status: 'in_progress', attempts: 1 },
    ]);
    expect((await counted(own, 'SELECT rule FROM findings ORDER BY rule')).map((row) => row.rule)).toEqual([
      'missing_artifact',
      'missing_artifact',
      'missing_section',
      'missing_section',
      'missing_section',
      'missing_section',
      'plan_without_check',
      'verdict_not_exact',
    ]);
  });
});

describe('the demo of agent-loop', () => {
  let record: RecordHandle;
  beforeAll(async () => {
    record = await openRecord({ root: DEMO, database: ':memory:' });
  }, 60_000);
  afterAll(() => record.close());

  it('has twelve tasks that ended as its README says', async () => {
    expect(
      await counted(
        record,
        'SELECT status, count(*)::INTEGER AS n FROM v_feature GROUP BY status ORDER BY status',
      ),
    ).toEqual([
      { status: 'accepted', n: 7 },
      { status: 'blocked', n: 1 },
      { status: 'failed', n: 1 },
      { status: 'in_progress', n: 2 },
      { status: 'pending', n: 1 },
    ]);
    expect(
      await counted(
        record,
        'SELECT category, count(*)::INTEGER AS n FROM v_feature GROUP BY category ORDER BY category',
      ),
    ).toEqual([
      { category: 'tier L', n: 7 },
      { category: 'tier M', n: 3 },
      { category: 'tier S', n: 2 },
    ]);
  });

  it('has the faults its README names, and no others', async () => {
    const rows = await counted(
      record,
      'SELECT d.rule, coalesce(f.ext_id[12:], s.label) AS about FROM findings d LEFT JOIN features f USING (feature_id) LEFT JOIN (SELECT finding_id, min(label) AS label FROM finding_rows JOIN sources USING (source_id) GROUP BY finding_id) s USING (finding_id) ORDER BY d.rule, about',
    );
    expect(rows.map((row) => `${row.rule} ${row.about}`)).toEqual([
      'accepted_but_refuted share-by-link',
      'accepted_but_refuted unit-conversion',
      'debug_cap_exceeded offline-sync',
      'escalation_missing offline-sync',
      'file_not_loaded ci/unit.xml',
      'missing_artifact import-csv',
      'missing_artifact nightly-backup',
      'oscillation shopping-list',
      'passed_on_retry shopping-list',
      'plan_without_check share-by-link',
      'reading ci/backup.xml',
      'reading ci/unit.xml',
      'report_without_cases ci/backup.xml',
      'report_without_cases ci/e2e-nightly.json',
      'unplanned_change search',
      'verdict_against_evidence unit-conversion',
      'verdict_not_exact dark-theme',
      'verifier_inputs share-by-link',
    ]);
  });

  it('has requirements in every state', async () => {
    const state = async (ext: string) =>
      (await counted(record, `SELECT state FROM v_requirement WHERE ext_id = '${ext}'`))[0]?.state;
    expect(
      await Promise.all(
        ['LR-1', 'LR-5', 'LR-7', 'LR-10', 'LR-11', 'LR-13', 'LR-15', 'LR-19', 'LR-21'].map(state),
      ),
    ).toEqual(['proven', 'stale', 'refuted', 'refuted', 'proven', 'open', 'refuted', 'open', 'open']);
    expect(await state('2026-05-18-offline-sync.step-1')).toBe('claimed_only');
    expect(await state('2026-05-22-search.step-1')).toBe('likely');
    expect(await state('2026-05-22-search.step-4')).toBe('open');
  });

  it('charges the crashed set-up to the machine and nothing to the agent without evidence', async () => {
    expect(
      await counted(
        record,
        "SELECT gate, attribution, count(*)::INTEGER AS n FROM gate_events WHERE verdict <> 'pass' GROUP BY ALL ORDER BY gate, attribution",
      ),
    ).toEqual([
      { gate: 'test_report', attribution: 'agent', n: 2 },
      { gate: 'test_report', attribution: 'infra', n: 1 },
      { gate: 'test_report', attribution: 'verifier', n: 1 },
      { gate: 'verifier', attribution: 'agent', n: 2 },
      { gate: 'verifier', attribution: 'verifier', n: 1 },
    ]);
    expect(
      await counted(
        record,
        "SELECT gate_event_id FROM gate_events WHERE attribution <> 'unknown' AND attribution_basis IS NULL",
      ),
    ).toEqual([]);
  });
});
