import { LIMITS } from '../../../../shared/limits.ts';
import type { SourceLine } from '../adapter.ts';
import { readPrinted } from './date-line.ts';
import { refsIn } from './refs.ts';

/** How a section says it ended. */
export type SectionEnd = 'done' | 'no_signal' | 'error' | 'timeout' | 'blocked';

/** One section of progress.txt: notes on one turn of the loop, or on something else. */
export interface Section {
  kind: 'iteration' | 'note';
  heading: string;
  line: number;
  lastLine: number;
  /** Number of the turn, where sections are numbered. */
  n: number | null;
  /** When; `dateOnly` where only a day is written, which is no time. */
  time: { ms: number; zone: string | null } | null;
  dateOnly: boolean;
  refs: string[];
  /** As written behind "Status:", and what it means. */
  status: string | null;
  end: SectionEnd | null;
  /** Files it lists, with the line they stand on. */
  files: { path: string; line: number }[];
  body: string;
}

export interface NotesHead {
  /** "Started: …" at the top. */
  started: { ms: number; zone: string | null; line: number } | null;
}

/** `## 2026-03-27 - US-009`, with a time of day where there is one. */
const DATED =
  /^##\s+\[?(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?(?:\s?(?:Z|[+-]\d\d:?\d\d))?))?\]?\s*(?:[-–—:|]\s*(.*))?$/;
/** `## Iteration 4 - 2026-03-27 07:42`. */
const NUMBERED = /^##\s+Iteration\s+(\d{1,6})(?:\s*[-–—:|]\s*(.*))?$/i;
const HEADING = /^##?\s+(.*)$/;
const FIELD = /^(?:[-*]\s+)?\*{0,2}(Task|Status|Files changed|Files)\*{0,2}:\*{0,2}\s*(.*)$/i;
const STARTED = /^Started:\s*(.{1,80})$/;

/** What a status means; the words of the loop's own script come first, because they also hold words of success. */
const ENDS: readonly (readonly [RegExp, SectionEnd])[] = [
  [/no explicit completion|no completion signal|partial|incomplete|unfinished/i, 'no_signal'],
  [/time[d]?[ -]?out/i, 'timeout'],
  [/block/i, 'blocked'],
  [/fail|error|crash/i, 'error'],
  [/complete|done|success|pass/i, 'done'],
];
export const endOf = (status: string): SectionEnd | null =>
  ENDS.find(([pattern]) => pattern.test(status))?.[1] ?? null;

/** Files of a comma-separated list; words that are no path are left out. */
const filesOf = (list: string): string[] =>
  list
    .split(',')
    .map((item) => item.trim().replace(/^`|`$/g, '').replace(/^\.\//, ''))
    .filter((item) => /^[\w@.()[\]/-]{1,300}$/.test(item) && /[./]/.test(item));

function begin(line: SourceLine): Section | null {
  const heading = HEADING.exec(line.text)?.[1]?.trim();
  if (heading === undefined) return null;
  const section: Section = {
    kind: 'note',
    heading,
    line: line.no,
    lastLine: line.no,
    n: null,
    time: null,
    dateOnly: false,
    refs: [],
    status: null,
    end: null,
    files: [],
    body: '',
  };
  const numbered = NUMBERED.exec(line.text);
  if (numbered) {
    return {
      ...section,
      kind: 'iteration',
      n: Number(numbered[1]),
      time: readPrinted(numbered[2] ?? ''),
      dateOnly: /^\d{4}-\d\d-\d\d$/.test(numbered[2]?.trim() ?? ''),
    };
  }
  const dated = DATED.exec(line.text);
  if (!dated) return section;
  const [, day, clock, about = ''] = dated;
  return {
    ...section,
    kind: 'iteration',
    time: clock === undefined ? null : readPrinted(`${day}T${clock}`),
    dateOnly: clock === undefined,
    refs: refsIn(about),
  };
}

function addTo(section: Section, line: SourceLine): void {
  section.lastLine = line.no;
  if (section.body.length + line.text.length < LIMITS.sourceText) {
    section.body += `${section.body === '' ? '' : '\n'}${line.text}`;
  }
  const field = FIELD.exec(line.text);
  const [name, value] = [field?.[1]?.toLowerCase(), field?.[2]?.trim() ?? ''];
  if (name === 'task' && section.refs.length === 0) section.refs = refsIn(value);
  else if (name === 'status' && section.status === null) {
    section.status = value;
    section.end = endOf(value);
  } else if (name?.startsWith('files') && section.files.length < LIMITS.sectionFiles) {
    for (const path of filesOf(value)) section.files.push({ path, line: line.no });
  }
}

/**
 * Sections of a progress.txt as loops of this family keep it: a title with "Started:", then a section a turn. Two forms of
 * headings are known (a day and a story; a number and a time); any other section is a note.
 * @param head filled with what stands above the first section
 */
export async function* sectionsOf(
  lines: AsyncIterable<SourceLine>,
  head: NotesHead,
): AsyncGenerator<Section> {
  let open: Section | null = null;
  for await (const line of lines) {
    const started = head.started === null ? STARTED.exec(line.text)?.[1] : undefined;
    if (started !== undefined) {
      const time = readPrinted(started);
      if (time) head.started = { ...time, line: line.no };
      continue;
    }
    const next = begin(line);
    if (next !== null) {
      if (open) yield open;
      open = next;
    } else if (open && line.text.trim() !== '' && !/^-{3,}\s*$/.test(line.text)) addTo(open, line);
  }
  if (open) yield open;
}
