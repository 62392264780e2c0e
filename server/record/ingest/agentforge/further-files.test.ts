import { describe, expect, it } from 'vitest';
import { type Read, readWith } from '../test-adapter.ts';
import { AGENTFORGE } from './index.ts';

const PLAN = JSON.stringify([{ id: 7, category: 'cards', description: 'Dial: a round face', passes: false }]);
async function read(files: Record<string, string>): Promise<Read> {
  const [adapter] = AGENTFORGE;
  if (!adapter) throw new Error('there is an adapter');
  return readWith(adapter, files);
}
const report = (over: Record<string, unknown> = {}): string =>
  JSON.stringify(
    {
      feature_id: 7,
      gates: { compilation: true, tests: 'failed' },
      scores: { completeness: 8, visual_quality: 6, no_placeholders: 10 },
      overall: 8,
      pass: true,
      feedback: [
        { dimension: 'visual_quality', issue: 'hands overlap', file: 'dial.tsx', fix: 'raise one' },
        'looks flat',
      ],
      summary: 'Nearly there.',
      tokens_evaluator: 4_100,
      ...over,
    },
    null,
    1,
  );

describe('evaluator reports', () => {
  it('give scores by dimension, gates, the attempt and the score of the feature', async () => {
    const found = await read({
      'feature_list.json': PLAN,
      '.ralph-logs/iter-3-attempt-2-eval.json': report(),
    });
    expect(found.issues['.ralph-logs/iter-3-attempt-2-eval.json']).toEqual([]);
    expect(
      found
        .rows('evaluations')
        .map((row) => [row.dimension, row.score, row.weight, row.attempt_n, row.source_line]),
    ).toEqual([
      ['completeness', 8, 0.4, 2, 8],
      ['visual_quality', 6, 0.3, 2, 9],
      ['no_placeholders', 10, 0.3, 2, 10],
      ['overall', 8, undefined, 2, 12],
    ]);
    expect(found.rows('evaluations')[1]?.rationale).toBe('dial.tsx: hands overlap (raise one)');
    expect(
      found.rows('gate_events').map((row) => [row.gate, row.verdict, row.attribution, row.source_line]),
    ).toEqual([
      ['compilation', 'pass', 'unknown', 4],
      ['tests', 'block', 'unknown', 5],
      ['evaluator', 'pass', 'unknown', 13],
    ]);
    expect(found.rows('attempts')).toMatchObject([
      {
        feature_id: 'r1.f7',
        n: 2,
        score: 8,
        passed: true,
        tokens_evaluator: 4_100,
        link_method: 'explicit',
        basis: 'measured',
      },
    ]);
    expect(found.rows('attempts')[0]?.feedback).toBe('dial.tsx: hands overlap (raise one)\nlooks flat');
    expect(found.rows('observations_told').filter((row) => row.fact === 'score')).toMatchObject([
      { value: 8, basis: 'measured', how: 'attempt 2', source_kind: 'evaluator_report' },
    ]);
  });

  it('tell the score of the last attempt only, and are in the order of their names where none is numbered', async () => {
    const found = await read({
      '.ralph-logs/a.json': report({ overall: 4, pass: false }),
      '.ralph-logs/b.json': report({ overall: 9 }),
    });
    expect(found.rows('attempts').map((row) => [row.n, row.score, row.verdict, row.link_method])).toEqual([
      [1, 4, 'block', 'order'],
      [2, 9, 'pass', 'order'],
    ]);
    expect(found.rows('observations_told').map((row) => [row.fact, row.value])).toEqual([['score', 9]]);
    expect(found.rows('runs_told')).toMatchObject([{ run_id: 'r1', is_current: true }]);
    expect(found.rows('features_told')).toMatchObject([{ feature_id: 'r1.f7', title: 'Feature 7' }]);
  });

  it('are read as far as they can be', async () => {
    const text = report({ pass: 'yes', overall: 12 })
      .replace('"completeness": 8', '"completeness": NaN')
      .replace('"tests": "failed"', '"tests": "skipped"');
    const found = await read({
      '.ralph-logs/a.json': text,
      '.ralph-logs/b.json': report({ feature_id: null, scores: {} }),
    });
    expect(found.issues['.ralph-logs/a.json']?.map(({ code }) => code).sort()).toEqual([
      'not_a_number',
      'out_of_range',
      'wrong_type',
    ]);
    expect(found.issues['.ralph-logs/b.json']?.map(({ code }) => code)).toEqual(['missing_field']);
    expect(found.rows('evaluations').map((row) => [row.dimension, row.state])).toEqual([
      ['completeness', 'unscored'],
      ['visual_quality', 'scored'],
      ['no_placeholders', 'scored'],
      ['overall', 'unscored'],
    ]);
    expect(found.rows('gate_events').map((row) => [row.gate, row.verdict])).toEqual([
      ['compilation', 'pass'],
      ['tests', 'no_verdict'],
      ['evaluator', 'no_verdict'],
    ]);
    expect(found.counts).toMatchObject({
      '.ralph-logs/a.json': { ok: 1, bad: 0 },
      '.ralph-logs/b.json': { ok: 0, bad: 1 },
    });
  });
});

