import { inValues } from '../filters.ts';
import { button, figure } from '../plan-builder.ts';
import { EVENT_QUESTIONS, eventQuestions, QUESTIONS } from '../questions.ts';
import { clockRange } from './clock-range.ts';
import { type Compose, scopeOf, start } from './context.ts';

/** Checks that were started and of which nothing more is told. */
export const composeOpenStarts: Compose = (context) => {
  const { reading, profile } = context;
  const id = reading.features.length === 1 ? reading.features[0] : undefined;
  const plan = start(context, { feature: id ?? null, scope: scopeOf(reading) });
  const where = [...clockRange(reading.question), inValues('start_outcome', ['open'])];
  plan.fact('open', { measure: 'open_starts' });
  plan.fact('starts', { measure: 'log_entries', where: [inValues('start_outcome', ['open', 'closed'])] });
  plan.fact('share', { measure: 'log_entries', kind: 'share', where: [inValues('start_outcome', ['open'])] });
  plan.explain(
    profile.counts.log_events > 0
      ? 'Out of {starts} that start a check, {open} are followed by no outcome.'
      : 'No source of this record is a log, so nothing tells what was started.',
  );
  plan.log({
    title: 'Starts without an outcome',
    size: 'all',
    where,
    actions: [button('The log around them', 'Show the log around a start without outcome')],
  });
  if (profile.counts.log_events > 0) {
    plan.stat('Starts of a check', [figure('Starts', 'starts'), figure('Without outcome', 'open')]);
    plan.chart({
      title: 'Starts without an outcome by feature',
      of: ['log_entries'],
      by: 'feature',
      where,
      order: 'largest',
      size: 'some',
    });
    plan.timeline({
      of: 'gates',
      title: 'The gates on a time axis',
      actions: [button('Which gates failed?', EVENT_QUESTIONS.gatesFailed)],
    });
  }
  return plan.ask(...eventQuestions(profile), QUESTIONS.overview, QUESTIONS.table);
};
