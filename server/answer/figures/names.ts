import { plainOf } from './plain.ts';

const wordly = /[\p{L}\p{N}_]/u;

/**
 * Where a text stands in another as whole words. Both are compared as they are.
 * @returns spans in order; a text without content is nowhere
 */
export function wordSpans(text: string, wanted: string): [start: number, end: number][] {
  const spans: [number, number][] = [];
  if (wanted === '') return spans;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    // Two units, so that a letter outside the basic plane is seen whole.
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(end, end + 2);
    const opens = !wordly.test(wanted[0] ?? '') || !/[\p{L}\p{N}_]$/u.test(before);
    const closes = !wordly.test(wanted.at(-1) ?? '') || !/^[\p{L}\p{N}_]/u.test(after);
    if (opens && closes) spans.push([at, end]);
  }
  return spans;
}

/** Where names stand in a plain text, as whole words. */
export const nameSpans = (plain: string, names: readonly string[]): [start: number, end: number][] =>
  names.flatMap((name) => wordSpans(plain, name));

/** A name in the form texts are searched in. */
export const plainName = (name: string): string => plainOf(name).text.replace(/\s+/g, ' ').trim();
