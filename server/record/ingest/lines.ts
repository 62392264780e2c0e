import { LIMITS } from '../../../shared/limits.ts';
import type { Issues } from './issue.ts';

export interface Line {
  /** Counts from 1. */
  no: number;
  text: string;
  /** False only for a last line that no line break ends: it may still be being written. */
  ended: boolean;
}

/**
 * Lines of a text, whether they end in LF or CRLF. A line longer than the limit is reported and given as empty, so that the
 * numbers of the others stay right.
 */
export function* linesOf(text: string, issues: Issues): Generator<Line> {
  let start = 0;
  for (let no = 1; start < text.length; no += 1) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const last = end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
    if (last - start > LIMITS.lineBytes) {
      issues.add('line_too_long', 'warning', no, 'This line is longer than is read, so it was left out.');
      yield { no, text: '', ended: found !== -1 };
    } else yield { no, text: text.slice(start, last), ended: found !== -1 };
    start = end + 1;
  }
}
