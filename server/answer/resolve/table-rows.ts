import type { Cell } from '../../../shared/cards.ts';

/** Rows read before a table is sorted and cut. */
export const READ_ROWS = 500;

/** One row of a table: its cells, and what it can be sorted by where the cells alone do not say. */
export interface TableRow {
  cells: Cell[];
  sort: Readonly<Record<string, string | number | null>>;
}
export interface TableRows {
  rows: TableRow[];
  /** All rows in scope, before the cap. */
  total: number;
  /** What the rows alone do not say, or null. */
  sub?: string | null;
}
