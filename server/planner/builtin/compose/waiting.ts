import { inValues } from '../filters.ts';
import { button, figure } from '../plan-builder.ts';
import { EVENT_QUESTIONS, eventQuestions, QUESTIONS, storyOf } from '../questions.ts';
import { type Compose, start } from './context.ts';

/** What waits for a human, and what led there. */
export const composeWaiting: Compose = (context) => {
  const { profile } = context;
  const plan = start(context, { scope: [] });
  plan.fact('blocked', { measure: 'blocked_features' });
  plan.fact('all', { measure: 'features' });
  plan.fact('failures', { measure: 'gate_failures' });
  const blocked = profile.features.filter(({ status }) => status === 'blocked');
  if (blocked.length > 0) {
    plan.fact('which', { measure: 'blocked_features', kind: 'top_label', by: 'feature' });
    plan.explain('{blocked} wait for a human, out of {all}: {which}.');
  } else plan.explain('Nothing waits for a human: {blocked} out of {all}.');
  plan.stat('Waiting for a human', [figure('Blocked', 'blocked'), figure('Features', 'all')]);
  plan.table('feature_table', {
    title: 'Features that wait for a human',
    columns: ['feature', 'category', 'status', 'attempts', 'source'],
    where: [inValues('status', ['blocked'])],
    actions:
      profile.counts.gate_events > 0 ? [button('Which gates failed?', EVENT_QUESTIONS.gatesFailed)] : [],
  });
  if (profile.entryKinds?.includes('blocked') === true)
    plan.log({ title: 'What the log says of it', where: [inValues('entry_kind', ['blocked'])], size: 'all' });
  const ids = blocked.map(({ id }) => id).slice(0, 8);
  if (profile.counts.gate_events > 0 && ids.length > 0)
    plan.timeline({ of: 'gates', title: 'The gates that led there', where: [inValues('feature', ids)] });
  return plan.ask(
    ...ids.slice(0, 1).map(storyOf),
    ...eventQuestions(profile),
    QUESTIONS.overview,
    QUESTIONS.table,
  );
};
