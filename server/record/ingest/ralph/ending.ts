import type { RunStatus } from './loop-run.ts';

/** What a reason to end means for the run; a reason that is not known ends it without a verdict. */
const ENDINGS: ReadonlyMap<string, RunStatus> = new Map([
  ['completed', 'succeeded'],
  ['completion_promise', 'succeeded'],
  ['max_iterations', 'stopped'],
  ['max_runtime', 'stopped'],
  ['max_cost', 'stopped'],
  ['stopped', 'stopped'],
  ['interrupted', 'stopped'],
  ['cancelled', 'stopped'],
  ['consecutive_failures', 'failed'],
  ['loop_thrashing', 'failed'],
  ['loop_stale', 'failed'],
  ['validation_failure', 'failed'],
]);
export const endingOf = (reason: string): RunStatus => ENDINGS.get(reason.toLowerCase()) ?? 'unknown';
