import { type ReactNode, useId } from 'react';
import {
  Bar,
  BarChart,
  type BarShapeProps,
  CartesianGrid,
  DefaultZIndexes,
  ReferenceLine,
  Tooltip,
  XAxis,
  YAxis,
  ZIndexLayer,
} from 'recharts';
import { FigureText } from '../../figure.tsx';
import { formatOn, formatOnWithUnit } from '../../format.ts';
import { HatchPattern } from '../../hatch.tsx';
import { keyed } from '../../keyed.ts';
import type { PlotProps } from '../lazy.tsx';
import { reference, valuesOf } from '../model.ts';
import { COLUMN } from '../sizes.ts';
import { longest, textWidth } from '../text-width.ts';
import { barDomain, niceTicks } from '../ticks.ts';
import { useWidth } from '../use-width.ts';
import { leftRoom, NameTicks, thinned, ValueTicks } from './axes.tsx';
import { BarOfSeries, openBar } from './BarShape.tsx';
import { type Row, rowsOf, valueAt } from './rows.ts';
import { Tip } from './Tip.tsx';

const GRIDLINES = 5;
/** Share of a place that its bars take, and the widest a bar gets. */
const FILL = 0.52;
const WIDEST = 28;

/** Upright bars over numbers, times or a few short names. */
export default function ColumnPlot({ card, panel, points, chrome, says }: PlotProps): ReactNode {
  const [frame, width] = useWidth<HTMLDivElement>();
  const hatch = useId();
  const { series, scale } = panel;
  const line = reference(card, panel.unit);
  const values = series.flatMap(({ index }) => valuesOf(points, index));
  const domain = barDomain(line === null ? values : [...values, line.value]);
  const ticks = niceTicks(domain, GRIDLINES, scale.divisor, panel.whole);
  const left = leftRoom(ticks, scale);
  const base = COLUMN.height - COLUMN.foot;
  const inner = Math.max(1, width - left);
  const slot = inner / Math.max(1, points.length);
  const bar = Math.max(1, Math.min(WIDEST, (slot * FILL) / Math.max(1, series.length)));
  const y = (value: number) =>
    base - ((value - domain.low) / (domain.high - domain.low)) * (base - COLUMN.top);
  const x = (at: number) => left + (at + 0.5) * slot;
  const widest = textWidth(longest(values.map((value) => formatOn(scale, value))));
  const labelled = bar + (slot - bar * series.length) / series.length >= widest;
  const anySubject = points.some((point) => point.subject);
  const names = thinned(
    points.map((point, at) => ({ x: x(at), text: point.label || point.key })),
    inner,
  );
  return (
    <div className="plot-frame" ref={frame} style={{ height: COLUMN.height }}>
      {width === 0 ? null : (
        <>
          <div role="img" aria-label={says}>
            <BarChart
              width={width}
              height={COLUMN.height}
              data={rowsOf(points, card.series.length)}
              margin={{ top: COLUMN.top, right: 0, bottom: COLUMN.foot, left }}
              barGap={0}
              accessibilityLayer={false}
            >
              <defs>
                <HatchPattern id={hatch} />
              </defs>
              <XAxis type="category" dataKey="at" hide />
              <YAxis type="number" domain={[domain.low, domain.high]} allowDataOverflow hide />
              <CartesianGrid
                vertical={false}
                horizontalPoints={ticks.filter((tick) => tick !== 0).map(y)}
                className="gl"
              />
              {labelled ? null : (
                <Tooltip
                  cursor={false}
                  isAnimationActive={false}
                  content={({ active, label }) =>
                    active ? <Tip point={points[Number(label)]} panel={panel} /> : null
                  }
                />
              )}
              {series.map((one) => (
                <Bar<Row>
                  key={one.index}
                  dataKey={valueAt(one.index)}
                  barSize={bar}
                  isAnimationActive={false}
                  shape={(bar: BarShapeProps) => (
                    <BarOfSeries
                      bar={bar}
                      points={points}
                      series={one}
                      anySubject={anySubject}
                      hatch={hatch}
                    />
                  )}
                  onClick={openBar(points, one, chrome.openFigure)}
                />
              ))}
              <ReferenceLine y={0} className="bl" />
              {line === null ? null : <ReferenceLine y={line.value} className="th-halo" />}
              {line === null ? null : <ReferenceLine y={line.value} className="th" />}
              {line === null ? null : (
                <ZIndexLayer zIndex={DefaultZIndexes.label}>
                  <text className="lab halo" x={width} y={y(line.value) - 5} textAnchor="end">
                    {line.label} {formatOnWithUnit(scale, line.value)}
                  </text>
                </ZIndexLayer>
              )}
              <ValueTicks ticks={ticks} scale={scale} x={left} y={y} />
              <NameTicks ticks={names} y={base + 17} right={width} />
              <text className="ax" x={left} y={base + 35}>
                {card.x.label}
              </text>
            </BarChart>
          </div>
          {labelled
            ? series.map((one, order) =>
                keyed(points, (point) => point.key).map(({ key, item }, at) => {
                  const figure = item.figures[one.index];
                  if (figure === undefined) return null;
                  const shift = (order - (series.length - 1) / 2) * bar;
                  const top = y(Math.min(domain.high, Math.max(0, figure.value ?? 0)));
                  return (
                    <span
                      key={`${one.index} ${key}`}
                      className={item.subject ? 'col-val subject' : 'col-val'}
                      style={{ left: x(at) + shift, top: top - 4 }}
                    >
                      <FigureText
                        figure={figure}
                        onOpen={chrome.openFigure}
                        label={`${panel.title}, ${item.label}`}
                        show="bare"
                        on={scale}
                        marks={false}
                        reason="hidden"
                      />
                    </span>
                  );
                }),
              )
            : null}
        </>
      )}
    </div>
  );
}
