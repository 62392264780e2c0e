import { measureById } from '../../metrics/measures.ts';
import type { Cue } from './lexicon.ts';
import type { Reading } from './reading.ts';

/** What kind of answer a question wants; one file of `compose/` each. */
export const FAMILIES = [
  'overview',
  'feature',
  'figure',
  'ranking',
  'distribution',
  'trend',
  'failed',
  'compare',
  'sources',
  'commits',
  'list',
  'proof',
  'timeline',
  'log',
  'gates',
  'open_starts',
  'tests',
  'usage',
  'waiting',
  'definition',
  'unrecorded',
] as const;
export type Family = (typeof FAMILIES)[number];

export interface Intent {
  family: Family | 'not_understood';
  score: number;
  /** Another family that is nearly as likely to be meant; absent where there is none. */
  other?: Family;
}

const GROUPABLE = new Set([
  'category',
  'status',
  'score',
  'attempts',
  'rule',
  'source',
  'phase',
  'commit_kind',
  'disputed',
  'run',
  'session',
  'model',
  'branch',
  'day',
  'tool',
  'hook',
  'activity',
]);
const COUNTS = new Set([
  'features',
  'accepted_features',
  'skipped_features',
  'acceptance_rate',
  'disputed_features',
]);

/** The grouping a distribution or a ranking is made over, other than single features. */
export const groupingOf = (reading: Reading): string | null =>
  reading.by.find((id) => GROUPABLE.has(id)) ?? null;

type Score = (reading: Reading, has: (...cues: Cue[]) => boolean) => number;

/** Points a family gets for a question; below NEEDED it is not a candidate. */
const SCORES: Readonly<Record<Family, Score>> = {
  overview: (reading, has) =>
    reading.features.length > 0
      ? 0
      : has('start') && has('when')
        ? 6
        : has('overview')
          ? reading.clear && !has('when')
            ? 2.55
            : 4
          : has('story', 'why') && reading.measures.length > 0
            ? 2.2
            : 0,

  feature: (reading, has) =>
    reading.features.length !== 1
      ? 0
      : 6 + (has('why', 'story', 'failed', 'struggle') ? 2 : 0) + (has('high', 'low') ? 0.5 : 0),

  figure: (reading, has) => {
    const measure = reading.measures[0];
    if (measure === undefined || reading.features.length > 1) return 0;
    // "Is feature 3 done?" asks for its status, which its story tells.
    if (reading.features.length === 1 && COUNTS.has(measure)) return 0;
    const short = reading.words <= (reading.features.length === 1 ? 5 : 4);
    const asked = has('count', 'typical')
      ? 4.4
      : short
        ? 3
        : reading.clear && reading.share >= 0.4
          ? 2.6
          : 2.1;
    const single =
      reading.features.length === 1 && asked > 2.6 && !has('why', 'when', 'high', 'low') ? 4.2 : 0;
    const grouped = groupingOf(reading) !== null || reading.by.includes('feature') ? -2 : 0;
    const other = measure === 'commits' ? -3 : 0;
    return asked + single + grouped + other - (has('why') ? 1 : 0);
  },

  ranking: (reading, has) => {
    if (reading.features.length > 0) return 0;
    const extreme = has('high', 'low', 'best', 'worst', 'rank');
    if (has('struggle')) return 5.2;
    if (!extreme) return reading.by.includes('feature') && perFeature(reading) ? 4.8 : 0;
    if (reading.measures.length === 0) return has('best', 'worst', 'rank') ? 4 : 3.2;
    return 5.5 + (groupingOf(reading) !== null ? 1 : 0);
  },

  distribution: (reading, has) => {
    if (reading.features.length > 0) return 0;
    const by = groupingOf(reading);
    if (by === null) return has('distribution', 'share') ? 4.6 : 0;
    return 5 + (has('distribution', 'share') ? 1 : 0);
  },

  trend: (reading, has) =>
    reading.features.length > 0
      ? 0
      : has('trend') || reading.by.includes('order') || reading.by.includes('completed_at')
        ? 5.6
        : 0,

  failed: (reading, has) => {
    if (reading.features.length > 0 || !has('failed')) return 0;
    return 4.8 - (groupingOf(reading) === null ? 0 : 1) + (has('why', 'list') ? 0.6 : 0);
  },

  compare: (reading, has) => {
    const things = Math.max(reading.features.length, reading.categories.length);
    if (reading.features.length >= 2) return 8;
    return things >= 2 ? 6.4 + (has('compare') ? 1 : 0) : 0;
  },

  sources: (reading, has) => {
    if (!has('sources') && !has('finding')) return 0;
    const grouped = groupingOf(reading);
    const counted =
      (reading.measures.includes('disputed_features') && grouped !== null && grouped !== 'source') ||
      (grouped === 'source' && reading.measures.length > 0) ||
      grouped === 'rule';
    return counted ? 4 : (has('sources') ? 5.3 : 4.2) + (reading.features.length === 1 ? 2.2 : 0);
  },

  commits: (reading, has) => {
    if (!has('commits')) return 0;
    const grouped = ['phase', 'commit_kind'].includes(groupingOf(reading) ?? '');
    return (grouped ? 4.9 : 5.9) + (has('when') ? 1 : 0) + (reading.features.length === 1 ? 1.2 : 0);
  },

  list: (reading, has) => {
    if (reading.features.length > 0) return 0;
    const bounds = reading.ranges.length > 0 ? 5.7 : 0;
    const narrowed = reading.categories.length === 1 || reading.filters.length > 0;
    const named = narrowed && reading.measures.length === 0 ? 3.4 : 0;
    return Math.max(bounds, named + (has('list') && named > 0 ? 1 : 0), has('list') ? 3.6 : 0);
  },

  // "Is T5 proven?" asks for its proof, not for its story.
  proof: (reading, has) => (has('proof') ? 6.4 + (reading.features.length === 1 ? 2.6 : 0) : 0),

  timeline: (reading, has) => (has('timeline') ? 6.4 + (reading.features.length === 1 ? 2.6 : 0) : 0),

  log: (reading, has) => {
    if (!has('log') || has('commits') || (has('sources') && !SHOWN.test(reading.question))) return 0;
    return (SHOWN.test(reading.question) ? 6.5 : 4.9) + (reading.features.length === 1 ? 2.6 : 0);
  },

  gates: (reading, has) =>
    reading.held.has('verifier')
      ? 6.6 +
        (reading.features.length === 1 ? 2.6 : 0) +
        (has('failed', 'why') ? 0.5 : 0) +
        (reading.gates.length > 0 ? 1 : 0)
      : 0,

  open_starts: (_, has) => (has('no_outcome') ? 7.6 : 0),

  tests: (reading) => (reading.held.has('tests') ? 6.6 : 0),

  // What sessions tell; a single feature's own story is told by its family.
  usage: (reading) =>
    ['cost', 'model_tokens', 'tools', 'conversation', 'idle'].some((topic) => reading.held.has(topic)) &&
    reading.features.length === 0
      ? 7.2
      : 0,

  waiting: (reading, has) =>
    (reading.held.has('human') || (has('waiting') && reading.topic === null)) && reading.features.length === 0
      ? 6.8
      : 0,

  definition: (reading, has) =>
    has('define') &&
    reading.measures.length > 0 &&
    reading.features.length === 0 &&
    DEFINE.test(reading.question)
      ? 7.3
      : 0,

  unrecorded: (reading) => (reading.topic === null ? 0 : reading.features.length > 0 ? 7.6 : 7),
};

