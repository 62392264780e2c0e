import { LIMITS } from '../../../shared/limits.ts';
import type { AnyRow, FactTable } from '../tables.ts';
import type { RowSink, SourceInput, SourceLine } from './adapter.ts';
import { fitted } from './fitting.ts';
import type { RowBatch } from './row-batch.ts';

/** Where a unit is to be read on the next time. */
export interface ResumePoint {
  no: number;
  offset: number;
  carry: string;
}

/** Takes the rows of one unit as its adapter gives them. */
export class RowWriter implements RowSink {
  readonly #batch: RowBatch;
  /** The name the unit gives the project, if any. */
  name: string | null = null;
  resume: ResumePoint | null = null;
  /** Sources of which there are rows. */
  readonly told = new Set<string>();

  readonly #sources: readonly Pick<SourceInput, 'id' | 'issue'>[];

  /** @param sources those of the unit, which are told what could not be kept of their rows */
  constructor(batch: RowBatch, sources: readonly Pick<SourceInput, 'id' | 'issue'>[]) {
    this.#batch = batch;
    this.#sources = sources;
  }

  add(table: FactTable, row: AnyRow): void {
    const { cells, unfit } = fitted(table, row);
    if (unfit.length > 0) this.#tell(row, unfit, cells !== null);
    if (cells === null) return;
    this.#batch.add(table, cells);
    if (typeof row.source_id === 'string') this.told.add(row.source_id);
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

  flush(): Promise<void> {
    return this.#batch.flush();
  }

  resumeAt({ no, offset }: Pick<SourceLine, 'no' | 'offset'>, carry: string): void {
    this.resume = carry.length <= LIMITS.carryBytes ? { no, offset, carry } : null;
  }

  projectName(name: string): void {
    this.name = name;
  }
}
