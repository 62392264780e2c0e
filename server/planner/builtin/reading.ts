import type { Where } from '../../../shared/plan.ts';
import { dimensionById } from '../../metrics/dimensions.ts';
import { type Measure, measureById } from '../../metrics/measures.ts';
import type { RecordProfile } from '../../record/store.ts';
import { type FeatureMatch, matchFeatures, missingFeatures, SURE } from '../entities.ts';
import { COMMON } from '../entity-index.ts';
import {
  inValues,
  type Named,
  namedCategories,
  namedStatuses,
  type Range,
  ranges,
  unclearBound,
} from './filters.ts';
import { type Cue, GROUPERS, NEGATIONS, TOPICS, type Topic } from './lexicon.ts';
import { withoutProjectName } from './project-name.ts';
import { type Token, tokenize } from './tokens.ts';
import { type Hit, scan } from './vocabulary.ts';

/** Ways of drawing that people ask for by name. */
export type Draw = 'line' | 'bar' | 'donut' | 'table';

/** What was read out of a question: names of the catalog and of the record, never SQL, never a value. */
export interface Reading {
  question: string;
  /** Features asked about, in order of the text. */
  features: string[];
  /** Numbers of features asked about that the record does not have, as written. */
  missing: string[];
  /** Categories asked about, in order of the text. */
  categories: string[];
  /** Filters the answer stays inside, without the features and categories above. */
  filters: Where[];
  ranges: Range[];
  /** A bound that was seen and cannot be applied ("slower than the median"), in the question's words, or null. */
  unclear: string | null;
  /** Measures by how clearly they are asked for. */
  measures: string[];
  /** The first of them is meant for certain, not by an everyday word such as "done". */
  clear: boolean;
  /** Wanted groupings. */
  by: string[];
  cues: ReadonlySet<Cue>;
  topic: Topic | null;
  /** Topics of the question that this record has rows for. */
  held: ReadonlySet<string>;
  direction: 'high' | 'low';
  /** "Best", "worst" or "top" where nothing says by what: taken as the score, which the answer says. */
  judged: 'best' | 'worst' | 'top' | null;
  size: 'few' | 'some' | 'all';
  /** How many were asked for, where no size shows exactly so many. */
  amount: number | null;
  /** How the last cards are to be drawn instead ("show that as a line"), or null. */
  draw: Draw | null;
  /** Gates of the record that are named. */
  gates: string[];
  /** Parts of the question that were recognised, in its own words. */
  understood: string[];
  /** Words that are not just glue; few of them make a question a short one. */
  words: number;
  /** Part of those words that was recognised, 0 to 1. */
  share: number;
}

/** Words that point at a measure only when nothing clearer does. */
const WEAK = new Set(
  'take took long time done built finished completed code size missing problem issue dropped'.split(' '),
);
/** Measures that stand back behind any other. */
const GENERIC = new Map([
  ['features', 0.05],
  ['findings', 0.1],
  ['commits', 0.1],
]);
/** Groupings that are wanted wherever they are named; the others need a word such as "by" before them. */
const PLAIN_GROUPINGS = new Set(['category', 'status']);

/** Dimensions that only bound: by their names a measure is meant. */
const BOUNDED = new Set(['build_time', 'lines_added']);

function wordsOf(hit: Hit, tokens: readonly Token[]): readonly Token[] {
  return tokens.slice(hit.at, hit.at + hit.length);
}

function rankMeasures(
  hits: readonly Hit[],
  tokens: readonly Token[],
): { measures: string[]; clear: boolean } {
  const scores = new Map<string, number>();
  for (const hit of hits) {
    const weak = hit.length === 1 && WEAK.has(tokens[hit.at]?.stem ?? '');
    for (const meaning of hit.meanings) {
      if (meaning.kind !== 'measure') continue;
      const score = (weak ? 0.2 : hit.length) * (GENERIC.get(meaning.id) ?? 1) - hit.at * 0.001;
      scores.set(meaning.id, Math.max(scores.get(meaning.id) ?? Number.NEGATIVE_INFINITY, score));
    }
  }
  const ranked = [...scores].sort((a, b) => b[1] - a[1]);
  return { measures: ranked.map(([id]) => id), clear: (ranked[0]?.[1] ?? 0) > 0.5 };
}

