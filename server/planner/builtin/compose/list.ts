import { dimensionById } from '../../../metrics/dimensions.ts';
import { button, figure, plainTitle } from '../plan-builder.ts';
import { QUESTIONS, storyOf } from '../questions.ts';
import type { Reading } from '../reading.ts';
import { columnFor, columnsWith, ofFeature } from '../wording.ts';
import { type Compose, scopeOf, sourceLabel, start } from './context.ts';

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
  const claims = sourceLabel(profile, 'metrics');
  if (attempts) {
    plan.fact('claimed', { measure: 'attempts', source: 'metrics', scope: 'run' });
    plan.fact('counted', { measure: 'attempts', scope: 'run' });
    plan.explain(`Over the run the attempts come to {counted}; ${claims ?? 'the claim'} says {claimed}.`);
  }
  plan.table('feature_table', {
    title: narrowed ? conditionTitle(reading) : 'All features',
    columns: columnsWith(column, 'lines_added', 'disputed'),
    order_by: column,
    order: column === null ? 'natural' : orderOf(reading),
    actions: [button('The slowest', QUESTIONS.slowest)],
  });
  plan.stat('These features in figures', [
    figure('Features', 'shown'),
    figure('Median build time', 'median'),
    figure('Mean score', 'score'),
  ]);
  if (attempts)
    plan.chart({
      title: `Attempts as ${claims ?? 'the claim'} tells them`,
      of: [{ measure: 'attempts', source: 'metrics' }],
      by: 'feature',
      order: 'largest',
      size: 'some',
      scope: 'run',
      actions: [button('Do the sources agree?', QUESTIONS.sources)],
    });
  else
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
