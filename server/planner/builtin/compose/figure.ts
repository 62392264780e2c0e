import { measureById } from '../../../metrics/measures.ts';
import { inValues } from '../filters.ts';
import { button, figure, type PlanBuilder, plainTitle } from '../plan-builder.ts';
import { commitsOf, QUESTIONS, sourcesOf, storyOf } from '../questions.ts';
import {
  capital,
  columnFor,
  labelOf,
  ofFeature,
  ofGroup,
  rankingTitle,
  singleLabel,
  typicalOf,
} from '../wording.ts';
import {
  type Compose,
  type Context,
  featureOf,
  featureTitle,
  isTold,
  mention,
  start,
  tellerOf,
} from './context.ts';

/** One figure, with what it should be seen against. */
export const composeFigure: Compose = (context) =>
  context.reading.features[0] === undefined ? ofRun(context) : ofOne(context, context.reading.features[0]);

function ofOne(context: Context, id: string): PlanBuilder {
  const { reading, profile } = context;
  const measure =
    reading.measures.map(ofFeature).find((each) => each !== null && measureById(each)?.base === 'feature') ??
    'build_time';
  const plan = start(context, { feature: id, scope: [inValues('feature', [id])] });
  const typical = typicalOf(measure) ?? (measure === 'mean_score' ? 'mean_score' : null);
  const label = singleLabel(measure);
  plan.fact('value', { measure });
  plan.explain(
    `For ${mention(id)} the record counts {value}${measure === 'build_time' ? ' of build time' : ''}.`,
  );
  if (typical !== null) {
    plan.fact('usual', { measure: typical, scope: 'run' });
    plan.explain(`For the whole run the ${labelOf(typical)} is {usual}.`);
  }
  const check = plan.agree('sources_agree', measure);
  const claim = measureById(measure)?.fact === null ? null : tellerOf(profile, measure, 'claimed');
  if (claim !== null) {
    plan.fact('claimed', { measure, source: claim.kind });
    plan.explain(`The sources disagree: ${claim.label} says {claimed}.`, [check, 'false']);
  }
  plan.stat(
    `${capital(label)} of feature ${plainTitle(id)}`,
    [
      figure(capital(label), 'value', typical === null ? {} : { compare_to: 'usual' }),
      ...(typical === null ? [] : [figure(capital(labelOf(typical)), 'usual', { caption: 'whole run' })]),
    ],
    [button('Its whole story', storyOf(id))],
  );
  if (['attempts', 'mean_score', 'build_time', 'tokens'].includes(measure))
    plan.attempts(id, featureTitle(profile, id), [button('Do the sources agree?', sourcesOf(id))]);
  else
    plan.table('commit_table', {
      title: 'Its commits',
      columns: ['commit', 'time', 'subject', 'files', 'insertions', 'deletions'],
      actions: [button('Commits in detail', commitsOf(id))],
    });
  const category = featureOf(profile, id)?.category ?? '';
  if (category !== '')
    plan.chart({
      title: `${capital(label)} within its category`,
      of: [measure],
      by: 'feature',
      order: 'largest',
      scope: 'run',
      where: [inValues('category', [category])],
    });
  return plan.ask(
    storyOf(id),
    measure === 'build_time' ? QUESTIONS.slowest : QUESTIONS.disputed,
    QUESTIONS.medianTime,
  );
}

/** Figures shown beside the one asked for. */
const BESIDE: Readonly<Record<string, string[]>> = {
  accepted_features: ['features', 'skipped_features', 'acceptance_rate'],
  skipped_features: ['features', 'accepted_features', 'acceptance_rate'],
  features: ['accepted_features', 'skipped_features'],
  acceptance_rate: ['accepted_features', 'features', 'first_try_rate'],
  first_try_rate: ['attempts', 'accepted_features'],
  attempts: ['features', 'first_try_rate'],
  build_time: ['median_build_time', 'longest_build_time'],
  median_build_time: ['longest_build_time', 'build_time'],
  longest_build_time: ['median_build_time', 'build_time'],
  mean_score: ['lowest_score'],
  lowest_score: ['mean_score'],
  lines_added: ['lines_removed', 'files_changed'],
  lines_removed: ['lines_added', 'files_changed'],
  files_changed: ['lines_added', 'lines_removed'],
  disputed_features: ['features', 'findings'],
  findings: ['disputed_features'],
  elapsed: ['build_time', 'median_build_time'],
  cost: ['elapsed'],
};

function ofRun(context: Context): PlanBuilder {
  const { reading, profile } = context;
  const measure = wanted(reading.measures, reading.cues.has('typical'));
  const plan = start(context);
  const label = labelOf(measure);
  const beside = (BESIDE[measure] ?? []).filter((each) => isTold(profile, each));
  plan.fact('value', { measure });
  for (const id of beside) plan.fact(id, { measure: id });
  plan.explain(`${capital(label)}: {value}.`);
  if (measure === 'elapsed' && beside.includes('build_time'))
    plan.explain(
      'That is from the first line of the run to its last. The build times of its features add up to {build_time}; what lies between the builds is in the first and not in the second.',
    );
  const claim = tellerOf(profile, measure, 'claimed');
  if (claim !== null && ['attempts', 'build_time', 'mean_score'].includes(measure)) {
    plan.fact('claimed', { measure, source: claim.kind });
    plan.explain(`The sources disagree: by ${claim.label} it is {claimed}.`, [
      plan.agree('sources_agree', measure),
      'false',
    ]);
  }
  plan.stat(capital(label), [
    figure(capital(label), 'value'),
    ...beside.map((id) => figure(capital(labelOf(id)), id)),
  ]);
  const grouped = ofGroup(measure);
  if (measure === 'commits')
    plan.chart({ title: 'Commits before, during and after the run', of: ['commits'], by: 'phase' });
  else
    plan.chart({
      title: `${capital(labelOf(grouped))} by category`,
      of: [grouped],
      by: 'category',
      order: 'largest',
      actions:
        measureById(measure)?.unit === 's' ? [button('Slowest category', QUESTIONS.slowestCategory)] : [],
    });
  const single = ofFeature(measure);
  if (measureById(measure)?.base === 'run')
    plan.chart({ title: 'Build time over the run', of: ['build_time'], by: 'order' });
  if (measure === 'findings' || measure === 'disputed_features')
    plan.table('finding_table', {
      title: 'What the audit found',
      columns: ['finding', 'feature', 'source'],
      size: 'some',
    });
  else if (single === 'attempts')
    // Most features have the same few attempts: a bar for each would say nothing.
    plan.chart({ title: 'Features by number of attempts', of: ['features'], by: 'attempts' });
  else if (single !== null && columnFor(single) !== null)
    plan.chart({
      title: rankingTitle(single, measure === 'lowest_score' ? 'low' : 'high'),
      of: [single],
      by: 'feature',
      order: measure === 'lowest_score' ? 'smallest' : 'largest',
      size: 'some',
    });
  return plan.ask(
    QUESTIONS.overview,
    single === null ? QUESTIONS.skipped : QUESTIONS.slowest,
    QUESTIONS.timeTrend,
  );
}

/** "Average build time" asks for the median, "how many features were accepted" for the accepted ones. */
function wanted(measures: readonly string[], typical: boolean): string {
  const first = measures[0] ?? 'features';
  return typical && first === 'build_time' ? 'median_build_time' : first;
}
