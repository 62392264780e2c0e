import type { TimelineBlock } from '../../../../shared/plan.ts';
import type { RecordProfile } from '../../../record/store.ts';
import { button, figure } from '../plan-builder.ts';
import { EVENT_QUESTIONS, eventQuestions, logOf, QUESTIONS, storyOf, tells } from '../questions.ts';
import { clockRange } from './clock-range.ts';
import { type Compose, featureTitle, scopeOf, start } from './context.ts';

/** What a record has times for: gates before builds, builds before attempts and mere entries of a log. */
export function timedOf({ counts, timed, features }: RecordProfile): TimelineBlock['of'] {
  if (timed === undefined) return counts.gate_events > 0 ? 'gates' : 'builds';
  if (timed.gates > 0 && timed.gates * 2 >= counts.gate_events) return 'gates';
  if (timed.builds > 1 && timed.builds * 2 >= features.length) return 'builds';
  if (timed.attempts > 0 && timed.attempts * 2 >= counts.attempts) return 'attempts';
  return timed.entries > 0 ? 'entries' : timed.gates > 0 ? 'gates' : 'builds';
}

/** Whether most of something has a place on a time axis: a timeline of exceptions would tell of another run. */
export function hasTimes(profile: RecordProfile): boolean {
  const { timed, counts, features } = profile;
  if (timed === undefined) return false;
  const of = timedOf(profile);
  const all = {
    gates: counts.gate_events,
    builds: features.length,
    attempts: counts.attempts,
    entries: counts.log_events,
  }[of];
  return timed[of] > 1 && timed[of] * 2 >= all;
}

export const TIMELINES: Readonly<Record<TimelineBlock['of'], string>> = {
  builds: 'The run, build by build',
  attempts: 'The run, attempt by attempt',
  gates: 'The run, gate by gate',
  entries: 'The run, as the logs tell it',
};

/** What a question wants drawn, by its own words, where the record has it. */
function asked(question: string, profile: RecordProfile): TimelineBlock['of'] {
  const { timed } = profile;
  if (/\battempts?\b/i.test(question) && (timed?.attempts ?? 1) > 0) return 'attempts';
  if (/\b(?:log|entries|events?)\b/i.test(question) && (timed?.entries ?? 1) > 0) return 'entries';
  if (/\b(?:gates?|verifier|checks?)\b/i.test(question)) return 'gates';
  if (/\bbuilds?\b/i.test(question)) return 'builds';
  return timedOf(profile);
}

/** The run, or one feature, on a time axis. */
export const composeTimeline: Compose = (context) => {
  const { reading, profile } = context;
  const id = reading.features.length === 1 ? reading.features[0] : undefined;
  const plan = start(context, { feature: id ?? null, scope: scopeOf(reading) });
  const of = asked(reading.question, profile);
  const where = of === 'builds' ? [] : clockRange(reading.question);
  const gates = profile.counts.gate_events > 0;
  if (gates) {
    plan.fact('runs', { measure: 'gate_runs', where });
    plan.fact('failures', { measure: 'gate_failures', where });
    plan.fact('own', { measure: 'verifier_failures', where });
    plan.fact('open', { measure: 'open_starts', where });
    plan.explain(
      'The record has {runs}; {failures} did not pass, and {own} are put down to the verifier itself.',
    );
    plan.explain('Starts of a check without an outcome: {open}.');
  } else if (id === undefined && tells(profile, 'elapsed')) {
    plan.fact('elapsed', { measure: 'elapsed' });
    plan.explain('From its start to its end the run took {elapsed}.');
  }
  if (id !== undefined) {
    plan.fact('status', { measure: 'features', kind: 'top_label', by: 'status' });
    plan.explain(`The status of {feature:${id}} is {status}.`);
  }
  plan.explain('A row stands for a feature; times are clock times of the run.');
  plan.timeline({
    of,
    title: id === undefined ? TIMELINES[of] : `${featureTitle(profile, id)}: what happened when`,
    where,
    actions:
      id === undefined
        ? [button('The log around the first failure', EVENT_QUESTIONS.log)]
        : [button('Its log', logOf(id))],
  });
  if (gates)
    plan.stat('The gates in figures', [
      figure('Gate runs', 'runs'),
      figure('Did not pass', 'failures'),
      figure('By the verifier itself', 'own'),
      figure('Starts without outcome', 'open'),
    ]);
  if (tells(profile, 'build_time') && id === undefined)
    plan.chart({ title: 'Build time over the run', of: ['build_time'], by: 'order', draw: 'line' });
  else if (profile.counts.log_events > 0)
    plan.log({
      title: id === undefined ? 'The log around the first failure' : 'Its log',
      around: id === undefined && gates ? 'first_failure' : 'nothing',
      size: 'few',
      where,
    });
  return plan.ask(
    ...(id === undefined ? [] : [storyOf(id)]),
    ...eventQuestions(profile),
    QUESTIONS.overview,
    QUESTIONS.slowest,
  );
};
