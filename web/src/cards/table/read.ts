import type { Cell, ConflictCard, TableCard, TableColumn } from '../../../../shared/cards.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { count, fields, isRecord, list, number, oneOf } from '../../lib/unknown.ts';
import { base, cite, clip, figure, short, words } from '../read.ts';

/** Most columns of one table. */
const COLUMNS = 12;
const EMPTY = { kind: 'none', why: 'not recorded' } as const satisfies Cell;

function cell(value: unknown): Cell {
  const from = fields(value);
  switch (from.kind) {
    case 'text':
      return { kind: 'text', text: clip(from.text, LIMITS.cellText) };
    case 'feature':
      return { kind: 'feature', id: short(from.id), title: short(from.title) };
    case 'figure':
      return { kind: 'figure', figure: figure(from.figure) };
    case 'cite':
      return { kind: 'cite', cite: cite(from.cite) };
    case 'time': {
      const ms = number(from.ms);
      return ms === null ? EMPTY : { kind: 'time', ms, zone: short(from.zone) };
    }
    case 'change':
      return { kind: 'change', claimed: figure(from.claimed), counted: figure(from.counted) };
    case 'agree':
      return { kind: 'agree' };
    case 'none':
      return { kind: 'none', why: words(from.why, LIMITS.cellText) ?? EMPTY.why };
    default:
      return EMPTY;
  }
}

const column = (value: unknown): TableColumn | null => {
  if (!isRecord(value)) return null;
  return {
    id: short(value.id),
    label: short(value.label),
    align: oneOf(value.align, ['start', 'end'], 'start'),
  };
};

/** Columns, rows of exactly that many cells, and how many rows there are in all. */
function tableOf(value: unknown): Pick<TableCard, 'columns' | 'rows' | 'total'> {
  const from = fields(value);
  const columns = list(from.columns, column, COLUMNS);
  const rows = list(
    from.rows,
    (row) => (Array.isArray(row) ? columns.map((_, index) => cell(row[index])) : null),
    LIMITS.tableRows,
  );
  return { columns, rows, total: Math.max(count(from.total), rows.length) };
}

/** Reads a table card from anything; a row has a cell for every column, missing ones say so. */
export const readTable = (value: unknown): TableCard => ({
  ...base(value),
  type: 'table',
  ...tableOf(value),
});

/** Reads a conflict card from anything. */
export const readConflict = (value: unknown): ConflictCard => ({
  ...base(value),
  type: 'conflict',
  ...tableOf(value),
});
