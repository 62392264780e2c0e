import type { ReactNode } from 'react';
import {
  CartesianGrid,
  DefaultZIndexes,
  type DotItemDotProps,
  Line,
  LineChart,
  ReferenceLine,
  Tooltip,
  XAxis,
  YAxis,
  ZIndexLayer,
} from 'recharts';
import type { ChartPoint } from '../../../../../shared/cards.ts';
import { formatNumber, formatOnWithUnit } from '../../format.ts';
import type { PlotProps } from '../lazy.tsx';
import { isHatched, type PanelSeries, reference, valuesOf } from '../model.ts';
import { LINE } from '../sizes.ts';
import { longest, textWidth } from '../text-width.ts';
import { lineDomain, niceTicks } from '../ticks.ts';
import { useWidth } from '../use-width.ts';
import { leftRoom, type NamedTick, NameTicks, thinned, ValueTicks } from './axes.tsx';
import { hasValue, isLone, lastAt, type Places, placesOf, spread } from './line-model.ts';
import { rowsOf } from './rows.ts';
import { Tip } from './Tip.tsx';

const GRIDLINES = 5;
/** Points up to which every one has a dot. */
const DOTS = 40;
/** Narrowest drawing whose lines carry their name at the end; below it the names stand above. */
const NAMES_AT_END = 480;
const WIDEST_NAME = 130;
const LABEL = 15;

/** Lines over an order or over time; a missing point is a gap, not a bridge. */
export default function LinePlot({ card, panel, points, chrome, says }: PlotProps): ReactNode {
  const [frame, width] = useWidth<HTMLDivElement>();
  const { scale } = panel;
  const series = panel.series.filter((one) => hasValue(points, one.index));
  const line = reference(card, panel.unit);
  const values = series.flatMap(({ index }) => valuesOf(points, index));
  const domain = lineDomain(line === null ? values : [...values, line.value]);
  const ticks = niceTicks(domain, GRIDLINES, scale.divisor, panel.whole);
  const left = leftRoom(ticks, scale);
  const named = panel.series.length > 1 && width >= NAMES_AT_END;
  const right = named ? Math.min(WIDEST_NAME, textWidth(longest(series.map((one) => one.label)))) + 12 : 12;
  const base = LINE.height - LINE.foot;
  const inner = Math.max(1, width - left - right);
  const places = placesOf(card);
  const x = (value: number) => left + ((value - places.low) / (places.high - places.low)) * inner;
  const y = (value: number) => base - ((value - domain.low) / (domain.high - domain.low)) * (base - LINE.top);
  const data = rowsOf(points, card.series.length).map((row, at) => ({ ...row, x: places.at[at] ?? at }));
  const ends = spread(
    series.map((one) => y(points[lastAt(points, one.index)]?.figures[one.index]?.value ?? 0)),
    LABEL,
    LINE.top,
    base,
  );
  const [lone] = series;
  /** With one line a press opens the point under it; with several it would have to guess, and the table is exact. */
  const press = (at: unknown) => {
    const point = points[Number(at ?? -1)];
    const evidence = series.length === 1 && lone ? (point?.figures[lone.index]?.evidence ?? null) : null;
    if (evidence !== null) chrome.openFigure(evidence, point?.label);
  };
  return (
    <div className={named ? 'plot-frame named' : 'plot-frame'} ref={frame} style={{ height: LINE.height }}>
      {width === 0 ? null : (
        <div role="img" aria-label={says}>
          <LineChart
            width={width}
            height={LINE.height}
            data={data}
            margin={{ top: LINE.top, right, bottom: LINE.foot, left }}
            accessibilityLayer={false}
            onClick={({ activeIndex }) => press(activeIndex)}
          >
            <XAxis type="number" dataKey="x" domain={[places.low, places.high]} hide />
            <YAxis type="number" domain={[domain.low, domain.high]} hide />
            <CartesianGrid vertical={false} horizontalPoints={ticks.map(y)} className="gl" />
            <Tooltip
              isAnimationActive={false}
              cursor={{ className: 'cursor' }}
              content={({ active, payload }) =>
                active ? <Tip point={points[indexOf(payload)]} panel={panel} /> : null
              }
            />
            {series.map((one) => (
              <Line
                key={one.index}
                type="linear"
                dataKey={(row: { values: (number | null)[] }) => row.values[one.index] ?? null}
                stroke={strokeOf(one)}
                strokeWidth={2}
                strokeDasharray={one.claimed ? '6 4' : undefined}
                connectNulls={false}
                isAnimationActive={false}
                activeDot={{ r: 4, stroke: 'var(--surface)', fill: strokeOf(one) }}
                dot={(dot: DotItemDotProps) => (
                  <PlotDot key={dot.index} dot={dot} points={points} series={one} />
                )}
              />
            ))}
            {line === null ? null : <ReferenceLine y={line.value} className="th-halo" />}
            {line === null ? null : <ReferenceLine y={line.value} className="th" />}
            {line === null ? null : (
              <ZIndexLayer zIndex={DefaultZIndexes.label}>
                <text className="lab halo" x={width - right} y={y(line.value) - 5} textAnchor="end">
                  {line.label} {formatOnWithUnit(scale, line.value)}
                </text>
              </ZIndexLayer>
            )}
            <line className="bl" x1={left} x2={width - right} y1={base} y2={base} />
            <ValueTicks ticks={ticks} scale={scale} x={left} y={y} />
            <NameTicks ticks={xTicks(points, places, x, inner, card.x.kind)} y={base + 17} right={width} />
            <text className="ax" x={left} y={base + 35}>
              {card.x.label}
            </text>
            {named
              ? series.map((one, index) => (
                  <text key={one.index} className="lab" x={width - right + 8} y={(ends[index] ?? 0) + 4}>
                    {cut(one.label, right)}
                  </text>
                ))
              : null}
          </LineChart>
        </div>
      )}
    </div>
  );
}

