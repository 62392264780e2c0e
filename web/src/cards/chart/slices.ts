import type { ChartCard, ChartPoint } from '../../../../shared/cards.ts';
import { colours } from './model.ts';

/** Diameter of the ring in pixels. */
export const DIAMETER = 176;

export interface Slice {
  point: ChartPoint;
  /** Custom property of its colour. */
  colour: string;
  /** Part of the whole, 0 to 1; null for what cannot be a part. */
  share: number | null;
}

/** The parts of the first series as shares of their sum; negative and missing values are listed without a share. */
export function slicesOf(model: ChartCard, index: number): Slice[] {
  const parts = model.points.filter((_, at) => !isOther(model, at));
  const named = colours(parts.map((point) => point.key));
  const part = (point: ChartPoint) => {
    const value = point.figures[index]?.value ?? null;
    return value !== null && value >= 0 ? value : null;
  };
  const sum = model.points.reduce((total, point) => total + (part(point) ?? 0), 0);
  return model.points.map((point, at) => {
    const value = part(point);
    return {
      point,
      colour: isOther(model, at) ? '--datum' : (named.get(point.key) ?? '--c1'),
      share: value === null || !(sum > 0) || !Number.isFinite(sum) ? null : value / sum,
    };
  });
}

/** The last slice gathers the rest when there is a rest. */
export const isOther = (model: ChartCard, at: number): boolean =>
  model.other > 0 && at === model.points.length - 1;
