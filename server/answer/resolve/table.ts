import type { CardData, Cell, Figure, TableCard } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { TableBlock } from '../../../shared/plan.ts';
import { type Column, columnOf } from '../../metrics/columns.ts';
import { codeCard } from '../code-card.ts';
import { plainText } from '../placeholders.ts';
import { baseOf, proseContext, shown, sizeOf } from './base.ts';
import type { ResolveContext } from './context.ts';
import { judge } from './figure.ts';
import { commitRows, findingRows } from './table-events.ts';
import { featureRows } from './table-features.ts';
import { gateRows } from './table-gates.ts';
import { projectRows } from './table-projects.ts';
import type { TableRow } from './table-rows.ts';

const figuresOf = (row: readonly Cell[]): Figure[] =>
  row.flatMap((cell) => (cell.kind === 'figure' ? [cell.figure] : []));

function compare(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}

/** Rows in the order asked for; what has no value comes last either way. */
function sorted(rows: readonly TableRow[], by: string | null, order: TableBlock['order']): TableRow[] {
  if (by === null || order === 'natural') return [...rows];
  const sign = order === 'largest' ? -1 : 1;
  return rows.toSorted((x, y) => {
    const a = x.sort[by] ?? null;
    const b = y.sort[by] ?? null;
    return a === null || b === null ? compare(a, b) : sign * compare(a, b);
  });
}

/** Rows of the record: features, commits, findings or gate runs. */
export async function resolveTable(
  block: TableBlock,
  id: string,
  context: ResolveContext,
): Promise<CardData> {
  const wanted = [...new Set(block.columns)].flatMap((column): Column[] => {
    const known = columnOf(block.type, column);
    return known ? [known] : [];
  });
  if (wanted.length === 0)
    return codeCard(id, 'block_unbound', plainText(block.title, proseContext(context)));
  const read =
    block.type === 'feature_table'
      ? await featureRows(block, wanted, id, context)
      : block.type === 'commit_table'
        ? await commitRows(block, wanted, id, context)
        : block.type === 'finding_table'
          ? await findingRows(block, wanted, id, context)
          : block.type === 'gate_table'
            ? await gateRows(block, wanted, id, context)
            : await projectRows(block, wanted, id, context);
  if (!('rows' in read)) return read;
  const all = sorted(read.rows, block.order_by, block.order);
  const rows = all.slice(0, sizeOf(block.size, LIMITS.tableRows)).map(({ cells }) => cells);
  const figures = rows.flatMap(figuresOf);
  const complete = rows.filter((row) => figuresOf(row).every(({ value }) => value !== null)).length;
  const card: TableCard = {
    ...baseOf(context, {
      id,
      title: block.title,
      sub: read.sub ?? null,
      actions: block.actions,
      evidence: figures.map(({ evidence }) => evidence).slice(0, LIMITS.points),
      trimmed: shown(rows.length, read.total),
      ...judge(
        figures,
        figures,
        figures.length === 0
          ? null
          : { have: complete, of: rows.length, why: `${complete} of ${rows.length} rows have every figure.` },
      ),
    }),
    type: 'table',
    columns: wanted.map(({ id: column, label, align }) => ({ id: column, label, align })),
    rows,
    total: read.total,
  };
  return card;
}
