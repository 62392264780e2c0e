import type { Where } from '../../../shared/plan.ts';
import type { RecordProfile } from '../../record/store.ts';
import { COMPARATORS, NEGATIONS } from './lexicon.ts';
import { alike, stem, type Token, tokenize } from './tokens.ts';
import { isKnown } from './vocabulary.ts';

/** A value of the record named in a question. */
export interface Named {
  value: string;
  at: number;
  /** "without scaffold", "not polish". */
  negated: boolean;
}

const AROUND = new Set('category area group kind'.split(' '));
const INTO = new Set('in within for from of only without except excluding versus vs and or the'.split(' '));

const negatedAt = (tokens: readonly Token[], at: number): boolean =>
  [1, 2, 3].some((back) => NEGATIONS.has(tokens[at - back]?.text ?? ''));

/**
 * Categories a question names. A category whose name is an everyday word of questions ("features", "tokens") counts
 * only where the words around it say that a category is meant.
 */
export function namedCategories(
  tokens: readonly Token[],
  skip: ReadonlySet<number>,
  profile: RecordProfile,
): Named[] {
  const found: Named[] = [];
  const unsure: Named[] = [];
  for (const category of profile.categories) {
    const words = tokenize(category).map((token) => token.stem);
    const first = words[0];
    if (first === undefined) continue;
    const at = tokens.findIndex(
      (token, index) =>
        !skip.has(index) &&
        words.every((word, i) => {
          const here = tokens[index + i];
          return (
            here !== undefined && !skip.has(index + i) && (i > 0 || token === here) && same(here.stem, word)
          );
        }),
    );
    if (at < 0) continue;
    const plain = words.length > 1 || !isKnown(stem(category.toLowerCase()));
    const named = { value: category, at, negated: negatedAt(tokens, at) };
    if (plain || marked(tokens, at, words.length, first)) found.push(named);
    else unsure.push(named);
  }
  // "Cards and timeline", "quality slower than git": beside one category the other is one too.
  const others = tokens.some(({ stem }) => AGAINST.has(stem)) ? [...found, ...unsure] : [...found];
  found.push(
    ...unsure.filter((one) => others.some((other) => other !== one && linked(tokens, other.at, one.at))),
  );
  return found.toSorted((a, b) => a.at - b.at);
}

/** Words of a comparison: what stands on both sides of them is of one kind. */
const AGAINST = new Set('compare compared comparison than vs versus against'.split(' '));
const BESIDE = new Set('and or vs versus than with against to'.split(' '));

/** Two categories with no more between them than a comparison has, and a word among it that joins them. */
function linked(tokens: readonly Token[], a: number, b: number): boolean {
  const between = tokens.slice(Math.min(a, b) + 1, Math.max(a, b));
  return between.length <= 4 && between.some(({ text }) => BESIDE.has(text));
}

/** A slip of the first letter makes another word: "around" is no "ground". */
const same = (a: string, b: string): boolean =>
  isKnown(a) || isKnown(b) ? a === b : a[0] === b[0] && alike(a, b) > 0;

/** "the tokens category", "category tokens", "in git", "tokens features". */
function marked(tokens: readonly Token[], at: number, length: number, first: string): boolean {
  const before = tokens[at - 1]?.stem ?? '';
  const after = tokens[at + length]?.stem ?? '';
  if (AROUND.has(before) || AROUND.has(after)) return true;
  if (first !== 'feature' && after === 'feature') return before !== 'many' && before !== 'most';
  return (
    INTO.has(before) &&
    before !== 'of' &&
    before !== 'and' &&
    before !== 'the' &&
    after !== 'per' &&
    first !== 'feature'
  );
}

