import { button } from '../plan-builder.ts';
import {
  EVENT_QUESTIONS,
  eventQuestions,
  logOf,
  proofOf,
  QUESTIONS,
  sourcesOf,
  storyOf,
} from '../questions.ts';
import { proofLedger, runTimeline, stateFigures, struggle } from './at-a-glance.ts';
import { type Compose, featureTitle, mention, start } from './context.ts';
import { notRecorded } from './unrecorded.ts';

/** The run as a whole, where no source tells build times: by its gates, its requirements and its log. */
export const composeGatedRun: Compose = (context) => {
  const { profile, reading } = context;
  const plan = start(context, { scope: [] });
  const gated = profile.counts.gate_events > 0;
  const figures = stateFigures(plan, profile);
  plan.fact('all', { measure: 'features' });
  plan.explain('Out of {all}, {accepted} were accepted.');
  if (profile.statuses.includes('blocked')) plan.explain('{blocked} wait for a human: {blocked_which}.');
  if (gated) {
    plan.fact('runs', { measure: 'gate_runs' });
    plan.fact('failures', { measure: 'gate_failures' });
    plan.fact('own', { measure: 'verifier_failures' });
    plan.explain(
      'The record has {runs}; {failures} did not pass, and {own} are put down to the verifier itself.',
    );
  }
  if (reading.cues.has('when')) {
    plan.fact('run_time', { measure: 'elapsed' });
    plan.explain('From its start to its end the run took {run_time}.');
  }
  plan.stat('State of the run', figures, [button('List all features', QUESTIONS.table)]);
  runTimeline(plan, profile);
  struggle(plan, profile);
  proofLedger(plan, profile);
  const open = profile.features.find(({ status }) => status === 'blocked' || status === 'failed');
  return plan.ask(
    ...(open ? [storyOf(open.id)] : []),
    ...eventQuestions(profile),
    QUESTIONS.sources,
    QUESTIONS.table,
    EVENT_QUESTIONS.timeline,
  );
};

/** The story of one feature where no source tells build times: its gates, its attempts, its proof and its log. */
export const composeGatedFeature: Compose = (context) => {
  const { reading, profile } = context;
  const id = reading.features[0] ?? '';
  const plan = start(context, { feature: id });
  const { counts } = profile;
  plan.fact('status', { measure: 'features', kind: 'top_label', by: 'status' });
  plan.explain(`The status of ${mention(id)} is {status}.`);
  if (counts.gate_events > 0) {
    plan.fact('runs', { measure: 'gate_runs' });
    plan.fact('failures', { measure: 'gate_failures' });
    plan.fact('own', { measure: 'verifier_failures' });
    plan.explain(
      'For it there are {runs}; {failures} did not pass, and {own} are put down to the verifier itself.',
    );
  }
  if (counts.requirements > 0) {
    plan.fact('proven', { measure: 'proven_requirements' });
    plan.fact('wanted', { measure: 'requirements' });
    plan.explain('Of its {wanted}, {proven} are borne out by a check.');
  }
  if (reading.topic !== null) for (const says of notRecorded(reading.topic, profile)) plan.explain(says);
  if (counts.gate_events > 0)
    plan.timeline({
      of: 'gates',
      title: `${featureTitle(profile, id)}: its gates on a time axis`,
      actions: [button('Its log', logOf(id)), button('What is proven of it?', proofOf(id))],
    });
  plan.attempts(id, `Attempts at ${featureTitle(profile, id).replace(/^F/, 'f')}`, [
    button('Do the sources agree?', sourcesOf(id)),
  ]);
  if (counts.requirements > 0) plan.ledger({ title: 'Its requirements' });
  if (counts.log_events > 0)
    plan.log({ title: 'Its log', size: 'few', around: counts.gate_events > 0 ? 'last_failure' : 'end' });
  return plan.ask(
    logOf(id),
    proofOf(id),
    EVENT_QUESTIONS.fault,
    ...eventQuestions(profile),
    QUESTIONS.overview,
  );
};