const strokeOf = (series: PanelSeries): string => {
  if (series.colour !== null) return `var(${series.colour})`;
  return series.claimed ? 'var(--claim)' : 'var(--measured)';
};

/** Index of the point under the pointer; -1 when there is none. */
function indexOf(payload: readonly { payload?: unknown }[]): number {
  const row: unknown = payload[0]?.payload;
  if (typeof row !== 'object' || row === null || !('at' in row)) return -1;
  return typeof row.at === 'number' ? row.at : -1;
}

const cut = (label: string, room: number): string => {
  const most = Math.max(3, Math.floor((room - 10) / 7) + 1);
  return label.length <= most ? label : `${label.slice(0, most - 1)}…`;
};

/** Numbers get round ticks of their own, names and times the labels of points. */
function xTicks(
  points: readonly ChartPoint[],
  places: Places,
  x: (value: number) => number,
  width: number,
  kind: 'category' | 'number' | 'time',
): NamedTick[] {
  const plain = points.every((point, index) => Number(point.label) === places.at[index]);
  if (kind === 'number' && plain && points.length > 1) {
    const most = Math.max(2, Math.min(8, Math.floor(width / 60)));
    const whole = places.at.every(Number.isInteger);
    return niceTicks(places, most, 1, whole).map((tick) => ({ x: x(tick), text: formatNumber(tick) }));
  }
  return thinned(
    points.map((point, index) => ({ x: x(places.at[index] ?? index), text: point.label || point.key })),
    width,
  );
}

interface PlotDotProps {
  dot: DotItemDotProps;
  points: readonly ChartPoint[];
  series: PanelSeries;
}

/** Dots where the line needs them: few points, lone points, the subject; hollow when only claimed. */
function PlotDot({ dot, points, series }: PlotDotProps): ReactNode {
  const { cx, cy, index } = dot;
  const point = points[index];
  const figure = point?.figures[series.index];
  if (point === undefined || figure === undefined || figure.value === null) return null;
  if (cx === undefined || cy === undefined) return null;
  const shown = points.length <= DOTS || point.subject || isLone(points, series.index, index);
  if (!shown) return null;
  return (
    <circle
      cx={cx}
      cy={cy}
      r={point.subject ? 5 : 3}
      fill={isHatched(figure) ? 'var(--surface)' : strokeOf(series)}
      stroke={strokeOf(series)}
      strokeWidth="1.5"
    />
  );
}
