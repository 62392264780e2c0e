import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { documents } from './documents.ts';

const PATH = '.testmuai/task-tracker.md';
const fence = (yaml: string): string => `# Task tracker\n\n\`\`\`yaml\n${yaml}\n\`\`\`\n\nNotes.\n`;
const read = (yaml: string) => readWith(documents, { [PATH]: fence(yaml) });

describe('the tracker', () => {
  it('reads the first version, a bare list', async () => {
    const { rows, counts } = await read(
      '- {id: L1, title: Shelf, state: KANE_VERIFIED, attempts: 0, last_verdict: passed}\n- {id: L2, state: PLANNED, depends_on: [L1]}',
    );
    expect(counts[PATH]).toEqual({ ok: 2, bad: 0 });
    expect(rows('features_told').map((row) => [row.ext_id, row.ord, row.title, row.depends_on])).toEqual([
      ['L1', 1, 'Shelf', null],
      ['L2', 2, null, 'L1'],
    ]);
    expect(
      rows('observations_told').map((row) => [
        row.feature_id,
        row.fact,
        row.value ?? row.text_value,
        row.basis,
        row.source_line,
      ]),
    ).toEqual([
      ['guardiankane.fL1', 'status', 'accepted', 'claimed', 4],
      ['guardiankane.fL1', 'strikes', 0, 'claimed', 4],
      ['guardiankane.fL2', 'status', 'pending', 'claimed', 5],
    ]);
    expect(rows('log_events')).toEqual([
      expect.objectContaining({ kind: 'tracker_verdict', message: 'passed', level: 'info' }),
    ]);
  });

  it('reads the second version with phases, and says how the run stands', async () => {
    const { rows } = await read(
      'tasks:\n  - {id: L1, state: KANE_VERIFIED, phase: P0}\n  - {id: L2, state: BLOCKED_NEEDS_HUMAN, phase: P1, depends_on: [L1, L9]}\nphases:\n  - {id: P0, title: Ground, order: 0}',
    );
    expect(rows('features_told').map((row) => [row.category, row.depends_on])).toEqual([
      ['Ground', null],
      ['P1', 'L1 L9'],
    ]);
    expect(rows('runs_told')).toEqual([
      expect.objectContaining({ status: 'stopped', end_reason: 'Waits for a human: L2' }),
    ]);
  });

  it('takes each shape of a verdict for what it says', async () => {
    const { rows } = await read(`- id: L1
  state: KANE_VERIFIED
  prd_ref: PRD.md#UC-7
  last_run: '2026-05-04T10:00:00.000Z'
  last_verdict:
    summary: 'testrun batch: 2/2 passed'
    reason: all members passed
    ac_snapshot: {ac-1: sha256:1, ac-2: sha256:2}
- id: L2
  state: IN_PROGRESS
  last_run: 2026-05-04T11:00:00Z ad-hoc kane-cli run
  last_verdict: {type: run_end, status: failed, summary: The page is empty, reason: 'assertion_failed: @ step 3', duration: 35.2, credits_consumed: 6.5, ac_snapshot: {ac-3: sha256:3}}
- id: L3
  state: IN_PROGRESS
  last_verdict: {summary: 'testrun batch: 1/1 passed', reason: all members passed, secret_scan: {found: 1}}
- id: L4
  state: IN_PROGRESS
  last_verdict: 7`);
    const verdicts = rows('log_events').map((row) => [
      row.feature_id,
      row.level,
      row.at_ms ?? null,
      JSON.parse(String(row.data)),
    ]);
    expect(verdicts).toEqual([
      [
        'guardiankane.fL1',
        'info',
        Date.UTC(2026, 4, 4, 10),
        expect.objectContaining({ passed: true, criteria: 2, typed_in: null }),
      ],
      [
        'guardiankane.fL2',
        'error',
        Date.UTC(2026, 4, 4, 11),
        expect.objectContaining({
          passed: false,
          duration_s: 35.2,
          credits: 6.5,
          typed_in: 'ad-hoc kane-cli run',
        }),
      ],
      [
        'guardiankane.fL3',
        'error',
        null,
        expect.objectContaining({ passed: false, stopped_by: ['secret_scan'] }),
      ],
    ]);
    expect(
      rows('requirements_told').map((row) => [
        row.requirement_id,
        row.claimed_pass,
        row.parent_ref,
        row.source_line,
      ]),
    ).toEqual([
      ['guardiankane.qL1.ac-1', true, 'UC-7', 11],
      ['guardiankane.qL1.ac-2', true, 'UC-7', 11],
      ['guardiankane.qL2.ac-3', false, null, 15],
    ]);
    // A failed verdict on all tests together does not say which criterion failed.
    expect(rows('evidence_told').map((row) => [row.requirement_ref, row.polarity, row.link])).toEqual([
      ['guardiankane.qL1.ac-1', 'supports', 'inferred'],
      ['guardiankane.qL1.ac-2', 'supports', 'inferred'],
    ]);
  });

  it('spells files one way and keeps how they were written', async () => {
    const { rows } = await read(
      "- id: L1\n  state: PLANNED\n  files: [src/app.js, ./src/page.html, '/srv/lend/src/app.js']\n  file_touches: {'/srv/lend/src/app.js': '2026-05-04T10:00:00.250Z', '/srv/other/x.js': 'no time'}",
    );
    expect(rows('file_touches').map((row) => [row.path, row.raw_path, row.op, row.at_ms])).toEqual([
      ['src/app.js', 'src/app.js', 'listed', null],
      ['src/page.html', './src/page.html', 'listed', null],
      ['src/app.js', '/srv/lend/src/app.js', 'listed', null],
      ['src/app.js', '/srv/lend/src/app.js', 'touch', Date.UTC(2026, 4, 4, 10, 0, 0, 250)],
      ['/srv/other/x.js', '/srv/other/x.js', 'touch', null],
    ]);
    expect(new Set(rows('file_touches').map((row) => row.touch_id)).size).toBe(5);
  });

  it('keeps a confirmation by hand as a claim, not as proof', async () => {
    const { rows } = await read(
      '- {id: L1, state: BLOCKED_NEEDS_HUMAN, verification_mode: manual, manual_confirmed: true, manual_note: Looked at it, last_verdict: {summary: "testrun batch: 0/1 passed", ac_snapshot: {ac-1: x}}}',
    );
    expect(rows('requirements_told')).toEqual([expect.objectContaining({ claimed_pass: true })]);
    expect(rows('evidence_told')).toEqual([]);
    expect(rows('log_events').find((row) => row.kind === 'manual_override')).toMatchObject({
      message: 'Looked at it',
      level: 'warning',
    });
  });

  it('reports what it cannot read and reads the rest', async () => {
    const { rows, issues, counts } = await read(
      '- {id: L1, state: SLEEPING, last_run: yesterday}\n- {title: no id}\n- word\n- {id: L1, state: PLANNED}',
    );
    expect(issues[PATH]?.map(({ code }) => code)).toEqual([
      'unknown_status',
      'time_invalid',
      'missing_field',
      'wrong_type',
      'duplicate_id',
    ]);
    expect(rows('features_told')).toHaveLength(1);
    expect(counts[PATH]).toEqual({ ok: 2, bad: 2 });
  });

  it('reports a file without tasks, a fence that is not closed, and YAML that is none', async () => {
    const of = async (text: string) =>
      (await readWith(documents, { [PATH]: text })).issues[PATH]?.map(({ code, line }) => [code, line]);
    expect(await of('# Nothing\n')).toEqual([['unknown_shape', null]]);
    expect(await of('```yaml\ntasks:\n  - {id: L1, state: PLANNED}\n')).toEqual([['line_cut', null]]);
    expect((await of('```yaml\ntasks:\n  - {id: L1\n```\n'))?.[0]?.[0]).toBe('yaml_invalid');
  });
});
