import type { RecordProfile } from '../../../record/store.ts';
import { inValues } from '../filters.ts';
import type { Topic } from '../lexicon.ts';
import { button, figure, type PlanBuilder } from '../plan-builder.ts';
import { QUESTIONS, storyOf } from '../questions.ts';
import { type Compose, evidenceOf, start } from './context.ts';

/** Question that can be answered instead, by what lies near. */
const NEAR: Readonly<Record<Topic['near'], string>> = {
  tokens: QUESTIONS.tokens,
  time: QUESTIONS.slowest,
  failed: QUESTIONS.skipped,
  commits: QUESTIONS.commits,
  findings: QUESTIONS.findings,
  scores: QUESTIONS.scores,
};

/** Sources that are named one by one; more of them nobody reads. */
const NAMED = 4;

function named({ sources }: RecordProfile): string {
  const labels = [...new Set(sources.map(({ label }) => label))];
  return [...labels.slice(0, NAMED), ...(labels.length > NAMED ? ['and others'] : [])].join(', ');
}

/** That something is not recorded here, and which data would tell it. */
export const notRecorded = (topic: Topic, profile: RecordProfile): [missing: string, takes: string] => [
  `${topic.what}: not recorded in the sources of this record (${named(profile)}).`,
  `To tell it takes ${topic.carrier}.`,
];

/** Something this record has no facts on: it says so, says which data would tell, and answers what lies near. */
export const composeUnrecorded: Compose = (context) => {
  const { reading, profile } = context;
  const topic = reading.topic;
  const id = reading.features[0];
  const plan = start(context, id === undefined ? {} : { feature: id, scope: [inValues('feature', [id])] });
  if (topic === null) return plan;
  const [missing, takes] = notRecorded(topic, profile);
  plan.explain(missing);
  plan.explain(takes);
  const near = id === undefined ? NEAR[topic.near] : storyOf(id);
  const quotes =
    topic.id === 'cost'
      ? evidenceOf(context, 'metrics', null).filter(({ text }) => /cost|usd/i.test(text))
      : [];
  // The card of a query without rows says itself what would bring them.
  if (topic.held === 'gate_events')
    plan.chart({
      title: 'Gate failures by whose doing they were',
      of: ['gate_failures'],
      by: 'attribution',
      scope: 'run',
    });
  if (topic.held === 'test_results')
    plan.chart({ title: 'Test results by status', of: ['test_results'], by: 'test_status', scope: 'run' });
  plan.note(
    `${topic.what}: not recorded`,
    [
      missing,
      takes,
      ...quotes.slice(0, 1).map((item) => `For the whole run there is a claim: {quote:${item.id}}`),
      'What follows is the nearest that the record can answer.',
    ],
    [button('What is recorded', QUESTIONS.overview), button('The nearest question', near)],
  );
  nearby(plan, topic);
  return plan.ask(near, QUESTIONS.overview, QUESTIONS.sources, QUESTIONS.slowest);
};

/** A card or two about what the record does have. */
function nearby(plan: PlanBuilder, { id, near }: Topic): void {
  switch (near) {
    case 'tokens':
      plan.fact('tokens', { measure: 'tokens' });
      plan.fact('time', { measure: 'build_time' });
      plan.fact('cost', { measure: 'cost', scope: 'run' });
      plan.stat('What is told about effort', [
        ...(id === 'cost' ? [figure('Cost of the whole run', 'cost')] : []),
        figure('Tokens', 'tokens'),
        figure('Build time', 'time'),
      ]);
      plan.chart({
        title: 'Tokens by category',
        of: ['tokens'],
        by: 'category',
        order: 'largest',
        scope: 'run',
      });
      return;
    case 'time':
      plan.chart({
        title: 'Build time over the run',
        of: ['build_time'],
        by: 'order',
        draw: 'line',
        scope: 'run',
      });
      return;
    case 'commits':
      plan.table('commit_table', {
        title: 'Commits during the run',
        columns: ['commit', 'time', 'subject', 'insertions'],
        where: [inValues('phase', ['during'])],
        size: 'some',
      });
      return;
    case 'scores':
      plan.chart({ title: 'Features by final score', of: ['features'], by: 'score', scope: 'run' });
      return;
    default:
      plan.fact('accepted', { measure: 'accepted_features' });
      plan.fact('skipped', { measure: 'skipped_features' });
      plan.stat('What became of the features', [
        figure('Accepted', 'accepted'),
        figure('Skipped', 'skipped'),
      ]);
      plan.table('finding_table', {
        title: 'What the audit found',
        columns: ['finding', 'feature', 'source'],
        size: 'some',
      });
  }
}
