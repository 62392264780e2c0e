import Table from 'cli-table3';
import type { ReadSummary, SourceSummary } from '../record/store.ts';
import { printable } from './progress.ts';

/** Rows of the table, and lines below it, before the rest is only counted. */
const ROWS = 60;
const LINES = 20;
/** Characters of one text in a row, and of one line below. */
const CELL = 56;
const LINE = 200;

const short = (text: string, most: number): string => {
  const plain = printable(text);
  return plain.length <= most ? plain : `…${plain.slice(1 - most)}`;
};
const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** What reading one project came to, under the name it goes by among the others. */
export type NamedSummary = Pick<ReadSummary, 'sources' | 'findings' | 'left'> & { name: string };

const wasRead = (source: SourceSummary): boolean => source.ok !== null;

const entries = ({ ok, bad }: SourceSummary): string =>
  ok === null ? 'not read' : (bad ?? 0) > 0 ? `${ok} of ${ok + (bad ?? 0)}` : String(ok);

/** What has problems comes first where not everything fits. */
function shownSources(sources: readonly SourceSummary[]): SourceSummary[] {
  if (sources.length <= ROWS) return [...sources];
  const kept = new Set(
    sources.toSorted((a, b) => Number(b.problemCount > 0) - Number(a.problemCount > 0)).slice(0, ROWS),
  );
  return sources.filter((source) => kept.has(source));
}

/** One line a problem: where it is and what it is. */
function problemLines(summary: NamedSummary, prefix: string): string[] {
  return summary.sources.flatMap((source) =>
    source.problems.map(({ line, detail }, at) => {
      const place = `${prefix}${short(source.path, CELL)}${line === null ? '' : `:${line}`}`;
      const left = source.problemCount - source.problems.length;
      const more = at === source.problems.length - 1 && left > 0 ? ` (and ${left} more in this file)` : '';
      return `${place}  ${short(detail, LINE)}${more}`;
    }),
  );
}

/** A heading and what stands below it; nothing where there is nothing. */
function section(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const rest = lines.length - LINES;
  return [
    '',
    heading,
    ...lines.slice(0, LINES).map((line) => `  ${line}`),
    ...(rest > 0 ? [`  ${rest} more`] : []),
  ];
}

/**
 * What was found in the folders, as a person at a terminal reads it: one table, below it what could not be read and why, and
 * what was left out. Names and texts of files are shown without control characters.
 */
export function foundText(summaries: readonly NamedSummary[]): string {
  const several = summaries.length > 1;
  const sources = summaries.flatMap(({ name, sources: own }) => own.map((source) => ({ name, source })));
  const shown = new Set(shownSources(sources.map(({ source }) => source)));
  const table = new Table({
    head: [...(several ? ['Project'] : []), 'File', 'Format', 'Entries', 'Problems'],
    colAligns: [...(several ? (['left'] as const) : []), 'left', 'left', 'right', 'right'],
    style: { head: [], border: [], compact: true },
  });
  for (const { name, source } of sources) {
    if (!shown.has(source)) continue;
    table.push([
      ...(several ? [short(name, CELL)] : []),
      short(source.path, CELL),
      short(source.format, CELL),
      entries(source),
      source.problemCount === 0 ? '' : String(source.problemCount),
    ]);
  }
  const empty = summaries.filter(({ sources: own }) => own.length === 0);
  const findings = summaries.reduce((sum, summary) => sum + summary.findings, 0);
  const unread = sources.filter(({ source }) => !wasRead(source)).length;
  const prefixOf = (summary: NamedSummary): string => (several ? `${short(summary.name, CELL)}: ` : '');
  return [
    ...(sources.length > 0 ? [table.toString()] : []),
    ...(sources.length > shown.size ? [`${sources.length - shown.size} more files were read.`] : []),
    ...empty.map((summary) => `${prefixOf(summary)}Nothing that Looplight reads was found.`),
    ...section(
      unread === 0 ? 'Problems' : `Problems; ${plural(unread, 'file')} could not be read`,
      summaries.flatMap((summary) => problemLines(summary, prefixOf(summary))),
    ),
    ...section(
      'Left out',
      summaries.flatMap((summary) =>
        summary.left.map((words) => `${prefixOf(summary)}${short(words, LINE)}`),
      ),
    ),
    '',
    `${plural(sources.length, 'source')}, ${plural(findings, 'audit finding')}`,
  ].join('\n');
}
