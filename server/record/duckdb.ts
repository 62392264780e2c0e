import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { DuckStore } from './duck-store.ts';
import { dropDerived, PRODUCT, rowsOf, type Transaction, transactionOn } from './duck-transaction.ts';
import type { RecordLog } from './log.ts';
import { SCHEMA_VERSION, TABLES } from './schema.ts';
import type { SqlValue, Store } from './store.ts';

/**
 * SQL may touch this database and nothing else: no files, no network, no extensions, and no way to switch that back on.
 * The database file itself stays open, since it was opened before the lock.
 */
const OPTIONS = {
  enable_external_access: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  memory_limit: '512MB',
  // Each query runs on the thread of its own connection; spreading one over several costs more than it gains at this size.
  threads: '1',
  lock_configuration: 'true',
} as const;

/** The open database: readers, one writer, and whether it is kept in a file. */
export interface Duck {
  /** The record's own reader; `connect()` of it gives further ones. */
  store: Store;
  inFile: boolean;
  /** Runs `work` in a transaction; others see all of it or nothing. Writers wait for one another. Throws what `work` throws. */
  write<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** What a database file holds: nothing yet, this product's record in this version or in another, or something else. */
async function contents(
  connection: DuckDBConnection,
): Promise<'empty' | 'current' | 'other_version' | 'foreign'> {
  const tables = await rowsOf(
    connection,
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'",
  );
  if (tables.length === 0) return 'empty';
  if (!tables.some((table) => table.table_name === 'meta')) return 'foreign';
  const columns = await rowsOf(
    connection,
    "SELECT column_name FROM information_schema.columns WHERE table_schema = 'main' AND table_name = 'meta' ORDER BY ordinal_position",
  );
  if (columns.map((column) => column.column_name).join() !== 'key,value') return 'foreign';
  const meta = await rowsOf(connection, "SELECT key, value FROM meta WHERE key IN ('product', 'schema')");
  const value = (key: string): SqlValue => meta.find((row) => row.key === key)?.value ?? null;
  if (value('product') !== PRODUCT) return 'foreign';
  return value('schema') === String(SCHEMA_VERSION) ? 'current' : 'other_version';
}

async function prepareSchema(connection: DuckDBConnection, rebuild: boolean): Promise<void> {
  const transaction = transactionOn(connection);
  await connection.run('BEGIN TRANSACTION');
  try {
    if (rebuild) await dropDerived(transaction);
    await transaction.script(TABLES);
    const [held] = await transaction.rows('SELECT count(*) AS held FROM meta');
    if (held?.held === 0)
      await transaction.append('meta', [
        ['product', PRODUCT],
        ['schema', String(SCHEMA_VERSION)],
      ]);
    await connection.run('COMMIT');
  } catch (error) {
    await connection.run('ROLLBACK');
    throw error;
  }
}

/** Opens the file, or says in plain words why it cannot be used. */
async function openFile(path: string): Promise<{ instance: DuckDBInstance } | { why: string }> {
  let instance: DuckDBInstance;
  try {
    instance = await DuckDBInstance.create(path, OPTIONS);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (/lock/i.test(message)) return { why: 'another process has it open' };
    if (/not a valid DuckDB/i.test(message)) return { why: 'it is not a DuckDB database' };
    return { why: 'it cannot be opened by this version of DuckDB, or not be written' };
  }
  try {
    const connection = await instance.connect();
    try {
      const held = await contents(connection);
      if (held === 'foreign') throw new Error('foreign');
      await prepareSchema(connection, held === 'other_version');
      return { instance };
    } finally {
      connection.disconnectSync();
    }
  } catch (error) {
    instance.closeSync();
    return {
      why:
        error instanceof Error && error.message === 'foreign'
          ? 'it holds something other than a record'
          : 'its tables cannot be read',
    };
  }
}

async function openMemory(): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', OPTIONS);
  const connection = await instance.connect();
  await prepareSchema(connection, false);
  connection.disconnectSync();
  return instance;
}

/**
 * Opens the database of a record. A file in an older form of ours is laid out anew (the record is read again from its sources
 * anyway); one that cannot be used is left as it is, and the record is kept in memory instead, with a line in the log.
 * @param database path of the file, or `:memory:`
 * @param fingerprint gives the record's fingerprint as seen through a store
 */
export async function openDuck(
  database: string,
  log: RecordLog,
  fingerprint: (store: Store) => Promise<string>,
): Promise<Duck> {
  const opened = database === ':memory:' ? null : await openFile(database);
  if (opened && 'why' in opened) {
    log.warn(
      `The database file ${database} is not used, because ${opened.why}. The record is kept in memory; move the file away to have a new one made.`,
    );
  }
  const inFile = opened !== null && 'instance' in opened;
  const instance = inFile ? opened.instance : await openMemory();
  const context = { instance, fingerprint, open: new Set<Store>() };
  const store = new DuckStore(context);
  const writer = await instance.connect();
  let turn: Promise<unknown> = Promise.resolve();

  const write = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => {
    const mine = turn.then(async () => {
      await writer.run('BEGIN TRANSACTION');
      try {
        const result = await work(transactionOn(writer));
        await writer.run('COMMIT');
        return result;
      } catch (error) {
        // A failed COMMIT has ended the transaction already; then there is nothing to roll back.
        await writer.run('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
    turn = mine.catch(() => undefined);
    return mine;
  };

  return {
    store,
    inFile,
    write,
    close: async () => {
      await turn;
      await Promise.all([...context.open].map((one) => one.close()));
      writer.disconnectSync();
      instance.closeSync();
    },
  };
}
