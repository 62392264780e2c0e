import { textAt } from '../cells.ts';
import type { Row, SqlValue } from '../store.ts';
import { CITED, placeOf } from './place.ts';
import type { AuditQuery, FindingRow } from './rule.ts';

/** Most findings one rule about money gives; what they are about comes in order of how much it is. */
export const MOST_MONEY = 100;

/** Micro-dollars as people write them: "$12.40", "$0.0021". */
export const dollars = (micro: number): string =>
  `$${new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: Math.abs(micro) < 10_000 ? 6 : 2 }).format(micro / 1_000_000)}`;

/** "1 model call", "1,204 model calls". */
export const callsText = (n: number): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? 'model call' : 'model calls'}`;

/** Where the first of some model calls stand. `where` is over llm_requests. */
export async function callPlaces(
  query: AuditQuery,
  where: string,
  params: readonly SqlValue[] = [],
): Promise<FindingRow[]> {
  const rows: Row[] = await query(
    `SELECT source_id, source_line, request_id AS ref FROM llm_requests WHERE ${where} ORDER BY started_at_ms, request_id LIMIT ${CITED}`,
    params,
  );
  return rows.map(placeOf);
}

/** A text as part of an id of a finding. */
export const idPart = (row: Row, key: string): string => textAt(row, key) ?? 'none';
