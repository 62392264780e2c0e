import { formatNumber, type Scale, scaleOf } from '../format.ts';

export interface TimeAxis {
  /** Seconds at the right end. */
  end: number;
  ticks: { at: number; text: string }[];
  scale: Scale;
}

/** Distances of ticks people count time in, in the unit of the axis. */
const SIXTIES = [1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 240, 300, 600, 900, 1_200, 1_800];
const MOST_TICKS = 8;

function stepFor(length: number): number {
  const step = SIXTIES.find((candidate) => length / candidate <= MOST_TICKS);
  if (step !== undefined) return step;
  const power = 10 ** Math.floor(Math.log10(length / MOST_TICKS));
  return [1, 2, 5, 10].map((factor) => factor * power).find((s) => length / s <= MOST_TICKS) ?? length;
}

/**
 * A time axis from 0 that holds the given length, ending on a tick.
 * @param length seconds, from 0 up
 */
export function timeAxis(length: number): TimeAxis {
  const scale = scaleOf('s', [length]);
  const shown = length > 0 && Number.isFinite(length) ? length / scale.divisor : 1;
  const step = stepFor(shown);
  const count = Math.max(1, Math.ceil(shown / step));
  const end = count * step;
  const ticks = Array.from({ length: count + 1 }, (_, index) => ({
    at: index / count,
    text: formatNumber(index * step),
  }));
  return { end: end * scale.divisor, ticks, scale };
}
