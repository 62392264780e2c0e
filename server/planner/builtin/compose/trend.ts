import type { Where } from '../../../../shared/plan.ts';
import { button, figure } from '../plan-builder.ts';
import { QUESTIONS } from '../questions.ts';
import { capital, labelOf, ofFeature, ofGroup, singleLabel } from '../wording.ts';
import { type Compose, isTold, start } from './context.ts';

/** Measures drawn over the run; others fall back to build time. */
const DRAWABLE = new Set([
  'build_time',
  'mean_score',
  'attempts',
  'lines_added',
  'lines_removed',
  'files_changed',
  'tokens',
]);

/** One measure in the order the features were finished, and its earlier half set against its later half. */
export const composeTrend: Compose = (context) => {
  const { reading, profile } = context;
  const wanted = reading.measures.map(ofFeature).filter((id) => id !== null);
  const measure = wanted.find((id) => DRAWABLE.has(id)) ?? 'build_time';
  const half = Math.floor(profile.features.length / 2);
  const earlier: Where = { type: 'range', dim: 'order', from: null, to: String(half) };
  const later: Where = { type: 'range', dim: 'order', from: String(half + 1), to: null };
  const plan = start(context);
  const summed = ofGroup(measure);
  plan.fact('earlier', { measure: summed, where: [earlier] });
  plan.fact('later', { measure: summed, where: [later] });
  plan.fact('whole', { measure: summed });
  plan.fact('peak', { measure, kind: 'top_label', by: 'feature' });
  plan.fact('peak_value', { measure, kind: 'top_value', by: 'feature' });
  const label = labelOf(summed);
  plan.explain(`The ${label} was {earlier} in the earlier part of the run and {later} in the later part.`);
  plan.explain(`The highest ${singleLabel(measure)} is {peak_value}, for {peak}.`);
  plan.chart({
    title: `${capital(singleLabel(measure))} over the run`,
    of: [measure],
    by: 'order',
    draw: 'line',
    actions: [
      measure === 'build_time'
        ? button('The slowest', QUESTIONS.slowest)
        : button('Build time over the run', QUESTIONS.timeTrend),
    ],
  });
  plan.stat(`${capital(label)}, earlier and later`, [
    figure('Earlier part', 'earlier'),
    figure('Later part', 'later', { compare_to: 'earlier' }),
    figure('Whole run', 'whole'),
  ]);
  const beside = measure === 'mean_score' ? 'build_time' : 'mean_score';
  if (isTold(profile, beside))
    plan.chart({
      title: `${capital(singleLabel(beside))} over the run, beside it`,
      of: [beside],
      by: 'order',
      draw: 'line',
    });
  return plan.ask(
    measure === 'mean_score' ? QUESTIONS.timeTrend : QUESTIONS.scoreTrend,
    QUESTIONS.slowest,
    QUESTIONS.timeByCategory,
  );
};
