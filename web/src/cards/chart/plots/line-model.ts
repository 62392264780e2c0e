import type { ChartCard, ChartPoint } from '../../../../../shared/cards.ts';
import { valuesOf } from '../model.ts';

/** Place of every point along the axis, in the axis's own measure. */
export interface Places {
  at: number[];
  low: number;
  high: number;
}

const numberOf = (card: ChartCard, key: string): number =>
  card.x.kind === 'time' && !/^-?\d+(?:\.\d+)?$/.test(key) ? Date.parse(key) : Number(key);

/**
 * Numbers and times stand where they are, when every key is one and they only go up; all else stands in its order.
 */
export function placesOf(card: ChartCard): Places {
  const { points } = card;
  const numbers = points.map((point) => (point.key.trim() === '' ? Number.NaN : numberOf(card, point.key)));
  const rising = numbers.every(
    (value, index) => Number.isFinite(value) && (index === 0 || value > (numbers[index - 1] ?? value)),
  );
  const at = card.x.kind !== 'category' && rising ? numbers : points.map((_, index) => index);
  const low = at[0] ?? 0;
  const high = at.at(-1) ?? 0;
  return low === high ? { at, low: low - 1, high: high + 1 } : { at, low, high };
}

/** Points with a value that have none beside them: a line cannot show them, so a dot has to. */
export function isLone(points: readonly ChartPoint[], series: number, at: number): boolean {
  const has = (index: number) => (points[index]?.figures[series]?.value ?? null) !== null;
  return has(at) && !has(at - 1) && !has(at + 1);
}

/** The last point of a series that has a value. */
export const lastAt = (points: readonly ChartPoint[], series: number): number =>
  points.findLastIndex((point) => (point.figures[series]?.value ?? null) !== null);

export const hasValue = (points: readonly ChartPoint[], series: number): boolean =>
  valuesOf(points, series).length > 0;

/**
 * Moves labels apart that would lie on each other, keeping their order.
 * @param tops wanted places in pixels
 * @param apart least distance in pixels
 */
export function spread(tops: readonly number[], apart: number, low: number, high: number): number[] {
  const order = tops.map((top, index) => ({ top, index })).sort((a, b) => a.top - b.top);
  let floor = low;
  for (const entry of order) {
    entry.top = Math.max(entry.top, floor);
    floor = entry.top + apart;
  }
  let ceiling = high;
  for (const entry of order.toReversed()) {
    entry.top = Math.min(entry.top, ceiling);
    ceiling = entry.top - apart;
  }
  const places: number[] = [];
  for (const entry of order) places[entry.index] = entry.top;
  return places;
}
