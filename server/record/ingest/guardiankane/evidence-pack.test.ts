import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { documents } from './documents.ts';
import { packOf, runYaml } from './test-pack.ts';

const PATH = '.testmuai/evidence/p1.evidence';
const RUN = runYaml('2026-05-04T10:00:00.000Z', '2026-05-04T10:01:30.000Z');
const RESULT = `status: failed
duration_ms: 61000
definition_id: sha256:aa
external_id: lend-a-book
steps:
  - {id: s1, ordinal: 1, status: passed, kind: action, duration_ms: 900}
  - {id: s2, ordinal: 2, status: passed, kind: assert, verifies: [ac-1, ac-2]}
  - {id: s3, ordinal: 3, status: failed, kind: assert, verifies: ac-3}
  - {id: s4, ordinal: 4, status: skipped, kind: assert, verifies: [ac-4]}
`;
const failure = (category: string, confidence: number): string =>
  `error: not found\ntriage:\n  rca: {root_cause: The button moved, category: ${category}, confidence: ${confidence}}\n  severity: high\n`;
const TRACKER = `# Tracker\n\n\`\`\`yaml\ntasks:\n  - id: L1\n    title: Lend\n    state: IN_PROGRESS\n    test_file: .testmuai/tests/lend-a-book_test.md\n\`\`\`\n`;
const read = (pack: Uint8Array) =>
  readWith(documents, { '.testmuai/task-tracker.md': TRACKER, [PATH]: pack });
const pack = (more: Record<string, string> = {}): Uint8Array =>
  packOf({ 'run.yaml': RUN, 'tests/lend/result.yaml': RESULT, ...more });

describe('an evidence pack', () => {
  it('is a run of tests with what their steps prove', async () => {
    const { rows, counts, issues } = await read(pack());
    expect(issues[PATH]).toEqual([]);
    expect(counts[PATH]).toEqual({ ok: 2, bad: 0 });
    expect(rows('test_runs')).toEqual([
      expect.objectContaining({
        framework: 'kane',
        started_at_ms: Date.UTC(2026, 4, 4, 10),
        duration_ms: 90_000,
        cases: 1,
        status: 'failed',
      }),
    ]);
    expect(rows('test_results')).toEqual([
      expect.objectContaining({
        name: 'lend-a-book',
        status: 'failed',
        duration_ms: 61_000,
        requirement_refs:
          'guardiankane.qL1.ac-1 guardiankane.qL1.ac-2 guardiankane.qL1.ac-3 guardiankane.qL1.ac-4',
      }),
    ]);
    expect(rows('evidence_told').map((row) => [row.requirement_ref, row.polarity, row.link])).toEqual([
      ['guardiankane.qL1.ac-1', 'supports', 'explicit'],
      ['guardiankane.qL1.ac-2', 'supports', 'explicit'],
      ['guardiankane.qL1.ac-3', 'refutes', 'explicit'],
      ['guardiankane.qL1.ac-4', 'void', 'explicit'],
    ]);
  });

  it('lets a failure of the verifier prove nothing, when its triage is sure of it', async () => {
    const polarity = async (category: string, confidence: number) =>
      (await read(pack({ 'tests/lend/steps/s3/failure.yaml': failure(category, confidence) }))).rows(
        'evidence_told',
      )[2]?.polarity;
    expect(await polarity('automation_bug', 0.9)).toBe('void');
    expect(await polarity('automation_bug', 0.4)).toBe('refutes');
    expect(await polarity('product_bug', 0.9)).toBe('refutes');
  });

  it('keeps the family of a failure with its confidence', async () => {
    const { rows } = await read(pack({ 'tests/lend/steps/s3/failure.yaml': failure('product_bug', 0.8) }));
    const [event] = rows('log_events').filter((row) => row.kind === 'failure_family');
    expect(event).toMatchObject({ feature_id: 'guardiankane.fL1', message: 'lend-a-book: The button moved' });
    expect(JSON.parse(String(event?.data))).toMatchObject({
      family: 'product_bug',
      confidence: 0.8,
      attribution: 'agent',
    });
  });

  it('proves nothing while it is not finalized, or without its run', async () => {
    const open = packOf({
      'run.yaml': runYaml('2026-05-04T10:00:00Z', '', 'running'),
      'tests/lend/result.yaml': RESULT,
    });
    expect(new Set((await read(open)).rows('evidence_told').map((row) => row.polarity))).toEqual(
      new Set(['void']),
    );
    const headless = await read(packOf({ 'tests/lend/result.yaml': RESULT }));
    expect(headless.rows('evidence_told')).toEqual([]);
    expect(headless.issues[PATH]).toEqual([expect.objectContaining({ code: 'missing_field' })]);
  });

  it('is reported when it is no archive, or cut', async () => {
    for (const bytes of [new TextEncoder().encode('no zip'), pack().subarray(0, 120), new Uint8Array()]) {
      const { issues, rows } = await read(bytes);
      expect(issues[PATH]?.map(({ code }) => code)).toContain('archive_invalid');
      expect(rows('test_runs')).toEqual([]);
    }
  });

  it('unpacks nothing whose name points outside, and nothing it does not read', async () => {
    const { issues, rows } = await read(
      pack({
        '../run.yaml': 'x',
        '/etc/run.yaml': 'x',
        'tests/../run.yaml': 'x',
        'a\\run.yaml': 'x',
        'trace/page.png': 'x',
      }),
    );
    expect(issues[PATH]).toEqual([
      expect.objectContaining({ code: 'outside_folder', detail: expect.stringContaining('4 names') }),
    ]);
    expect(rows('test_results')).toHaveLength(1);
  });

  it('unpacks nothing that would become too large', async () => {
    const bomb = zipSync({
      'run.yaml': new TextEncoder().encode(RUN),
      'tests/a/result.yaml': new Uint8Array(900 * 1024),
      'tests/b/result.yaml': new Uint8Array(2 * 1024 * 1024),
    });
    const { issues, rows } = await read(bomb);
    expect(issues[PATH]).toEqual([
      expect.objectContaining({ code: 'archive_too_large', detail: expect.stringContaining('2 texts') }),
    ]);
    expect(rows('test_runs')).toEqual([expect.objectContaining({ cases: 0, status: 'empty' })]);
  });

  it('unpacks no more of a text than the table of contents says, whatever is in it', async () => {
    const text = `status: passed\n# ${'x'.repeat(2000)}\nexternal_id: beyond\n`;
    const packed = zipSync({
      'run.yaml': new TextEncoder().encode(RUN),
      'tests/a/result.yaml': new TextEncoder().encode(text),
    });
    expect((await read(packed)).rows('test_results')).toEqual([expect.objectContaining({ name: 'beyond' })]);
    // The size of the second text in the table of contents becomes 100 bytes.
    const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    for (let at = packed.length - 46; at > 0; at -= 1) {
      if (view.getUint32(at, true) === 0x02014b50 && view.getUint32(at + 24, true) === text.length)
        view.setUint32(at + 24, 100, true);
    }
    expect((await read(packed)).rows('test_results')).toEqual([expect.objectContaining({ name: 'a' })]);
  });
});
