import type { Unit } from '../../shared/cards.ts';
import { EVENT_MEASURES } from './event-measures.ts';
import { OWN_MEASURES, type OwnColumn, type OwnFilter } from './own-measures.ts';
import { SESSION_MEASURES, type SessionColumn, type SessionFilter } from './session-measures.ts';

/**
 * How rows of a fact become one value. `ratio` is a quotient of two counts, `quotient` one of two sums (or of a sum and a
 * count), never an average of ratios. `p90`: what nine of ten stay under.
 */
export type Aggregate = 'sum' | 'median' | 'p90' | 'mean' | 'min' | 'max' | 'count' | 'ratio' | 'quotient';

/** Tables of sessions of coding agents. */
export const SESSION_BASES = {
  session: { one: 'session', many: 'sessions', unit: 'sessions' },
  request: { one: 'request', many: 'requests', unit: 'requests' },
  tool_call: { one: 'tool call', many: 'tool calls', unit: 'calls' },
  session_time: { one: 'stretch of time', many: 'stretches of time', unit: 'none' },
} as const satisfies Record<string, { one: string; many: string; unit: Unit }>;

/** What the rows of a measure are, and what one and many of them are called. */
export const BASES = {
  feature: { one: 'feature', many: 'features', unit: 'features' },
  commit: { one: 'commit', many: 'commits', unit: 'commits' },
  finding: { one: 'finding', many: 'findings', unit: 'findings' },
  run: { one: 'run', many: 'runs', unit: 'none' },
  gate_event: { one: 'gate run', many: 'gate runs', unit: 'gates' },
  requirement: { one: 'requirement', many: 'requirements', unit: 'requirements' },
  attempt: { one: 'listed attempt', many: 'listed attempts', unit: 'attempts' },
  log_event: { one: 'log entry', many: 'log entries', unit: 'entries' },
  test_result: { one: 'test result', many: 'test results', unit: 'tests' },
  ...SESSION_BASES,
  own_answer: { one: 'answer', many: 'answers', unit: 'answers' },
} as const satisfies Record<string, { one: string; many: string; unit: Unit }>;
export type Base = keyof typeof BASES;

export interface Measure {
  id: string;
  label: string;
  /** One line of meaning, with the aggregate, for prompts, help and docs. */
  meaning: string;
  unit: Unit;
  aggregate: Aggregate;
  /** Base rows: one a feature (by counted observation of `fact`), one a run (facts no feature has), or one a row of a table. */
  base: Base;
  /** The observation summed up; null for counts of base rows. */
  fact: string | null;
  /** A number of the base row itself that is summed up (event-frames.ts), where there is no observation of it. */
  column?: RowColumn;
  /** Of a quotient: what the sum is divided by. Another column's sum, the rows that have one, or how many different things rows name. */
  under?: { of: 'column'; column: RowColumn } | { of: 'rows' } | { of: Counted };
  /** What rows without the number lack, after "13 of 76 requests": then the value is a lower bound, and is marked as one. */
  leftOut?: string | undefined;
  /** For counts and ratios: which base rows count (closed list, compiled to SQL in scope.ts and event-frames.ts). */
  filter:
    | 'all'
    | 'accepted'
    | 'skipped'
    | 'pending'
    | 'blocked'
    | 'failed'
    | 'first_try'
    | 'disputed'
    | RowFilter
    | null;
  /** Values of groups add up to the value of the whole. */
  additive: boolean;
  good: 'up' | 'down' | null;
  synonyms: string[];
}

/** Numbers rows of a table have. */
export type RowColumn = 'duration' | OwnColumn | SessionColumn;

/** Things a row may name, to be counted each once. */
export type Counted = 'session' | 'accepted_feature';

/** Whether rows of a base are rows of sessions: all sessions of the project are meant, unless a run is asked for. */
export const isOfSessions = (base: Base): base is keyof typeof SESSION_BASES =>
  Object.hasOwn(SESSION_BASES, base);

/** Which rows of a table count, beyond features and their state. */
export type RowFilter =
  | 'gate_failed'
  | 'gate_passed'
  | 'by_verifier'
  | 'by_agent'
  | 'by_nobody'
  | 'without_outcome'
  | 'error_level'
  | 'attempt_failed'
  | 'designed'
  | 'proven'
  | 'likely'
  | 'stale'
  | 'claimed_only'
  | 'refuted'
  | 'open'
  | 'test_passed'
  | 'test_failed'
  | 'test_flaky'
  | SessionFilter
  | OwnFilter;

const m = (measure: Measure): Measure => measure;

