import { dimensionById } from '../../../metrics/dimensions.ts';
import { button, figure, plainTitle } from '../plan-builder.ts';
import { QUESTIONS, storyOf } from '../questions.ts';
import type { Reading } from '../reading.ts';
import { columnFor, columnsWith, ofFeature } from '../wording.ts';
import { type Compose, isTold, scopeOf, start, tellerOf } from './context.ts';

/** "Faster than" begins with the fastest. */
const orderOf = ({ ranges, direction }: Reading): 'largest' | 'smallest' =>
  direction === 'low' || ranges.some(({ from }) => from === null) ? 'smallest' : 'largest';

/** The condition as it was read, in the words of the question. */
function conditionTitle({ ranges }: Reading): string {
  if (ranges.length === 0) return 'Features that meet the condition';
  const bounds = ranges.map(({ dim, words }) => `${dimensionById(dim)?.label ?? dim} ${plainTitle(words)}`);
  return `Features: ${bounds.join(', ')}`;
}

/** Features that meet a condition, or all of them, as a table. */
export const composeList: Compose = (context) => {
  const { reading, profile } = context;
  const plan = start(context);
  const narrowed = scopeOf(reading).length > 0;
  const column =
    reading.measures.map((id) => columnFor(ofFeature(id) ?? '')).find((id) => id !== null) ?? null;
  const attempts = reading.ranges.find(({ dim }) => dim === 'attempts');
  plan.fact('shown', { measure: 'features' });
  plan.fact('all', { measure: 'features', scope: 'run' });
  plan.fact('median', { measure: 'median_build_time' });
  plan.fact('score', { measure: 'mean_score' });
  plan.explain(narrowed ? 'The condition holds for {shown}, out of {all}.' : 'The record has {all}.');
  const claim = attempts === undefined ? null : tellerOf(profile, 'attempts', 'claimed');
  if (attempts) plan.fact('counted', { measure: 'attempts', scope: 'run' });
  if (claim !== null) {
    plan.fact('claimed', { measure: 'attempts', source: claim.kind, scope: 'run' });
    plan.explain(`Over the run the attempts come to {counted}; ${claim.label} says {claimed}.`);
  } else if (attempts) plan.explain('Over the run the attempts come to {counted}.');
  plan.table('feature_table', {
    title: narrowed ? conditionTitle(reading) : 'All features',
    columns: columnsWith(column, 'lines_added', 'disputed'),
    order_by: column,
    order: column === null ? 'natural' : orderOf(reading),
    actions: [button('The slowest', QUESTIONS.slowest)],
  });
  plan.stat('These features in figures', [
    figure('Features', 'shown'),
    ...(isTold(profile, 'median_build_time') ? [figure('Median build time', 'median')] : []),
    ...(isTold(profile, 'mean_score') ? [figure('Mean score', 'score')] : []),
  ]);
  if (attempts)
    plan.chart({
      title: claim === null ? 'Their attempts' : `Attempts as ${claim.label} tells them`,
      of: [{ measure: 'attempts', source: claim?.kind ?? 'counted' }],
      by: 'feature',
      order: 'largest',
      size: 'some',
      scope: 'run',
      actions: [button('Do the sources agree?', QUESTIONS.sources)],
    });
  else if (isTold(profile, 'build_time'))
    plan.chart({
      title: 'Their build time',
      of: ['build_time'],
      by: 'feature',
      order: 'largest',
      size: 'some',
    });
  const one = profile.features.find((feature) => reading.categories.includes(feature.category));
  return plan.ask(
    ...(one ? [storyOf(one.id)] : []),
    QUESTIONS.timeByCategory,
    QUESTIONS.scores,
    QUESTIONS.sources,
  );
};
