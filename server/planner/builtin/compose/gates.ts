import type { Where } from '../../../../shared/plan.ts';
import { inValues } from '../filters.ts';
import { button, figure } from '../plan-builder.ts';
import { EVENT_QUESTIONS, eventQuestions, logOf, QUESTIONS, storyOf } from '../questions.ts';
import { clockRange } from './clock-range.ts';
import { type Compose, featureTitle, scopeOf, start } from './context.ts';

const FAULT = /\b(?:fault|blame|whose|attribut\w*|caused?|own|wrongly|false|responsible)\b/i;
/** Each feature's own failures are asked for. */
const EACH_FEATURE = /\b(?:which|what|each|every|per|by) (?:feature|task|story|item)s?\b/i;
const TIME = /\b(?:long|time|took|take|takes|slow|slowest|duration|seconds|minutes)\b/i;
/** Columns that say whose doing a failure was, and what that rests on. */
const COLUMNS = ['gate', 'feature', 'time', 'verdict', 'attribution', 'why', 'source'];

/** What the gates and the verifier came to: failures, whose doing they were, how long they took. */
export const composeGates: Compose = (context) => {
  const { reading, profile } = context;
  const id = reading.features.length === 1 ? reading.features[0] : undefined;
  const plan = start(context, { feature: id ?? null, scope: scopeOf(reading) });
  const { question } = reading;
  const where: Where[] = [
    ...clockRange(question),
    ...(reading.gates.length > 0 ? [inValues('gate', reading.gates)] : []),
  ];
  const failed: Where[] = [...where, inValues('verdict', ['pass'], true)];
  const fault = FAULT.test(question);
  const time = !fault && TIME.test(question);
  plan.fact('runs', { measure: 'gate_runs', where });
  plan.fact('failures', { measure: 'gate_failures', where });
  plan.fact('own', { measure: 'verifier_failures', where });
  plan.fact('agent', { measure: 'agent_failures', where });
  plan.fact('unsaid', { measure: 'unexplained_failures', where });
  plan.fact('rate', { measure: 'gate_pass_rate', where });
  plan.fact('sum', { measure: 'gate_time', where });
  plan.fact('median', { measure: 'median_gate_time', where });
  // Where most gate runs have no clock time, an axis would show the exceptions.
  const timed = (profile.timed?.gates ?? 0) * 2 >= profile.counts.gate_events;
  const figures = [
    figure('Did not pass', 'failures'),
    figure('By the verifier itself', 'own'),
    figure('By the agent', 'agent'),
    figure('No one known', 'unsaid', { caption: 'no evidence either way' }),
  ];
  const log =
    id === undefined
      ? [button('The log around the first failure', EVENT_QUESTIONS.log)]
      : [button('Its log', logOf(id))];
  if (fault) {
    plan.explain(
      'Out of {failures} that did not pass, {own} are put down to the verifier itself, each on the evidence beside it.',
    );
    plan.explain('The agent is at fault for {agent}; for {unsaid} the record has no evidence either way.');
    plan.stat('Whose doing the failures were', figures, [
      button('How long did the gates take?', EVENT_QUESTIONS.gateTime),
    ]);
    plan.table('gate_table', {
      title: 'Failures that were not the agent’s, and what that rests on',
      columns: COLUMNS,
      where: [...failed, inValues('attribution', ['verifier', 'infra', 'provider', 'spec'])],
      actions: log,
    });
    if (timed) plan.timeline({ of: 'gates', title: 'When they happened', where: failed });
    plan.chart({
      title: 'Failures by whose doing they were',
      of: ['gate_failures'],
      by: 'attribution',
      order: 'largest',
      where,
    });
  } else if (time) {
    plan.explain(
      'The record has {runs}, which took {sum} together, where their start is known; the median is {median}.',
    );
    plan.stat('Time of the gates', [
      figure('Gate runs', 'runs'),
      figure('Together', 'sum'),
      figure('Median of a run', 'median'),
      figure('Pass rate', 'rate'),
    ]);
    plan.chart({ title: 'Time by gate', of: ['gate_time'], by: 'gate', order: 'largest', where });
    plan.chart({
      title: 'Time by feature',
      of: ['gate_time'],
      by: 'feature',
      order: 'largest',
      size: 'some',
      where,
    });
    plan.timeline({ of: 'gates', title: 'The gates on a time axis', where, actions: log });
  } else {
    const by = reading.by.includes('feature') || EACH_FEATURE.test(question) ? 'feature' : 'gate';
    plan.fact('worst', { measure: 'gate_failures', kind: 'top_label', by, where });
    plan.fact('worst_count', { measure: 'gate_failures', kind: 'top_value', by, where });
    plan.explain(
      `The record has {runs}, and {failures} did not pass; most of them ${by === 'gate' ? 'at' : 'of'} {worst}, with {worst_count}.`,
    );
    plan.explain('Put down to the verifier itself: {own}.');
    if (reading.cues.has('trend'))
      plan.chart({
        title: 'Gate runs and failures over time',
        of: ['gate_runs', 'gate_failures'],
        by: 'happened_at',
        draw: 'line',
        where,
      });
    const failures = (): void => {
      plan.chart({
        title: by === 'gate' ? 'Failures by gate' : 'Failures by feature',
        of: ['gate_failures'],
        by,
        order: 'largest',
        ...(by === 'gate' ? {} : { size: 'some' as const }),
        where,
      });
    };
    // Who asks for each feature gets that first; else the course of the run says more.
    if (by === 'feature') failures();
    if (timed)
      plan.timeline({
        of: 'gates',
        title:
          id === undefined
            ? 'Gate runs on a time axis'
            : `Gates of ${featureTitle(profile, id).replace(/^F/, 'f')}`,
        where,
        actions: log,
      });
    plan.stat('The gates in figures', figures, [
      button("Was any the verifier's own fault?", EVENT_QUESTIONS.fault),
    ]);
    if (by === 'gate') failures();
    plan.table('gate_table', {
      title: 'Gate runs that did not pass',
      columns: ['gate', 'feature', 'time', 'verdict', 'attribution', 'reason', 'source'],
      where: failed,
    });
  }
  return plan.ask(
    ...(id === undefined ? [] : [storyOf(id)]),
    EVENT_QUESTIONS.openStarts,
    ...eventQuestions(profile),
    QUESTIONS.overview,
  );
};
