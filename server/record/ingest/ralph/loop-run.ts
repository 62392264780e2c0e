import type { RowSink, SourceInput } from '../adapter.ts';
import { at } from './rows.ts';

/**
 * Loops after frankbria's Ralph keep one folder for all that ever ran in it and number turns anew at each start, so the folder
 * is one run here, and its starts are events.
 */
export const LOOP_RUN = 'ralph-loop';

/** How a run ended, in the record's words. */
export type RunStatus = 'running' | 'succeeded' | 'failed' | 'stopped' | 'unknown';

/** Tells that there is this run, and what one file knows of it. */
export function addLoopRun(
  out: RowSink,
  source: SourceInput,
  line: number | null,
  rank: number,
  more: { status?: RunStatus | null; end_reason?: string | null } = {},
): void {
  out.add('runs_told', {
    run_id: LOOP_RUN,
    harness: 'ralph-claude-code',
    name: 'the loop in .ralph',
    rank,
    ...more,
    ...at(source, line),
  });
}
