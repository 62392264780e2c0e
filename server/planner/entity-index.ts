import { LIMITS } from '../../shared/limits.ts';
import { HARNESS_DIMENSIONS } from '../metrics/dimensions.ts';
import { HARNESS_MEASURES } from '../metrics/measures.ts';
import type { RecordProfile } from '../record/store.ts';
import { tokenize } from './builtin/tokens.ts';
import { isSpelt } from './builtin/vocabulary.ts';

/** Words that never point at a feature by its title, and say little in a question. */
export const COMMON = new Set(
  'a an the of in on at to for with and or by from as is are was were be been did do does how why what which when where who it its this that these those i me my we our you your one thing show tell give list each all any every most least more less than not no so if then there here have has had get got take took need make made new page add use using used can could will would should project run agent harness work go went come happen during while over under out up down off into about between other same'.split(
    ' ',
  ),
);

export interface Entry {
  id: string;
  /** Stems of the title with their weight; what is rare among all titles weighs more. */
  title: { stem: string; weight: number; rare: boolean; unique: boolean }[];
  joined: string[];
  /** All words of the title in a row, between spaces; null for a title of one word. */
  phrase: string | null;
  /** Some word of the title has no meaning of its own in questions. */
  telling: boolean;
  description: Set<string>;
}
/** Names of one record, prepared for matching. */
export interface Index {
  entries: Entry[];
  ids: Map<string, string>;
  written: WrittenId[];
  prefixes: Set<string>;
  days: Map<string, string>;
  /** In how many descriptions a stem stands. */
  spread: Map<string, number>;
  vocabulary: Set<string>;
}

const stems = (text: string): string[] =>
  tokenize(text)
    .map((token) => token.stem)
    .filter((word) => word.length > 1 && !COMMON.has(word));

/** What questions are about beyond the measures of the record. */
const TOPICS =
  'cost price money dollar model human verifier gate tool call error test summary overview progress timeline compare comparison commit history cache context session prompt evaluator feedback';

/** Words with a meaning of their own in questions; they name a feature only together with others. */
function vocabularyOf(profile: RecordProfile): Set<string> {
  // Nothing in one record is grouped by project, so the word has no meaning of its own.
  const dimensions = HARNESS_DIMENSIONS.filter(({ id }) => id !== 'project');
  const words = [...HARNESS_MEASURES, ...dimensions].flatMap((entry) => [entry.label, ...entry.synonyms]);
  return new Set(
    [...words, TOPICS, ...profile.categories, ...profile.statuses].flatMap((text) => stems(text)),
  );
}

function countStems(lists: Iterable<string>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists) for (const word of new Set(list)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function phraseOf(title: string): string | null {
  const words = tokenize(title).map((token) => token.stem);
  return words.length > 1 ? ` ${words.join(' ')} ` : null;
}

function buildIndex(profile: RecordProfile): Index {
  const vocabulary = vocabularyOf(profile);
  const titles = profile.features.map((feature) => [...new Set(stems(feature.title))]);
  const counts = countStems(titles);
  const most = Math.log(1 + profile.features.length);
  const entries = profile.features.map((feature, at) => ({
    id: feature.id,
    title: (titles[at] ?? []).map((word) => {
      const rarity = Math.log(1 + profile.features.length / (counts.get(word) ?? 1)) / most;
      const plain = !vocabulary.has(word) && !isSpelt(word);
      return {
        stem: word,
        weight: rarity * (plain ? 1 : 0.35),
        rare: plain && rarity > 0.6,
        unique: (counts.get(word) ?? 0) === 1,
      };
    }),
    // Cut first: on one endless word this pattern takes quadratic time.
    joined: [...feature.title.slice(0, LIMITS.cellText).matchAll(/(\p{L}+)-(\p{L}+)/gu)].map((m) =>
      `${m[1]}${m[2]}`.toLowerCase(),
    ),
    phrase: phraseOf(feature.title),
    telling: tokenize(feature.title).some(
      ({ stem }) => stem.length > 3 && !vocabulary.has(stem) && !isSpelt(stem),
    ),
    description: new Set(stems(feature.description)),
  }));
  const ids = new Map<string, string>();
  for (const { id } of profile.features.toReversed()) ids.set(idKey(id), id);
  return {
    entries,
    ids,
    written: writtenIds(profile),
    prefixes: prefixesOf(profile),
    days: daysOf(profile),
    spread: countStems(entries.map((entry) => entry.description)),
    vocabulary,
  };
}

/** "028", "#28", "F-28", "US-028" and "28" are one feature; other ids compare in lower case. */
function idKey(id: string): string {
  const number = /^\D{0,12}0*(\d{1,9})$/.exec(id);
  return number?.[1] ?? id.toLowerCase();
}

/** An id that people write out: its words and numbers in a row ("US-003" is "us" and 3). */
export interface WrittenId {
  id: string;
  parts: (string | number)[];
}

/** Ids with a letter in them; a lone short word ("ui") is none that a text could be said to name. */
function writtenIds(profile: RecordProfile): WrittenId[] {
  return profile.features.flatMap(({ id }) => {
    if (!/\p{L}/u.test(id) || (id.length < 4 && !/\d/.test(id))) return [];
    const parts = tokenize(id).map(({ text, number, digits }) => (digits && number !== null ? number : text));
    return parts.length === 0 ? [] : [{ id, parts }];
  });
}

/** What stands before the number in the ids of a record: "t" of T5, "us" of US-003. */
function prefixesOf(profile: RecordProfile): Set<string> {
  return new Set(
    profile.features.flatMap(({ id }) => {
      const prefix = /^(\p{L}{1,12})[-_.]?\d{1,9}$/u.exec(id)?.[1];
      return prefix === undefined ? [] : [prefix.toLowerCase()];
    }),
  );
}

/** Features by the day their id begins with, where the day has only one. */
function daysOf(profile: RecordProfile): Map<string, string> {
  const days = new Map<string, string[]>();
  for (const { id } of profile.features) {
    const day = /^\d{4}-\d{2}-\d{2}(?=\D)/.exec(id)?.[0];
    if (day !== undefined) days.set(day, [...(days.get(day) ?? []), id]);
  }
  return new Map([...days].flatMap(([day, ids]) => (ids.length === 1 ? [[day, ids[0] ?? '']] : [])));
}

const indexes = new WeakMap<RecordProfile, Index>();
/** The index of a record; made once for each profile. */
export function indexOf(profile: RecordProfile): Index {
  const known = indexes.get(profile);
  if (known) return known;
  const made = buildIndex(profile);
  indexes.set(profile, made);
  return made;
}
