import type { Transaction } from '../duck-transaction.ts';
import { type FactTable, TABLE_NAMES, type TableName } from '../tables.ts';

const isFactTable = (table: TableName): table is FactTable =>
  !['meta', 'projects', 'sources', 'ingest_issues', 'findings', 'finding_rows'].includes(table);
const FACT_TABLES = TABLE_NAMES.filter(isFactTable);

/** Units forgotten with one statement a table. */
const TOGETHER = 500;

/** Removes everything that was read of these units. */
export async function forget(transaction: Transaction, units: readonly string[]): Promise<void> {
  for (let from = 0; from < units.length; from += TOGETHER) {
    const some = units.slice(from, from + TOGETHER);
    const among = `IN (${some.map((_, i) => `$${i + 1}`).join(', ')})`;
    const theirs = `source_id IN (SELECT source_id FROM sources WHERE unit ${among})`;
    for (const table of [...FACT_TABLES, 'ingest_issues'] as const)
      await transaction.run(`DELETE FROM ${table} WHERE ${theirs}`, some);
    await transaction.run(`DELETE FROM sources WHERE unit ${among}`, some);
    await transaction.run(
      `DELETE FROM meta WHERE key ${among}`,
      some.map((unit) => `name.${unit}`),
    );
  }
}

/** Before a log is read on: its last entry is read again, since it may have grown. */
export async function cut(transaction: Transaction, source: string, line: number): Promise<void> {
  for (const table of FACT_TABLES)
    await transaction.run(`DELETE FROM ${table} WHERE source_id = $1 AND source_line >= $2`, [source, line]);
  await transaction.run('DELETE FROM ingest_issues WHERE source_id = $1 AND coalesce(line_no, $2) >= $2', [
    source,
    line,
  ]);
}