/** Every measure a question can be about. One list: prompts, schema enums, vocabulary and help are made from it. */
export const MEASURES: readonly Measure[] = [
  m({
    id: 'features',
    label: 'features',
    meaning: 'number of features',
    unit: 'features',
    aggregate: 'count',
    base: 'feature',
    fact: null,
    filter: 'all',
    additive: true,
    good: null,
    synonyms: ['feature count', 'number of features', 'how many features'],
  }),
  m({
    id: 'accepted_features',
    label: 'accepted features',
    meaning: 'number of features the harness accepted',
    unit: 'features',
    aggregate: 'count',
    base: 'feature',
    fact: null,
    filter: 'accepted',
    additive: true,
    good: 'up',
    synonyms: ['accepted', 'passed', 'done', 'built', 'finished', 'completed', 'succeeded'],
  }),
  m({
    id: 'skipped_features',
    label: 'skipped features',
    meaning: 'number of features the harness gave up on',
    unit: 'features',
    aggregate: 'count',
    base: 'feature',
    fact: null,
    filter: 'skipped',
    additive: true,
    good: 'down',
    synonyms: ['skipped', 'failed', 'gave up', 'not built', 'missing', 'dropped'],
  }),
  m({
    id: 'blocked_features',
    label: 'blocked features',
    meaning: 'number of features that wait for a human',
    unit: 'features',
    aggregate: 'count',
    base: 'feature',
    fact: null,
    filter: 'blocked',
    additive: true,
    good: 'down',
    synonyms: ['blocked', 'blocked feature'],
  }),
  m({
    id: 'failed_features',
    label: 'failed features',
    meaning: 'number of features whose last word is a failure',
    unit: 'features',
    aggregate: 'count',
    base: 'feature',
    fact: null,
    filter: 'failed',
    additive: true,
    good: 'down',
    synonyms: ['failed feature'],
  }),
  m({
    id: 'acceptance_rate',
    label: 'acceptance rate',
    meaning: 'accepted features over all features',
    unit: 'ratio',
    aggregate: 'ratio',
    base: 'feature',
    fact: null,
    filter: 'accepted',
    additive: false,
    good: 'up',
    synonyms: ['success rate', 'pass rate', 'completion rate', 'share accepted'],
  }),
  m({
    id: 'first_try_rate',
    label: 'accepted at the first try',
    meaning: 'accepted features with one attempt over accepted features with a known attempt count',
    unit: 'ratio',
    aggregate: 'ratio',
    base: 'feature',
    fact: 'attempts',
    filter: 'first_try',
    additive: false,
    good: 'up',
    synonyms: ['first try', 'first attempt', 'one shot', 'first-attempt pass rate'],
  }),
  m({
    id: 'attempts',
    label: 'attempts',
    meaning: 'sum of attempts',
    unit: 'attempts',
    aggregate: 'sum',
    base: 'feature',
    fact: 'attempts',
    filter: null,
    additive: true,
    good: 'down',
    synonyms: ['attempt', 'tries', 'try', 'retries', 'retry', 'iterations', 'iteration'],
  }),
  m({
    id: 'build_time',
    label: 'build time',
    meaning: 'sum of build seconds',
    unit: 's',
    aggregate: 'sum',
    base: 'feature',
    fact: 'build_time',
    filter: null,
    additive: true,
    good: 'down',
    synonyms: [
      'time',
      'duration',
      'took',
      'take',
      'long',
      'slow',
      'slowest',
      'fast',
      'fastest',
      'quick',
      'seconds',
      'minutes',
    ],
  }),
  m({
    id: 'median_build_time',
    label: 'median build time',
    meaning: 'median of build seconds',
    unit: 's',
    aggregate: 'median',
    base: 'feature',
    fact: 'build_time',
    filter: null,
    additive: false,
    good: 'down',
    synonyms: ['median time', 'typical time', 'usual time', 'average time', 'typically'],
  }),
  m({
    id: 'longest_build_time',
    label: 'longest build time',
    meaning: 'largest build seconds of one feature',
    unit: 's',
    aggregate: 'max',
    base: 'feature',
    fact: 'build_time',
    filter: null,
    additive: false,
    good: 'down',
    synonyms: ['longest', 'maximum time', 'worst time'],
  }),
  m({
    id: 'mean_score',
    label: 'mean score',
    meaning: 'mean of final scores, of ten',
    unit: 'points',
    aggregate: 'mean',
    base: 'feature',
    fact: 'score',
    filter: null,
    additive: false,
    good: 'up',
    synonyms: ['score', 'scores', 'quality', 'rating', 'grade', 'average score'],
  }),
  m({
    id: 'lowest_score',
    label: 'lowest score',
    meaning: 'smallest final score, of ten',
    unit: 'points',
    aggregate: 'min',
    base: 'feature',
    fact: 'score',
    filter: null,
    additive: false,
    good: 'up',
    synonyms: ['worst score', 'minimum score'],
  }),
  m({
    id: 'lines_added',
    label: 'lines added',
    meaning: 'sum of lines added by the accepting commits',
    unit: 'lines',
    aggregate: 'sum',
    base: 'feature',
    fact: 'lines_added',
    filter: null,
    additive: true,
    good: null,
    synonyms: ['lines', 'loc', 'code', 'size', 'biggest', 'largest', 'insertions', 'lines of code'],
  }),
  m({
    id: 'lines_removed',
    label: 'lines removed',
    meaning: 'sum of lines removed by the accepting commits',
    unit: 'lines',
    aggregate: 'sum',
    base: 'feature',
    fact: 'lines_removed',
    filter: null,
    additive: true,
    good: null,
    synonyms: ['deletions', 'deleted lines', 'removed lines'],
  }),
  m({
    id: 'files_changed',
    label: 'files changed',
    meaning: 'sum of files touched by the accepting commits',
    unit: 'files',
    aggregate: 'sum',
    base: 'feature',
    fact: 'files_changed',
    filter: null,
    additive: true,
    good: null,
    synonyms: ['files', 'files touched'],
  }),
  m({
    id: 'tokens',
    label: 'tokens',
    meaning: 'sum of coder and evaluator tokens',
    unit: 'tokens',
    aggregate: 'sum',
    base: 'feature',
    fact: 'tokens',
    filter: null,
    additive: true,
    good: 'down',
    synonyms: ['token', 'tokens used', 'token usage'],
  }),
  m({
    id: 'disputed_features',
    label: 'disputed features',
    meaning: 'number of features whose sources disagree',
    unit: 'features',
    aggregate: 'count',
    base: 'feature',
    fact: null,
    filter: 'disputed',
    additive: true,
    good: 'down',
    synonyms: [
      'disputed',
      'contradicted',
      'contradictions',
      'disagree',
      'conflicting',
      'conflicts',
      'inconsistent',
    ],
  }),
  m({
    id: 'commits',
    label: 'commits',
    meaning: 'number of commits',
    unit: 'commits',
    aggregate: 'count',
    base: 'commit',
    fact: null,
    filter: 'all',
    additive: true,
    good: null,
    synonyms: ['commit', 'commit count'],
  }),
  m({
    id: 'findings',
    label: 'findings',
    meaning: 'number of audit findings',
    unit: 'findings',
    aggregate: 'count',
    base: 'finding',
    fact: null,
    filter: 'all',
    additive: true,
    good: 'down',
    synonyms: ['finding', 'audit findings', 'problems', 'issues'],
  }),
  m({
    id: 'attempts_per_feature',
    label: 'attempts per feature',
    meaning: 'mean of attempts',
    unit: 'attempts',
    aggregate: 'mean',
    base: 'feature',
    fact: 'attempts',
    filter: null,
    additive: false,
    good: 'down',
    synonyms: ['average attempts', 'mean attempts', 'attempts on average'],
  }),
  m({
    id: 'elapsed',
    label: 'run time',
    meaning: 'seconds from the start of the run to its end',
    unit: 's',
    aggregate: 'sum',
    base: 'run',
    fact: 'elapsed',
    filter: null,
    additive: true,
    good: 'down',
    synonyms: ['elapsed', 'wall time', 'whole run', 'total time', 'how long did the run'],
  }),
  m({
    id: 'cost',
    label: 'cost',
    meaning: 'cost of the run in US dollars',
    unit: 'usd',
    aggregate: 'sum',
    base: 'run',
    fact: 'cost_usd',
    filter: null,
    additive: true,
    good: 'down',
    synonyms: ['costs', 'price', 'spend', 'spent', 'dollars', 'money', 'expensive'],
  }),
  ...EVENT_MEASURES,
  ...SESSION_MEASURES,
  ...OWN_MEASURES,
];

/** Measures of a harness's record: what planners of a run are offered. Looplight's own answers are asked about by themselves. */
export const HARNESS_MEASURES: readonly Measure[] = MEASURES.filter(({ base }) => base !== 'own_answer');

const byId = new Map(MEASURES.map((measure) => [measure.id, measure]));
/** The measure with this id, or undefined when there is none. */
export const measureById = (id: string): Measure | undefined => byId.get(id);
