import type { ReadProgress } from '../store.ts';
import type { UnitChange } from './changes.ts';
import { sizeOfState } from './read-source.ts';

/** Shortest time between two reports. */
const EVERY_MS = 100;

/** Told how many further bytes of a source were read. */
export type Meter = (path: string) => (bytes: number) => void;

/** Tells how far reading is, at most ten times a second. */
export function meterOf(units: readonly UnitChange[], tell: ((at: ReadProgress) => void) | undefined): Meter {
  let bytes = 0;
  let last = 0;
  const totalBytes = units
    .filter(({ how }) => how === 'anew' || how === 'append')
    .flatMap(({ states }) => [...states.values()])
    .reduce((sum, state) => sum + (sizeOfState(state) ?? 0), 0);
  return (path) => (more) => {
    bytes += more;
    const now = performance.now();
    if (!tell || (now - last < EVERY_MS && bytes < totalBytes)) return;
    last = now;
    tell({ bytes, totalBytes, path });
  };
}
