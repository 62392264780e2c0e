import { LIMITS } from '../../shared/limits.ts';
import { ATTRIBUTION_IDS, STATE_IDS, VERDICT_IDS } from '../../shared/outcomes.ts';
import { HARNESS_DIMENSIONS } from '../metrics/dimensions.ts';
import { HARNESS_MEASURES } from '../metrics/measures.ts';
import { RULES } from '../record/audit/index.ts';
import type { RecordProfile } from '../record/store.ts';

/** Names a plan about one record may use. A list that is null is open: too long or too odd to be written out. */
export interface Vocabulary {
  measures: readonly string[];
  dimensions: readonly string[];
  /** Dimensions filtered by names, and those filtered by a span. */
  named: readonly string[];
  ordered: readonly string[];
  /** What stands behind a measure: `counted`, `each`, or one kind of source. */
  sources: readonly string[];
  features: readonly string[] | null;
  categories: readonly string[] | null;
  statuses: readonly string[] | null;
  runs: readonly string[] | null;
  /** Gates, and kinds of log entries, of this record; empty where it has none. */
  gates: readonly string[];
  entryKinds: readonly string[];
}

/** Values of dimensions that do not depend on the record. */
export const FIXED_VALUES = {
  disputed: ['disputed', 'undisputed'],
  phase: ['before', 'during', 'after'],
  commit_kind: ['accept', 'skip', 'other'],
  rule: RULES.map((rule) => rule.id),
  verdict: VERDICT_IDS,
  attribution: ATTRIBUTION_IDS,
  requirement_state: STATE_IDS,
  start_outcome: ['open', 'closed'],
  level: ['info', 'warning', 'error'],
  test_status: ['passed', 'failed', 'error', 'timeout', 'skipped', 'flaky', 'load_error'],
} as const;
const STATUSES = ['accepted', 'skipped', 'pending'];

/** Letters, digits and plain marks: what every provider takes as a value of an enum. */
const PRESENTABLE = /^[^\p{C}"\\`]+$/u;

/** The list without repeats, or null when it is empty, too long, or holds a name that no enum should carry. */
function closed(names: readonly string[]): readonly string[] | null {
  const own = [...new Set(names)];
  const fits = own.length > 0 && own.length <= LIMITS.enumValues;
  return fits && own.every((name) => name.length <= LIMITS.enumValueChars && PRESENTABLE.test(name))
    ? own
    : null;
}

/** A record is of one project, so there is nothing in it to group by that; comparisons plan themselves. */
export const OFFERED = HARNESS_DIMENSIONS.filter((dimension) => dimension.id !== 'project');

/** Most gates, and kinds of log entries, that are named. */
const KINDS = 30;

const CATALOG = {
  measures: HARNESS_MEASURES.map((measure) => measure.id),
  dimensions: OFFERED.map((dimension) => dimension.id),
  named: OFFERED.filter((dimension) => dimension.kind === 'category').map((dimension) => dimension.id),
  // Features are numbered, so "10 to 20" is a span of them.
  ordered: OFFERED.filter((dimension) => dimension.kind !== 'category' || dimension.id === 'feature').map(
    (dimension) => dimension.id,
  ),
};

/**
 * The vocabulary of one record.
 * @param profile what the record holds, or null for the catalog alone, every list of the record open
 */
export function vocabularyOf(profile: RecordProfile | null): Vocabulary {
  if (profile === null) {
    return {
      ...CATALOG,
      sources: ['counted', 'each'],
      features: null,
      categories: null,
      statuses: null,
      runs: null,
      gates: [],
      entryKinds: [],
    };
  }
  return {
    ...CATALOG,
    sources: [...new Set(['counted', 'each', ...profile.sources.map((source) => source.kind)])],
    features: closed(profile.features.map((feature) => feature.id)),
    categories: closed(profile.categories),
    statuses: closed([...STATUSES, ...profile.statuses]),
    runs: closed(profile.run === null ? [] : [profile.run.id]),
    gates: closed((profile.gates ?? []).slice(0, KINDS)) ?? [],
    entryKinds: closed((profile.entryKinds ?? []).slice(0, KINDS)) ?? [],
  };
}
