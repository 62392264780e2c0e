import type { Unit } from '../../shared/cards.ts';
import { LIMITS } from '../../shared/limits.ts';
import { measureById } from '../metrics/measures.ts';
import { single } from '../metrics/query.ts';
import { runQuery } from '../metrics/run.ts';
import { matchFeatures, missingFeatures, SURE } from '../planner/entities.ts';
import type { RecordProfile, Store } from '../record/store.ts';
import { findTypedFigures, type TypedFigure } from './figures.ts';
import { Queries, queryContext } from './resolve/context.ts';
import { isClaim } from './resolve/figure.ts';
import { type FeatureStory, isDisputed, storiesOf, toleranceOf } from './resolve/story.ts';
import type { PremiseFinding } from './types.ts';

/** Measures a question can take an amount of for granted, and the words that say so when the unit does not. */
const CLAIMS: readonly {
  measure: string;
  fact: string;
  units: readonly Unit[];
  before: RegExp;
  after: RegExp;
}[] = [
  {
    measure: 'attempts',
    fact: 'attempts',
    units: ['attempts'],
    before: /\b(?:tried|retried|attempted|built|try it)\s*(?:it\s*)?$/i,
    after: /^\s*(?:failed\s+|separate\s+|whole\s+)?(?:attempts?|tries|iterations?|retries)\b/i,
  },
  {
    measure: 'build_time',
    fact: 'build_time',
    units: ['s'],
    before: /(?!)/,
    after: /(?!)/,
  },
  {
    measure: 'mean_score',
    fact: 'score',
    units: ['points'],
    before: /\bscor(?:e|ed|ing)\s+(?:of\s+|was\s+|is\s+|only\s+|just\s+|an?\s+)*$/i,
    after: /^\s*(?:out of|of)\s+(?:10|ten)\b/i,
  },
  {
    measure: 'lines_added',
    fact: 'lines_added',
    units: ['lines'],
    before: /(?!)/,
    after: /^\s*(?:added\s+)?lines?\b/i,
  },
  { measure: 'tokens', fact: 'tokens', units: ['tokens'], before: /(?!)/, after: /(?!)/ },
];

/** From this score on a feature is named by more than a bare number. */
const NAMED = 0.85;

/** Words that ask for an amount, or set a bound, take nothing for granted. */
const ASKING =
  /\b(?:more|less|fewer|other|over|under|above|below|at least|at most|than|top|first|last|if|would|could|should)\s*$/i;

