import { measureById } from '../../../metrics/measures.ts';
import { inValues } from '../filters.ts';
import { button, figure, type PlanBuilder, plainTitle } from '../plan-builder.ts';
import { QUESTIONS, slowestIn, storyOf } from '../questions.ts';
import { capital, columnFor, columnsWith, labelOf, ofFeature, ofGroup, singleLabel } from '../wording.ts';
import { type Compose, type Context, featureOf, mention, scopeOf, start } from './context.ts';

/** Two things side by side (or a few): features or categories. */
export const composeCompare: Compose = (context) =>
  context.reading.features.length >= 2 ? features(context) : categories(context);

function features(context: Context): PlanBuilder {
  const { reading, profile } = context;
  const ids = reading.features.slice(0, 6);
  const measure =
    reading.measures.map(ofFeature).find((id) => id !== null && columnFor(id) !== null) ?? 'build_time';
  const plan = start(context, { scope: [inValues('feature', ids)] });
  const shown = ids.slice(0, 2);
  const label = singleLabel(measure);
  // What was not accepted has no measured value to set another against.
  const settled = shown.every((id) => featureOf(profile, id)?.status === 'accepted');
  for (const [at, id] of shown.entries()) {
    const side = at === 0 ? 'left' : 'right';
    const where = [inValues('feature', [id])];
    plan.fact(side, { measure, where });
    plan.fact(`${side}_score`, { measure: 'mean_score', where });
    plan.fact(`${side}_attempts`, { measure: 'attempts', where });
  }
  plan.fact('median', { measure: 'median_build_time', scope: 'run' });
  plan.fact('more', { measure, kind: 'top_label', by: 'feature' });
  plan.fact('more_value', { measure, kind: 'top_value', by: 'feature' });
  const [left = '', right = ''] = shown;
  plan.explain(`By ${label}, ${mention(left)} has {left} and ${mention(right)} has {right}.`);
  // A claim is never set against a measured value: where one is left out, highest and lowest are the same feature.
  plan.fact('less', { measure, kind: 'bottom_label', by: 'feature' });
  const alone = plan.relation('alone', 'more', 'same_label_as', 'less');
  plan.explain('The higher of them is {more}, with {more_value}.', [alone, 'false']);
  plan.explain(
    settled
      ? 'Neither is counted higher than the other.'
      : 'Only one of them is counted, for {more}; the other is only claimed, or not recorded, and not set against it.',
    [alone, 'true'],
  );
  const check = plan.agree('attempts_agree', 'attempts');
  plan.explain('About the attempts the sources disagree.', [check, 'false']);
  const name = (id: string): string =>
    plainTitle(featureOf(profile, id)?.title ?? '').slice(0, 40) || `Feature ${id}`;
  plan.stat(
    `${capital(label)}, side by side`,
    [
      figure(name(left), 'left'),
      figure(name(right), 'right', settled ? { compare_to: 'left' } : {}),
      ...(measure === 'build_time' ? [figure('Median of the run', 'median')] : []),
    ],
    shown.map((id) => button(`Story of feature ${plainTitle(id)}`, storyOf(id))),
  );
  plan.table('feature_table', {
    title: 'Fact by fact',
    columns: columnsWith('lines_added', 'disputed', columnFor(measure)),
  });
  plan.chart({
    title: `${capital(label)} of the features compared`,
    of: [measure],
    by: 'feature',
    order: 'largest',
  });
  plan.note('What the record supports', [
    `${mention(left)}: {left_attempts}, a score of {left_score}.`,
    `${mention(right)}: {right_attempts}, a score of {right_score}.`,
  ]);
  return plan.ask(storyOf(left), QUESTIONS.slowest, QUESTIONS.disputed, storyOf(right));
}

function categories(context: Context): PlanBuilder {
  const { reading } = context;
  const names = reading.categories.slice(0, 6);
  const measure = ofGroup(
    reading.measures.find((id) => id !== 'features' && measureById(id)?.base === 'feature') ?? 'build_time',
  );
  const plan = start(context, { scope: scopeOf({ ...reading, categories: names }) });
  const [left = '', right = ''] = names;
  const label = labelOf(measure);
  plan.fact('left', { measure, where: [inValues('category', [left])] });
  plan.fact('right', { measure, where: [inValues('category', [right])] });
  plan.fact('left_score', { measure: 'mean_score', where: [inValues('category', [left])] });
  plan.fact('right_score', { measure: 'mean_score', where: [inValues('category', [right])] });
  plan.fact('whole', { measure, scope: 'run' });
  const [one, other] = [plainTitle(left), plainTitle(right)];
  plan.explain(`The ${label} is {left} in ${one} and {right} in ${other}; over the run it is {whole}.`);
  plan.explain(`The mean score is {left_score} in ${one} and {right_score} in ${other}.`);
  plan.stat(
    `${capital(label)}, side by side`,
    [
      figure(capital(one), 'left'),
      figure(capital(other), 'right', { compare_to: 'left' }),
      figure('Whole run', 'whole'),
    ],
    [button(`Slowest in ${one}`, slowestIn(left)), button(`Slowest in ${other}`, slowestIn(right))],
  );
  plan.chart({ title: `${capital(label)} by category`, of: [measure], by: 'category', order: 'largest' });
  if (measure !== 'mean_score')
    plan.chart({ title: 'Mean score by category', of: ['mean_score'], by: 'category', order: 'largest' });
  plan.table('feature_table', {
    title: 'The features compared',
    columns: columnsWith(columnFor(ofFeature(measure) ?? '')),
    order_by: columnFor(ofFeature(measure) ?? ''),
    order: 'largest',
  });
  return plan.ask(slowestIn(left), QUESTIONS.timeByCategory, QUESTIONS.scoreByCategory);
}
