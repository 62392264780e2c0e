import type { Issues } from './issue.ts';
import { visibleText } from './visible.ts';

/**
 * Bytes of a source as text. A byte-order mark is taken off; UTF-16, which some shells write, is read and reported; bytes
 * that are not UTF-8 become U+FFFD and are reported with the first line that has one. Characters that turn the
 * direction of text are left out, control characters become U+FFFD.
 */
export function decode(bytes: Uint8Array, issues: Issues): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return utf16('utf-16le', bytes, issues);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16('utf-16be', bytes, issues);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    issues.add('byte_order_mark', 'info', 1, 'The file begins with a byte-order mark, which was taken off.');
  }
  try {
    return visibleText(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    const text = new TextDecoder('utf-8').decode(bytes);
    const at = text.indexOf('\uFFFD');
    const line = at === -1 ? null : text.slice(0, at).split('\n').length;
    issues.add('not_utf8', 'warning', line, 'Some bytes are not UTF-8; they are shown as \uFFFD.');
    return visibleText(text);
  }
}

function utf16(encoding: 'utf-16le' | 'utf-16be', bytes: Uint8Array, issues: Issues): string {
  issues.add('not_utf8', 'warning', 1, 'The file is written in UTF-16 and not in UTF-8; it was converted.');
  return visibleText(new TextDecoder(encoding).decode(bytes));
}
