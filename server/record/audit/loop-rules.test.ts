import { describe, expect, it, onTestFinished } from 'vitest';
import { openRecord } from '../index.ts';
import { AGENT_LOOP } from '../ingest/agent-loop/index.ts';
import { IMPLEMENTATION, PLAN, PROFILE_TEXT, REPORT, runFiles, TASK } from '../ingest/agent-loop/test-run.ts';
import { testFolder } from '../test-folder.ts';
import { sameWords } from './oscillation.ts';
import { ruleTester } from './test-rule.ts';

const RUN = '2026-05-04-chime';
const [adapter] = AGENT_LOOP;
if (!adapter) throw new Error('agent-loop has an adapter');
const says = ruleTester(adapter, [
  'runs_told',
  'features_told',
  'observations_told',
  'log_events',
  'file_touches',
]);
const iterations = (...parts: [cause: string, fix: string][]): string =>
  IMPLEMENTATION.slice(0, IMPLEMENTATION.indexOf('## Debug')) +
  parts
    .map(([cause, fix], i) => `## Debug iteration ${i + 1}\n- Root cause: ${cause}\n- Fix: ${fix}\n`)
    .join('\n');
const FOUR: [string, string][] = [
  ['the timer starts too early', 'wait for the clock'],
  ['the quiet hours are read as text', 'parse them as numbers'],
  ['midnight counts as hour 24', 'take the hour modulo 24'],
  ['the sound file is missing', 'add it to the build'],
];

