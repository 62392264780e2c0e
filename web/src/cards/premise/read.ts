import { BASES, type PremiseCard, type PremiseRow } from '../../../../shared/cards.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { fields, isRecord, list, oneOf } from '../../lib/unknown.ts';
import { base, cite, figures, inlines, short, unitOf, words } from '../read.ts';

/** Most columns, rows, and values of one source in one cell. */
const COLUMNS = 6;
const ROWS = 20;
const VALUES = 12;

function premiseCell(value: unknown): PremiseRow['cells'][number] {
  const from = fields(value);
  const read = figures(from.figures, VALUES);
  return {
    figures: read,
    join: oneOf(from.join, ['then', 'plus'], 'then'),
    missing: read.length === 0 ? (words(from.missing, LIMITS.cellText) ?? 'not recorded') : null,
  };
}

/** Reads a premise card from anything; a row has a cell for every column. */
export function readPremise(value: unknown): PremiseCard {
  const from = fields(value);
  const columns = list(
    from.columns,
    (column) => (isRecord(column) ? { label: short(column.label), unit: unitOf(column.unit) } : null),
    COLUMNS,
  );
  const row = (item: unknown): PremiseRow | null => {
    if (!isRecord(item)) return null;
    const cells = Array.isArray(item.cells) ? item.cells : [];
    return {
      source: short(item.source),
      cite: cite(item.cite),
      basis: oneOf(item.basis, BASES, 'unknown'),
      counted: item.counted === true,
      cells: columns.map((_, index) => premiseCell(cells[index])),
    };
  };
  return {
    ...base(value),
    type: 'premise',
    columns,
    rows: list(from.rows, row, ROWS),
    counted: inlines(from.counted),
  };
}