function groupings(hits: readonly Hit[], tokens: readonly Token[]): string[] {
  const found: string[] = [];
  for (const hit of hits) {
    const before = tokens[hit.at - 1]?.text ?? '';
    const beforeThat = tokens[hit.at - 2]?.text ?? '';
    const asked = GROUPERS.has(before) || (before === 'the' && GROUPERS.has(beforeThat));
    for (const meaning of hit.meanings) {
      if (meaning.kind !== 'dimension' || found.includes(meaning.id) || BOUNDED.has(meaning.id)) continue;
      const each = meaning.id === 'feature' && tokens[hit.at]?.text === 'each';
      const named = PLAIN_GROUPINGS.has(meaning.id) && /^(?:categor|status)/.test(tokens[hit.at]?.text ?? '');
      const phrase = hit.length > 1 && meaning.id !== 'order';
      if (asked || each || named || phrase) found.push(meaning.id);
    }
  }
  return found;
}

const AMOUNTS: readonly [most: number, size: Reading['size']][] = [
  [5, 'few'],
  [10, 'some'],
];

/** "top five" is few, "the ten slowest" some, "all" everything; `amount` is the number that no size meets. */
function sizeOf(
  tokens: readonly Token[],
  skip: ReadonlySet<number>,
  cues: ReadonlySet<Cue>,
): Pick<Reading, 'size' | 'amount'> {
  if (tokens.some((token) => token.text === 'all' || token.text === 'every'))
    return { size: 'all', amount: null };
  const asked = tokens.find(
    (token, at) => token.number !== null && token.number > 0 && !skip.has(at) && !nearUnit(tokens, at),
  )?.number;
  const ranked = (['high', 'low', 'best', 'worst', 'rank'] as const).some((cue) => cues.has(cue));
  if (asked == null || !ranked) return { size: 'some', amount: null };
  return {
    size: AMOUNTS.find(([most]) => asked <= most)?.[1] ?? 'all',
    amount: AMOUNTS.some(([most]) => most === asked) ? null : asked,
  };
}
const nearUnit = (tokens: readonly Token[], at: number): boolean =>
  /^(?:attempt|try|second|sec|minute|min|hour|line|point|percent)$/.test(tokens[at + 1]?.stem ?? '');

/** "best" and "worst" depend on what is measured: a good score is high, a good time is low. */
function directionOf(cues: ReadonlySet<Cue>, measure: Measure | undefined): Reading['direction'] {
  const upIsGood = measure ? measure.good !== 'down' : true;
  if (cues.has('best')) return upIsGood ? 'high' : 'low';
  if (cues.has('worst')) return upIsGood ? 'low' : 'high';
  return cues.has('low') && !cues.has('high') ? 'low' : 'high';
}

/** Measures that count features and say nothing of how good one is. */
const COUNTING = new Set([
  'features',
  'accepted_features',
  'skipped_features',
  'acceptance_rate',
  'disputed_features',
]);

/** The word that asks for the best or the worst where no measure says in what. */
function judgedBy(
  measures: readonly string[],
  cues: ReadonlySet<Cue>,
  tokens: readonly Token[],
): Reading['judged'] {
  if (measures.some((id) => !COUNTING.has(id)) || cues.has('struggle')) return null;
  if (cues.has('worst')) return 'worst';
  if (cues.has('best')) return 'best';
  return cues.has('rank') && tokens.some(({ text }) => text === 'top') ? 'top' : null;
}

