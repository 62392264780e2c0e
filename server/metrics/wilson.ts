/** An interval of a share, 0..1. */
export interface Interval {
  low: number;
  high: number;
}

/** 97.5th percentile of the standard normal distribution: two-sided 95 %. */
const Z = 1.959964;

/**
 * Wilson score interval of a share at 95 % (E. B. Wilson, 1927): honest for small numbers, never outside 0..1.
 * @param hits how many of them
 * @param n of how many; 0 gives null
 */
export function wilson(hits: number, n: number): Interval | null {
  if (!(n > 0) || hits < 0 || hits > n) return null;
  const share = hits / n;
  const zz = (Z * Z) / n;
  const middle = (share + zz / 2) / (1 + zz);
  const half = (Z * Math.sqrt((share * (1 - share) + zz / 4) / n)) / (1 + zz);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
