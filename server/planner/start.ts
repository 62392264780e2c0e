import { CODES } from '../../shared/codes.ts';
import type { RecordProfile, Row, Store } from '../record/store.ts';
import { inValues } from './builtin/filters.ts';
import { button, figure, PlanBuilder } from './builtin/plan-builder.ts';
import { QUESTIONS, suggestions } from './builtin/questions.ts';

export { suggestions };

/** The plan of the starting view, as JSON text of the plan language. */
export function startPlan(profile: RecordProfile): string {
  return JSON.stringify((profile.features.length === 0 ? emptyStart(profile) : start(profile)).build());
}

function start(profile: RecordProfile): PlanBuilder {
  const plan = new PlanBuilder(profile, '');
  plan.fact('accepted', { measure: 'accepted_features' });
  plan.fact('skipped', { measure: 'skipped_features' });
  plan.fact('disputed', { measure: 'disputed_features' });
  plan.fact('elapsed', { measure: 'elapsed' });
  plan.fact('median', { measure: 'median_build_time' });
  plan.fact('skipped_which', { measure: 'skipped_features', kind: 'top_label', by: 'feature' });
  const skipped = profile.features.filter(({ status }) => status === 'skipped');
  plan.explain('Ask in your own words. Every figure opens to the line it came from.');
  plan.stat('State of the run', [
    figure('Accepted', 'accepted'),
    figure('Skipped', 'skipped', skipped.length > 0 ? { caption: '{skipped_which}' } : {}),
    figure('Disputed', 'disputed', { caption: 'sources tell different things' }),
    figure('Start to last line', 'elapsed', { caption: 'median build {median}' }),
  ]);
  plan.chart({
    title: 'The run in order, by build time',
    of: ['build_time'],
    by: 'order',
    actions: [button('Every feature in a table', QUESTIONS.table)],
  });
  plan.chart({
    title: 'Final scores of accepted features',
    of: ['features'],
    by: 'score',
    where: profile.statuses.includes('accepted') ? [inValues('status', ['accepted'])] : [],
    actions: [button('How are the scores distributed?', QUESTIONS.scores)],
  });
  plan.chart({
    title: 'Where it struggled',
    of: ['build_time'],
    by: 'feature',
    order: 'largest',
    size: 'some',
    actions: [button('All of the slowest', QUESTIONS.slowest)],
  });
  return plan.ask(...suggestions(profile));
}

function emptyStart(profile: RecordProfile): PlanBuilder {
  const plan = new PlanBuilder(profile, '');
  const { title, says } = CODES.record_empty;
  return plan.explain(says).note(title, [says]);
}

const count = (row: Row | undefined, name: string): number => {
  const value = row?.[name];
  return typeof value === 'number' ? value : 0;
};

/**
 * Heading of the starting view, made of what the record counts ("29 accepted, 1 skipped, 11 disputed.").
 * Throws QueryError when the record fails.
 */
export async function startTitle(profile: RecordProfile, store: Store): Promise<string> {
  if (profile.features.length === 0) return CODES.record_empty.title;
  const { rows } = await store.query(
    `SELECT count(*) FILTER (status = 'accepted') AS accepted, count(*) FILTER (status = 'skipped') AS skipped,
      count(*) FILTER (status NOT IN ('accepted', 'skipped')) AS others, count(*) FILTER (disputed) AS disputed
     FROM v_feature WHERE is_current`,
  );
  const row = rows[0];
  const parts = [
    `${count(row, 'accepted')} accepted`,
    ...(count(row, 'skipped') > 0 ? [`${count(row, 'skipped')} skipped`] : []),
    ...(count(row, 'others') > 0 ? [`${count(row, 'others')} not finished`] : []),
    ...(count(row, 'disputed') > 0 ? [`${count(row, 'disputed')} disputed`] : []),
  ];
  return `${parts.join(', ')}.`;
}