/** Statuses a question names as a filter: "only accepted", "excluding skipped", "the pending ones". */
export function namedStatuses(tokens: readonly Token[], profile: RecordProfile): Named[] {
  return profile.statuses.flatMap((status) => {
    const at = tokens.findIndex((token) => token.stem === stem(status.toLowerCase()));
    if (at < 0) return [];
    const only =
      tokens[at - 1]?.text === 'only' ||
      tokens[at + 1]?.stem === 'feature' ||
      tokens[at + 1]?.text === 'ones';
    const negated = negatedAt(tokens, at);
    return only || negated ? [{ value: status, at, negated }] : [];
  });
}

/** A bound that a question sets on features, such as "scored less than nine" or "slower than 2 minutes". Inclusive. */
export interface Range {
  dim: 'score' | 'attempts' | 'build_time' | 'lines_added';
  from: string | null;
  to: string | null;
  /** The bound in the words of the question. */
  words: string;
}
type Side = (typeof COMPARATORS)[number]['side'];

const UNIT_WORDS: readonly [dim: Range['dim'], factor: number, words: ReadonlySet<string>][] = [
  ['attempts', 1, new Set('attempt try retry iteration'.split(' '))],
  ['score', 1, new Set('score scored scoring rated point mark grade'.split(' '))],
  ['build_time', 1, new Set('second sec s'.split(' '))],
  ['build_time', 60, new Set('minute min m'.split(' '))],
  ['build_time', 3600, new Set('hour h hr'.split(' '))],
  ['lines_added', 1, new Set('line loc'.split(' '))],
];
/** Comparators that can only be about time. */
const OF_TIME = /(?:slower|longer|faster|quicker|shorter) than$/;

interface Spoken {
  dim: Range['dim'];
  factor: number;
  /** Token after the last word of the bound. */
  end: number;
}

/** What a number speaks of, from the words after it, else from the comparator, else from the words before it. */
function unitNear(tokens: readonly Token[], at: number): Spoken | null {
  for (const ahead of [1, 2]) {
    const word = tokens[at + ahead]?.stem ?? '';
    const unit = UNIT_WORDS.find(([, , words]) => words.has(word));
    if (unit) return { dim: unit[0], factor: unit[1], end: at + ahead + 1 };
  }
  const before = tokens.slice(Math.max(0, at - 4), at).map((token) => token.stem);
  if (OF_TIME.test(textBefore(tokens, at, 2))) return { dim: 'build_time', factor: 1, end: at + 1 };
  const unit = UNIT_WORDS.slice(0, 2)
    .toReversed()
    .find(([, , words]) => before.some((word) => words.has(word)));
  return unit ? { dim: unit[0], factor: 1, end: at + 1 } : null;
}

const textBefore = (tokens: readonly Token[], at: number, words: number): string =>
  tokens
    .slice(Math.max(0, at - words), at)
    .map((token) => token.text)
    .join(' ');

/** The comparator right before a number, and how many words it takes. */
function comparatorAt(tokens: readonly Token[], at: number): { side: Side; words: number } | null {
  const before = textBefore(tokens, at, 3);
  const found = COMPARATORS.filter(({ words }) => before === words || before.endsWith(` ${words}`)).toSorted(
    (a, b) => b.words.length - a.words.length,
  )[0];
  return found ? { side: found.side, words: found.words.split(' ').length } : null;
}

/** "between 2" of "between 2 and 3 minutes": where the lower number stands, or -1. */
function lowerOf(tokens: readonly Token[], at: number): number {
  const joined = ['and', 'to'].includes(tokens[at - 1]?.text ?? '');
  const opened = ['between', 'from'].includes(tokens[at - 3]?.text ?? '');
  return joined && opened && tokens[at - 2]?.number != null ? at - 2 : -1;
}

/**
 * Bounds a question sets; at most one for each dimension. Bounds are inclusive, as plans want them.
 * @param text the question the tokens are of
 */
