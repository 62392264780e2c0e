import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../../shared/cards.ts';
import { claim, fig } from '../fixtures/make.ts';
import { nextSorting, sortRows } from './sort.ts';

const rows = (...cells: Cell[]) => cells.map((cell) => ({ cells: [cell] }));
const figure = (value: number | null): Cell => ({ kind: 'figure', figure: fig(value, 's') });

describe('sortRows', () => {
  it('puts what is missing last in both directions', () => {
    const some = rows(figure(3), figure(null), figure(20));
    const values = (direction: 'ascending' | 'descending') =>
      sortRows(some, { column: 0, direction }).map(({ cells: [cell] }) =>
        cell?.kind === 'figure' ? cell.figure.value : undefined,
      );
    expect(values('ascending')).toEqual([3, 20, null]);
    expect(values('descending')).toEqual([20, 3, null]);
  });
  it('orders features by number', () => {
    const some = rows(
      { kind: 'feature', id: '10', title: 'b' },
      { kind: 'feature', id: '9', title: 'c' },
      { kind: 'feature', id: '1', title: 'a' },
    );
    const ids = sortRows(some, { column: 0, direction: 'ascending' }).map(({ cells: [cell] }) =>
      cell?.kind === 'feature' ? cell.id : '',
    );
    expect(ids).toEqual(['1', '9', '10']);
  });
  it('orders changes by how far they are off, agreement as none', () => {
    const some = rows(
      { kind: 'agree' },
      { kind: 'change', claimed: claim(180, 's'), counted: fig(369, 's') },
      { kind: 'change', claimed: claim(2, 's'), counted: fig(1, 's') },
    );
    const kinds = sortRows(some, { column: 0, direction: 'descending' }).map(({ cells: [cell] }) =>
      cell?.kind === 'change' ? cell.claimed.value : cell?.kind,
    );
    expect(kinds).toEqual([180, 2, 'agree']);
  });
  it('keeps the order of the record without a column', () => {
    const some = rows(figure(3), figure(1));
    expect(sortRows(some, null)).toEqual(some);
  });
});

describe('nextSorting', () => {
  it('goes from the largest number to the smallest and back to the record', () => {
    const first = nextSorting(null, 2, true);
    expect(first).toEqual({ column: 2, direction: 'descending' });
    const second = nextSorting(first, 2, true);
    expect(second).toEqual({ column: 2, direction: 'ascending' });
    expect(nextSorting(second, 2, true)).toBeNull();
  });
  it('starts words at A, and another column anew', () => {
    expect(nextSorting({ column: 2, direction: 'ascending' }, 0, false)).toEqual({
      column: 0,
      direction: 'ascending',
    });
  });
});
