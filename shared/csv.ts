import type { Evidence } from './wire.ts';

export type CsvValue = string | number | null;

/**
 * One field of RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe in front.
 */
function field(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Lines as CSV below a header, CRLF between them. */
export const asCsv = (header: readonly string[], lines: readonly (readonly CsvValue[])[]): string =>
  [header, ...lines].map((line) => line.map(field).join(',')).join('\r\n');

/**
 * The rows behind a figure as CSV with a header, one line a row.
 * @param total how many there are; where more than are given, a last line says so
 */
export function rowsAsCsv(rows: Evidence['rows'], total: number = rows.length): string {
  const lines = rows.map((row) => [
    row.label,
    row.value,
    row.unit,
    row.basis,
    row.source,
    row.line,
    row.counted ? 'yes' : 'no',
    row.how,
  ]);
  const left = total - rows.length;
  return asCsv(
    ['label', 'value', 'unit', 'basis', 'source', 'line', 'counted', 'how'],
    left > 0 ? [...lines, [`${left} more rows are not in this file`]] : lines,
  );
}
