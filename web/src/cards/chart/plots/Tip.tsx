import type { ReactNode } from 'react';
import { bounded } from '../../../../../shared/amounts.ts';
import type { ChartPoint } from '../../../../../shared/cards.ts';
import { DASH, formatOnWithUnit } from '../../format.ts';
import { keyed } from '../../keyed.ts';
import type { Panel } from '../model.ts';

interface TipProps {
  point: ChartPoint | undefined;
  panel: Panel;
}

/** What stands under the pointer: name, and every value with its unit. */
export function Tip({ point, panel }: TipProps): ReactNode {
  if (point === undefined || point.figures.length === 0) return null;
  return (
    <div className="tip">
      <b>{point.label || point.key}</b>
      {keyed(panel.series, (series) => series.label).map(({ key, item }) => {
        const figure = point.figures[item.index];
        const value = figure?.value ?? null;
        return (
          <span key={key}>
            {panel.series.length > 1 ? `${item.label} ` : ''}
            {value === null
              ? `${DASH} ${figure?.missing ?? ''}`
              : bounded(formatOnWithUnit(panel.scale, value), figure?.atLeast)}
            {figure?.atLeast === undefined ? '' : ` (${figure.atLeast})`}
          </span>
        );
      })}
    </div>
  );
}
