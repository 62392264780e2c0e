import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from '@duckdb/node-api';
import { LIMITS } from '../../shared/limits.ts';
import { QueryError } from './store.ts';

/** One connection with its prepared statements; planning a statement costs more than running it on a record of this size. */
export class PooledConnection {
  readonly #statements = new Map<string, DuckDBPreparedStatement>();

  constructor(readonly connection: DuckDBConnection) {}

  /** The prepared form of a statement, kept for the next time; the least recently used goes first. */
  async prepare(sql: string): Promise<DuckDBPreparedStatement> {
    const known = this.#statements.get(sql);
    const statement = known ?? (await this.connection.prepare(sql));
    this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    if (this.#statements.size > LIMITS.preparedStatements) {
      const oldest = this.#statements.entries().next().value;
      if (oldest) {
        this.#statements.delete(oldest[0]);
        oldest[1].destroySync();
      }
    }
    return statement;
  }

  close(): void {
    for (const statement of this.#statements.values()) statement.destroySync();
    this.#statements.clear();
    this.connection.disconnectSync();
  }
}

interface Waiter {
  take(connection: PooledConnection): void;
  fail(error: QueryError): void;
}

/**
 * A few connections of one database. A connection runs one statement at a time, and a second one would end the rows of the
 * first: so each query has one to itself, and waits when all are taken.
 */
export class ConnectionPool {
  readonly #instance: DuckDBInstance;
  readonly #idle: PooledConnection[] = [];
  readonly #busy = new Set<PooledConnection>();
  #opening = 0;
  readonly #waiting: Waiter[] = [];
  #closed = false;
  #emptied: (() => void) | null = null;

  constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  /** A connection of one's own until `release`. Throws QueryError after `ms`, or when the pool is closed. */
  async acquire(ms: number): Promise<PooledConnection> {
    if (this.#closed) throw new QueryError('query_failed', 'the record is closed');
    const idle = this.#idle.pop();
    if (idle) {
      this.#busy.add(idle);
      return idle;
    }
    if (this.#busy.size + this.#opening < LIMITS.storeConnections) {
      this.#opening += 1;
      try {
        const fresh = new PooledConnection(await this.#instance.connect());
        if (this.#closed) {
          fresh.close();
          throw new QueryError('query_failed', 'the record was closed');
        }
        this.#busy.add(fresh);
        return fresh;
      } finally {
        this.#opening -= 1;
      }
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(new QueryError('query_timeout', 'no connection became free in time'));
      }, ms);
      const waiter: Waiter = {
        take: (connection) => {
          clearTimeout(timer);
          resolve(connection);
        },
        fail: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#waiting.push(waiter);
    });
  }

  release(connection: PooledConnection): void {
    const next = this.#closed ? undefined : this.#waiting.shift();
    if (next) {
      next.take(connection);
      return;
    }
    this.#busy.delete(connection);
    if (!this.#closed) {
      this.#idle.push(connection);
      return;
    }
    connection.close();
    if (this.#busy.size === 0) this.#emptied?.();
  }

  /** Ends waiting and running statements, then closes every connection. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const waiter of this.#waiting.splice(0)) {
      waiter.fail(new QueryError('query_failed', 'the record was closed'));
    }
    for (const connection of this.#idle.splice(0)) connection.close();
    if (this.#busy.size === 0) return;
    const emptied = new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
    for (const connection of this.#busy) connection.connection.interrupt();
    await emptied;
  }
}
