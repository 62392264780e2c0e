import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { Cell, TableColumn } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { keyed } from '../keyed.ts';
import { CellView } from './CellView.tsx';
import { type ColumnPlan, missingReasons, planColumns } from './columns.ts';
import { nextSorting, type Sorting, sortRows } from './sort.ts';

interface DataTableProps {
  /** Said to screen readers before the table. */
  caption: string;
  columns: readonly TableColumn[];
  rows: readonly (readonly Cell[])[];
  card: Pick<CardChrome, 'openFigure'>;
}

/** Rows from which a table scrolls inside its card, with its head staying in sight. */
const SCROLLS = 16;
/** Columns up to which a table still fits a phone as it is, and the longest text and source that fit in one of them. */
const NARROW = 3;
const SHORT = 28;

/** Whether a table stays a table on a phone. Sentences would stand in a column of a few letters; they get blocks. */
export function fitsPhone(columns: readonly TableColumn[], rows: readonly (readonly Cell[])[]): boolean {
  const needsRoom = (cell: Cell) => isSentence(cell) || (cell.kind === 'cite' && columns.length > 2);
  return columns.length <= NARROW && !rows.some((row) => row.some(needsRoom));
}

const isSentence = (cell: Cell | undefined): boolean => cell?.kind === 'text' && cell.text.length > SHORT;

/** A table that can be ordered by any column; on a phone each row becomes a block with its labels. */
export function DataTable({ caption, columns, rows, card }: DataTableProps): ReactNode {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const plans = useMemo(() => planColumns(columns, rows), [columns, rows]);
  const lines = useMemo(() => keyed(rows).map(({ key, item }) => ({ key, cells: item })), [rows]);
  const sorted = useMemo(() => sortRows(lines, sorting), [lines, sorting]);
  const reasons = useMemo(() => missingReasons(rows), [rows]);
  const narrow = useMemo(() => fitsPhone(columns, rows), [columns, rows]);
  return (
    <>
      <div className={rows.length > SCROLLS ? 'dt-wrap scrolls' : 'dt-wrap'}>
        <table className={narrow ? 'dt narrow' : 'dt'}>
          <caption className="vh">{caption}</caption>
          <thead>
            <tr>
              {keyed(plans, (plan) => plan.column.id).map(({ key, item }) => (
                <Head key={key} plan={item} sorting={sorting} onSort={setSorting} />
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.map((row) => (
              <Row key={row.key} plans={plans} cells={row.cells} card={card} />
            ))}
          </tbody>
        </table>
      </div>
      {reasons.length === 0 ? null : <p className="dt-why">— {reasons.join('; ')}</p>}
    </>
  );
}

interface HeadProps {
  plan: ColumnPlan;
  sorting: Sorting | null;
  onSort(next: Sorting | null): void;
}

function Head({ plan, sorting, onSort }: HeadProps): ReactNode {
  const { column, index, numeric } = plan;
  const direction = sorting?.column === index ? sorting.direction : null;
  const Icon = direction === null ? ChevronsUpDown : direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th scope="col" className={`a-${column.align}`} aria-sort={direction ?? 'none'}>
      <button
        type="button"
        className={direction === null ? 'sort' : 'sort on'}
        onClick={() => onSort(nextSorting(sorting, index, numeric))}
      >
        {column.label}
        <Icon className="i" aria-hidden="true" />
      </button>
    </th>
  );
}

interface RowProps {
  plans: readonly ColumnPlan[];
  cells: readonly Cell[];
  card: Pick<CardChrome, 'openFigure'>;
}

function Row({ plans, cells, card }: RowProps): ReactNode {
  return (
    <tr>
      {keyed(plans, (plan) => plan.column.id).map(({ key, item: { column, index, scale } }) => {
        const cell = cells[index];
        return (
          <td
            key={key}
            className={`a-${column.align} k-${cell?.kind ?? 'none'}${isSentence(cell) ? ' sentence' : ''}`}
            data-l={column.label}
          >
            {cell === undefined ? null : (
              <CellView cell={cell} card={card} label={column.label} on={scale ?? undefined} />
            )}
          </td>
        );
      })}
    </tr>
  );
}
