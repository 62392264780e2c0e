import { LIMITS } from '../../../shared/limits.ts';
import type { Transaction } from '../duck-transaction.ts';
import type { SqlValue } from '../store.ts';
import type { TableName } from '../tables.ts';

/** Rows on their way into a transaction, of any tables; written together, since a write costs more than a row. */
export class RowBatch {
  readonly #transaction: Transaction;
  readonly #rows = new Map<TableName, SqlValue[][]>();
  #gathered = 0;

  constructor(transaction: Transaction) {
    this.#transaction = transaction;
  }

  add(table: TableName, cells: SqlValue[]): void {
    const rows = this.#rows.get(table);
    if (rows) rows.push(cells);
    else this.#rows.set(table, [cells]);
    this.#gathered += 1;
  }

  /** Writes what is gathered when that is much. */
  async flush(): Promise<void> {
    if (this.#gathered >= LIMITS.batchRows) await this.end();
  }

  /** Writes everything that is gathered. */
  async end(): Promise<void> {
    for (const [table, rows] of this.#rows) await this.#transaction.append(table, rows);
    this.#rows.clear();
    this.#gathered = 0;
  }
}
