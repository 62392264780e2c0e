import { HARNESS_DIMENSIONS } from '../../metrics/dimensions.ts';
import { HARNESS_MEASURES } from '../../metrics/measures.ts';
import { CUES, type Cue, EXTRA_DIMENSIONS, EXTRA_MEASURES, TOPICS } from './lexicon.ts';
import { alike, type Token, tokenize } from './tokens.ts';

/** What a phrase of a question can stand for. */
export type Meaning =
  | { kind: 'measure'; id: string }
  | { kind: 'dimension'; id: string }
  | { kind: 'cue'; id: Cue }
  | { kind: 'topic'; id: string };

/** One place of a question where a known phrase stands; `at` and `length` count tokens. */
export interface Hit {
  meanings: readonly Meaning[];
  at: number;
  length: number;
  /** Recognised in spite of a misspelling. */
  misspelt: boolean;
}

const LONGEST = 6;

function keyOf(phrase: string): string {
  return tokenize(phrase)
    .map((token) => token.stem)
    .join(' ');
}

type Kind = Meaning['kind'];
const KINDS: readonly Kind[] = ['measure', 'dimension', 'cue', 'topic'];
type Phrases = ReadonlyMap<string, readonly Meaning[]>;

function entries(): [phrase: string, meaning: Meaning][] {
  const of = (list: string, meaning: Meaning): [string, Meaning][] =>
    list.split('|').map((phrase) => [phrase, meaning]);
  return [
    ...HARNESS_MEASURES.flatMap(({ id, label, synonyms }) =>
      of([label, ...synonyms].join('|'), { kind: 'measure', id }),
    ),
    // Nothing in one record is grouped by project; what compares projects has words of its own.
    ...HARNESS_DIMENSIONS.filter(({ id }) => id !== 'project').flatMap(({ id, label, synonyms }) =>
      of([label, ...synonyms].join('|'), { kind: 'dimension', id }),
    ),
    ...Object.entries(EXTRA_MEASURES).flatMap(([id, list]) => of(list, { kind: 'measure', id })),
    ...Object.entries(EXTRA_DIMENSIONS).flatMap(([id, list]) => of(list, { kind: 'dimension', id })),
    ...cueIds().flatMap((id) => of(CUES[id], { kind: 'cue', id })),
    ...TOPICS.flatMap(({ id, phrases: list }) => of(list, { kind: 'topic', id })),
  ];
}

function compile(kind: Kind): Phrases {
  const compiled = new Map<string, Meaning[]>();
  for (const [phrase, meaning] of entries()) {
    if (meaning.kind !== kind) continue;
    const key = keyOf(phrase);
    const known = compiled.get(key) ?? [];
    if (!known.some(({ id }) => id === meaning.id)) compiled.set(key, [...known, meaning]);
  }
  return compiled;
}

function cueIds(): Cue[] {
  const isCue = (id: string): id is Cue => Object.hasOwn(CUES, id);
  return Object.keys(CUES).filter(isCue);
}

const phrases: readonly Phrases[] = KINDS.map(compile);
const known = new Set(phrases.flatMap((list) => [...list.keys()]));
const singles = [...known].filter((key) => key.length >= 5 && !key.includes(' '));
/** Words that stand in any phrase: written right, even where the phrase as a whole is not there. */
const spelt = new Set([...known].flatMap((key) => key.split(' ')));

/** Frequent words that lie one slip away from a known one and must not be taken for it. */
const PLAIN = new Set(
  'there three where which while these those about could would should other first after again being still great think thing right write house small start state place plain short whose color colour shown model world found ever never'.split(
    ' ',
  ),
);

/** Whether a word stands in any known phrase. */
export const isSpelt = (stem: string): boolean => spelt.has(stem);

/** Whether a word by itself means something in questions. */
export const isKnown = (stem: string): boolean => known.has(stem);

/** The known word a token is a misspelling of, or the token's own stem. */
function corrected(token: Token): { stem: string; misspelt: boolean } {
  const own = { stem: token.stem, misspelt: false };
  if (token.number !== null || token.stem.length < 5 || spelt.has(token.stem) || PLAIN.has(token.text))
    return own;
  const near = singles.find((word) => word[0] === token.stem[0] && alike(word, token.stem) > 0);
  return near === undefined ? own : { stem: near, misspelt: true };
}

/**
 * Known phrases of a question. Within one kind (measure, grouping, cue, topic) the longest phrase at each place wins
 * and none overlaps another; different kinds may share words ("score distribution" is a measure, a grouping and a cue).
 * @param skip tokens already spoken for (names of features), by index
 */
export function scan(tokens: readonly Token[], skip: ReadonlySet<number>): Hit[] {
  const words = tokens.map(corrected);
  const hits: Hit[] = [];
  for (const list of phrases) {
    let at = 0;
    while (at < words.length) {
      const hit = longestAt(list, words, at, skip);
      if (hit) hits.push(hit);
      at += hit?.length ?? 1;
    }
  }
  return hits.toSorted((a, b) => a.at - b.at);
}

function longestAt(
  list: Phrases,
  words: readonly { stem: string; misspelt: boolean }[],
  at: number,
  skip: ReadonlySet<number>,
): Hit | null {
  let key = '';
  let best: Hit | null = null;
  let misspelt = false;
  for (let length = 1; length <= LONGEST; length++) {
    const word = words[at + length - 1];
    if (!word || skip.has(at + length - 1)) break;
    key = length === 1 ? word.stem : `${key} ${word.stem}`;
    misspelt ||= word.misspelt;
    const meanings = list.get(key);
    if (meanings) best = { meanings, at, length, misspelt };
  }
  return best;
}
