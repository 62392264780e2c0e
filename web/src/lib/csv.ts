import type { Evidence } from '../../../shared/wire.ts';

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

/** The rows behind a figure as CSV with a header, one line a row. */
export const rowsAsCsv = (rows: Evidence['rows']): string =>
  asCsv(
    ['label', 'value', 'unit', 'basis', 'source', 'line', 'counted', 'how'],
    rows.map((row) => [
      row.label,
      row.value,
      row.unit,
      row.basis,
      row.source,
      row.line,
      row.counted ? 'yes' : 'no',
      row.how,
    ]),
  );
