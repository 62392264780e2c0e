/** Largest amount that is drawn; beyond it differences are no numbers any more. */
const MOST = 1e300;
const STEPS = [1, 2, 2.5, 5, 10];
/** Part of a step, and of a domain, that counts as nothing. */
const NEARLY = 1e-6;

export interface Domain {
  low: number;
  high: number;
}

export const bounded = (value: number): number => Math.min(MOST, Math.max(-MOST, value));

const extent = (values: readonly number[]): Domain => {
  const all = values.map(bounded);
  return { low: Math.min(...all), high: Math.max(...all) };
};

/** Domain of bars: from zero, to the longest on either side. */
export function barDomain(values: readonly number[]): Domain {
  if (values.length === 0) return { low: 0, high: 1 };
  const { low, high } = extent(values);
  if (low >= 0 && high <= 0) return { low: 0, high: 1 };
  return { low: Math.min(0, low), high: Math.max(0, high) };
}

/** Share of the largest value below which the smallest lies near enough to zero for the axis to start there. */
const NEAR_ZERO = 0.5;

/** Domain of lines: with some air, and from zero when the values come near it. */
export function lineDomain(values: readonly number[]): Domain {
  if (values.length === 0) return { low: 0, high: 1 };
  const { low, high } = extent(values);
  const reach = high - low;
  const air = reach > 0 ? reach * 0.08 : Math.abs(high) * 0.2 || 1;
  const fromZero = low >= 0 && low <= high * NEAR_ZERO;
  const toZero = high <= 0 && high >= low * NEAR_ZERO;
  return {
    low: fromZero ? 0 : bounded(low >= 0 ? Math.max(0, low - air) : low - air),
    high: toZero && high <= 0 && low < 0 ? 0 : bounded(high + air),
  };
}

/**
 * Round numbers inside a domain, at most so many and a little apart.
 * @param divisor values are written divided by this (60 for minutes), and are round in that
 * @param whole only whole numbers, for things that are counted
 */
export function niceTicks(domain: Domain, most: number, divisor = 1, whole = false): number[] {
  const low = domain.low / divisor;
  const high = domain.high / divisor;
  const reach = high - low;
  if (!(reach > 0) || !Number.isFinite(reach)) return [domain.low];
  const power = 10 ** Math.floor(Math.log10(reach / most));
  const fits = (step: number) => Math.floor(high / step) - Math.ceil(low / step) + 1 <= most;
  const step = [...STEPS, 20, 25, 50]
    .map((factor) => factor * power)
    .find((candidate) => fits(candidate) && (!whole || (candidate >= 1 && Number.isInteger(candidate))));
  const size = step ?? (whole ? Math.max(1, Math.ceil(reach)) : reach);
  const first = Math.ceil(low / size - NEARLY);
  const count = Math.min(most, Math.floor(high / size + NEARLY) - first + 1);
  const round = Array.from(
    { length: Math.max(0, count) },
    (_, index) => Number(((first + index) * size).toPrecision(12)) * divisor,
  );
  // Rounding may push a tick out of a very narrow domain, and there it would be drawn far off the plot.
  const slack = (domain.high - domain.low) * NEARLY;
  const inside = round.filter((tick) => tick >= domain.low - slack && tick <= domain.high + slack);
  return inside.length === 0 ? [domain.low] : [...new Set(inside)];
}
