import type { Unit } from '../../shared/cards.ts';
import { LIMITS } from '../../shared/limits.ts';

/** A number somebody typed in a text. */
export interface TypedFigure {
  /** Where it stands: `text` is `source.slice(start, end)`, the number with the sign that belongs to it ("9/10", "97 %", "$5"). */
  start: number;
  end: number;
  text: string;
  /** In the unit, if there is one: "7 minutes" is 420 s. */
  value: number;
  unit: Unit | null;
}

const ONES = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, value) => [word, value]),
);
const TENS = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, at) => [word, 20 + at * 10]),
);
const ORDINALS = new Map(
  'first second third fourth fifth sixth seventh eighth ninth tenth'
    .split(' ')
    .map((word, at) => [word, at + 1]),
);
const AMOUNTS = new Map([
  ['once', 1],
  ['single', 1],
  ['twice', 2],
  ['both', 2],
  ['thrice', 3],
  ['half', 0.5],
  ['dozen', 12],
]);

/** Words that name a unit, and how many of it one of them is. */
const UNITS = new Map<string, { unit: Unit; factor: number }>();
const unit = (id: Unit, factor: number, words: string): void => {
  for (const word of words.split(' ')) UNITS.set(word, { unit: id, factor });
};
unit('s', 0.001, 'ms milliseconds');
unit('s', 1, 's sec secs second seconds');
unit('s', 60, 'm min mins minute minutes');
unit('s', 3_600, 'h hr hrs hour hours');
unit('points', 1, 'point points');
unit('attempts', 1, 'attempt attempts try tries iteration iterations');
unit('features', 1, 'feature features');
unit('lines', 1, 'line lines');
unit('files', 1, 'file files');
unit('commits', 1, 'commit commits');
unit('tokens', 1, 'token tokens');
unit('findings', 1, 'finding findings');
unit('usd', 1, 'dollar dollars usd');
unit('ratio', 0.01, 'percent');
unit('times', 1, 'times');

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';

/**
 * What holds digits without being a figure: things named by number, dates and clock times, places in files, hashes,
 * citations, names with a number in them.
 */
const REFERENCES = [
  /#\s?\d+(?:(?:\s?,\s?|\s(?:and|or|to)\s)#\s?\d+)*/g,
  /\b(?:features?|runs?|attempts?|commits?|lines?|cards?|items?|rows?|passes|pass|steps?|no\.|number|version|node)\s+#?[\da-f]*\d[\da-f]*(?:(?:\s?,\s?|\s(?:and|or|to)\s|-)\d+)*(?![\d.]*\s?(?:s|%|×)\b)/gi,
  /\[?\bE\d{1,3}\b\]?/g,
  /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?/g,
  new RegExp(`\\b\\d{1,2}(?:st|nd|rd|th)?\\s+${MONTH}\\b(?:\\s+\\d{4}\\b)?`, 'gi'),
  new RegExp(`\\b${MONTH}\\s+\\d{1,2}(?:st|nd|rd|th)?\\b(?:,?\\s+\\d{4}\\b)?`, 'gi'),
  /\b\d{1,2}:\d{2}(?::\d{2})?\b/g,
  /[\p{L}_)][\w.-]*:\d+(?:[-–]\d+)?/gu,
  /\b(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{7,40}\b/gi,
];

const DIGITS =
  /(?<![\p{L}\p{N}_.])(\$?)([+-]?\d{1,3}(?:[,\u202f]\d{3})+|[+-]?\d{1,15})(\.\d{1,9})?(?:(\s?\/\s?10\b)|(\s?%)|(\s?[×x](?![\p{L}\p{N}])))?(?![\p{N}_])/gu;
const WORD = /(?<![\p{L}\p{N}_-])\p{L}+(?:-\p{L}+)*(?![\p{L}\p{N}_])/gu;
const NEXT = /^[\s-]{0,2}(\p{L}+)/u;

function spansOf(text: string): [number, number][] {
  const spans: [number, number][] = [];
  for (const pattern of REFERENCES)
    for (const match of text.matchAll(pattern)) spans.push([match.index, match.index + match[0].length]);
  return spans;
}

const unitAfter = (text: string, end: number): { unit: Unit; factor: number } | undefined =>
  UNITS.get((NEXT.exec(text.slice(end, end + 24))?.[1] ?? '').toLowerCase());

/** "twenty-nine", "two hundred": the value of up to two words, or undefined. */
function wordValue(word: string): number | undefined {
  const [first = '', second, ...rest] = word.split('-');
  if (rest.length > 0) return undefined;
  const tens = TENS.get(first);
  if (second !== undefined) {
    const ones = ONES.get(second);
    return tens !== undefined && ones !== undefined && ones > 0 && ones < 10 ? tens + ones : undefined;
  }
  return tens ?? ONES.get(first);
}

/** "one" is a figure only where it counts something: not in "the one that", "no one", "one of". */
function isCountingOne(text: string, start: number, end: number): boolean {
  const before =
    /(\p{L}+)[\s-]*$/u.exec(text.slice(Math.max(0, start - 24), start))?.[1]?.toLowerCase() ?? '';
  const after = NEXT.exec(text.slice(end, end + 24))?.[1]?.toLowerCase() ?? '';
  if (UNITS.has(after)) return true;
  if ('the this that which no each every any some another last next such only'.split(' ').includes(before))
    return false;
  return !['of', 'another', 'that', 'which', 'who', 'by', 'has', 'is', 'was', 'can'].includes(after);
}

