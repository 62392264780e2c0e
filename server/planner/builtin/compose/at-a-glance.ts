import type { RecordProfile } from '../../../record/store.ts';
import { inValues } from '../filters.ts';
import { button, figure, type PlanBuilder } from '../plan-builder.ts';
import { EVENT_QUESTIONS, QUESTIONS, tells } from '../questions.ts';
import { hasTimes, TIMELINES, timedOf } from './timeline.ts';

/** The state of a run in at most four figures: only what this record has rows for. */
export function stateFigures(plan: PlanBuilder, profile: RecordProfile): ReturnType<typeof figure>[] {
  const { counts, statuses } = profile;
  const has = (status: string): boolean => statuses.includes(status);
  const gated = counts.gate_events > 0;
  plan.fact('accepted', { measure: 'accepted_features' });
  const figures = [figure('Accepted', 'accepted')];
  const one = (label: string, name: string, measure: string, caption?: string): void => {
    plan.fact(name, { measure });
    figures.push(figure(label, name, caption === undefined ? {} : { caption }));
  };
  const named = (label: string, name: string, measure: string): void => {
    plan.fact(`${name}_which`, { measure, kind: 'top_label', by: 'feature' });
    one(label, name, measure, `{${name}_which}`);
  };
  if (has('blocked')) named('Waiting for a human', 'blocked', 'blocked_features');
  if (has('skipped')) named('Skipped', 'skipped', 'skipped_features');
  else if (tells(profile, 'elapsed') && !gated && !has('blocked'))
    one('Skipped', 'skipped', 'skipped_features');
  if (has('failed')) named('Failed', 'failed', 'failed_features');
  if (gated) one('Gate failures', 'gate_failures', 'gate_failures');
  if (counts.requirements > 0 && gated) one('Proven', 'proven', 'proven_share');
  if (!gated) one('Disputed', 'disputed', 'disputed_features', 'sources tell different things');
  if (tells(profile, 'elapsed')) {
    plan.fact('elapsed', { measure: 'elapsed' });
    if (tells(profile, 'build_time')) plan.fact('median', { measure: 'median_build_time' });
    figures.push(
      figure(
        'Start to last line',
        'elapsed',
        tells(profile, 'build_time') ? { caption: 'median build {median}' } : {},
      ),
    );
  }
  return figures.slice(0, 4);
}

/** The run on its time axis, where the record has times. */
export function runTimeline(plan: PlanBuilder, profile: RecordProfile): void {
  if (!hasTimes(profile)) return;
  const of = timedOf(profile);
  plan.timeline({
    of,
    title: TIMELINES[of],
    scope: 'run',
    actions: [
      of === 'builds'
        ? button('Every feature in a table', QUESTIONS.table)
        : button('Which gates failed?', EVENT_QUESTIONS.gatesFailed),
    ],
  });
}

/** How far requirements are proven, where the record lists any. */
export function proofLedger(plan: PlanBuilder, profile: RecordProfile): void {
  const { counts, features } = profile;
  if (counts.requirements === 0) return;
  plan.ledger({
    title: 'What is proven and what is only claimed',
    // One requirement a feature makes groups of one.
    group: counts.requirements > features.length * 1.5 ? 'feature' : 'state',
    scope: 'run',
  });
}

/** Where the run struggled: by build time where it is told, else by failures of gates. */
export function struggle(plan: PlanBuilder, profile: RecordProfile): void {
  if (tells(profile, 'build_time'))
    plan.chart({
      title: 'Where it struggled',
      of: ['build_time'],
      by: 'feature',
      order: 'largest',
      size: 'some',
      actions: [button('All of the slowest', QUESTIONS.slowest)],
    });
  else if (profile.counts.gate_events > 0)
    plan.chart({
      title: 'Where it struggled, by gate failures',
      of: ['gate_failures'],
      by: 'feature',
      order: 'largest',
      size: 'some',
      actions: [button("Was any the verifier's own fault?", EVENT_QUESTIONS.fault)],
    });
  if (tells(profile, 'score') && profile.statuses.includes('accepted'))
    plan.chart({
      title: 'Final scores of accepted features',
      of: ['features'],
      by: 'score',
      where: [inValues('status', ['accepted'])],
      actions: [button('How are the scores distributed?', QUESTIONS.scores)],
    });
  else if (profile.counts.gate_events > 0)
    plan.chart({
      title: 'Failures by whose doing they were',
      of: ['gate_failures'],
      by: 'attribution',
      order: 'largest',
    });
}
