import type { Cell } from '../../../../shared/cards.ts';
import { citeText } from '../basis.tsx';

export type Direction = 'ascending' | 'descending';
export interface Sorting {
  column: number;
  direction: Direction;
}

/** What a cell is ordered by; null is missing and comes last in both directions. */
export function sortKey(cell: Cell | undefined): number | string | null {
  switch (cell?.kind) {
    case 'text':
      return cell.text;
    case 'feature':
      return cell.id;
    case 'figure':
      return cell.figure.value;
    case 'cite':
      return citeText(cell.cite);
    case 'time':
      return cell.ms;
    case 'change':
      // How far the claim is off is what one looks for; without both sides there is nothing to compare.
      return cell.claimed.value === null || cell.counted.value === null
        ? null
        : Math.abs(cell.claimed.value - cell.counted.value);
    case 'agree':
      return 0;
    default:
      return null;
  }
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const compare = (a: number | string, b: number | string): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));

/**
 * Rows in the order of one column; rows of equal cells keep the order they came in.
 * @param sorting null keeps the order of the record
 */
export function sortRows<T extends { cells: readonly Cell[] }>(
  rows: readonly T[],
  sorting: Sorting | null,
): T[] {
  if (sorting === null) return [...rows];
  const sign = sorting.direction === 'ascending' ? 1 : -1;
  return [...rows].sort((a, b) => {
    const left = sortKey(a.cells[sorting.column]);
    const right = sortKey(b.cells[sorting.column]);
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * compare(left, right);
  });
}

/**
 * The next state of a column head that was pressed: numbers from the largest, words from A, then the other way,
 * then the order of the record again.
 */
export function nextSorting(now: Sorting | null, column: number, numeric: boolean): Sorting | null {
  const first: Direction = numeric ? 'descending' : 'ascending';
  const second: Direction = numeric ? 'ascending' : 'descending';
  if (now?.column !== column) return { column, direction: first };
  return now.direction === first ? { column, direction: second } : null;
}
