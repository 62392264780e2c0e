import { inValues } from '../filters.ts';
import { button, figure } from '../plan-builder.ts';
import { QUESTIONS, storyOf, tells } from '../questions.ts';
import { type Compose, featureTitle, mention, start, tellerOf } from './context.ts';

/** Whether the sources tell the same, and where they do not. */
export const composeSources: Compose = (context) => {
  const { reading, profile } = context;
  const id = reading.features[0];
  const plan = start(context, id === undefined ? {} : { feature: id, scope: [inValues('feature', [id])] });
  plan.fact('disputed', { measure: 'disputed_features' });
  plan.fact('all', { measure: 'features' });
  plan.fact('findings', { measure: 'findings' });
  plan.fact('counted', { measure: 'attempts' });
  const claim = tellerOf(profile, 'attempts', 'claimed');
  const log = tellerOf(profile, 'attempts', 'measured');
  if (claim !== null) plan.fact('claimed', { measure: 'attempts', source: claim.kind });
  if (log !== null) plan.fact('logged', { measure: 'attempts', source: log.kind });
  const attempts = plan.agree('attempts_agree', 'attempts');
  if (id === undefined) {
    plan.explain('The sources contradict each other about {disputed}, out of {all}.');
    if (claim !== null && log !== null)
      plan.explain(
        `Attempts are where it shows: ${claim.label} claims {claimed}, ${log.words} records {logged}.`,
        [attempts, 'false'],
      );
    plan.explain(
      'Where they disagree, the measured value is counted and the claim stays on the page, marked.',
    );
  } else {
    plan.explain(
      claim === null
        ? `About the attempts of ${mention(id)} the sources disagree; counted are {counted}.`
        : `About ${mention(id)} the sources disagree: {claimed} by the claim, {counted} counted.`,
      [attempts, 'false'],
    );
    plan.explain(`About the attempts of ${mention(id)} the sources agree: {counted}.`, [attempts, 'true']);
    plan.explain(
      `Whether the sources agree about the attempts of ${mention(id)} cannot be told from this record.`,
      [attempts, 'unknown'],
    );
  }
  if (id !== undefined)
    plan.attempts(id, featureTitle(profile, id), [
      button('Its whole story', storyOf(id)),
      button('Other disputed features', QUESTIONS.disputed),
    ]);
  else
    plan.stat('How far the sources agree', [
      figure('Disputed', 'disputed'),
      figure('Audit findings', 'findings'),
      ...(tells(profile, 'attempts') ? [figure('Attempts, counted', 'counted')] : []),
      ...(claim === null ? [] : [figure('Attempts, claimed', 'claimed')]),
    ]);
  // Who asks for findings gets all of them, problems with reading among them.
  const everything = reading.cues.has('finding') || !profile.sources.some(({ disputed }) => disputed);
  plan.table('finding_table', {
    title: everything ? 'What the audit found' : 'Where the sources disagree',
    columns: everything ? ['rule', 'feature', 'finding', 'source'] : ['feature', 'finding', 'source'],
    where: everything ? [] : [inValues('rule', ['sources_disagree'])],
    actions: id === undefined ? [button('By audit rule', QUESTIONS.findingsByRule)] : [],
  });
  if (tells(profile, 'attempts'))
    plan.chart({
      title: 'Attempts, as each source tells them',
      of: [{ measure: 'attempts', source: 'each' }],
      by: 'source',
      actions: id === undefined ? [button('By category', QUESTIONS.disputedByCategory)] : [],
    });
  if (id === undefined)
    plan.chart({
      title: 'Disputed features by category',
      of: ['disputed_features'],
      by: 'category',
      order: 'largest',
    });
  const disputedFeature = profile.features.find(
    (feature) => feature.id !== id && feature.status === 'skipped',
  );
  return plan.ask(
    ...(id === undefined ? [] : [storyOf(id)]),
    QUESTIONS.attemptsEntered,
    ...(disputedFeature ? [storyOf(disputedFeature.id)] : []),
    QUESTIONS.mostAttempts,
  );
};
