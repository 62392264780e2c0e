import type { RecordProfile } from '../record/store.ts';
import { alike, type Token, tokenize } from './builtin/tokens.ts';
import { COMMON, type Index, indexOf, type WrittenId } from './entity-index.ts';

/** A feature a text speaks of: its external id, the words that name it, and how sure that is (0..1). */
export interface FeatureMatch {
  id: string;
  span: string;
  score: number;
}

/** Matches below this are not returned; from SURE on a match may be acted on without asking back. */
export const POSSIBLE = 0.5;
export const SURE = 0.6;
const MAX_MATCHES = 12;

const NAMING = new Set(
  'feature features feat feats item items task tasks story stories ticket number no nr id f fr us'.split(' '),
);
const LINKING = new Set('and or vs versus with to through then plus than against'.split(' '));
/** After one of these a bare number is an amount, not a feature. */
const AMOUNT_BEFORE = new Set(
  'top first last score scored scores scoring least over under above below around roughly exactly only best worst bottom within until at took takes needed'.split(
    ' ',
  ),
);
/** "more than 5" is an amount, "slower than 5" a feature. */
const AMOUNT_THAN = new Set('more less fewer higher lower greater least'.split(' '));
/** Before one of these a number is an amount. */
const AMOUNT_AFTER = new Set(
  'attempt try retry iteration time s sec second min minute h hour ms line loc point feature item task percent token usd dollar cent commit file category day source finding run pm am out star longest slowest fastest quickest shortest biggest largest smallest most fewest best worst lowest highest hardest thing card chart reason example place word sentence different other more less'.split(
    ' ',
  ),
);
interface Found extends FeatureMatch {
  start: number;
}