/** Tokens that belong to the names of features, so that "Running cost total" is not read as a question about cost. */
function spokenFor(
  matches: readonly FeatureMatch[],
  question: string,
  tokens: readonly Token[],
): Set<number> {
  const taken = new Set<number>();
  for (const { span } of matches) {
    const start = question.indexOf(span);
    for (const [at, token] of tokens.entries())
      if (token.start >= start && token.end <= start + span.length) taken.add(at);
  }
  return taken;
}

function whereOf(statuses: readonly Named[], categories: readonly Named[]): Where[] {
  const make = (dim: string, named: readonly Named[]): Where[] =>
    [false, true].flatMap((negated) => {
      const values = named.filter((entry) => entry.negated === negated).map(({ value }) => value);
      return values.length > 0 ? [inValues(dim, values, negated)] : [];
    });
  return [...make('status', statuses), ...make('category', categories)];
}

/**
 * Reads one question with the vocabulary of the semantic layer and the names of the record. Pure and deterministic.
 * @param given anything a person may type
 */
export function read(given: string, profile: RecordProfile): Reading {
  const question = withoutProjectName(given, [profile.project, ...(profile.called ?? [])]);
  const tokens = tokenize(question);
  const matches = matchFeatures(question, profile).filter(({ score }) => score >= SURE);
  const excluded = matches.filter(({ span }) => excludes(question, span));
  const wanted = matches
    .filter((match) => !excluded.includes(match))
    .toSorted((a, b) => question.indexOf(a.span) - question.indexOf(b.span));
  const skip = spokenFor(matches, question, tokens);
  const categories = namedCategories(tokens, skip, profile);
  // A word that names a category means nothing else: "timeline features" asks for no timeline.
  const statuses = namedStatuses(tokens, profile);
  const drawn = drawnAs(tokens);
  const gates = namedGates(tokens, profile);
  const spoken = new Set([
    ...skip,
    ...[...categories, ...statuses.filter(({ negated }) => !negated)].map(({ at }) => at),
    ...(drawn?.at ?? []),
    ...gates.flatMap(({ at }) => at),
  ]);
  const hits = scan(tokens, spoken);
  const cues = new Set(hits.flatMap((hit) => hit.meanings.flatMap((m) => (m.kind === 'cue' ? [m.id] : []))));
  if (drawn?.draw === 'table') cues.add('list');
  const topics = new Set(
    hits.flatMap((hit) => hit.meanings.flatMap((m) => (m.kind === 'topic' ? [m.id] : []))),
  );
  const { measures: named, clear } = rankMeasures(hits, tokens);
  const judged = judgedBy(named, cues, tokens);
  const measures = judged === null ? named : ['mean_score', ...named];
  const bounds = ranges(tokens, skip, question);
  const plainCategories = categories.filter(({ negated }) => !negated);
  return {
    question,
    features: wanted.map(({ id }) => id),
    missing: missingFeatures(question, profile),
    categories: plainCategories.map(({ value }) => value),
    filters: [
      ...whereOf(
        statuses,
        categories.filter(({ negated }) => negated),
      ),
      ...(excluded.length > 0
        ? [
            inValues(
              'feature',
              excluded.map(({ id }) => id),
              true,
            ),
          ]
        : []),
    ],
    ranges: bounds,
    unclear: wanted.length > 0 ? null : unclearBound(tokens, skip, question, bounds),
    measures,
    clear,
    by: groupings(hits, tokens).filter(
      (id) => dimensionById(id) !== undefined && (id !== 'category' || !namesOne(tokens, categories)),
    ),
    cues,
    topic: TOPICS.find((topic) => topics.has(topic.id) && !holds(topic, profile)) ?? null,
    held: new Set([
      ...TOPICS.filter((topic) => topics.has(topic.id) && holds(topic, profile)).map(({ id }) => id),
      ...(gates.length > 0 ? ['verifier'] : []),
    ]),
    draw: drawn?.draw ?? null,
    gates: gates.map(({ value }) => value),
    judged,
    direction: directionOf(cues, measureById(measures[0] ?? '')),
    ...sizeOf(tokens, skip, cues),
    understood: understoodOf(question, tokens, hits, matches, categories),
    words: tokens.length,
    share: shareOf(question, tokens, hits, spoken),
  };
}

