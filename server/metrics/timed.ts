import type { TimelineBlock } from '../../shared/plan.ts';

/** A measure that counts what each kind of timeline draws: its filters are those of the timeline. */
export const TIMED: Readonly<Record<TimelineBlock['of'], string>> = {
  builds: 'features',
  attempts: 'listed_attempts',
  gates: 'gate_runs',
  entries: 'log_entries',
};
