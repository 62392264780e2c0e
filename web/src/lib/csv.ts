import type { Evidence } from '../../../shared/wire.ts';

/**
 * One field of RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe in front.
 */
function field(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The rows behind a figure as CSV with a header, one line a row, CRLF between them. */
export function rowsAsCsv(rows: Evidence['rows']): string {
  const header = ['label', 'value', 'unit', 'basis', 'source', 'line', 'counted', 'how'];
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
  return [header, ...lines].map((line) => line.map(field).join(',')).join('\r\n');
}
