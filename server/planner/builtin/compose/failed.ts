import { inValues } from '../filters.ts';
import { button, figure } from '../plan-builder.ts';
import { QUESTIONS, sourcesOf, storyOf } from '../questions.ts';
import { capital } from '../wording.ts';
import { type Compose, citation, evidenceOf, featureTitle, mention, start, tellerOf } from './context.ts';

/** What was not accepted, and what the record says about it. */
export const composeFailed: Compose = (context) => {
  const { profile } = context;
  const plan = start(context);
  const missed = profile.features.filter((feature) => feature.status !== 'accepted');
  const only = missed.length === 1 ? missed[0] : undefined;
  plan.fact('skipped', { measure: 'skipped_features' });
  plan.fact('accepted', { measure: 'accepted_features' });
  plan.fact('all', { measure: 'features' });
  plan.fact('rate', { measure: 'acceptance_rate' });
  const why = context.reading.cues.has('why');
  if (context.request.premises.some(({ feature, verdict }) => feature === null && verdict === 'false'))
    plan.explain('The record says otherwise.');
  plan.explain('The run skipped {skipped}; {accepted} were accepted out of {all}.');
  if (profile.features.some(({ status }) => status === 'skipped')) {
    plan.fact('which', { measure: 'skipped_features', kind: 'top_label', by: 'feature' });
    plan.explain('Skipped: {which}.');
  }
  if (profile.statuses.includes('blocked')) {
    plan.fact('blocked', { measure: 'blocked_features' });
    plan.explain('{blocked} wait for a human.');
  }
  const log = tellerOf(profile, 'status', 'measured');
  const lines = log === null || only === undefined ? [] : evidenceOf(context, log.kind, only.id);
  const noted = lines.some(({ text }) => !text.startsWith('==='));
  if (why)
    plan.explain(
      noted
        ? 'No source gives a reason as a fact; the nearest to one is quoted below.'
        : 'No source of this record gives a reason; it says what happened, not why.',
    );
  plan.stat(
    'Accepted and skipped',
    [figure('Skipped', 'skipped'), figure('Accepted', 'accepted'), figure('Acceptance rate', 'rate')],
    [button('Acceptance by category', QUESTIONS.acceptanceByCategory)],
  );
  plan.table('feature_table', {
    title: 'Features that were not accepted',
    columns: ['feature', 'category', 'status', 'attempts', 'score', 'source'],
    where: [inValues('status', ['accepted'], true)],
  });
  if (only) {
    plan.attempts(only.id, featureTitle(profile, only.id), [
      button('Its whole story', storyOf(only.id)),
      button('Do the sources agree?', sourcesOf(only.id)),
    ]);
    const body = lines.slice(0, 2).map(({ id }) => `${capital(log?.words ?? '')} says: {quote:${id}}`);
    const claim = tellerOf(profile, 'attempts', 'claimed');
    const claims = claim === null ? [] : evidenceOf(context, claim.kind, only.id);
    if (claim !== null && claims.length > 0) {
      plan.fact('claimed_attempts', {
        measure: 'attempts',
        source: claim.kind,
        where: [inValues('feature', [only.id])],
      });
      body.push(`${claim.label} claims {claimed_attempts} for ${mention(only.id)}${citation(claims)}.`);
    }
    if (body.length > 0) plan.note('What the record says about it', body);
  } else
    plan.chart({
      title: 'Acceptance rate by category',
      of: ['acceptance_rate'],
      by: 'category',
      order: 'smallest',
    });
  return plan.ask(
    ...(only ? [storyOf(only.id)] : []),
    QUESTIONS.lowestScores,
    QUESTIONS.sources,
    QUESTIONS.acceptanceByCategory,
  );
};
