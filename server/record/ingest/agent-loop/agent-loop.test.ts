import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../../shared/limits.ts';
import type { FactTable } from '../../tables.ts';
import { readWith } from '../test-adapter.ts';
import { AGENT_LOOP } from './index.ts';
import { FOLDER, IMPLEMENTATION, PLAN, REPORT, runFiles, TASK } from './test-run.ts';

const [adapter] = AGENT_LOOP;
if (!adapter) throw new Error('agent-loop has an adapter');
const readRun = (changed: Readonly<Record<string, string | null>> = {}) =>
  readWith(adapter, runFiles(changed));
const FEATURE = `agent_loop.f${FOLDER}`;
type Read = Awaited<ReturnType<typeof readRun>>;
const fact = (read: Read, name: string) => read.rows('observations_told').find((row) => row.fact === name);
const only = (
  read: Read,
  table: FactTable,
  columns: readonly string[],
  where: Record<string, unknown> = {},
) =>
  read
    .rows(table)
    .filter((row) => Object.entries(where).every(([key, value]) => row[key] === value))
    .map((row) => columns.map((column) => row[column]));

describe('a run of agent-loop', () => {
  it('is a feature of the one run, with title, tier and the date of its folder', async () => {
    const read = await readRun();
    expect(new Set(read.rows('runs_told').map((row) => `${row.run_id} ${row.harness}`))).toEqual(
      new Set(['agent_loop agent_loop']),
    );
    expect(
      only(read, 'features_told', [
        'feature_id',
        'ext_id',
        'title',
        'description',
        'category',
        'source_line',
      ]),
    ).toEqual([
      [
        FEATURE,
        FOLDER,
        'Let the clock chime every hour',
        'Let the clock chime every hour. Nobody wants it at night.',
        'tier L',
        3,
      ],
    ]);
    expect(fact(read, 'tier')).toMatchObject({ text_value: 'L', source_kind: 'loop_task', source_line: 9 });
    expect(fact(read, 'mode')).toMatchObject({ text_value: 'A', source_line: 10 });
    expect(fact(read, 'run_date')).toMatchObject({ text_value: '2026-05-04', value: null });
    expect(Object.values(read.issues).flat()).toEqual([]);
  });

  it('has no times at all', async () => {
    const read = await readRun();
    for (const table of ['log_events', 'attempts', 'gate_events', 'runs_told', 'evidence_told'] as const)
      for (const row of read.rows(table))
        expect(
          [row.at_ms, row.started_at_ms, row.ended_at_ms].every(
            (time) => time === undefined || time === null,
          ),
        ).toBe(true);
  });

  it('has one attempt more than debug iterations, and only the last verdict', async () => {
    const read = await readRun();
    expect(only(read, 'attempts', ['n', 'verdict', 'passed', 'feedback', 'source_line', 'basis'])).toEqual([
      [1, null, null, 'the hour was read before the clock had started.', 3, 'claimed'],
      [2, 'pass', true, null, 16, 'claimed'],
    ]);
    expect(fact(read, 'attempts')).toMatchObject({ value: 2, how: '1 + 1 debug iteration', source_line: 16 });
    expect(
      only(read, 'log_events', ['message', 'source_line', 'last_line'], { kind: 'debug_iteration' }),
    ).toEqual([['Debug iteration 1: the hour was read before the clock had started.', 16, 20]]);
  });

  it('takes PASS for a measured gate event and accepts the task', async () => {
    const read = await readRun();
    expect(read.rows('gate_events')).toEqual([
      expect.objectContaining({
        gate: 'verifier',
        verdict: 'pass',
        attempt_n: 2,
        attempt_cap: 4,
        cases_run: 4,
        cases_passed: 4,
        attribution: 'unknown',
        source_kind: 'loop_test_report',
        source_line: 4,
      }),
    ]);
    expect(fact(read, 'status')).toMatchObject({ text_value: 'accepted', basis: 'measured', source_line: 4 });
  });

  it('lists what has to be true, and what the verdict proves of it', async () => {
    const read = await readRun();
    expect(only(read, 'requirements_told', ['ext_id', 'kind', 'text', 'source_line'])).toEqual([
      ['AC-1', 'criterion', 'it chimes once an hour', 6],
      [`${FOLDER}.criterion-2`, 'criterion', 'It is silent from 22 to 6', 7],
      [`${FOLDER}.check`, 'criterion', 'npm test -- chime', 21],
      [`${FOLDER}.manual-1`, 'criterion', 'listen to it at noon.', 24],
      [`${FOLDER}.step-1`, 'step', 'Write src/chime.ts.', 11],
      [`${FOLDER}.step-2`, 'step', 'Read the quiet hours from the settings.', 12],
    ]);
    expect(only(read, 'evidence_told', ['requirement_ref', 'polarity', 'link', 'says'])).toEqual([
      [`${FEATURE}.AC-1`, 'supports', 'inferred', 'PASS'],
      [`${FEATURE}.${FOLDER}.criterion-2`, 'supports', 'inferred', 'PASS'],
      [`${FEATURE}.${FOLDER}.check`, 'supports', 'explicit', 'PASS'],
      [`${FEATURE}.${FOLDER}.manual-1`, 'void', 'inferred', 'listed as not verified'],
      [`${FEATURE}.${FOLDER}.step-1`, 'supports', 'inferred', 'PASS'],
      [`${FEATURE}.${FOLDER}.step-2`, 'supports', 'inferred', 'PASS'],
    ]);
  });

  it('keeps the paths that were planned and changed', async () => {
    expect(only(await readRun(), 'file_touches', ['path', 'op', 'source_line'])).toEqual([
      ['src/chime.ts', 'listed', 7],
      ['src/settings.ts', 'listed', 8],
      ['src/chime.ts', 'touch', 4],
      ['src/settings.ts', 'touch', 5],
    ]);
  });

  it('keeps the profile, without commands that were never filled in', async () => {
    const read = await readRun();
    expect(
      only(read, 'log_events', ['kind', 'message', 'source_line'], { source_kind: 'loop_profile' }),
    ).toEqual([
      ['artifact', 'profile.md with 4 sections', 1],
      ['profile_command', 'Test: npm test', 4],
      ['profile_stack', 'TypeScript, Node.', 8],
      ['profile_exemplar', 'dial: src/dial.ts', 11],
      ['profile_convention', 'Hours count from 0.', 14],
    ]);
  });
});

