import { LIMITS } from '../../../shared/limits.ts';
import type { Transaction } from '../duck-transaction.ts';
import type { SqlValue } from '../store.ts';
import type { AnyRow, FactTable } from '../tables.ts';
import type { RowSink, SourceInput, SourceLine } from './adapter.ts';
import { fitted } from './fitting.ts';

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

  readonly #sources: readonly Pick<SourceInput, 'id' | 'issue'>[];

  /** @param sources those of the unit, which are told what could not be kept of their rows */
  constructor(transaction: Transaction, sources: readonly Pick<SourceInput, 'id' | 'issue'>[]) {
    this.#transaction = transaction;
    this.#sources = sources;
  }

  add(table: FactTable, row: AnyRow): void {
    const batch = this.#batches.get(table);
    const { cells, unfit } = fitted(table, row);
    if (unfit.length > 0) this.#tell(row, unfit, cells !== null);
    if (cells === null) return;
    if (batch) batch.push(cells);
    else this.#batches.set(table, [cells]);
    this.#gathered += 1;
  }

  #tell(row: AnyRow, unfit: readonly string[], kept: boolean): void {
    const source = this.#sources.find(({ id }) => id === row.source_id) ?? this.#sources[0];
    const line = typeof row.source_line === 'number' && row.source_line > 0 ? row.source_line : null;
    const what = unfit.map((name) => name.replaceAll('_', ' ')).join(', ');
    source?.issue(
      'out_of_range',
      'warning',
      line,
      `A figure here (${what}) is no number, or larger than any real one, so ${kept ? 'it' : 'what it belongs to'} was not kept.`,
    );
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
