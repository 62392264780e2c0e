/** Longest part before a colon that serves as a title, and how many words are taken when there is none. */
const SHORT = 40;
const WORDS = 6;
/** Words a title does not end with: something would have to follow. */
const DANGLING = new Set(
  'a an and as at be by containing for from in into is of on or showing that the to using via when where which while with'.split(
    ' ',
  ),
);

/**
 * The short title of a feature, made from its description: what stands before the first colon when that is short, else the
 * first words, without a trailing "with" or "the".
 * @returns null when the description holds no word
 */
export function titleOf(description: string): string | null {
  const text = description.replace(/\s+/g, ' ').trim();
  if (text.length === 0) return null;
  const colon = text.search(/:(?:\s|$)/);
  if (colon > 0 && colon <= SHORT) return text.slice(0, colon).trim();
  const words = text.split(' ');
  const taken = words.slice(0, WORDS);
  if (words.length > WORDS) {
    while (taken.length > 1 && DANGLING.has((taken.at(-1) ?? '').toLowerCase())) taken.pop();
  }
  const title = taken.join(' ').replace(/[,;:.]+$/, '');
  return title.length <= SHORT * 2 ? title : `${title.slice(0, SHORT * 2 - 1).trimEnd()}…`;
}
