import { dimensionById } from '../../../metrics/dimensions.ts';
import { measureById } from '../../../metrics/measures.ts';
import { groupMeasure } from '../group-measure.ts';
import { groupingOf } from '../intent.ts';
import { button, figure } from '../plan-builder.ts';
import { inCategory, QUESTIONS } from '../questions.ts';
import { capital, labelOf } from '../wording.ts';
import { type Compose, isTold, start } from './context.ts';
import { byCategory } from './ranking.ts';

/** One measure over the groups of one grouping, as bars or as shares of a whole. */
export const composeDistribution: Compose = (context) => {
  const { reading, profile } = context;
  const by = groupingOf(reading) ?? (reading.measures[0] === 'mean_score' ? 'score' : 'category');
  const measure = groupMeasure(
    reading.measures,
    by,
    reading.cues.has('share') || /\btotal\b/i.test(reading.question),
  );
  const source = by === 'source' ? 'each' : 'counted';
  const plan = start(context);
  const label = labelOf(measure);
  const grouping = dimensionById(by)?.label ?? by;
  const shares =
    by !== 'source' &&
    (reading.cues.has('share') || reading.draw === 'donut') &&
    measureById(measure)?.additive === true;
  plan.fact('most', { measure, source, kind: 'top_label', by });
  plan.fact('most_value', { measure, source, kind: 'top_value', by });
  plan.fact('least', { measure, source, kind: 'bottom_label', by });
  plan.fact('least_value', { measure, source, kind: 'bottom_value', by });
  plan.fact('whole', { measure });
  plan.explain(
    `${capital(label)} by ${grouping}: the highest is {most_value} (${by === 'score' ? 'score ' : ''}{most}), the lowest {least_value} (${by === 'score' ? 'score ' : ''}{least}).`,
  );
  // Facts without a grouping are about the current run only.
  if (by !== 'run')
    plan.explain(by === 'source' ? 'Counted, it is {whole}.' : 'Over all groups it is {whole}.');
  plan.chart({
    title: `${capital(label)} by ${grouping}`,
    of: [{ measure, source }],
    by,
    draw: shares ? 'donut' : 'bar',
    order: dimensionById(by)?.kind === 'category' ? 'largest' : 'natural',
    actions:
      by === 'category'
        ? measureById(measure)?.unit === 's'
          ? [button('Slowest category', QUESTIONS.slowestCategory)]
          : []
        : measureById(measure)?.base === 'feature'
          ? [button('By category', byCategory(measure))]
          : [],
  });
  plan.stat(`${capital(label)} in figures`, [
    figure('Highest', 'most_value', { caption: '{most}' }),
    figure('Lowest', 'least_value', { caption: '{least}' }),
    ...(by === 'run' ? [] : [figure(by === 'source' ? 'Counted' : 'Over all groups', 'whole')]),
  ]);
  if (by === 'category' && measure !== 'findings' && measure !== 'commits') {
    const beside = measure === 'mean_score' ? 'median_build_time' : 'mean_score';
    if (isTold(profile, beside))
      plan.chart({
        title: `${capital(labelOf(beside))} by category, beside it`,
        of: [beside],
        by,
        order: 'largest',
      });
  }
  if (by === 'score' || by === 'attempts' || by === 'status' || by === 'disputed')
    plan.table('feature_table', {
      title: 'The features behind it',
      columns: ['feature', 'category', 'status', 'attempts', 'score'],
      order_by: by === 'attempts' ? 'attempts' : 'score',
      order: 'smallest',
      size: 'some',
      actions: [button('Lowest scores', QUESTIONS.lowestScores)],
    });
  if (by === 'run') {
    const beside = measure === 'median_build_time' ? 'accepted_features' : 'median_build_time';
    if (isTold(profile, beside))
      plan.chart({ title: `${capital(labelOf(beside))} by run, beside it`, of: [beside], by });
  }
  if (by === 'rule')
    plan.table('finding_table', {
      title: 'The findings',
      columns: ['finding', 'rule', 'feature', 'source'],
      size: 'some',
    });
  if (by === 'phase' || by === 'commit_kind')
    plan.table('commit_table', {
      title: 'The commits',
      columns: ['commit', 'time', 'subject', by === 'phase' ? 'phase' : 'kind'],
      size: 'some',
    });
  if (by === 'source')
    plan.table('finding_table', {
      title: 'Where the sources disagree',
      columns: ['finding', 'feature', 'source'],
      size: 'some',
    });
  const category = profile.categories[0];
  return plan.ask(
    ...(category === undefined ? [] : [inCategory(category)]),
    QUESTIONS.scores,
    QUESTIONS.acceptanceByCategory,
    QUESTIONS.timeTrend,
  );
};
