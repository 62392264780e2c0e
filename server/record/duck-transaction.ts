import type { DuckDBConnection } from '@duckdb/node-api';
import { appendCell, fromCell, toParameter } from './duck-values.ts';
import type { Row, SqlValue } from './store.ts';
import type { TableName } from './tables.ts';

/** What marks a database file as a record of this product. */
export const PRODUCT = 'looplight';

/** One writing transaction: statements without a result, rows of a query, rows into a table. */
export interface Transaction {
  run(sql: string, params?: readonly SqlValue[]): Promise<void>;
  /** Several statements of our own, one after the other. */
  script(sql: string): Promise<void>;
  rows(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
  append(table: TableName, rows: readonly (readonly SqlValue[])[]): Promise<void>;
}

/** Splits our own SQL into statements; none of it has a semicolon at a line's end inside a statement. */
const statements = (sql: string): string[] =>
  sql
    .split(/;\s*(?:\n|$)/)
    .map((part) => part.trim())
    .filter((part) => part.length > 0);

/** All rows of one statement. */
export async function rowsOf(
  connection: DuckDBConnection,
  sql: string,
  params: readonly SqlValue[] = [],
): Promise<Row[]> {
  const bound = params.map(toParameter);
  const reader = await connection.runAndReadAll(
    sql,
    bound.map((parameter) => parameter.value),
    bound.map((parameter) => parameter.type),
  );
  const names = reader.deduplicatedColumnNames();
  return reader
    .getRows()
    .map((cells) => Object.fromEntries(names.map((name, i) => [name, fromCell(cells[i] ?? null)])));
}

/** A transaction on a connection that has begun one. */
export function transactionOn(connection: DuckDBConnection): Transaction {
  return {
    run: async (sql, params = []) => {
      const bound = params.map(toParameter);
      await connection.run(
        sql,
        bound.map((parameter) => parameter.value),
        bound.map((parameter) => parameter.type),
      );
    },
    script: async (sql) => {
      for (const statement of statements(sql)) await connection.run(statement);
    },
    rows: (sql, params) => rowsOf(connection, sql, params),
    append: async (table, rows) => {
      const appender = await connection.createAppender(table);
      try {
        const types = Array.from({ length: appender.columnCount }, (_, i) => appender.columnType(i).typeId);
        for (const row of rows) {
          row.forEach((value, column) => {
            appendCell(appender, types[column], value);
          });
          appender.endRow();
        }
        appender.flushSync();
      } finally {
        appender.closeSync();
      }
    },
  };
}

/** Removes what ingest may have made, view or table, so that it can be made again; all there is without names. */
export async function dropDerived(transaction: Transaction, names?: readonly string[]): Promise<void> {
  const found = await transaction.rows(
    "SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'main'",
  );
  const all = found.flatMap((row) => (typeof row.table_name === 'string' ? [row.table_name] : []));
  for (const name of [...(names ?? all)].reverse()) {
    const type = found.find((row) => row.table_name === name)?.table_type;
    if (type === undefined) continue;
    await transaction.run(`DROP ${type === 'VIEW' ? 'VIEW' : 'TABLE'} "${name.replaceAll('"', '""')}"`);
  }
}