function wordsIn(text: string): TypedFigure[] {
  const found: TypedFigure[] = [];
  for (const match of text.matchAll(WORD)) {
    const word = match[0].toLowerCase();
    const start = match.index;
    let end = start + word.length;
    const push = (value: number, given: Unit | null = null) => {
      const after = given === null ? unitAfter(text, end) : { unit: given, factor: 1 };
      found.push({
        start,
        end,
        text: text.slice(start, end),
        value: value * (after?.factor ?? 1),
        unit: after?.unit ?? null,
      });
    };
    const value = wordValue(word);
    if (value !== undefined) {
      const hundred = /^\s+(hundred|thousand)\b/i.exec(text.slice(end, end + 12));
      if (hundred) end += hundred[0].length;
      if (word === 'one' && !hundred && !isCountingOne(text, start, end)) continue;
      push(value * (hundred ? (hundred[1]?.toLowerCase() === 'hundred' ? 100 : 1000) : 1));
      continue;
    }
    const amount = AMOUNTS.get(word);
    if (amount !== undefined) {
      push(amount, word === 'half' ? 'ratio' : null);
      continue;
    }
    // "first try", "second attempt": an ordinal counts only before what it counts.
    const ordinal = ORDINALS.get(word.split('-')[0] ?? '');
    const counted = word.includes('-') ? word.slice(word.indexOf('-') + 1) : unitWord(text, end);
    if (ordinal !== undefined && UNITS.get(counted)?.unit === 'attempts') push(ordinal, 'attempts');
  }
  return found;
}

const unitWord = (text: string, end: number): string =>
  (NEXT.exec(text.slice(end, end + 24))?.[1] ?? '').toLowerCase();

function digitsIn(text: string): TypedFigure[] {
  const found: TypedFigure[] = [];
  for (const match of text.matchAll(DIGITS)) {
    const [whole, dollar, integer, fraction, ofTen, percent, times] = match;
    const value = Number(`${(integer ?? '').replaceAll(/[,\u202f]/g, '')}${fraction ?? ''}`);
    if (!Number.isFinite(value)) continue;
    const end = match.index + whole.length;
    const own: { unit: Unit; factor: number } | undefined = dollar
      ? { unit: 'usd', factor: 1 }
      : ofTen
        ? { unit: 'points', factor: 1 }
        : percent
          ? { unit: 'ratio', factor: 0.01 }
          : times
            ? { unit: 'times', factor: 1 }
            : unitAfter(text, end);
    // "4b", "3rd": a letter that is no unit makes it a name.
    if (own === undefined && /^[\p{L}_]/u.test(text.slice(end, end + 1))) continue;
    found.push({
      start: match.index,
      end,
      text: whole,
      value: value * (own?.factor ?? 1),
      unit: own?.unit ?? null,
    });
  }
  return found;
}

/** Characters that are another way to write one ASCII character that can stand in a number. */
const DISGUISED = /[^\p{ASCII}\p{No}\s]/gu;

/** A text with fullwidth and mathematical digits, letters and signs as plain ones (NFKC); all else stays as it is. */
export const plainDigits = (text: string): string =>
  text.replace(DISGUISED, (character) => {
    const plain = character.normalize('NFKC');
    return /^[0-9A-Za-z%$.,/+-]$/.test(plain) ? plain : character;
  });

/** `plainDigits`, and for each place in it (and its end) the place in the text as given. */
function readable(text: string): { read: string; at: (index: number) => number } {
  const read = plainDigits(text);
  // Only characters outside the basic plane change their length.
  if (read.length === text.length) return { read, at: (index) => index };
  const places: number[] = [];
  let place = 0;
  for (const character of text) {
    const { length } = plainDigits(character);
    for (let n = 0; n < length; n += 1) places.push(place + n);
    place += character.length;
  }
  return { read, at: (index) => places[index] ?? place };
}

/**
 * Numbers typed in a text: digits, decimals, per cent, quotients, number words, "both", "twice", "first try".
 * Ids ("#28", "feature 28", "E3"), dates, clock times, hashes and places in files are references, not figures.
 * @param text plain text; only the first LIMITS.planBytes characters are read
 * @returns in order of the text, never overlapping
 */
export function findTypedFigures(text: string): TypedFigure[] {
  const source = text.slice(0, LIMITS.planBytes);
  const { read, at: placeOf } = readable(source);
  const references = spansOf(read).sort(([a], [b]) => a - b);
  const all = [...digitsIn(read), ...wordsIn(read)].sort((a, b) => a.start - b.start);
  const found: TypedFigure[] = [];
  let last = 0;
  let at = 0;
  let covered = 0;
  for (const figure of all) {
    // Both lists are in order, so one pass is enough: `covered` is how far references seen so far reach.
    for (let span = references[at]; span && span[0] < figure.end; span = references[at]) {
      covered = Math.max(covered, span[1]);
      at += 1;
    }
    if (figure.start < last || figure.start < covered) continue;
    const [start, end] = [placeOf(figure.start), placeOf(figure.end)];
    found.push({ ...figure, start, end, text: source.slice(start, end) });
    last = figure.end;
  }
  return found;
}
