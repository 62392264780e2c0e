import type { Cell, Figure, TableColumn } from '../../../../shared/cards.ts';
import { columnScaleOf, type Scale } from '../format.ts';

/** A column with what its cells have in common. */
export interface ColumnPlan {
  column: TableColumn;
  index: number;
  /** One scale for all figures of the column, or null when they have none or differ in unit. */
  scale: Scale | null;
  /** Every cell that has a value has a number. */
  numeric: boolean;
}

const figuresOf = (cell: Cell | undefined): Figure[] => {
  if (cell?.kind === 'figure') return [cell.figure];
  return cell?.kind === 'change' ? [cell.claimed, cell.counted] : [];
};

/** A heading that already says seconds. */
const IN_SECONDS = /, s$/;

function planColumn(column: TableColumn, index: number, rows: readonly (readonly Cell[])[]): ColumnPlan {
  const figures = rows.flatMap((row) => figuresOf(row[index]));
  const [first] = figures;
  const alike = first !== undefined && figures.every((figure) => figure.unit === first.unit);
  const values = figures.flatMap((figure) => (figure.value === null ? [] : [figure.value]));
  return {
    column,
    index,
    scale: alike ? columnScaleOf(first.unit, IN_SECONDS.test(column.label) ? [] : values) : null,
    numeric: figures.length > 0 || rows.some((row) => row[index]?.kind === 'time'),
  };
}

/** Looks at every column once, so that its figures are written alike. */
export const planColumns = (
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
): ColumnPlan[] => columns.map((column, index) => planColumn(column, index, rows));

/** Most reasons named below a table. */
const REASONS = 3;

/** Why cells of a table are empty, each reason once: a dash alone would not say it on a touch screen. */
export function missingReasons(rows: readonly (readonly Cell[])[]): string[] {
  const reasons = new Set<string>();
  for (const row of rows)
    for (const cell of row) {
      if (cell.kind === 'none') reasons.add(cell.why);
      else if (cell.kind === 'figure' && cell.figure.value === null)
        reasons.add(cell.figure.missing ?? 'not recorded');
    }
  return [...reasons].slice(0, REASONS);
}
