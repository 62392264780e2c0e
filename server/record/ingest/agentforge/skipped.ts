import { type PassCount, type ToldFact, toldStatus } from '../facts.ts';
import type { Run } from './place.ts';

/**
 * Features the log does not name as skipped, but leaves no other word for: its last planning pass counts as many skipped as
 * there are features of the run it never accepted. Nothing follows when the numbers do not fit, or a name could be another.
 * @param passes planning passes of this run, in the order of the log
 */
export function skippedByCount(
  run: Pick<Run, 'features'>,
  passes: readonly PassCount[],
): { features: string[]; fact: ToldFact } | null {
  const last = passes.at(-1);
  if (!last || last.skipped === 0 || last.of !== run.features.size) return null;
  const left = [...run.features].filter(([, told]) => !told.has('progress_log')).map(([id]) => id);
  if (left.length !== last.skipped) return null;
  const how = `${last.skipped} of ${last.of} skipped by the planning pass, all others accepted by the log`;
  return { features: left, fact: toldStatus('skipped', 'derived', last.line, how) };
}
