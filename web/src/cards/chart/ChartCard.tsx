import { type ReactNode, Suspense, useMemo } from 'react';
import type { ChartCard } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { CardFrame } from '../frame.tsx';
import { keyed } from '../keyed.ts';
import { DataTable } from '../table/DataTable.tsx';
import { useTableSwitch } from '../with-table.tsx';
import { chartColumns, chartRows } from './as-table.ts';
import { Donut } from './Donut.tsx';
import { Legend } from './Legend.tsx';
import { ColumnPlot, LinePlot, RowPlot } from './lazy.tsx';
import { chartSentence, type Panel, panelsOf, standsUpright, valuesOf, withGaps } from './model.ts';
import { panelHeight } from './sizes.ts';

interface ChartViewProps {
  model: ChartCard;
  card: CardChrome;
}

/** A chart of any kind, with the table behind it one press away. */
export function ChartView({ model, card }: ChartViewProps): ReactNode {
  const panels = useMemo(() => panelsOf(model), [model]);
  const table = useTableSwitch();
  const empty = panels.every((panel) =>
    panel.series.every((series) => valuesOf(model.points, series.index).length === 0),
  );
  const columns = useMemo(() => chartColumns(model), [model]);
  const rows = useMemo(() => chartRows(model), [model]);
  return (
    <CardFrame
      model={model}
      card={card}
      kind={`chart card-${model.draw}`}
      extra={empty ? undefined : table.button}
    >
      {empty ? <p className="quiet">No value to draw. {reasonOf(model)}</p> : null}
      {!empty && table.shown ? (
        <DataTable caption={model.title} columns={columns} rows={rows} card={card} />
      ) : null}
      {!empty && !table.shown
        ? keyed(panels, (panel) => panel.unit).map(({ key, item }) => (
            <PanelView key={key} model={model} panel={item} card={card} />
          ))
        : null}
    </CardFrame>
  );
}

/** Why there is nothing to draw, when all points say the same. */
function reasonOf(model: ChartCard): string {
  const reasons = new Set(model.points.flatMap((point) => point.figures.map((figure) => figure.missing)));
  const [only] = reasons;
  return reasons.size === 1 && only ? `Why: ${only}.` : '';
}

interface PanelViewProps extends ChartViewProps {
  panel: Panel;
}

function PanelView({ model, panel, card }: PanelViewProps): ReactNode {
  const says = useMemo(() => chartSentence(model, panel), [model, panel]);
  if (model.draw === 'donut') return <Donut model={model} panel={panel} card={card} says={says} />;
  const upright = standsUpright(model);
  const Plot = model.draw === 'line' ? LinePlot : upright ? ColumnPlot : RowPlot;
  const points = model.draw === 'bar' && upright ? withGaps(model) : model.points;
  const lies = model.draw === 'bar' && !upright;
  return (
    <figure className="panel">
      <Legend panel={panel} lines={model.draw === 'line'} />
      {lies ? null : <div className="y-title ax">{panel.title}</div>}
      <Suspense fallback={<div className="awaits" style={{ height: panelHeight(model, panel, upright) }} />}>
        <Plot card={model} panel={panel} points={points} chrome={card} says={says} />
      </Suspense>
    </figure>
  );
}
