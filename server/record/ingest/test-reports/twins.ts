import { sha256 } from '../read-source.ts';
import type { Report } from './report.ts';

/** What a report is recognised by when another one tells of the same run in another form. */
export interface RunMark {
  startedMs: number;
  names: string;
  label: string;
}

/** A runner takes the time once for the whole run and once for its first suite. */
const APART_MS = 5_000;

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The mark of a report; null when it has no time or no case, so that nothing could be recognised. */
export function markOf({ startedMs, cases }: Report, label: string): RunMark | null {
  const names = cases
    .filter(({ status }) => status !== 'load_error')
    .map(({ suite, name, file }) => plain(`${suite === file ? '' : (suite ?? '')} ${name}`))
    .sort();
  return startedMs === null || names.length === 0
    ? null
    : { startedMs, names: sha256(names.join('\n')), label };
}

/** The report among those read already that tells of the same run, or null. */
export const twinOf = (mark: RunMark | null, others: readonly RunMark[]): RunMark | null =>
  mark === null
    ? null
    : (others.find(
        (other) => other.names === mark.names && Math.abs(other.startedMs - mark.startedMs) <= APART_MS,
      ) ?? null);
