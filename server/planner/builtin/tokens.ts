import { LIMITS } from '../../../shared/limits.ts';

/** One word or number of a question, with its place in the text as written. */
export interface Token {
  /** Lower case, accents removed. */
  text: string;
  /** `text` without a plural ending, for comparing. */
  stem: string;
  start: number;
  end: number;
  /** Its value when it is written in digits or as a number word, else null. */
  number: number | null;
  digits: boolean;
}

const UNITS = [
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen',
  'fifteen sixteen seventeen eighteen nineteen',
]
  .join(' ')
  .split(' ');
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const NUMBER_WORDS = new Map<string, number>([
  ...UNITS.map((word, value): [string, number] => [word, value]),
  ...TENS.map((word, index): [string, number] => [word, 20 + index * 10]),
]);

/** Value of one number word ("twelve"), or undefined. */
export const numberWord = (word: string): number | undefined => NUMBER_WORDS.get(word);

/** A word without its plural ending; short words and words in -ss, -us, -is stay as they are. */
export function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

const MARKS = /\p{M}+/gu;
const fold = (text: string): string => text.normalize('NFKD').replace(MARKS, '').toLowerCase();

/**
 * Words and numbers of a text in order, at most the first LIMITS.question characters.
 * Hyphens and apostrophes separate, except that "twenty-eight" and "twenty eight" are one number.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.slice(0, LIMITS.question).matchAll(/\p{N}+|[\p{L}\p{M}]+/gu)) {
    const word = fold(match[0]);
    const digits = /^\d{1,9}$/.test(word);
    const value = digits ? Number(word) : (numberWord(word) ?? null);
    const token: Token = {
      text: word,
      stem: stem(word),
      start: match.index,
      end: match.index + match[0].length,
      number: value,
      digits,
    };
    const before = tokens.at(-1);
    const tens = before && !before.digits && !digits ? before.number : null;
    if (
      before &&
      tens !== null &&
      tens >= 20 &&
      tens % 10 === 0 &&
      value !== null &&
      value > 0 &&
      value < 10
    ) {
      const joined = `${before.text}-${word}`;
      tokens[tokens.length - 1] = {
        ...before,
        text: joined,
        stem: joined,
        end: token.end,
        number: tens + value,
      };
    } else tokens.push(token);
  }
  return tokens;
}

/**
 * Number of single-letter slips (wrong, missing, extra or swapped letters) between two words,
 * or `limit + 1` as soon as it is certain to be more than `limit`.
 */
export function slips(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit || a.length > 40 || b.length > 40) return limit + 1;
  let older: number[] = [];
  let old = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min((old[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (old[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (older[j - 2] ?? 0) + 1);
      row.push(best);
    }
    if (Math.min(...row) > limit) return limit + 1;
    older = old;
    old = row;
  }
  return old[b.length] ?? limit + 1;
}

/** How alike two stems are: 1 equal, 0.8 apart by a small slip of the keyboard, else 0. */
export function alike(a: string, b: string): number {
  if (a === b) return 1;
  const short = Math.min(a.length, b.length);
  if (short < 5) return 0;
  const limit = short >= 8 ? 2 : 1;
  return slips(a, b, limit) <= limit ? 0.8 : 0;
}