/** Whether a record has the rows a topic is about. */
function holds({ held }: Topic, profile: RecordProfile): boolean {
  if (held === undefined) return false;
  return held === 'blocked' ? profile.statuses.includes('blocked') : profile.counts[held] > 0;
}

/** "the category polish": the word belongs to the name and asks for no grouping. */
const namesOne = (tokens: readonly Token[], categories: readonly Named[]): boolean =>
  categories.some(({ at }) => tokens[at - 1]?.stem === 'category' || tokens[at + 1]?.stem === 'category');

/** How much of what a question says was recognised; words that say little on their own do not count. */
function shareOf(
  question: string,
  tokens: readonly Token[],
  hits: readonly Hit[],
  spoken: ReadonlySet<number>,
): number {
  const known = new Set(spoken);
  for (const { index, 0: clock } of question.matchAll(/\b\d{1,2}:\d{2}(?::\d{2})?\b/g))
    for (const [at, token] of tokens.entries())
      if (token.start >= index && token.end <= index + clock.length) known.add(at);
  for (const hit of hits) for (let i = 0; i < hit.length; i++) known.add(hit.at + i);
  const telling = [...tokens.keys()].filter((at) => known.has(at) || !COMMON.has(tokens[at]?.text ?? ''));
  return telling.length === 0 ? 0 : telling.filter((at) => known.has(at)).length / telling.length;
}

const DRAWN: Readonly<Record<string, Draw>> = {
  line: 'line',
  curve: 'line',
  bar: 'bar',
  donut: 'donut',
  pie: 'donut',
  table: 'table',
  list: 'table',
};

/** "Show that as a line chart": a way of drawing, and the words that ask for it. */
function drawnAs(tokens: readonly Token[]): { draw: Draw; at: number[] } | null {
  for (const [at, { stem: word }] of tokens.entries()) {
    const draw = DRAWN[word];
    const as = ['a', 'an'].includes(tokens[at - 1]?.text ?? '') ? at - 2 : at - 1;
    if (draw === undefined || !['as', 'in', 'into', 'with'].includes(tokens[as]?.text ?? '')) continue;
    const chart = /^(?:chart|graph|plot)$/.test(tokens[at + 1]?.stem ?? '') ? [at + 1] : [];
    return { draw, at: [at, ...chart] };
  }
  return null;
}

/** Gates a question names in plain words: "scripted tests" for `scripted_test`. */
function namedGates(tokens: readonly Token[], profile: RecordProfile): { value: string; at: number[] }[] {
  return (profile.gates ?? []).flatMap((value) => {
    const words = tokenize(value.replace(/[_-]+/g, ' ')).map((token) => token.stem);
    // One everyday word ("hook") names no gate for certain.
    if (words.length < 2) return [];
    const first = tokens.findIndex((_, at) => words.every((word, n) => tokens[at + n]?.stem === word));
    return first < 0 ? [] : [{ value, at: words.map((_, n) => first + n) }];
  });
}

/** "without feature 3": the feature is left out, not asked about. */
function excludes(question: string, span: string): boolean {
  const before = tokenize(question.slice(0, question.indexOf(span))).slice(-2);
  return before.some(({ text }) => NEGATIONS.has(text) && text !== 'but' && text !== 'not');
}

function understoodOf(
  question: string,
  tokens: readonly Token[],
  hits: readonly Hit[],
  matches: readonly FeatureMatch[],
  categories: readonly Named[],
): string[] {
  const spans = [
    ...matches.map(({ span }) => span),
    ...categories.map(({ value }) => value),
    ...hits
      .filter((hit) => hit.meanings.some(({ kind }) => kind !== 'cue'))
      .map((hit) => wordsOf(hit, tokens))
      .map((words) => question.slice(words[0]?.start ?? 0, words.at(-1)?.end ?? 0)),
  ];
  return [...new Set(spans)].slice(0, 4);
}