/** The log itself is wanted, not what it says beside other sources. */
const SHOWN =
  /\b(?:show|see|open|print|display|raw|lines?|entries|tail)\b|\blog (?:of|for|around|before|after|from|between)\b|^\W*(?:the )?(?:activity )?log\W*$/i;

const DEFINE =
  /\b(?:mean|means|meaning|defined?|definition|computed|calculated|counted)\b\W*$|^\W*(?:define|what (?:is|are) an? )/i;

function perFeature(reading: Reading): boolean {
  const measure = reading.measures.find((id) => !COUNTS.has(id));
  return measure !== undefined && measureById(measure)?.base === 'feature';
}

const NEEDED = 2.5;
/** Points within which a second family may have been meant as well. */
const CLOSE = 1.2;
const LEAST_SHARE = 0.3;

/**
 * The family a question belongs to. Pure: equal readings give equal families; ties go to the family listed first.
 * @param keep family of the turn before, for a question that continues it
 */
export function intentOf(reading: Reading, keep: Family | null = null): Intent {
  const has = (...cues: Cue[]): boolean => cues.some((cue) => reading.cues.has(cue));
  let best: Intent = { family: 'not_understood', score: 0 };
  // A known word or two in a question about something else are no reason to answer another one.
  if (reading.features.length === 0 && reading.share < LEAST_SHARE) return best;
  const scored = FAMILIES.map((family) => ({
    family,
    score: SCORES[family](reading, has) + (family === keep ? 1 : 0),
  })).filter(({ score }) => score >= NEEDED);
  for (const candidate of scored) if (candidate.score > best.score) best = candidate;
  const close = scored
    .filter(({ family, score }) => family !== best.family && score >= best.score - CLOSE)
    .toSorted((a, b) => b.score - a.score)[0];
  return close === undefined ? best : { ...best, other: close.family };
}
