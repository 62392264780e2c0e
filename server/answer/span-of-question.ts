import { wordSpans } from './figures/names.ts';

/** Words before a number that make it the name of something: "feature 28", "#28". */
const NAMES = /(?:#|(?<!\p{L})(?:features?|runs?|commits?|lines?)(?: #?\d{1,9}(?:,| and| or)?){0,20}) ?$/u;

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s"'“”‘’]+/g, ' ')
    .trim();

/** Whether a number that begins or ends there is cut out of a longer one ("3" of "3.5"). */
const cutsNumber = (text: string, start: number, end: number): boolean =>
  /\d[.,]$/.test(text.slice(Math.max(0, start - 2), start)) || /^[.,]\d/.test(text.slice(end, end + 2));

/**
 * Whether a question says something: in whole words, whatever its spacing and case, and not as the number that names a
 * feature.
 */
export function isSpanOf(claimed: string, question: string): boolean {
  const wanted = plain(claimed);
  const text = plain(question);
  return wordSpans(text, wanted).some(
    ([start, end]) =>
      !cutsNumber(text, start, end) &&
      !(/^\d/.test(wanted) && NAMES.test(text.slice(Math.max(0, start - 200), start))),
  );
}
