import { LIMITS } from '../../../shared/limits.ts';
import type { SourceLine } from './adapter.ts';
import type { Issues } from './issue.ts';
import { visibleText } from './visible.ts';

const LF = 10;
const CR = 13;
const STRICT = new TextDecoder('utf-8', { fatal: true });

/** Where to begin: the byte, and the number of the line that begins there. */
export interface LineStart {
  offset: number;
  no: number;
}

/** Text of one line; bytes that are not UTF-8 become U+FFFD and are reported once, with the first line that has one. */
class LineDecoder {
  #reported = false;

  constructor(readonly issues: Issues) {}

  text(bytes: Buffer, no: number): string {
    const text = bytes.toString('utf8');
    if (!this.#reported && text.includes('\uFFFD')) {
      try {
        STRICT.decode(bytes);
      } catch {
        this.#reported = true;
        this.issues.add('not_utf8', 'warning', no, 'Some bytes are not UTF-8; they are shown as \uFFFD.');
      }
    }
    return visibleText(text);
  }
}

/**
 * Lines of a stream of bytes, whether they end in LF or CRLF, in memory bounded by one line. A line longer than the limit is
 * reported and given as empty, so that the numbers of the others stay right; its bytes are not kept.
 * @param chunks the bytes from `start.offset` on
 */
export async function* streamLines(
  chunks: AsyncIterable<Buffer>,
  start: LineStart,
  issues: Issues,
): AsyncGenerator<SourceLine> {
  const decoder = new LineDecoder(issues);
  let { no, offset } = start;
  /** Pieces of the line that is not complete yet, their size, and how many bytes of it were dropped. */
  let pieces: Buffer[] = [];
  let held = 0;
  let dropped = 0;
  const keep = (piece: Buffer): void => {
    if (dropped > 0 || held + piece.length > LIMITS.lineBytes) {
      dropped += held + piece.length;
      pieces = [];
      held = 0;
    } else if (piece.length > 0) {
      pieces.push(piece);
      held += piece.length;
    }
  };
  const take = (ended: boolean): SourceLine => {
    const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    const size = dropped > 0 ? dropped : bytes.length;
    let text = '';
    if (dropped > 0)
      issues.add(
        'line_too_long',
        'warning',
        no,
        `This line has ${(size / 1024 / 1024).toFixed(1)} MB, more than is read of one line, so it was left out.`,
      );
    else {
      const bom = offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
      if (bom)
        issues.add(
          'byte_order_mark',
          'info',
          1,
          'The file begins with a byte-order mark, which was taken off.',
        );
      const end = bytes[bytes.length - 1] === CR ? bytes.length - 1 : bytes.length;
      text = decoder.text(bytes.subarray(bom ? 3 : 0, end), no);
    }
    const line = { no, text, offset, ended };
    no += 1;
    offset += size + 1;
    pieces = [];
    held = 0;
    dropped = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (;;) {
      const at = chunk.indexOf(LF, from);
      if (at === -1) break;
      keep(chunk.subarray(from, at));
      yield take(true);
      from = at + 1;
    }
    // Copied, so that one short rest does not hold the whole chunk.
    if (from < chunk.length) keep(Buffer.from(chunk.subarray(from)));
  }
  if (held > 0 || dropped > 0) yield take(false);
}
