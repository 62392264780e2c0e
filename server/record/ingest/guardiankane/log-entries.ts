import { LIMITS } from '../../../../shared/limits.ts';
import type { SourceInput, SourceLine } from '../adapter.ts';
import { headOf } from './log-grammar.ts';

/** One entry of the log: its head and the lines that carry its message on. */
export interface LogEntry {
  /** Where the entry begins. */
  no: number;
  offset: number;
  lastLine: number;
  /** As written; null with `who` for lines that belong to no entry. */
  at: string | null;
  who: string | null;
  message: string;
  /** False when the last line of the file is part of it and no line break ends that line. */
  ended: boolean;
}

const begin = (line: SourceLine): LogEntry => {
  const head = headOf(line.text);
  return {
    no: line.no,
    offset: line.offset,
    lastLine: line.no,
    at: head?.at ?? null,
    who: head?.who ?? null,
    message: head?.message ?? line.text,
    ended: line.ended,
  };
};

/** A last line that breaks off inside its head: it is no part of the message above. */
const cutHead = (line: SourceLine): boolean => !line.ended && /^\[\d{0,4}(?:-|$)/.test(line.text);

/**
 * Entries of a log whose messages may hold line breaks: a line without a head carries the entry above on. Text beyond
 * LIMITS.logEntry is left out and reported; lines before the first head are entries without a time.
 */
export async function* entriesOf(source: SourceInput): AsyncGenerator<LogEntry> {
  let open: LogEntry | null = null;
  let cut = false;
  for await (const line of source.lines()) {
    if (open === null || headOf(line.text) !== null || cutHead(line)) {
      if (open) yield open;
      open = begin(line);
      cut = false;
      continue;
    }
    open.lastLine = line.no;
    open.ended = line.ended;
    if (open.message.length + line.text.length <= LIMITS.logEntry) open.message += `\n${line.text}`;
    else if (!cut) {
      cut = true;
      source.issue(
        'text_cut',
        'warning',
        line.no,
        'The entry goes on for very long; the rest of its message was left out.',
      );
    }
  }
  if (open) yield open;
}
