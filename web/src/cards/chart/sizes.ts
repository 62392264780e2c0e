import type { ChartCard } from '../../../../shared/cards.ts';
import type { Panel } from './model.ts';

/** Heights in pixels, known before the drawing is there, so that nothing moves when it arrives. */
export const ROW = { one: 22, bar: 14, narrow: 10, gap: 2, top: 24, foot: 36 } as const;
export const COLUMN = { height: 210, top: 22, foot: 40 } as const;
export const LINE = { height: 250, top: 14, foot: 40 } as const;
/** Y title and legend above a drawing. */
export const ABOVE = { title: 20, legend: 26 } as const;

/** Height of the row of one lying bar, or of the group of bars of several series. */
export const rowHeight = (series: number): number =>
  series <= 1 ? ROW.one : series * (ROW.narrow + ROW.gap) + 8;

export const rowsHeight = (points: number, series: number): number =>
  ROW.top + Math.max(1, points) * rowHeight(series) + 4 + ROW.foot;

/** Height of one panel, before it is drawn. */
export function panelHeight(card: ChartCard, panel: Panel, upright: boolean): number {
  if (card.draw === 'line') return LINE.height;
  return upright ? COLUMN.height : rowsHeight(card.points.length, panel.series.length);
}
