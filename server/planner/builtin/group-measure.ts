import { dimensionById } from '../../metrics/dimensions.ts';
import { fits } from '../../metrics/fit.ts';
import { measureById } from '../../metrics/measures.ts';
import { ofGroup } from './wording.ts';

/** What is counted over a grouping when the question names no measure. */
const USUAL: Readonly<Record<string, string>> = {
  rule: 'findings',
  phase: 'commits',
  commit_kind: 'commits',
  source: 'attempts',
  run: 'accepted_features',
};

/**
 * The measure asked for, if it goes with the grouping; else what is usually counted over it.
 * @param summed the parts of a whole are asked for, so sums stay sums
 */
export function groupMeasure(measures: readonly string[], by: string, summed = false): string {
  const dimension = dimensionById(by);
  const able = measures.map(by === 'source' || summed ? (id) => id : ofGroup).find((id) => {
    const measure = measureById(id);
    return (
      measure !== undefined && dimension !== undefined && fits(measure, dimension) && id !== ownMeasure(by)
    );
  });
  return able ?? USUAL[by] ?? 'features';
}
/** "Scores by score" counts features, it does not average the scores of each score. */
const ownMeasure = (by: string): string | null =>
  by === 'score' ? 'mean_score' : by === 'attempts' ? 'attempts' : null;
