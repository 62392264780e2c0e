import type { ChartPoint } from '../../../../../shared/cards.ts';
import { bounded } from '../ticks.ts';

/** One point as the chart library takes it: values by series, null where there is none. */
export interface Row {
  at: number;
  values: (number | null)[];
}

export const rowsOf = (points: readonly ChartPoint[], series: number): Row[] =>
  points.map((point, at) => ({
    at,
    values: Array.from({ length: series }, (_, index) => {
      const value = point.figures[index]?.value ?? null;
      return value === null ? null : bounded(value);
    }),
  }));

export const valueAt = (index: number) => (row: Row) => row.values[index] ?? null;
