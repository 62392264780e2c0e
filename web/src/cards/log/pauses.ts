import type { LogEntry } from '../../../../shared/cards.ts';

/** Time between two entries that is told: much longer than is usual here, and at least so many milliseconds. */
const LEAST = 60_000;
const USUAL = 8;

/**
 * How long nothing was written before each entry, where that is long for this log.
 * @returns milliseconds, or null, one for each entry
 */
export function pausesOf(entries: readonly Pick<LogEntry, 'atMs'>[]): (number | null)[] {
  const gaps = entries.map(({ atMs }, at) => {
    const before = entries[at - 1]?.atMs ?? null;
    return atMs === null || before === null ? null : Math.max(0, atMs - before);
  });
  const known = gaps.flatMap((gap) => gap ?? []).sort((a, b) => a - b);
  const median = known[Math.floor(known.length / 2)] ?? 0;
  return gaps.map((gap) => (gap !== null && gap >= Math.max(LEAST, median * USUAL) ? gap : null));
}
