import type { ReactNode } from 'react';
import type { BarShapeProps } from 'recharts';
import type { ChartPoint } from '../../../../../shared/cards.ts';
import { fillOf, isHatched, type PanelSeries } from '../model.ts';

interface BarOfSeriesProps {
  bar: BarShapeProps;
  points: readonly ChartPoint[];
  series: PanelSeries;
  anySubject: boolean;
  /** Id of the hatch pattern of this drawing. */
  hatch: string;
}

/** One bar: solid for measured, hatched for claimed. */
export function BarOfSeries({ bar, points, series, anySubject, hatch }: BarOfSeriesProps): ReactNode {
  const point = points[bar.originalDataIndex];
  const figure = point?.figures[series.index];
  if (point === undefined || figure === undefined || figure.value === null) return null;
  const box = {
    x: Math.min(bar.x, bar.x + bar.width),
    y: Math.min(bar.y, bar.y + bar.height),
    width: Math.abs(bar.width),
    height: Math.abs(bar.height),
  };
  if (!isHatched(figure)) return <rect {...box} fill={fillOf(series, point, anySubject)} />;
  return (
    <>
      <rect {...box} fill="var(--claim-wash)" />
      <rect {...box} fill={`url(#${hatch})`} className="hx" stroke="var(--claim)" strokeWidth="1.25" />
    </>
  );
}

/** Opens what is behind a bar; its value beside it does the same for the keyboard. */
export const openBar =
  (points: readonly ChartPoint[], series: PanelSeries, open: (queryId: string, label?: string) => void) =>
  (bar: { originalDataIndex: number }): void => {
    const point = points[bar.originalDataIndex];
    const evidence = point?.figures[series.index]?.evidence ?? null;
    if (evidence !== null) open(evidence, point?.label);
  };