export function ranges(tokens: readonly Token[], skip: ReadonlySet<number>, text: string): Range[] {
  const found = new Map<Range['dim'], Range>();
  for (const [at, token] of tokens.entries()) {
    if (token.number === null || skip.has(at) || lowerOf(tokens, at + 2) === at) continue;
    const spoken = unitNear(tokens, at);
    const range = spoken && rangeAt(tokens, at, token.number, spoken, text);
    if (range && !found.has(range.dim)) found.set(range.dim, range);
  }
  return [...found.values()];
}

function rangeAt(
  tokens: readonly Token[],
  at: number,
  number: number,
  { dim, factor, end }: Spoken,
  text: string,
): Range | null {
  const span = (first: number, last: number): string =>
    text.slice(tokens[first]?.start ?? 0, tokens[last - 1]?.end ?? 0);
  const decimal = decimalAfter(text, tokens, at);
  const value = (number + decimal.part) * factor;
  const lower = tokens[lowerOf(tokens, at)]?.number ?? null;
  const words = (first: number): string => span(first, Math.max(end, at + 1 + decimal.tokens));
  if (lower !== null) return { dim, from: String(lower * factor), to: String(value), words: words(at - 3) };
  const comparator = comparatorAt(tokens, at);
  // Attempts and lines are whole; scores and times may have decimals.
  const step = dim === 'attempts' || dim === 'lines_added' ? 1 : 0.01;
  const after = tokens
    .slice(at + 1, at + 4)
    .map((token) => token.text)
    .join(' ');
  const more = /^(?:\w+ )?or (?:more|higher|longer)\b/.test(after);
  const less = /^(?:\w+ )?or (?:less|fewer|lower|shorter)\b/.test(after);
  const first = at - (comparator?.words ?? 0);
  switch (more ? 'from' : less ? 'to' : comparator?.side) {
    case 'above':
      return { dim, from: String(value + step), to: null, words: words(first) };
    case 'below':
      return { dim, from: null, to: String(value - step), words: words(first) };
    case 'from':
      return { dim, from: String(value), to: null, words: words(first) };
    case 'to':
      return { dim, from: null, to: String(value), words: words(first) };
    default: {
      // "The first 10 minutes" bounds something else; "exactly 86 seconds" and "took 86 seconds" do not.
      const before = tokens[at - 1]?.stem ?? '';
      const exact = ['exactly', 'took', 'take', 'needed', 'with', 'added', 'add'].includes(before);
      if ((dim === 'build_time' || dim === 'lines_added') && !exact) return null;
      return { dim, from: String(value), to: String(value), words: words(first) };
    }
  }
}

/** The decimals of "2.5": a token of their own, glued to the number by a point. */
function decimalAfter(text: string, tokens: readonly Token[], at: number): { part: number; tokens: number } {
  const here = tokens[at];
  const next = tokens[at + 1];
  if (!here?.digits || !next?.digits || next.start !== here.end + 1 || text[here.end] !== '.')
    return { part: 0, tokens: 0 };
  return { part: Number(`0.${next.text}`), tokens: 1 };
}

const USUAL = new Set('median average mean usual typical most'.split(' '));

/** A comparator with a number, or with what is usual, that became no bound; null when there is none. */
export function unclearBound(
  tokens: readonly Token[],
  skip: ReadonlySet<number>,
  text: string,
  known: readonly Range[],
): string | null {
  for (const at of tokens.keys()) {
    const comparator = comparatorAt(tokens, at);
    if (!comparator || skip.has(at)) continue;
    const target = tokens[at]?.text === 'the' ? at + 1 : at;
    const token = tokens[target];
    if (token === undefined || (token.number === null && !USUAL.has(token.text))) continue;
    const words = text.slice(tokens[at - comparator.words]?.start ?? 0, token.end);
    if (!known.some((range) => range.words.includes(words))) return words;
  }
  return null;
}

/** The filter of one dimension by values. */
export const inValues = (dim: string, values: readonly string[], not = false): Where => ({
  type: 'in',
  dim,
  not,
  any_of: [...values],
});
