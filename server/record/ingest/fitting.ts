import type { SqlValue } from '../store.ts';
import { type AnyRow, COLUMNS, type Column, type FactTable } from '../tables.ts';

/** A row as its table can hold it, and which of its columns could not be kept. */
export interface Fitted {
  /** Null when a column without which the row says nothing could not be kept. */
  cells: SqlValue[] | null;
  unfit: string[];
}

const columns = new Map<FactTable, readonly (readonly [name: string, type: Column])[]>();
const columnsOf = (table: FactTable): readonly (readonly [string, Column])[] => {
  const known = columns.get(table);
  if (known) return known;
  const made: (readonly [string, Column])[] = Object.entries(COLUMNS[table]);
  columns.set(table, made);
  return made;
};

/**
 * Whole numbers beyond this are not told apart any more, and sums of what is kept stay within what the database counts in.
 * No time, duration, amount or count of a real run comes near.
 */
const LARGEST = Number.MAX_SAFE_INTEGER;

/**
 * Cells of a row in the order of its table's columns. A number that is none, or so large that the database would refuse the
 * row and everything read with it, becomes NULL. Pure.
 */
export function fitted(table: FactTable, row: AnyRow): Fitted {
  const unfit: string[] = [];
  let whole = true;
  const cells = columnsOf(table).map(([name, type]): SqlValue => {
    const value = row[name] ?? null;
    if (typeof value === 'number' && !(Math.abs(value) <= LARGEST)) {
      unfit.push(name);
      if (!type.endsWith('?')) whole = false;
      return null;
    }
    if (value === null && !type.endsWith('?')) {
      unfit.push(name);
      whole = false;
    }
    return value;
  });
  return { cells: whole ? cells : null, unfit };
}
