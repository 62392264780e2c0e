import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { asCsv, type CsvValue } from '../lib/csv.ts';

export interface CsvRows {
  header: readonly string[];
  lines: readonly (readonly CsvValue[])[];
}

/** A name a file can have anywhere: letters, digits and dashes. */
const fileName = (title: string): string =>
  `${
    title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || 'rows'
  }.csv`;

function save(title: string, { header, lines }: CsvRows): void {
  // The mark at the start tells spreadsheets that the text is UTF-8.
  const blob = new Blob([`\uFEFF${asCsv(header, lines)}`], { type: 'text/csv;charset=utf-8' });
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName(title);
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Saves the rows of a card as a file. They are only made when asked for. */
export function CsvButton({ title, rows }: { title: string; rows: () => CsvRows }): ReactNode {
  return (
    <button
      type="button"
      className="how"
      aria-label={`Save the rows as CSV: ${title}`}
      title="Save the rows as CSV"
      onClick={() => save(title, rows())}
    >
      <Download className="i" aria-hidden="true" />
      <span aria-hidden="true">CSV</span>
    </button>
  );
}