describe('feedback files', () => {
  const path = '.ralph-logs/feedback.md';
  it('give the score, what it had to be, and what to mend', async () => {
    const found = await read({
      'feature_list.json': PLAN,
      [path]:
        '# Evaluator Feedback — Feature #7, Attempt 2\n\n## Score: 6/10 (need 7 to pass)\n\n## Issues to fix:\n- hands overlap\n\n## Summary:\nAlmost.\n',
    });
    expect(found.rows('evaluations')).toMatchObject([
      {
        feature_id: 'r1.f7',
        attempt_n: 2,
        dimension: 'overall',
        score: 6,
        threshold: 7,
        passed: false,
        source_line: 3,
      },
    ]);
    expect(found.rows('gate_events')).toMatchObject([
      { gate: 'evaluator', verdict: 'block', source_line: 1, last_line: 9 },
    ]);
    expect(found.rows('attempts')).toMatchObject([
      {
        n: 2,
        score: 6,
        passed: false,
        verdict: 'block',
        feedback: '## Issues to fix:\n- hands overlap\n## Summary:\nAlmost.',
      },
    ]);
    expect(found.counts[path]).toEqual({ ok: 1, bad: 0 });
  });

  it('tell a build that failed from a machine that did', async () => {
    const code = await read({
      [path]: "# Build Failed — Feature #7, Attempt 1\n\nerror TS2304: Cannot find name 'x'.\n",
    });
    expect(code.rows('gate_events')).toMatchObject([
      {
        feature_id: 'r1.f7',
        attempt_n: 1,
        gate: 'compilation',
        verdict: 'block',
        attribution: 'unknown',
        attribution_basis: null,
      },
    ]);
    const machine = await read({
      [path]: '# Build Failed — fix the errors below\n\nsh: next: command not found\n',
    });
    expect(machine.rows('gate_events')).toMatchObject([
      { feature_id: null, verdict: 'error', attribution: 'infra' },
    ]);
    expect(machine.rows('gate_events')[0]?.attribution_basis).toContain('the machine failed');
    expect(machine.rows('attempts')).toEqual([]);
  });

  it('are read one after the other where one was appended to the other', async () => {
    const one = (attempt: number, score: number): string =>
      `# Evaluator Feedback — Feature #7, Attempt ${attempt}\n## Score: ${score}/10\ntext\n`;
    const found = await read({ [path]: one(1, 3) + one(2, 40) });
    expect(found.rows('attempts').map((row) => [row.n, row.score, row.verdict, row.source_line])).toEqual([
      [1, 3, 'no_verdict', 1],
      [2, null, 'no_verdict', 4],
    ]);
    expect(found.issues[path]?.map(({ code, line }) => [code, line])).toEqual([['out_of_range', 5]]);
  });
});

