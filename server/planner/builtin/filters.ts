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
    if (plain || marked(tokens, at, words.length, first))
      found.push({ value: category, at, negated: negatedAt(tokens, at) });
  }
  return found.toSorted((a, b) => a.at - b.at);
}

const same = (a: string, b: string): boolean => (isKnown(a) || isKnown(b) ? a === b : alike(a, b) > 0);

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

/** A bound on the score or the attempts of features, such as "scored less than nine" or "more than one attempt". */
export interface Range {
  dim: 'score' | 'attempts';
  from: string | null;
  to: string | null;
}

const ATTEMPT_WORDS = new Set('attempt try retry iteration'.split(' '));
const SCORE_WORDS = new Set('score scored scoring rated point mark grade'.split(' '));

/** Which of the two a number speaks of, from the words within three places around it. */
function unitNear(tokens: readonly Token[], at: number): Range['dim'] | null {
  const after = [tokens[at + 1], tokens[at + 2]].map((token) => token?.stem ?? '');
  if (after.some((word) => ATTEMPT_WORDS.has(word))) return 'attempts';
  if (after.some((word) => SCORE_WORDS.has(word))) return 'score';
  const before = tokens.slice(Math.max(0, at - 4), at).map((token) => token.stem);
  if (before.some((word) => SCORE_WORDS.has(word))) return 'score';
  return before.some((word) => ATTEMPT_WORDS.has(word)) ? 'attempts' : null;
}

/** Bounds a question sets; at most one for each of score and attempts. Bounds are inclusive, as plans want them. */
export function ranges(tokens: readonly Token[], skip: ReadonlySet<number>): Range[] {
  const found = new Map<Range['dim'], Range>();
  for (const [at, token] of tokens.entries()) {
    if (token.number === null || skip.has(at)) continue;
    const dim = unitNear(tokens, at);
    if (dim && !found.has(dim)) found.set(dim, rangeAt(tokens, at, token.number, dim));
  }
  return [...found.values()];
}

function rangeAt(tokens: readonly Token[], at: number, value: number, dim: Range['dim']): Range {
  const before = tokens
    .slice(Math.max(0, at - 3), at)
    .map((token) => token.text)
    .join(' ');
  const after = tokens
    .slice(at + 1, at + 3)
    .map((token) => token.text)
    .join(' ');
  const side = COMPARATORS.find(({ words }) => before === words || before.endsWith(` ${words}`))?.side;
  // Attempts are whole; scores may have decimals.
  const step = dim === 'attempts' ? 1 : 0.01;
  if (side === 'above') return { dim, from: String(value + step), to: null };
  if (side === 'below') return { dim, from: null, to: String(value - step) };
  if (side === 'from' || after.startsWith('or more') || after.startsWith('or higher'))
    return { dim, from: String(value), to: null };
  if (side === 'to' || after.startsWith('or less') || after.startsWith('or fewer'))
    return { dim, from: null, to: String(value) };
  return { dim, from: String(value), to: String(value) };
}

/** The filter of one dimension by values. */
export const inValues = (dim: string, values: readonly string[], not = false): Where => ({
  type: 'in',
  dim,
  not,
  any_of: [...values],
});
