import { textAt } from '../cells.ts';
import type { Transaction } from '../duck-transaction.ts';

/** Columns of derived tables by their SELECT, as the database told them once: they depend on nothing else. Bounded by the number of tables. */
const shapes = new Map<string, string>();

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Makes a derived table whose SELECT would give no row. Planning it costs more than anything else on a small record, so that is
 * done once a process.
 */
export async function makeEmpty(transaction: Transaction, name: string, sql: string): Promise<void> {
  const known = shapes.get(sql);
  if (known !== undefined) {
    await transaction.run(`CREATE TABLE ${name}(${known})`);
    return;
  }
  await transaction.run(`CREATE TABLE ${name} AS SELECT * FROM (${sql}) LIMIT 0`);
  const columns = await transaction.rows(`DESCRIBE ${name}`);
  shapes.set(
    sql,
    columns
      .map((row) => `${quoted(textAt(row, 'column_name') ?? '')} ${textAt(row, 'column_type') ?? ''}`)
      .join(', '),
  );
}
