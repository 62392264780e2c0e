import type { ChartCard, ChartPoint } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { lazyPlot } from '../lazy-plot.tsx';
import type { Panel } from './model.ts';

export interface PlotProps {
  card: ChartCard;
  panel: Panel;
  /** Points in the order they are drawn, with gaps where the axis has them. */
  points: readonly ChartPoint[];
  chrome: Pick<CardChrome, 'openFigure'>;
  /** The drawing in a sentence. */
  says: string;
}

export const RowPlot = lazyPlot(() => import('./plots/RowPlot.tsx'));
export const ColumnPlot = lazyPlot(() => import('./plots/ColumnPlot.tsx'));
export const LinePlot = lazyPlot(() => import('./plots/LinePlot.tsx'));
export const Ring = lazyPlot(() => import('./plots/Ring.tsx'));