describe('verdicts', () => {
  const report = (verdict: string, evidence: string, findings = '', more = ''): string =>
    `# Test report\n\n## Verdict\n${verdict}\n\n## Findings\n${findings}\n\n## Not verified\nNone\n\n## Evidence\n${evidence}\n${more}`;

  it.each(['looks good', 'pass', '**PASS**', 'PASS with remarks', 'PASS\nFAIL', ''])(
    'takes %j for none, which is the doing of the verifier',
    async (verdict) => {
      const read = await readRun({
        'test-report.md': report(verdict, '```\n$ npm test -- chime\n4 passed\n```'),
      });
      expect(read.rows('gate_events')).toEqual([
        expect.objectContaining({
          verdict: 'no_verdict',
          attribution: 'verifier',
          attribution_basis: expect.any(String),
        }),
      ]);
      expect(fact(read, 'status')).toMatchObject({ text_value: 'in_progress', basis: 'derived' });
      expect(read.rows('evidence_told').every((row) => row.polarity === 'void')).toBe(true);
    },
  );

  it('charges a failed case to the agent, and nothing else', async () => {
    const failed = await readRun({
      'test-report.md': report(
        'FAIL',
        '```\n$ npm test -- chime\n Tests  1 failed | 3 passed (4)\n```',
        '- src/chime.ts: chimes twice',
      ),
    });
    expect(failed.rows('gate_events')).toEqual([
      expect.objectContaining({
        verdict: 'block',
        attribution: 'agent',
        cases_run: 4,
        cases_passed: 3,
        reason: 'src/chime.ts: chimes twice',
      }),
    ]);
    expect(fact(failed, 'status')).toMatchObject({ text_value: 'failed', basis: 'measured' });
    expect(only(failed, 'evidence_told', ['requirement_ref', 'polarity'])).toEqual([
      [`${FEATURE}.${FOLDER}.check`, 'refutes'],
    ]);
    const read = await readRun({ 'test-report.md': report('FAIL', 'It is wrong.', '- it is wrong') });
    expect(read.rows('gate_events')).toEqual([
      expect.objectContaining({ attribution: 'unknown', attribution_basis: null }),
    ]);
  });

  it('charges a check that could not run to the machine', async () => {
    const read = await readRun({
      'test-report.md': report(
        'FAIL',
        '```\n$ npm test -- chime\nsh: vitest: command not found\nexit code 127\n```',
        '- not run',
      ),
    });
    expect(read.rows('gate_events')).toEqual([
      expect.objectContaining({
        attribution: 'infra',
        exit_code: 127,
        attribution_basis: 'the check could not run: sh: vitest: command not found',
      }),
    ]);
  });

  it('waits for a person after an escalation', async () => {
    const read = await readRun({
      'test-report.md': report(
        'FAIL',
        '```\n$ npm test -- chime\n1 failed\n```',
        '- wrong',
        '\n## Escalation summary\nThree tries, no way out.\n',
      ),
    });
    expect(fact(read, 'status')).toMatchObject({ text_value: 'blocked' });
    expect(only(read, 'log_events', ['message', 'level'], { kind: 'escalation' })).toEqual([
      ['Three tries, no way out.', 'error'],
    ]);
  });

  it('is pending without an implementation and in progress without a report', async () => {
    expect(fact(await readRun({ 'test-report.md': null }), 'status')).toMatchObject({
      text_value: 'in_progress',
    });
    const begun = await readRun({ 'test-report.md': null, 'implementation.md': null });
    expect(fact(begun, 'status')).toMatchObject({ text_value: 'pending' });
    expect(begun.rows('gate_events')).toEqual([]);
    expect(begun.rows('attempts')).toEqual([]);
  });

  it('proves nothing by a PASS that does not show the check', async () => {
    const read = await readRun({ 'test-report.md': report('PASS', '```\n$ npm run lint\n```') });
    expect(
      only(read, 'evidence_told', ['polarity', 'says'], { requirement_ref: `${FEATURE}.${FOLDER}.check` }),
    ).toEqual([['void', 'PASS, but the evidence does not show that the check was run']]);
  });

  it('proves nothing by a PASS whose own evidence shows failures, nor a step whose box is empty', async () => {
    const failing = await readRun({
      'test-report.md': report('PASS', '```\n$ npm test -- chime\n1 failed, 3 passed\n```'),
    });
    expect(only(failing, 'evidence_told', ['polarity', 'says'], { link: 'explicit' })).toEqual([
      ['void', 'PASS, but the evidence shows failures'],
    ]);
    const steps = await readRun({
      'plan.md': PLAN.replace('1. Write', '- [ ] Write').replace('2. Read', '- [x] Read'),
    });
    expect(only(steps, 'requirements_told', ['ext_id', 'claimed_pass'], { kind: 'step' })).toEqual([
      [`${FOLDER}.step-1`, false],
      [`${FOLDER}.step-2`, true],
    ]);
    expect(
      steps
        .rows('evidence_told')
        .flatMap(({ requirement_ref }) =>
          String(requirement_ref).includes('step') ? [requirement_ref] : [],
        ),
    ).toEqual([`${FEATURE}.${FOLDER}.step-2`]);
  });

  it('takes the task itself for what is proven where there is no plan', async () => {
    const read = await readRun({
      'plan.md': null,
      'analysis.md': null,
      'task.md': 'Paint the dial.\n\nTier S, Mode B (no subagents)\n',
    });
    expect(only(read, 'requirements_told', ['ext_id', 'kind', 'text'])).toEqual([
      [`${FOLDER}.task`, 'feature', 'Paint the dial.'],
    ]);
    expect(only(read, 'evidence_told', ['polarity', 'link'])).toEqual([['supports', 'explicit']]);
    expect(fact(read, 'mode')).toMatchObject({ text_value: 'B' });
    expect(fact(read, 'tier')).toMatchObject({ text_value: 'S' });
  });
});

