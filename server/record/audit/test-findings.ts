import { onTestFinished } from 'vitest';
import { openRecord } from '../index.ts';
import type { Adapter, RowSink } from '../ingest/adapter.ts';
import { ADAPTERS } from '../ingest/adapters.ts';
import type { Row } from '../store.ts';
import { testFolder } from '../test-folder.ts';

/**
 * What one rule finds in a folder of files: feature (external id, null for the run), severity, sentence, and the lines it rests on.
 * For tests of rules.
 */
export const findingsOf = async (
  rule: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  adapters: readonly Adapter[] = ADAPTERS,
): Promise<Row[]> => findingsIn(rule, await testFolder(files), adapters);

/** The same of a folder that is there. */
export async function findingsIn(
  rule: string,
  root: string,
  adapters: readonly Adapter[] = ADAPTERS,
): Promise<Row[]> {
  const record = await openRecord({ root, database: ':memory:', adapters });
  onTestFinished(() => record.close());
  const { rows } = await record.store.query(
    `SELECT f.ext_id AS feature, d.severity, d.says,
      (SELECT string_agg(coalesce(r.source_line::VARCHAR, '-'), ' ' ORDER BY r.source_line) FROM finding_rows r WHERE r.finding_id = d.finding_id) AS lines
     FROM findings d LEFT JOIN features f USING (feature_id) WHERE d.rule = $1 ORDER BY d.finding_id`,
    [rule],
  );
  return rows;
}

/** An adapter that makes rows of its own, for rules about rows that are tedious to write as files. It reads `rows.txt`. */
export const rowsAdapter = (add: (out: RowSink, sourceId: string) => void): readonly Adapter[] => [
  {
    id: 'test/rows',
    version: 1,
    label: 'Rows of a test',
    sources: [{ kind: 'metrics', paths: ['rows.txt'], single: true }],
    unit: 'each',
    async read(unit, out) {
      for (const source of unit.sources) {
        out.add('runs_told', { run_id: 'r', harness: 'test', rank: 0, source_id: source.id });
        add(out, source.id);
      }
    },
  },
];
