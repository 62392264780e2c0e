import { inValues } from '../filters.ts';
import { button, figure, type PlanBuilder } from '../plan-builder.ts';
import { QUESTIONS, storyOf } from '../questions.ts';
import { type Compose, type Context, start } from './context.ts';

/** When the run began and ended, as far as the record tells: the name of the run, the first and the last acceptance. */
function started(plan: PlanBuilder, { profile }: Context): void {
  plan.fact('first', { measure: 'features', kind: 'bottom_label', by: 'completed_at' });
  plan.fact('last', { measure: 'features', kind: 'top_label', by: 'completed_at' });
  if (profile.run !== null) {
    plan.fact('run', {
      measure: 'features',
      kind: 'top_label',
      by: 'run',
      where: [inValues('run', [profile.run.id])],
    });
    plan.explain('The run is recorded as {run}, which is the only word on its start.');
  }
  plan.explain('From its start to its last line it took {elapsed}.');
}

/** The run as a whole: what became of the features, how long they took, where it stands out. */
export const composeOverview: Compose = (context) => {
  const plan = start(context);
  const when = context.reading.cues.has('when') || context.reading.cues.has('start');
  plan.fact('all', { measure: 'features' });
  plan.fact('accepted', { measure: 'accepted_features' });
  plan.fact('skipped', { measure: 'skipped_features' });
  plan.fact('disputed', { measure: 'disputed_features' });
  plan.fact('median', { measure: 'median_build_time' });
  plan.fact('elapsed', { measure: 'elapsed' });
  plan.fact('slowest', { measure: 'build_time', kind: 'top_label', by: 'feature' });
  plan.fact('slowest_time', { measure: 'build_time', kind: 'top_value', by: 'feature' });
  plan.fact('lowest', { measure: 'mean_score', kind: 'bottom_label', by: 'feature' });
  plan.fact('lowest_score', { measure: 'mean_score', kind: 'bottom_value', by: 'feature' });
  if (when) started(plan, context);
  plan.explain('Out of {all}, {accepted} were accepted and {skipped} skipped.');
  plan.explain(
    'From start to end the run took {elapsed}. The median build time is {median}; the longest was {slowest} at {slowest_time}.',
  );
  plan.explain('The sources disagree about {disputed}.');
  plan.stat('State of the run', [
    figure('Accepted', 'accepted'),
    figure('Skipped', 'skipped'),
    figure('Disputed', 'disputed', { caption: 'sources tell different things' }),
    figure('Median build time', 'median'),
  ]);
  plan.chart({
    title: 'Build time over the run',
    of: ['build_time'],
    by: 'order',
    actions: [button('The slowest', QUESTIONS.slowest)],
  });
  plan.chart({
    title: 'Mean score by category',
    of: ['mean_score'],
    by: 'category',
    actions: [button('Build time by category', QUESTIONS.timeByCategory)],
  });
  if (context.reading.cues.has('when'))
    plan.table('feature_table', {
      title: 'When each feature was finished',
      columns: ['feature', 'status', 'completed_at', 'source'],
      order_by: 'completed_at',
      order: 'largest',
    });
  plan.note(
    'What stands out',
    [
      'The longest build is {slowest}, at {slowest_time} against a median of {median}.',
      'The lowest score is {lowest_score}, for {lowest}.',
      'Sources contradict each other about {disputed}; where they do, the measured value is counted.',
    ],
    [button('Do the sources agree?', QUESTIONS.sources)],
  );
  const skipped = context.profile.features.find((feature) => feature.status === 'skipped');
  return plan.ask(
    ...(skipped ? [storyOf(skipped.id)] : []),
    QUESTIONS.mostAttempts,
    QUESTIONS.slowestCategory,
    QUESTIONS.commitsAfter,
  );
};
