import { type DuckDBInstance, StatementType } from '@duckdb/node-api';
import { LIMITS } from '../../shared/limits.ts';
import { ConnectionPool } from './duck-pool.ts';
import { fromCell, toParameter } from './duck-values.ts';
import { QueryError, type QueryResult, type Row, type SqlValue, type Store } from './store.ts';

/** What the stores of one database share: the database, and its fingerprint as seen through one of them. */
export interface StoreContext {
  instance: DuckDBInstance;
  /** Those not closed yet; the database closes them with itself. */
  open: Set<Store>;
  fingerprint(store: Store): Promise<string>;
}

/** Reading side of the record: one SELECT a call, on a connection of its own pool, within row and time caps. */
export class DuckStore implements Store {
  readonly #context: StoreContext;
  readonly #pool: ConnectionPool;

  constructor(context: StoreContext) {
    this.#context = context;
    context.open.add(this);
    this.#pool = new ConnectionPool(context.instance);
  }

  async query(
    sql: string,
    params: readonly SqlValue[] = [],
    limits: { rows?: number; ms?: number } = {},
  ): Promise<QueryResult> {
    const cap = limits.rows ?? LIMITS.queryRows;
    const ms = limits.ms ?? LIMITS.queryMs;
    const started = performance.now();
    const pooled = await this.#pool.acquire(ms);
    let late = false;
    // An interrupt ends the statement that runs on this connection; later ones on it are not affected.
    const timer = setTimeout(
      () => {
        late = true;
        pooled.connection.interrupt();
      },
      Math.max(0, ms - (performance.now() - started)),
    );
    try {
      const statement = await pooled.prepare(sql);
      if (statement.statementType !== StatementType.SELECT) {
        throw new QueryError('query_failed', 'only SELECT is answered');
      }
      if (late) throw new QueryError('query_timeout', 'no time was left to run the statement');
      const bound = params.map(toParameter);
      statement.bind(
        bound.map((parameter) => parameter.value),
        bound.map((parameter) => parameter.type),
      );
      const reader = await statement.streamAndReadUntil(cap + 1);
      // An interrupted stream can end without an error, as if there were no more rows.
      if (late) throw new QueryError('query_timeout', 'the statement was ended before its last row');
      const names = reader.deduplicatedColumnNames();
      const rows: Row[] = [];
      for (let r = 0; r < Math.min(cap, reader.currentRowCount); r += 1) {
        rows.push(Object.fromEntries(names.map((name, c) => [name, fromCell(reader.value(c, r))])));
      }
      return { rows, truncated: reader.currentRowCount > cap, ms: performance.now() - started };
    } catch (error) {
      if (error instanceof QueryError) throw error;
      throw new QueryError(
        late ? 'query_timeout' : 'query_failed',
        error instanceof Error ? error.message : String(error),
      );
    } finally {
      clearTimeout(timer);
      this.#pool.release(pooled);
    }
  }

  async connect(): Promise<Store> {
    return new DuckStore(this.#context);
  }

  fingerprint(): Promise<string> {
    return this.#context.fingerprint(this);
  }

  close(): Promise<void> {
    this.#context.open.delete(this);
    return this.#pool.close();
  }
}
