import { TABLE_COLUMNS } from '../../metrics/columns.ts';
import { measureById } from '../../metrics/measures.ts';

/** How measures are asked of single features and of groups, and how cards about them are titled. */

/** Measure to use for single features: aggregates become the value they are taken over; null for counts of features. */
const OF_FEATURE: Readonly<Record<string, string | null>> = {
  median_build_time: 'build_time',
  longest_build_time: 'build_time',
  lowest_score: 'mean_score',
  first_try_rate: 'attempts',
  features: null,
  accepted_features: null,
  skipped_features: null,
  acceptance_rate: null,
  disputed_features: null,
};
export const ofFeature = (measure: string): string | null => {
  const mapped = OF_FEATURE[measure];
  return mapped === undefined ? measure : mapped;
};

/** Measure that says how groups differ: a sum of times would only find the biggest group. */
export const ofGroup = (measure: string): string =>
  measure === 'build_time' ? 'median_build_time' : measure;

/** The measure a single value is set against. */
const TYPICAL: Readonly<Record<string, string>> = { build_time: 'median_build_time' };
export const typicalOf = (measure: string): string | null => TYPICAL[measure] ?? null;

export const labelOf = (measure: string): string => measureById(measure)?.label ?? measure;
export { capital } from '../../../shared/capital.ts';

const SINGLE: Readonly<Record<string, string>> = {
  mean_score: 'score',
  attempts: 'number of attempts',
  lines_added: 'number of lines added',
  lines_removed: 'number of lines removed',
  files_changed: 'number of files changed',
  tokens: 'number of tokens',
};
/** A measure named for one feature: "score" rather than "mean score". */
export const singleLabel = (measure: string): string => SINGLE[measure] ?? labelOf(measure);

const EXTREMES: Readonly<Record<string, [high: string, low: string]>> = {
  build_time: ['Slowest features, by build time', 'Fastest features, by build time'],
  mean_score: ['Highest scores', 'Lowest scores'],
  attempts: ['Features with the most attempts', 'Features with the fewest attempts'],
  lines_added: ['Features with the most lines added', 'Features with the fewest lines added'],
  lines_removed: ['Features with the most lines removed', 'Features with the fewest lines removed'],
  files_changed: ['Features that changed the most files', 'Features that changed the fewest files'],
  tokens: ['Features with the most tokens', 'Features with the fewest tokens'],
};
/** Title of a ranking of features. */
export const rankingTitle = (measure: string, direction: 'high' | 'low'): string =>
  EXTREMES[measure]?.[direction === 'high' ? 0 : 1] ?? `Features by ${labelOf(measure)}`;

/** Column of a feature table that shows a measure, or null. */
export const columnFor = (measure: string): string | null =>
  TABLE_COLUMNS.feature_table.find((column) => column.measure === measure)?.id ?? null;

/** Columns of a feature table with the wanted ones in it. */
export const columnsWith = (...wanted: (string | null)[]): string[] => {
  const base = ['feature', 'category', 'status', 'attempts', 'score', 'build_time'];
  return [...new Set([...base, ...wanted.flatMap((id) => (id === null ? [] : [id]))])];
};

/** What a measure means, in words without figures: number words in prose are read as figures. */
export function meaningOf(measure: string): string {
  if (measure === 'first_try_rate')
    return 'accepted features that were not tried again, over accepted features with a known attempt count';
  return (measureById(measure)?.meaning ?? measure).replace(/, of ten\b/, '');
}
