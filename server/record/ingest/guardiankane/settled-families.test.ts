import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRecord } from '../../index.ts';
import { testFolder } from '../../test-folder.ts';

const FAILED =
  'scripted test FAILED (attempt 1/3). summary: testrun batch: 0/1 passed. reason: failed members: lend_test.md (failed)';
const LOG = `[2026-05-04T10:00:00.000Z] [L1] running scripted test: "lend_test.md".
[2026-05-04T10:01:00.000Z] [L1] ${FAILED}
[2026-05-04T11:00:00.000Z] [L1] running scripted test: "lend_test.md".
[2026-05-04T11:01:00.000Z] [L1] ${FAILED}
[2026-05-04T12:00:00.000Z] [L2] running scripted test: "fee_test.md".
[2026-05-04T12:01:00.000Z] [L2] ${FAILED}
`;
const bug = (taskId: string, at: string, family: string, confidence: number) => ({
  taskId,
  bugTitle: 'x',
  family,
  confidence,
  timestamp: `2026-05-04T${at}Z`,
});
const MEMORY = JSON.stringify({
  entries: [
    bug('L1', '10:01:00.001', 'product_bug', 0.9),
    bug('L1', '13:00:00.000', 'product_bug', 0.9),
    bug('L2', '12:01:00.001', 'automation_bug', 0.4),
  ],
});

describe('the family of a failure', () => {
  it('stands beside the failure it is about, and is evidence of the fault where it is sure', async () => {
    const root = await testFolder({
      '.testmuai/kane-activity.log': LOG,
      '.testmuai/bug-memory.json': MEMORY,
    });
    const record = await openRecord({ root, database: ':memory:' });
    onTestFinished(() => record.close());
    const gates = async () =>
      (
        await record.store.query(
          'SELECT source_line AS line, family, confidence, attribution, attribution_basis AS basis FROM gate_events ORDER BY source_line',
        )
      ).rows;
    const attempts = async () =>
      (await record.store.query('SELECT source_line AS line, attribution FROM attempts ORDER BY source_line'))
        .rows;
    const none = { family: null, confidence: null, attribution: 'unknown', basis: null };
    expect(await gates()).toEqual([
      {
        line: 2,
        family: 'product_bug',
        confidence: 0.9,
        attribution: 'agent',
        basis: "The verifier's own triage calls it product_bug, confidence 0.9.",
      },
      { line: 4, ...none },
      { line: 6, ...none, family: 'automation_bug', confidence: 0.4 },
    ]);
    expect(await attempts()).toEqual([
      { line: 1, attribution: 'agent' },
      { line: 3, attribution: 'unknown' },
      { line: 5, attribution: 'unknown' },
    ]);

    await writeFile(join(root, '.testmuai/bug-memory.json'), MEMORY.replace('0.4', '0.8'));
    await record.reload();
    expect((await gates())[2]).toMatchObject({ confidence: 0.8, attribution: 'verifier' });

    await rm(join(root, '.testmuai/bug-memory.json'));
    await record.reload();
    expect(await gates()).toEqual([2, 4, 6].map((line) => ({ line, ...none })));
    expect((await attempts()).map((row) => row.attribution)).toEqual(['unknown', 'unknown', 'unknown']);
  });
});