describe('logs of the loop', () => {
  const of = (name: string, text: string) =>
    read({ 'feature_list.json': PLAN, [`.ralph-logs/${name}`]: text });

  it('give the verdict of a build, the last word counting', async () => {
    const gates = async (text: string) =>
      (await of('build.log', text))
        .rows('gate_events')
        .map((row) => [row.gate, row.verdict, row.attribution, row.source_line]);
    expect(await gates('▲ Next\n ✓ Compiled successfully\n')).toEqual([
      ['compilation', 'pass', 'unknown', 2],
    ]);
    expect(await gates('Failed to compile.\nerror TS1005\n')).toEqual([
      ['compilation', 'block', 'unknown', 1],
    ]);
    expect(await gates('Failed to compile.\n\n✓ Compiled in 2s\n')).toEqual([
      ['compilation', 'pass', 'unknown', 3],
    ]);
    expect(await gates('sh: 1: next: command not found\n')).toEqual([['compilation', 'error', 'infra', 1]]);
    expect(await gates('nothing of note\n')).toEqual([['compilation', 'no_verdict', 'unknown', 1]]);
    expect(await gates('')).toEqual([]);
    const events = (await of('build.log', 'Failed to compile.\nsrc/a.ts: error TS1005\n')).rows('log_events');
    expect(events.map((row) => [row.kind, row.message, row.source_line])).toEqual([
      ['build_error', 'Failed to compile.', 1],
      ['build_error', 'src/a.ts: error TS1005', 2],
    ]);
  });

  it('show that an attempt was made, for which feature and with how many tokens', async () => {
    const text =
      '[2026-01-02T10:00:00Z] start\nBuild feature #7: Dial\nfeature #9 is not meant\n[2026-01-02T10:02:00Z] done\ntokens used\n28,468\n';
    const found = await of('iter-3-attempt-2-codex.log', text);
    expect(found.rows('attempts')).toMatchObject([
      {
        feature_id: 'r1.f7',
        n: 2,
        tokens_coder: 28_468,
        link_method: 'prompt',
        started_at_ms: Date.UTC(2026, 0, 2, 10),
        ended_at_ms: Date.UTC(2026, 0, 2, 10, 2),
        source_line: 6,
      },
    ]);
    expect(found.rows('log_events').map((row) => row.data)).toEqual([
      '{"iteration":3,"attempt":2,"feature":"7","lines":6}',
    ]);
    const unknown = await of('iter-3-attempt-1-codex.log', 'tokens used: 1,2\nnothing\n');
    expect(unknown.rows('attempts')).toMatchObject([
      { feature_id: null, n: 1, tokens_coder: null, link_method: 'unknown' },
    ]);
  });

  it('keep a plan, the errors of a server, and the paths of a patch', async () => {
    const plan = await of('iteration-5-plan.log', 'All well.\n\nNext: #8\n');
    expect(plan.rows('log_events').map((row) => [row.kind, row.message])).toEqual([
      ['planning_log', 'All well.\nNext: #8'],
    ]);
    const server = await of(
      'dev-server.log',
      'GET / 200 in 5ms\n GET /dial 500 in 3ms\nReferenceError: x is not defined\nready\n',
    );
    expect(server.rows('log_events').map((row) => [row.kind, row.source_line])).toEqual([
      ['server_error', 2],
      ['server_error', 3],
    ]);
    const patch = await of(
      'diff.txt',
      'diff --git a/src/dial.tsx b/src/dial.tsx\nnew file mode 100644\n--- /dev/null\n+++ b/src/dial.tsx\n@@ -0,0 +1,2 @@\n+one\n+two\ndiff --git a/old.ts b/old.ts\n--- a/old.ts\n+++ b/old.ts\n@@ -1,2 +1 @@\n-gone\n kept\n',
    );
    expect(
      patch.rows('file_touches').map((row) => [row.path, row.op, row.lines_added, row.lines_removed]),
    ).toEqual([
      ['src/dial.tsx', 'create', 2, 0],
      ['old.ts', 'edit', 0, 1],
    ]);
  });
});
