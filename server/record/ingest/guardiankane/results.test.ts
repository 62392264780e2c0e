import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { documents } from './documents.ts';

const TRACKER = `\`\`\`yaml\ntasks:\n  - id: L1\n    title: Lend\n    state: IN_PROGRESS\n    test_file: [.testmuai/tests/lend-a-book_test.md]\n\`\`\`\n`;
const DEFINITION = `---
assurance:
  id: t-1
  base: sha256:aa
---
# Lend a book

> Prove that a reader can borrow.

## Step 1

Open {{url}}.

## Step 2 — assert @verifies ac-1

Confirm the shelf — the stated promise: A lent book is off the shelf.

## Step 3 — assert @verifies ac-2, ac-3

Confirm the due date — the stated promise: A lent book has a due date.
`;
const result = (...steps: string[]): string =>
  [
    '---',
    'test: ../lend-a-book_test.md',
    'status: failed',
    'started: 2026-05-04T10:00:00.000Z',
    'duration_s: 90',
    'session_id: s-1',
    '---',
    '',
    '# Lend a book — Result',
    '',
    ...steps,
    '',
  ].join('\n');
const RESULT_PATH = '.testmuai/tests/output-lend-a-book/Result.md';
const read = (text: string) =>
  readWith(documents, {
    '.testmuai/task-tracker.md': TRACKER,
    '.testmuai/tests/lend-a-book_test.md': DEFINITION,
    [RESULT_PATH]: text,
  });

describe('the definition of a test', () => {
  it('gives criteria of the task the test belongs to', async () => {
    const { rows, counts } = await read(result());
    expect(
      rows('requirements_told').map((row) => [row.requirement_id, row.feature_id, row.text, row.source_line]),
    ).toEqual([
      ['guardiankane.qL1.ac-1', 'guardiankane.fL1', 'A lent book is off the shelf.', 14],
      ['guardiankane.qL1.ac-2', 'guardiankane.fL1', 'A lent book has a due date. (2 criteria)', 18],
      ['guardiankane.qL1.ac-3', 'guardiankane.fL1', 'A lent book has a due date. (2 criteria)', 18],
    ]);
    expect(counts['.testmuai/tests/lend-a-book_test.md']).toEqual({ ok: 3, bad: 0 });
  });
});

describe('the result of a test', () => {
  it('is a run with its steps, tied to what they verify', async () => {
    const { rows, counts, issues } = await read(
      result(
        '## Import: t-1 ✓ passed (1.5s)',
        '## Step 1 ✓ passed (0.12s)',
        'md5: abc',
        'Open {{url}}.',
        '## Step 2 — assert ✓ passed (2s)',
        '## Step 3 — assert ✗ failed (42.9s)',
        'Reason: No date shown — bug verdict: Due date is empty [product_bug/missing_value, confidence 0.91]',
        'Confirm the due date.',
        '## Step 4 ⏭ skipped',
      ),
    );
    expect(issues[RESULT_PATH]).toEqual([]);
    expect(counts[RESULT_PATH]).toEqual({ ok: 5, bad: 0 });
    expect(rows('test_runs')).toEqual([
      expect.objectContaining({
        status: 'failed',
        cases: 5,
        started_at_ms: Date.UTC(2026, 4, 4, 10),
        duration_ms: 90_000,
      }),
    ]);
    expect(
      rows('test_results').map((row) => [row.name, row.status, row.duration_ms, row.requirement_refs]),
    ).toEqual([
      ['Import: t-1', 'passed', 1500, null],
      ['Step 1: Open {{url}}.', 'passed', 120, null],
      ['Step 2', 'passed', 2000, 'guardiankane.qL1.ac-1'],
      ['Step 3: Confirm the due date.', 'failed', 42_900, 'guardiankane.qL1.ac-2 guardiankane.qL1.ac-3'],
      ['Step 4', 'skipped', null, null],
    ]);
    expect(
      rows('evidence_told').map((row) => [row.requirement_ref, row.polarity, row.link, row.at_ms]),
    ).toEqual([
      ['guardiankane.qL1.ac-1', 'supports', 'tag', Date.UTC(2026, 4, 4, 10, 1, 30)],
      ['guardiankane.qL1.ac-2', 'refutes', 'tag', Date.UTC(2026, 4, 4, 10, 1, 30)],
      ['guardiankane.qL1.ac-3', 'refutes', 'tag', Date.UTC(2026, 4, 4, 10, 1, 30)],
    ]);
    const [family] = rows('log_events').filter((row) => row.kind === 'failure_family');
    expect(family).toMatchObject({
      message: 'Due date is empty',
      feature_id: 'guardiankane.fL1',
      source_line: 16,
    });
    expect(JSON.parse(String(family?.data))).toMatchObject({
      family: 'product_bug',
      confidence: 0.91,
      attribution: 'agent',
    });
  });

  it('proves nothing by a step that was skipped, or that failed by a fault of the verifier', async () => {
    const { rows } = await read(
      result(
        '## Step 2 — assert ⏭ skipped',
        '## Step 3 — assert ✗ failed (1s)',
        'Reason: stuck — bug verdict: Lost its way [automation_bug/agent_misstep, confidence 0.97]',
      ),
    );
    expect(rows('evidence_told').map((row) => row.polarity)).toEqual(['void', 'void', 'void']);
  });

  it('reports headings it does not know, and a file that is no result', async () => {
    const odd = await read(result('## Step 1 ✓ passed (0.1s)', '## Step two ✓ passed'));
    expect(odd.issues[RESULT_PATH]).toEqual([expect.objectContaining({ code: 'unknown_line', line: 12 })]);
    expect(odd.counts[RESULT_PATH]).toEqual({ ok: 1, bad: 1 });
    const none = await read('# Something else\n');
    expect(none.issues[RESULT_PATH]).toEqual([expect.objectContaining({ code: 'unknown_shape' })]);
    expect(none.rows('test_runs')).toEqual([]);
  });

  it('is quick on a reason that almost has a verdict', async () => {
    const started = performance.now();
    await read(result('## Step 1 ✗ failed (1s)', `Reason: ${'bug verdict: x [a/b, '.repeat(20_000)}`));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('the list of executions', () => {
  it('gives one event an execution', async () => {
    const { rows } = await readWith(documents, {
      '.testmuai/task-tracker.md': TRACKER,
      '.testmuai/tests/output-lend-a-book/.internal/meta.json': JSON.stringify({
        session_name: 'lend-a-book',
        executions: [
          {
            execution_id: 'e-1',
            run_kind: 'author',
            status: 'failed',
            valid: true,
            at: '2026-05-04T10:00:00Z',
          },
        ],
      }),
    });
    expect(rows('log_events')).toEqual([
      expect.objectContaining({
        kind: 'execution',
        message: 'lend-a-book: failed',
        feature_id: 'guardiankane.fL1',
        level: 'error',
      }),
    ]);
  });
});
