import { type ComponentType, lazy, type ReactNode } from 'react';
import type { ChartCard, ChartPoint } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
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

/** Stands in for a drawing whose code did not arrive: the card keeps its table. */
function Unloaded(): ReactNode {
  return <p className="quiet">The drawing could not be loaded. Its figures are in the table.</p>;
}

const plot = <P,>(load: () => Promise<{ default: ComponentType<P> }>) =>
  lazy(() => load().catch((): { default: ComponentType<P> } => ({ default: Unloaded })));

export const RowPlot = plot(() => import('./plots/RowPlot.tsx'));
export const ColumnPlot = plot(() => import('./plots/ColumnPlot.tsx'));
export const LinePlot = plot(() => import('./plots/LinePlot.tsx'));
export const Ring = plot(() => import('./plots/Ring.tsx'));
