import { numberAt, textAt } from '../cells.ts';
import type { Row } from '../store.ts';
import type { FindingRow } from './rule.ts';

/** Where a row of a query stands: its `source_id`, `source_line` and, as `ref`, the id of what it is. */
export const placeOf = (row: Row): FindingRow => ({
  sourceId: textAt(row, 'source_id') ?? '',
  line: numberAt(row, 'source_line'),
  ref: textAt(row, 'ref'),
});

/** Most lines one finding cites. */
export const CITED = 50;

/** "1 entry", "3 entries". */
export const countText = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;
