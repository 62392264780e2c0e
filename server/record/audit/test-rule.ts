import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll } from 'vitest';
import type { Adapter } from '../ingest/adapter.ts';
import { readWith } from '../ingest/test-adapter.ts';
import { TABLES, VIEWS } from '../schema.ts';
import type { Row, SqlValue } from '../store.ts';
import { type AnyRow, cellsOf, columnsOf, type FactTable } from '../tables.ts';
import { RULES } from './index.ts';

const cell = (value: unknown): SqlValue => {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
};

/**
 * Runs single rules over files that one adapter reads, in one database for all tests of a file: much faster than a whole record,
 * for rules with many cases. What a call writes is taken back when it ends.
 * @param tables those the rules read
 * @returns a function from a rule and files to what it finds: the sentence, and behind it the lines it rests on in brackets
 */
export function ruleTester(
  adapter: Adapter,
  tables: readonly FactTable[],
): (rule: string, files: Readonly<Record<string, string>>) => Promise<string[]> {
  const opened = DuckDBInstance.create(':memory:').then(async (instance) => {
    const connection = await instance.connect();
    await connection.run(TABLES);
    await connection.run(VIEWS);
    return connection;
  });
  afterAll(async () => (await opened).closeSync());
  return async (id, files) => {
    const rule = RULES.find((one) => one.id === id);
    if (!rule) throw new Error(`there is no rule ${id}`);
    const connection = await opened;
    const read = await readWith(adapter, files);
    const query = async (sql: string, params: readonly SqlValue[] = []): Promise<Row[]> => {
      const reader = await connection.runAndReadAll(sql, [...params]);
      const names = reader.columnNames();
      return reader
        .getRows()
        .map((row) => Object.fromEntries(names.map((name, at) => [name, cell(row[at])])));
    };
    const insert = async (table: FactTable, rows: readonly AnyRow[]): Promise<void> => {
      if (rows.length === 0) return;
      const slots = `(${columnsOf(table)
        .map(() => '?')
        .join(', ')})`;
      await connection.run(
        `INSERT INTO ${table} VALUES ${rows.map(() => slots).join(', ')}`,
        rows.flatMap((row) => cellsOf(table, row)),
      );
    };
    await connection.run('BEGIN TRANSACTION');
    try {
      for (const table of tables) await insert(table, read.rows(table));
      return (await rule.find(query)).map(
        ({ says, rows }) =>
          `${says} [${rows
            .map(({ line }) => line ?? 0)
            .sort((a, b) => a - b)
            .join(' ')}]`,
      );
    } finally {
      await connection.run('ROLLBACK');
    }
  };
}