describe('a run that keeps the contract', () => {
  /** Every finding there is, of these rules or any other, but for notes of reading. */
  const all = async (files: Record<string, string>): Promise<string[]> => {
    const record = await openRecord({ root: await testFolder(files), database: ':memory:' });
    onTestFinished(() => record.close());
    const { rows } = await record.store.query('SELECT rule, says FROM findings ORDER BY finding_id');
    return rows.map((row) => `${row.rule}: ${row.says}`);
  };

  it('has no finding of any rule', async () => {
    expect(await all(runFiles())).toEqual([]);
  });

  it('has none as a small task without analysis and plan either', async () => {
    const files = runFiles({
      'analysis.md': null,
      'plan.md': null,
      'task.md': TASK.replace('Tier: L', 'Tier: S'),
      'implementation.md': IMPLEMENTATION.replace(/## Deviations from plan\nnone\n\n/, ''),
    });
    expect(await all(files)).toEqual([]);
  });
});

describe('missing_artifact', () => {
  it('finds what a tier needs and a later stage shows to have been skipped', async () => {
    expect(await says('missing_artifact', runFiles({ 'analysis.md': null }))).toEqual([
      `${RUN} (tier L) has no analysis.md, although plan.md is there [9]`,
    ]);
    expect(await says('missing_artifact', runFiles({ 'task.md': null }))).toEqual([
      `${RUN} has no task.md, although analysis.md is there [1]`,
    ]);
  });

  it('waits for the last stages of the latest run, and not of an earlier one', async () => {
    const open = runFiles({ 'test-report.md': null });
    expect(await says('missing_artifact', open)).toEqual([]);
    expect(await says('missing_artifact', { ...open, ...runFiles({}, '2026-05-04-other') })).toEqual([]);
    expect(await says('missing_artifact', { ...open, ...runFiles({}, '2026-05-05-other') })).toEqual([
      `${RUN} (tier L) has no test-report.md, and a later run has begun [9]`,
    ]);
  });

  it('needs no analysis for tier S and no plan for tier M', async () => {
    const of = (tier: string, gone: Record<string, null>) =>
      says('missing_artifact', runFiles({ ...gone, 'task.md': TASK.replace('Tier: L', `Tier: ${tier}`) }));
    expect(await of('M', { 'plan.md': null })).toEqual([]);
    expect(await of('S', { 'analysis.md': null, 'plan.md': null })).toEqual([]);
    expect(await of('M', { 'analysis.md': null })).toHaveLength(1);
  });

  it('finds that there is no profile', async () => {
    const { '.agent-loop/profile.md': profile, ...files } = runFiles();
    expect(profile).toBe(PROFILE_TEXT);
    expect(await says('missing_artifact', files)).toEqual([
      'There is no profile.md, although a run was made [1]',
    ]);
  });
});

describe('missing_section', () => {
  it('finds sections that are not there and such that hold nothing, once for each artifact', async () => {
    const plan = PLAN.replace('## Out of scope\nMelodies.\n\n', '').replace(
      /1\. Write[\s\S]*?settings\.\n/,
      '<!-- later -->\n',
    );
    expect(await says('missing_section', runFiles({ 'plan.md': plan }))).toEqual([
      `plan.md of ${RUN} has nothing under "Steps" and no "Out of scope" [1 10]`,
    ]);
  });

  it('needs findings of a FAIL and not of a PASS', async () => {
    expect(
      await says('missing_section', runFiles({ 'test-report.md': REPORT.replace('PASS', 'FAIL') })),
    ).toEqual([`test-report.md of ${RUN} has nothing under "Findings" [1 6]`]);
  });

  it('looks into the profile too', async () => {
    const files = {
      ...runFiles(),
      '.agent-loop/profile.md': PROFILE_TEXT.replace('## Stack\nTypeScript, Node.\n', ''),
    };
    expect(await says('missing_section', files)).toEqual(['profile.md has no "Stack" [1]']);
  });

  it('takes "and" for "&", and any case', async () => {
    const plan = PLAN.replace('## Decisions & rationale', '## Decisions and Rationale').replace(
      '## Steps',
      '## STEPS',
    );
    expect(await says('missing_section', runFiles({ 'plan.md': plan }))).toEqual([]);
  });
});

describe('plan_without_check', () => {
  it('finds a plan with no command, with prose instead, or without the section', async () => {
    const of = (instead: string) =>
      says('plan_without_check', runFiles({ 'plan.md': PLAN.replace(/## Runnable check[\s\S]*/, instead) }));
    expect(await of('## Runnable check\n```\n<command>\n```\n')).toEqual([
      `The plan of ${RUN} names no runnable check; it says "<command>" instead [18]`,
    ]);
    expect(await of('## Runnable check\nClick around a little.\n')).toEqual([
      `The plan of ${RUN} names no runnable check; it says "Click around a little." instead [18]`,
    ]);
    expect(await of('')).toEqual([`The plan of ${RUN} names no runnable check [1]`]);
  });

  it('takes a line of code for a command', async () => {
    const plan = PLAN.replace(/## Runnable check[\s\S]*/, '## Runnable check\n`npm test -- chime`\n');
    expect(await says('plan_without_check', runFiles({ 'plan.md': plan }))).toEqual([]);
  });
});

describe('verdict_not_exact', () => {
  it('finds words in the place of a verdict, and none at all', async () => {
    const of = (verdict: string) =>
      says('verdict_not_exact', runFiles({ 'test-report.md': REPORT.replace('PASS', verdict) }));
    expect(await of('Looks good to me.')).toEqual([
      `The verdict of ${RUN} is "Looks good to me.", which is neither PASS nor FAIL [4]`,
    ]);
    expect(await of('')).toEqual([`The test report of ${RUN} gives no verdict [3]`]);
    expect(await of('FAIL')).toEqual([]);
  });
});

describe('verdict_against_evidence', () => {
  const of = (change: (report: string) => string) =>
    says('verdict_against_evidence', runFiles({ 'test-report.md': change(REPORT) }));

  it('finds a PASS beside failed cases, findings or an exit code', async () => {
    expect(await of((text) => text.replace('4 passed (4)', '1 failed | 3 passed (4)'))).toEqual([
      `The verdict of ${RUN} is PASS, yet the report shows 1 failed case [4 15]`,
    ]);
    expect(
      await of((text) =>
        text
          .replace('## Findings\n', '## Findings\n- it chimes twice\n')
          .replace('(4)\n', '(4)\nexit code 1\n'),
      ),
    ).toEqual([`The verdict of ${RUN} is PASS, yet the report shows exit code 1 and lists 1 finding [4 16]`]);
  });

  it('finds a FAIL that nothing speaks for', async () => {
    expect(await of((text) => text.replace('PASS', 'FAIL'))).toEqual([
      `The verdict of ${RUN} is FAIL, yet the report shows 4 cases that passed, none that failed, and no finding [4 15]`,
    ]);
  });

  it('finds nothing in a FAIL with a reason, nor in words that no output says', async () => {
    expect(
      await of((text) =>
        text.replace('PASS', 'FAIL').replace('## Findings\n', '## Findings\n- chimes at night\n'),
      ),
    ).toEqual([]);
    expect(await of((text) => `${text}\nEarlier 2 failed, before the fix.\n`)).toEqual([]);
    expect(await of((text) => text.replace('## Findings\n', '## Findings\nNone.\n'))).toEqual([]);
  });
});

describe('verifier_inputs', () => {
  const of = (change: (report: string) => string, changed: Record<string, string | null> = {}) =>
    says('verifier_inputs', runFiles({ ...changed, 'test-report.md': change(REPORT) }));

  it('finds a PASS that does not show the check, or rests on the implementer', async () => {
    expect(await of((text) => text.replace('npm test -- chime', 'npm test -- dial'))).toEqual([
      `The verdict of ${RUN} is PASS, and its evidence does not show that the plan's check was run: npm test -- chime [4 11 21]`,
    ]);
    expect(await of((text) => `${text}All green, see implementation.md.\n`)).toEqual([
      `The verdict of ${RUN} rests on what the implementer says: "All green, see implementation.md." [4 17]`,
    ]);
    const small = { 'plan.md': null, 'analysis.md': null };
    expect(await of((text) => text.replace(/```[\s\S]*```/, 'I looked at it.'), small)).toEqual([
      `The verdict of ${RUN} is PASS, and its evidence shows no command that was run [4 11]`,
    ]);
  });

  it('finds nothing where white space differs, nor in a FAIL', async () => {
    expect(await of((text) => text.replace('npm test -- chime', 'npm  test --  chime'))).toEqual([]);
    expect(await of((text) => text.replace('PASS', 'FAIL').replace('npm test -- chime', 'ls'))).toEqual([]);
    expect(
      await of((text) => text.replace('## Findings\n', '## Findings\nimplementation.md is out of date.\n')),
    ).toEqual([]);
  });
});

describe('the bounds of the loop', () => {
  it('finds a fourth debug iteration, and allows three', async () => {
    const of = (n: number) =>
      says('debug_cap_exceeded', runFiles({ 'implementation.md': iterations(...FOUR.slice(0, n)) }));
    expect(await of(3)).toEqual([]);
    expect(await of(4)).toEqual([`${RUN} has 4 debug iterations, and the loop has to stop after 3 [28]`]);
  });

  it('finds a run that ended at the cap and told nobody', async () => {
    const failed = REPORT.replace('PASS', 'FAIL');
    const of = (n: number, report: string) =>
      says(
        'escalation_missing',
        runFiles({ 'implementation.md': iterations(...FOUR.slice(0, n)), 'test-report.md': report }),
      );
    expect(await of(3, failed)).toEqual([
      `${RUN} has 3 debug iterations and no PASS, and no summary for a person [4 24]`,
    ]);
    expect(await of(2, failed)).toEqual([]);
    expect(await of(3, REPORT)).toEqual([]);
    expect(await of(3, `${failed}\n## Escalation\nIt cannot be done.\n`)).toEqual([]);
  });

  it('finds a debugger that goes in a circle', async () => {
    const of = (...parts: [string, string][]) =>
      says('oscillation', runFiles({ 'implementation.md': iterations(...parts) }));
    const [a, b] = FOUR;
    if (!a || !b) throw new Error('there are four');
    expect(await of(a, b, ['The timer starts too early.', 'start it last'])).toEqual([
      `Debug iteration 3 of ${RUN} names the same root cause as iteration 1 [16 24]`,
    ]);
    expect(await of(a, ['the clock is late', 'revert the wait for the clock'])).toEqual([
      `Debug iteration 2 of ${RUN} takes back what was done in iteration 1 [16 20]`,
    ]);
    expect(await of(a, ['the clock is late', 'Wait for the clock'])).toEqual([
      `Debug iteration 2 of ${RUN} makes the same fix as iteration 1 [16 20]`,
    ]);
    expect(await of(...FOUR)).toEqual([]);
    expect(await of(['the revert was lost', 'revert the setting by hand'])).toEqual([]);
  });

  it('takes texts of mostly the same words for one', () => {
    expect(sameWords('the hour was read too early', 'The hour is read too early!')).toBe(true);
    expect(sameWords('the hour was read too early', 'the minute was read too early')).toBe(false);
    expect(sameWords('', '')).toBe(false);
  });
});

describe('unplanned_change', () => {
  it('finds files beyond the plan that no deviation tells of', async () => {
    const more = IMPLEMENTATION.replace('- src/settings.ts', '- src/dial.ts: moved\n- src/settings.ts');
    expect(await says('unplanned_change', runFiles({ 'implementation.md': more }))).toEqual([
      `${RUN} changed 1 file its plan does not list and tells of no deviation: src/dial.ts [5]`,
    ]);
    expect(
      await says(
        'unplanned_change',
        runFiles({ 'implementation.md': more.replace('none', '- the dial had to move') }),
      ),
    ).toEqual([]);
    const folder = PLAN.replace('`src/chime.ts`: new', 'src/: all of it');
    expect(
      await says('unplanned_change', runFiles({ 'implementation.md': more, 'plan.md': folder })),
    ).toEqual([]);
  });
});