const STATES: readonly { status: string; words: RegExp; reason: boolean }[] = [
  { status: 'skipped', words: /\b(?:skipped|dropped|abandoned|given up on)\b/i, reason: false },
  { status: 'accepted', words: /\b(?:accepted|completed)\b/i, reason: false },
  // Everyday words say what became of a feature only where a reason is asked for: "why did feature 2 fail?"
  {
    status: 'skipped',
    words:
      /\b(?:skip|fail(?:ed|s)?|break|broke|broken)\b(?!\s+(?:at first|on the|the first|once|twice|(?:\w+\s+)?(?:times?|attempts?|tries)))/i,
    reason: true,
  },
  {
    status: 'accepted',
    words: /(?<!\b(?:not|never|n't|n’t)\b.*)\b(?:succeed(?:ed|s)?|pass(?:ed|es)?|finish(?:ed)?|accept)\b/i,
    reason: true,
  },
];

/** Only a question that asks for a reason takes an amount for granted; others name how much they want to see. */
const REASON = /\b(?:why|how come|explain|what (?:made|caused)|because|given|since)\b/i;

interface Claim {
  measure: string;
  fact: string;
  text: string;
  value: number | null;
  status: string | null;
  at: number;
}

function claimOf(question: string, figure: TypedFigure): Claim | null {
  const before = question.slice(Math.max(0, figure.start - 40), figure.start);
  const after = question.slice(figure.end, figure.end + 40);
  if (ASKING.test(before)) return null;
  for (const { measure, fact, units, before: lead, after: tail } of CLAIMS) {
    const byUnit = figure.unit !== null && units.includes(figure.unit);
    const times =
      fact === 'attempts' && (figure.unit === 'times' || /^(?:once|twice|thrice)$/i.test(figure.text));
    const byWords = figure.unit === null && (lead.test(before) || tail.test(after));
    if (
      !byUnit &&
      !byWords &&
      !(times && /\b(?:tried|retried|attempted|fail(?:ed)?|built|redo|redone)\b/i.test(before))
    )
      continue;
    // "first try" is an ordinal: how often it was tried, said the other way round.
    const unit = /^\s*(?:[-]\s*)?(\p{L}+)/u.exec(byUnit || times ? after : (tail.exec(after)?.[0] ?? ''));
    const end = figure.end + (unit?.[0].length ?? 0);
    return {
      measure,
      fact,
      text: question.slice(figure.start, end),
      value: figure.value,
      status: null,
      at: figure.start,
    };
  }
  return null;
}

function claimsIn(question: string): Claim[] {
  const amounts = findTypedFigures(question).flatMap((figure) => claimOf(question, figure) ?? []);
  const states = STATES.flatMap(({ status, words, reason }): Claim[] => {
    const match = reason && !REASON.test(question) ? null : words.exec(question);
    const text = reason ? status : (match?.[0] ?? '');
    return match ? [{ measure: 'status', fact: 'status', text, value: null, status, at: match.index }] : [];
  });
  return [
    ...amounts,
    ...states.filter(({ status }, at) => states.findIndex((one) => one.status === status) === at),
  ];
}

/** Equal as the record takes it; a time in minutes is meant to the half minute. */
function equal(fact: string, claimed: number, value: number, text: string): boolean {
  const scale = Math.max(Math.abs(claimed), Math.abs(value));
  const rounded = fact === 'build_time' && /min|hour|\bh\b/i.test(text) ? (/h/i.test(text) ? 1_800 : 30) : 0;
  return Math.abs(claimed - value) <= Math.max(rounded, toleranceOf(fact, scale));
}

/** Words that take a feature for out of the usual, and what that is set against. */
const CHARACTERS: readonly {
  measure: string;
  fact: string;
  /** Measure of the whole run that says what is usual, or null for a single attempt. */
  usual: string | null;
  above: boolean;
  words: RegExp;
  text: string;
}[] = [
  {
    measure: 'build_time',
    fact: 'build_time',
    usual: 'median_build_time',
    above: true,
    words: /\b(?:slow|slowly|slowest|longest|(?:so|too|very|that) long|(?:a|such a) long time)\b/i,
    text: 'a slow build',
  },
  {
    measure: 'build_time',
    fact: 'build_time',
    usual: 'median_build_time',
    above: false,
    words: /\b(?:fast|fastest|quick|quickly|quickest)\b/i,
    text: 'a fast build',
  },
  {
    measure: 'mean_score',
    fact: 'score',
    usual: 'mean_score',
    above: false,
    words: /\b(?:(?:low|lowest|bad|poor|worst) score|scored?\s+(?:so\s+|very\s+)?(?:low|badly|poorly))\b/i,
    text: 'a low score',
  },
  {
    measure: 'attempts',
    fact: 'attempts',
    usual: null,
    above: true,
    words: /\b(?:many|several|multiple|repeated)\s+(?:attempts|tries|retries|iterations)\b/i,
    text: 'several attempts',
  },
];

/** What a question after a reason takes one feature's character to be, set against the run. */
async function characterFindings(
  question: string,
  feature: string,
  store: Store,
  profile: RecordProfile,
): Promise<PremiseFinding[]> {
  const asked = REASON.test(question) ? CHARACTERS.filter(({ words }) => words.test(question)) : [];
  if (asked.length === 0) return [];
  const context = queryContext(profile);
  const queries = new Queries(store, context, new AbortController().signal);
  const [story] = await storiesOf([feature], { queries });
  return Promise.all(
    asked.map(async ({ measure, fact, usual, above, text }): Promise<PremiseFinding> => {
      const answer = usual === null ? null : await runQuery(store, single(usual, 'counted'), context);
      const against = answer === null ? 1 : (answer.groups[0]?.values[0]?.value ?? null);
      const so = (value: number | null): boolean =>
        value !== null && against !== null && (above ? value > against : value < against);
      const value = story?.counted.get(fact)?.value ?? null;
      const told = (story?.sources ?? []).some((source) => so(source.told.get(fact)?.value ?? null));
      const verdict =
        value === null || against === null ? 'unknown' : so(value) ? 'true' : told ? 'disputed' : 'false';
      return { feature, measure, claimed: { text, value: null }, verdict };
    }),
  );
}

/** Everything sources say on the claimed fact, with how strong each is. */
function verdictOf(claim: Claim, story: FeatureStory): PremiseFinding['verdict'] {
  const counted = story.counted.get(claim.fact);
  if (!counted) return 'unknown';
  const same = (value: number | null, text: string | null): boolean =>
    claim.status !== null
      ? text === claim.status
      : value !== null && claim.value !== null && equal(claim.fact, claim.value, value, claim.text);
  if (same(counted.value, counted.text)) return isDisputed(story, claim.fact) ? 'disputed' : 'true';
  const told = story.sources.some(({ told: words, attempts }) => {
    const word = words.get(claim.fact);
    if (word && same(word.value, word.text)) return true;
    // A score of an earlier attempt is somebody's word on the score as well.
    return claim.fact === 'score' && attempts.some(({ score }) => score !== null && same(score, null));
  });
  return told ? 'disputed' : 'false';
}

/** Counts of the whole run a question can take for granted: "why were three features skipped?" */
const RUN_CLAIMS: readonly { measure: string; words: RegExp }[] = [
  { measure: 'skipped_features', words: /\b(?:skip|skipped|fail|fails|failed|dropped|missing|not built)\b/i },
  { measure: 'disputed_features', words: /\b(?:disputed|disagree|contradict\w*|conflict\w*)\b/i },
  {
    measure: 'accepted_features',
    words: /\b(?:accepted|pass|passed|succeed|succeeded|built|finished|completed|done)\b/i,
  },
];

async function runFindings(
  question: string,
  profile: RecordProfile,
  store: Store,
): Promise<PremiseFinding[]> {
  if (!REASON.test(question)) return [];
  const figures = findTypedFigures(question).filter(
    ({ unit, start }) =>
      (unit === 'features' || unit === 'attempts') &&
      !ASKING.test(question.slice(Math.max(0, start - 40), start)),
  );
  const findings = await Promise.all(
    figures.slice(0, LIMITS.premises).map(async (figure): Promise<PremiseFinding[]> => {
      const rest = question.slice(figure.end);
      const id =
        figure.unit === 'attempts'
          ? 'attempts'
          : RUN_CLAIMS.find(({ words }) => words.test(question))?.measure;
      const measure = id === undefined ? undefined : measureById(id);
      if (!measure) return [];
      const unit = /^\s*\p{L}+/u.exec(rest)?.[0] ?? '';
      const claimed = { text: `${figure.text}${unit}`, value: figure.value };
      const of = async (source: string) =>
        (await runQuery(store, single(measure.id, source), queryContext(profile))).groups.flatMap(
          (group) => group.values[0] ?? [],
        );
      const [counted] = await of('counted');
      const finding = (verdict: PremiseFinding['verdict']): PremiseFinding[] => [
        { feature: null, measure: measure.id, claimed, verdict },
      ];
      if (counted?.value == null) return finding('unknown');
      if (counted.value === figure.value)
        return finding(counted.disputed && measure.fact !== null ? 'disputed' : 'true');
      const each = measure.fact === null ? [] : await of('each');
      return finding(
        each.some(({ value, basis }) => value === figure.value && isClaim(basis)) ? 'disputed' : 'false',
      );
    }),
  );
  return findings.flat();
}

/**
 * Looks for what a question takes for granted about a feature (or the run), and asks every source.
 * `true`: it is what is counted, and nobody says otherwise. `disputed`: some source says it, another says otherwise.
 * `false`: no source says it. `unknown`: no source tells that fact.
 * @returns at most LIMITS.premises findings, in order of the question
 * @throws QueryError when the store fails or runs out of time
 */
export async function checkPremises(
  question: string,
  profile: RecordProfile,
  store: Store,
): Promise<PremiseFinding[]> {
  const read = question.slice(0, LIMITS.question);
  const features = matchFeatures(read, profile).filter(({ score }) => score >= SURE);
  // A bare number may be an amount ("list 3 accepted features"): enough to ask after, not to say what it is taken for.
  const named = features.some(({ score }) => score >= NAMED);
  const claims = claimsIn(read)
    .filter(({ status }) => status === null || named)
    .sort((a, b) => a.at - b.at)
    .slice(0, LIMITS.premises);
  if (features.length === 0) {
    // What is said of a feature that does not exist is not said of the run.
    return missingFeatures(read, profile).length > 0 ? [] : runFindings(read, profile, store);
  }
  const [only] = features;
  const characters =
    only && features.length === 1 ? await characterFindings(read, only.id, store, profile) : [];
  if (claims.length === 0) return characters;
  const queries = new Queries(store, queryContext(profile), new AbortController().signal);
  // With several features a claim belongs to the one it stands nearest to.
  const spots = features.map(({ id, span }) => ({ id, at: Math.max(0, read.indexOf(span)) }));
  const nearest = (at: number): string =>
    spots.toSorted((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0]?.id ?? '';
  const ids = [...new Set(claims.map(({ at }) => nearest(at)))];
  const stories = new Map((await storiesOf(ids, { queries })).map((story) => [story.id, story]));
  const found = claims.flatMap((claim): PremiseFinding[] => {
    const feature = nearest(claim.at);
    const story = stories.get(feature);
    if (!story) return [];
    const claimed = { text: claim.text.trim(), value: claim.value };
    return [{ feature, measure: claim.measure, claimed, verdict: verdictOf(claim, story) }];
  });
  const measured = new Set(found.map(({ measure }) => measure));
  return [...found, ...characters.filter(({ measure }) => !measured.has(measure))].slice(0, LIMITS.premises);
}
