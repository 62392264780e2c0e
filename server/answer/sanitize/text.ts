import { toUSVString } from 'node:util';

/**
 * Characters nobody sees or that turn text around: controls, bidi marks, zero-width marks, tags. Kept are tab and line
 * feed (handled below) and the joiners that emoji and several scripts need.
 */
const HIDDEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/**
 * Text from outside as it may be shown: well-formed, without hidden characters, trimmed.
 * @param lines whether line breaks stay; otherwise all white space becomes single spaces
 */
export function cleanText(text: string, lines = false): string {
  const broken = toUSVString(text).replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n');
  const visible = broken.replace(HIDDEN, '');
  return (lines ? visible.replace(/\t/g, ' ') : visible.replace(/\s+/g, ' ')).trim();
}

/**
 * Cuts a text to at most `max` UTF-16 units, the last one an ellipsis when something is missing. Cuts neither a
 * surrogate pair nor a placeholder in two.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  let head = text.slice(0, max - 1);
  const open = head.lastIndexOf('{');
  if (open > head.lastIndexOf('}')) head = head.slice(0, open);
  return `${head.replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}
