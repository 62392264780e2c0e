import { type ReactNode, useId } from 'react';
import { Bar, BarChart, type BarShapeProps, CartesianGrid, ReferenceLine, XAxis, YAxis } from 'recharts';
import { bounded } from '../../../../../shared/amounts.ts';
import type { ChartPoint, Figure } from '../../../../../shared/cards.ts';
import { FigureText } from '../../figure.tsx';
import { formatOn, formatOnWithUnit } from '../../format.ts';
import { HatchPattern } from '../../hatch.tsx';
import { keyed } from '../../keyed.ts';
import { shortRef } from '../../short-ref.ts';
import { BESIDE, besideBar } from '../beside.ts';
import type { PlotProps } from '../lazy.tsx';
import { reference, valuesOf } from '../model.ts';
import { ROW, rowHeight, rowsHeight } from '../sizes.ts';
import { longest, textWidth } from '../text-width.ts';
import { barDomain, niceTicks } from '../ticks.ts';
import { useWidth } from '../use-width.ts';
import { BarOfSeries, openBar } from './BarShape.tsx';
import { type Row, rowsOf, valueAt } from './rows.ts';

/** The most a value may take of the width. */
const MOST_VALUE = 0.35;
const GRIDLINES = 5;
/** Width of one tick with its air. */
const TICK_NEEDS = 46;
/** So many ticks are never thinned out further on small screens: an axis of one number says no scale. */
const FEW = 3;

/** Lying bars, one row a name: names left, values at the end of the bars. */
export default function RowPlot({ card, panel, points, chrome, says }: PlotProps): ReactNode {
  const [frame, width] = useWidth<HTMLDivElement>();
  const hatch = useId();
  const { series, scale } = panel;
  const line = reference(card, panel.unit);
  const values = series.flatMap(({ index }) => valuesOf(points, index));
  const domain = barDomain(line === null ? values : [...values, line.value]);
  const room = Math.min(
    width * MOST_VALUE,
    textWidth(longest(values.map((value) => formatOn(scale, value)))) + BESIDE + 4,
  );
  const plot = Math.max(1, width - room);
  const reach = domain.high - domain.low;
  const x = (value: number) => ((value - domain.low) / reach) * plot;
  const ticks = niceTicks(
    domain,
    Math.max(2, Math.min(GRIDLINES, Math.floor(plot / TICK_NEEDS))),
    scale.divisor,
    panel.whole,
  );
  const anySubject = points.some((point) => point.subject);
  const row = rowHeight(series.length);
  const height = rowsHeight(points.length, series.length);
  const base = height - ROW.foot;
  const crossing = line === null ? null : x(line.value);
  const written = (figure: Figure) =>
    figure.value === null ? '' : bounded(formatOn(scale, figure.value), figure.atLeast);
  const size = series.length > 1 ? ROW.narrow : ROW.bar;
  return (
    <div className="rows-plot" style={{ '--names': `${nameRoom(points)}px`, '--ids': `${idRoom(points)}px` }}>
      <ol className="row-names" style={{ paddingTop: ROW.top }} aria-hidden="true">
        {keyed(points, (point) => point.key).map(({ key, item }) => (
          <RowName key={key} point={item} height={row} />
        ))}
      </ol>
      <div className="rows-frame" ref={frame} style={{ height }}>
        {width === 0 ? null : (
          <>
            <div role="img" aria-label={says}>
              <BarChart
                layout="vertical"
                width={width}
                height={height}
                data={rowsOf(points, card.series.length)}
                margin={{ top: ROW.top, right: room, bottom: ROW.foot + 4, left: 0 }}
                barGap={ROW.gap}
                accessibilityLayer={false}
              >
                <defs>
                  <HatchPattern id={hatch} />
                </defs>
                <XAxis type="number" domain={[domain.low, domain.high]} allowDataOverflow hide />
                <YAxis type="category" dataKey="at" hide />
                <CartesianGrid
                  horizontal={false}
                  verticalPoints={ticks.filter((tick) => tick !== 0).map(x)}
                  className="gl"
                />
                {series.map((one) => (
                  <Bar<Row>
                    key={one.index}
                    dataKey={valueAt(one.index)}
                    barSize={size}
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
                <ReferenceLine x={0} className="bl" />
                {line === null ? null : <ReferenceLine x={line.value} className="th-halo" />}
                {line === null ? null : <ReferenceLine x={line.value} className="th" />}
                {line === null ? null : (
                  <text className="lab" x={x(line.value)} y={13} textAnchor={anchorAt(x(line.value), width)}>
                    {line.label} {formatOnWithUnit(scale, line.value)}
                  </text>
                )}
                {ticks.map((tick, index) => (
                  <text
                    key={tick}
                    className={index % 2 === 1 && ticks.length > FEW ? 'ax half' : 'ax'}
                    x={x(tick)}
                    y={base + 15}
                    textAnchor={x(tick) < 4 ? 'start' : 'middle'}
                  >
                    {formatOn(scale, tick)}
                  </text>
                ))}
                <text className="ax" x="0" y={base + 32}>
                  {panel.title}
                </text>
              </BarChart>
            </div>
            {series.map((one, order) =>
              keyed(points, (point) => point.key).map(({ key, item }, at) => {
                const figure = item.figures[one.index];
                if (figure === undefined) return null;
                const end = x(Math.max(0, Math.min(domain.high, figure.value ?? 0)));
                const middle = (size + ROW.gap) * (order - (series.length - 1) / 2);
                return (
                  <span
                    key={`${one.index} ${key}`}
                    className={item.subject ? 'bar-val subject' : 'bar-val'}
                    style={{
                      left: besideBar(end, textWidth(written(figure).length), crossing),
                      top: ROW.top + (at + 0.5) * row + middle + 2,
                    }}
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
            )}
          </>
        )}
      </div>
    </div>
  );
}

/** Least and most room for names, and the least an id takes with the space behind it. */
const NAMES = { least: 84, most: 280, id: 18, space: 9 };

/** Width of the column of ids: that of the longest that is short; 0 where there is none. */
function idRoom(points: readonly ChartPoint[]): number {
  const ids = points.flatMap((point) => shortRef(point.ref) ?? []);
  return ids.length === 0 ? 0 : Math.max(NAMES.id, textWidth(longest(ids)));
}

/** Width of the column of names: that of the longest, in bounds. */
function nameRoom(points: readonly ChartPoint[]): number {
  const text = textWidth(longest(points.map((point) => point.label || point.key)));
  const id = idRoom(points);
  return Math.min(NAMES.most, Math.max(NAMES.least, text + (id === 0 ? 0 : id + NAMES.space) + 3));
}

/** Where a text stands to its place, so that it stays inside the drawing. */
const anchorAt = (x: number, width: number): 'start' | 'middle' | 'end' =>
  x < 50 ? 'start' : x > width - 50 ? 'end' : 'middle';

function RowName({ point, height }: { point: ChartPoint; height: number }): ReactNode {
  const ref = shortRef(point.ref);
  return (
    <li
      className={point.subject ? 'subject' : undefined}
      style={{ height }}
      title={point.ref === null ? point.label : `${point.ref} ${point.label}`}
    >
      {ref === null ? null : <span className="id">{ref}</span>}
      <span className="row-name">{point.label || point.key}</span>
    </li>
  );
}