/** Features named by number. An amount ("top 5", "3 attempts", "9/10", "13:14") is not a feature. */
function byNumber(
  text: string,
  tokens: readonly Token[],
  index: Index,
  spelled: ReadonlySet<number>,
): Found[] {
  const found: Found[] = [];
  /** Where a list that began with "features" or "#" still goes on. */
  let named = false;
  for (const [at, token] of tokens.entries()) {
    if (token.number === null) {
      if (NAMING.has(token.text)) named = true;
      else if (!LINKING.has(token.text)) named = false;
      continue;
    }
    const id = spelled.has(at) ? undefined : index.ids.get(String(token.number));
    const before = tokens[at - 1];
    const after = tokens[at + 1];
    const gapBefore = text.slice(before?.end ?? 0, token.start);
    const hash = gapBefore.endsWith('#');
    const prefixed = /^[\s.:#-]{0,3}$/.test(gapBefore) && before !== undefined && NAMING.has(before.text);
    if (hash || prefixed) named = true;
    // Part of a time, a date, a fraction or a price ("13:14", "9/10", "0.95", "$5").
    const glued =
      (!hash &&
        !prefixed &&
        (/[\d.:/,%$€-]$/.test(gapBefore) || (before !== undefined && gapBefore === ''))) ||
      /^(?:[:/%$€\p{L}]|[-.,]\d)/u.test(text.slice(token.end));
    // "between 2 and 3 minutes": what the second number counts, the first counts too.
    const span =
      (before?.text === 'between' || before?.text === 'from') &&
      (after?.text === 'and' || after?.text === 'to') &&
      tokens[at + 2]?.number != null &&
      AMOUNT_AFTER.has(tokens[at + 3]?.stem ?? '');
    const amount = span || (after !== undefined && AMOUNT_AFTER.has(after.stem));
    const amountBefore =
      before !== undefined &&
      (AMOUNT_BEFORE.has(before.text) ||
        (before.text === 'than' && AMOUNT_THAN.has(tokens[at - 2]?.text ?? '')));
    let score = 0;
    const spaced = prefixed && /\s/.test(gapBefore) && !CALLED.test(before?.text ?? '');
    if (hash || (prefixed && !(spaced && amount))) score = 1;
    else if (glued) score = 0;
    else if (named && !amount) score = 0.95;
    else if (token.digits && !amount && !amountBefore) score = 0.8;
    // In a record of T1, T2, … "US-5" is none of them.
    if (prefixed && before && otherPrefix(before, gapBefore, index)) continue;
    if (id === undefined || score === 0) continue;
    const start = prefixed && before ? before.start : hash ? token.start - 1 : token.start;
    found.push({ id, span: text.slice(start, token.end), score, start });
  }
  return found;
}

/** Words that number things without being part of an id. */
const CALLED = /^(?:feature|features|feat|feats|ticket|task|tasks|item|items|story|stories|number|no|nr|id)$/;

/** Whether a number has a prefix of ids that this record's ids do not have. */
const otherPrefix = (before: Token, gap: string, { prefixes }: Index): boolean =>
  prefixes.size > 0 && /^[-_.]?$/.test(gap) && !CALLED.test(before.text) && !prefixes.has(before.text);

/**
 * Features named by number ("feature 99", "#99", "T99" in a record of T1, T2, …) that the record does not have, as they are written in the text.
 * A bare number is no name.
 */
export function missingFeatures(text: string, profile: RecordProfile): string[] {
  const index = indexOf(profile);
  const { ids, prefixes } = index;
  const tokens = tokenize(text);
  const { taken } = byWrittenId(text, tokens, index);
  const missing = tokens.flatMap((token, at) => {
    if (token.number === null || taken.has(at) || ids.has(String(token.number))) return [];
    const before = tokens[at - 1];
    const gap = text.slice(before?.end ?? 0, token.start);
    const hash = gap.endsWith('#');
    const called =
      /^[\s.:-]{1,3}$/.test(gap) && /^(?:feature|feat|ticket|task|item)$/.test(before?.text ?? '');
    if (before && token.digits && prefixes.has(before.text) && /^[-_.]?$/.test(gap))
      return [text.slice(before.start, token.end)];
    const counts = AMOUNT_AFTER.has(tokens[at + 1]?.stem ?? '');
    return hash || (called && !counts) ? [text.slice(token.start, token.end)] : [];
  });
  return [...new Set(missing)];
}

/** Whether the tokens from here on spell an id, with no more between them than people write inside one. */
function spells(text: string, tokens: readonly Token[], at: number, parts: WrittenId['parts']): boolean {
  const first = parts[0];
  const loose = typeof first === 'string' && first.length > 1;
  for (const [n, part] of parts.entries()) {
    const token = tokens[at + n];
    if (!token || (typeof part === 'number' ? token.number !== part || !token.digits : token.text !== part))
      return false;
    const gap = n === 0 ? '' : text.slice(tokens[at + n - 1]?.end ?? 0, token.start);
    if (!(loose || n > 1 ? /^[-_.:/# ]{0,2}$/ : /^[-_.:/#]?$/).test(gap)) return false;
  }
  const last = tokens[at + parts.length - 1];
  const before = text[(tokens[at]?.start ?? 0) - 1] ?? ' ';
  const after = text[last?.end ?? 0] ?? ' ';
  return !/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after);
}

interface Spelled {
  found: Found[];
  /** Tokens that belong to an id that was written out. */
  taken: Set<number>;
}

/** Features whose id is written out: "T5", "us 003", "auth-login", "2026-09-02-export-csv"; of two the longer one. */
function byWrittenId(text: string, tokens: readonly Token[], index: Index): Spelled {
  const found: Found[] = [];
  const taken = new Set<number>();
  for (const at of tokens.keys()) {
    if (taken.has(at)) continue;
    const here = index.written.filter(({ parts }) => spells(text, tokens, at, parts));
    const best = here.toSorted((a, b) => b.parts.length - a.parts.length)[0];
    if (!best) continue;
    // "Tell us 3 things" counts; "US-003" names.
    const next = tokens[at + best.parts.length];
    const words = text.slice(tokens[at]?.start ?? 0, tokens[at + best.parts.length - 1]?.end ?? 0);
    if (/\s/.test(words) && next !== undefined && AMOUNT_AFTER.has(next.stem)) continue;
    for (const n of best.parts.keys()) taken.add(at + n);
    const called = NAMING.has(tokens[at - 1]?.text ?? '') ? at - 1 : at;
    const start = tokens[called]?.start ?? 0;
    const end = tokens[at + best.parts.length - 1]?.end ?? start;
    found.push({ id: best.id, span: text.slice(start, end), score: 1, start });
  }
  return { found, taken };
}

/** The only feature whose id begins with a day that is named. */
function byDay(text: string, index: Index): Found[] {
  return [...text.matchAll(/\b\d{4}-\d{2}-\d{2}\b/g)].flatMap((match) => {
    const id = index.days.get(match[0]);
    return id === undefined ? [] : [{ id, span: match[0], score: 0.9, start: match.index }];
  });
}

/** How well a word of the text stands for a title word; words with a meaning of their own must be equal. */
const likeness = (token: Token, word: string, fixed: ReadonlySet<string>): number =>
  token.stem === word
    ? 1
    : token.stem[0] !== word[0] || fixed.has(token.stem) || COMMON.has(token.text)
      ? 0
      : alike(token.stem, word);

/** Whether a title is followed by what features are called. */
const calledThing = (sentence: string, phrase: string | null): boolean =>
  phrase !== null &&
  ['feature', 'card', 'chart', 'page', 'panel', 'component', 'thing', 'view'].some((word) =>
    sentence.includes(`${phrase}${word} `),
  );

function spanOf(text: string, hits: Token[]): { span: string; start: number } {
  const sorted = hits.toSorted((a, b) => a.start - b.start);
  const first = sorted[0];
  if (!first) return { span: '', start: 0 };
  let end = first.end;
  for (const token of sorted) if (token.start - end < 12) end = Math.max(end, token.end);
  return { span: text.slice(first.start, end), start: first.start };
}

/** Tokens without those that spell the name of a source ("metrics.json"), which may look like words of a title. */
function withoutSources(tokens: readonly Token[], profile: RecordProfile): Token[] {
  const taken = new Set<Token>();
  for (const { label } of profile.sources) {
    const name = tokenize(label).map(({ stem }) => stem);
    if (name.length < 2) continue;
    for (const at of tokens.keys()) {
      const here = tokens.slice(at, at + name.length);
      if (name.every((word, i) => here[i]?.stem === word)) for (const token of here) taken.add(token);
    }
  }
  return tokens.filter((token) => !taken.has(token));
}

function byTitle(text: string, tokens: Token[], index: Index): Found[] {
  const words = tokens.filter((token) => token.number === null && token.text.length > 1);
  const sentence = ` ${tokens.map((token) => token.stem).join(' ')} `;
  const found: Found[] = [];
  for (const entry of index.entries) {
    let weight = 0;
    let whole = 0;
    let rare = false;
    let unique = false;
    const hits: Token[] = [];
    const joined = words.find((token) => entry.joined.includes(token.text));
    if (joined) hits.push(joined);
    for (const part of entry.title) {
      whole += part.weight;
      let best = 0;
      let hit: Token | null = null;
      for (const token of words) {
        const value = likeness(token, part.stem, index.vocabulary);
        if (value > best) {
          best = value;
          hit = token;
        }
      }
      if (!hit) continue;
      hits.push(hit);
      weight += part.weight * best;
      rare ||= part.rare;
      unique ||= part.unique;
    }
    if (hits.length === 0 || whole === 0) continue;
    const coverage = weight / whole;
    const spoken =
      (coverage > 0.99 && entry.title.length > 1) ||
      (entry.phrase !== null && sentence.includes(entry.phrase));
    // "Cost per feature" may be a title and may be what is asked; "the cost per feature chart" is a title.
    const complete = spoken && (entry.telling || calledThing(sentence, entry.phrase));
    // One word that other titles have too is a hint, not a name.
    const most = hits.length === 1 && !unique ? SURE - 0.02 : 0.9;
    const score = complete || joined ? 0.95 : rare ? Math.min(most, 0.41 + 0.25 * weight) : 0;
    if (score >= POSSIBLE) found.push({ id: entry.id, score, ...spanOf(text, hits) });
  }
  return found;
}

/** Only when nothing else matched: at least two words that stand in one description and no other. */
function byDescription(text: string, tokens: Token[], index: Index): Found[] {
  const found: Found[] = [];
  for (const entry of index.entries) {
    const hits = tokens.filter(
      ({ stem, number }) =>
        number === null && stem.length > 3 && !index.vocabulary.has(stem) && entry.description.has(stem),
    );
    const own = new Set(
      hits.filter(({ stem }) => (index.spread.get(stem) ?? 0) <= 2).map(({ stem }) => stem),
    );
    if (own.size >= 2)
      found.push({ id: entry.id, score: Math.min(0.8, 0.4 + 0.1 * own.size), ...spanOf(text, hits) });
  }
  return found;
}

/**
 * Features a text speaks of: by number ("#28", "feature 28", "F-028", "feature twenty-eight", a bare "28" that is not
 * an amount), by an id of letters and numbers ("T5", "US-003", "2026-09-02-export-csv", the day alone where it has one), or by words of the title, small misspellings included ("the skelton one").
 * @param text anything; only the first LIMITS.question characters are read
 * @returns one match a feature, surest first, then in order of the text; `span` is a piece of the text; at most 12
 */
export function matchFeatures(text: string, profile: RecordProfile): FeatureMatch[] {
  const index = indexOf(profile);
  const tokens = tokenize(text);
  const { found: written, taken } = byWrittenId(text, tokens, index);
  const numbered = [...byNumber(text, tokens, index, taken), ...written, ...byDay(text, index)];
  const words = withoutSources(tokens, profile);
  const titled = byTitle(text, words, index);
  const best = titled.reduce((most, match) => Math.max(most, match.score), 0);
  // A weaker title beside a much better one shares only a common word with the text.
  const clear = titled.filter(
    (match) => match.score >= best - 0.1 && (numbered.length === 0 || match.score >= 0.85),
  );
  const all = [...numbered, ...clear];
  if (all.length === 0) all.push(...byDescription(text, words, index));
  all.sort((a, b) => b.score - a.score || a.start - b.start);
  const seen = new Set<string>();
  return all
    .filter(({ id }) => !seen.has(id) && seen.add(id))
    .slice(0, MAX_MATCHES)
    .map(({ id, span, score }) => ({ id, span, score }));
}