describe('what is not as it should be', () => {
  it('reads nothing out of comments, and comments out of no code', async () => {
    const read = await readRun({
      'implementation.md': `${IMPLEMENTATION}\n<!--\n## Debug iteration 2\n- Root cause: none\n-->\n`,
      'plan.md': PLAN.replace('npm test -- chime', 'npm test -- "<!-- chime -->"'),
      'test-report.md': REPORT.replace('PASS', '<!-- Exactly PASS or FAIL. -->\nPASS').replace(
        'npm test -- chime',
        'npm test -- "<!-- chime -->"',
      ),
    });
    expect(fact(read, 'attempts')).toMatchObject({ value: 2 });
    expect(fact(read, 'status')).toMatchObject({ text_value: 'accepted', source_line: 5 });
    expect(only(read, 'log_events', ['message'], { kind: 'runnable_check' })).toEqual([
      ['npm test -- "<!-- chime -->"'],
    ]);
    expect(only(read, 'evidence_told', ['polarity'], { link: 'explicit' })).toEqual([['supports']]);
  });

  it('finds no check in the place holder of the template or in prose', async () => {
    for (const instead of ['```\n<command>\n```', 'Run the tests and look.', '']) {
      const read = await readRun({
        'plan.md': PLAN.replace(/## Runnable check[\s\S]*/, `## Runnable check\n\n${instead}\n`),
      });
      expect(only(read, 'log_events', ['level', 'source_line'], { kind: 'runnable_check' })).toEqual([
        ['error', 18],
      ]);
    }
  });

  it('says where a comment hides the rest', async () => {
    const read = await readRun({ 'task.md': `${TASK}<!-- to be continued\n` });
    expect(read.issues[`.agent-loop/runs/${FOLDER}/task.md`]).toEqual([
      expect.objectContaining({ code: 'unknown_shape', line: 12 }),
    ]);
  });

  it('says that a task has no tier, that numbers of iterations skip, and that a folder has no date', async () => {
    const read = await readWith(
      adapter,
      runFiles(
        {
          'task.md': 'Wind it up.\n',
          'implementation.md': IMPLEMENTATION.replace('iteration 1', 'iteration 3'),
        },
        'chime',
      ),
    );
    const codes = Object.values(read.issues)
      .flat()
      .map(({ code, detail }) => [code, detail]);
    expect(codes).toEqual(
      [
        ['missing_field', 'task.md says no tier (S, M or L) and no mode (A or B).'],
        ['time_invalid', 'The folder chime does not begin with a date, so nothing says when this was run.'],
        ['out_of_range', 'Debug iterations are numbered 3; they were counted in the order of the file.'],
      ].sort(
        (a, b) => codes.findIndex(([code]) => code === a[0]) - codes.findIndex(([code]) => code === b[0]),
      ),
    );
    expect(fact(read, 'attempts')).toMatchObject({ value: 2 });
    expect(fact(read, 'run_date')).toBeUndefined();
  });

  it('takes 30 February for no date', async () => {
    const read = await readWith(adapter, runFiles({}, '2026-02-30-chime'));
    expect(fact(read, 'run_date')).toBeUndefined();
  });

  it('gives each row an id of its own, and the same ones again', async () => {
    const ids = (read: Read) =>
      (
        [
          ['log_events', 'event_id'],
          ['attempts', 'attempt_id'],
          ['observations_told', 'observation_id'],
          ['evidence_told', 'evidence_id'],
          ['requirements_told', 'requirement_id'],
          ['file_touches', 'touch_id'],
        ] as const
      ).flatMap(([table, column]) => read.rows(table).map((row) => `${table} ${row[column]}`));
    const first = ids(await readRun());
    expect(new Set(first).size).toBe(first.length);
    expect(ids(await readRun())).toEqual(first);
  });

  it('stops where a file has more lines than are read, and says so', async () => {
    const read = await readRun({
      'test-report.md': `${REPORT}\n\`\`\`\n${'ok\n'.repeat(LIMITS.sourceEntries)}`,
    });
    expect(fact(read, 'status')).toMatchObject({ text_value: 'accepted' });
    expect(read.issues[`.agent-loop/runs/${FOLDER}/test-report.md`]).toEqual([
      expect.objectContaining({ code: 'too_many_entries', line: 50_001 }),
    ]);
  });
});
