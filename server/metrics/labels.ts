import { ATTRIBUTIONS, plainName, REQUIREMENT_STATES, VERDICTS } from '../../shared/outcomes.ts';
import type { Dimension } from './dimensions.ts';
import type { QueryContext } from './query.ts';
import { clockOf } from './time.ts';

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  disputed: { disputed: 'sources disagree', undisputed: 'sources agree' },
  commit_kind: { accept: 'accepting', skip: 'skipping', other: 'other' },
  rule: {
    sources_disagree: 'sources disagree',
    passed_then_retried: 'passed, then retried',
    totals_differ: 'totals differ',
    reading: 'reading problem',
  },
  verdict: VERDICTS,
  attribution: ATTRIBUTIONS,
  requirement_state: REQUIREMENT_STATES,
  start_outcome: { open: 'without outcome', closed: 'with outcome' },
  phase: { before: 'before the run', during: 'during the run', after: 'after the run' },
};
/** Dimensions whose values are names made of words. */
const PLAIN = new Set(['gate', 'failure_family', 'requirement_kind', 'entry_kind', 'test_status']);
const NOTHING: Readonly<Record<string, string>> = {
  feature: 'no feature',
  category: 'no category',
  run: 'no run',
};

/** What people read for one value of a dimension; a missing one is said to be missing. */
export function groupLabel(
  dimension: Dimension,
  key: string | number | null,
  label: string | null,
  context: QueryContext,
): string {
  if (key === null) return NOTHING[dimension.id] ?? 'not recorded';
  const told = label === null || label === '' ? null : label;
  if (dimension.kind === 'category' && told !== null) return told;
  if (dimension.kind !== 'category') {
    const value =
      dimension.kind === 'time' && typeof key === 'number' ? clockOf(key, context.zone) : String(key);
    return told === null ? value : `${value} · ${told}`;
  }
  if (dimension.id === 'source')
    return context.sources.find((source) => source.kind === key)?.label ?? String(key);
  if (PLAIN.has(dimension.id)) return plainName(String(key));
  const words = WORDS[dimension.id];
  return words && Object.hasOwn(words, key) ? (words[key] ?? String(key)) : String(key);
}
