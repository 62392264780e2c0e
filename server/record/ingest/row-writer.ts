import { LIMITS } from '../../../shared/limits.ts';
import type { Transaction } from '../duck-transaction.ts';
import type { SqlValue } from '../store.ts';
import { type AnyRow, cellsOf, type FactTable } from '../tables.ts';
import type { RowSink, SourceLine } from './adapter.ts';

/** Where a unit is to be read on the next time. */
export interface ResumePoint {
  no: number;
  offset: number;
  carry: string;
}

/** Takes the rows of one unit and writes them in batches into a transaction. */
export class RowWriter implements RowSink {
  readonly #transaction: Transaction;
  readonly #batches = new Map<FactTable, SqlValue[][]>();
  #gathered = 0;
  /** The name the unit gives the project, if any. */
  name: string | null = null;
  resume: ResumePoint | null = null;

  constructor(transaction: Transaction) {
    this.#transaction = transaction;
  }

  add(table: FactTable, row: AnyRow): void {
    const batch = this.#batches.get(table);
    const cells = cellsOf(table, row);
    if (batch) batch.push(cells);
    else this.#batches.set(table, [cells]);
    this.#gathered += 1;
  }

  async flush(): Promise<void> {
    if (this.#gathered < LIMITS.batchRows) return;
    await this.end();
  }

  /** Writes everything that is gathered. */
  async end(): Promise<void> {
    for (const [table, rows] of this.#batches) await this.#transaction.append(table, rows);
    this.#batches.clear();
    this.#gathered = 0;
  }

  resumeAt({ no, offset }: Pick<SourceLine, 'no' | 'offset'>, carry: string): void {
    this.resume = carry.length <= LIMITS.carryBytes ? { no, offset, carry } : null;
  }

  projectName(name: string): void {
    this.name = name;
  }
}
