import type { ReactNode } from 'react';
import { formatOn, type Scale } from '../../format.ts';
import { keyed } from '../../keyed.ts';
import { longest, textWidth } from '../text-width.ts';

/** Room left of a plot for the numbers of its value axis. */
export const leftRoom = (ticks: readonly number[], scale: Scale): number =>
  textWidth(longest(ticks.map((tick) => formatOn(scale, tick)))) + 10;

interface ValueTicksProps {
  ticks: readonly number[];
  scale: Scale;
  x: number;
  y: (value: number) => number;
}

/** Numbers of an upright value axis, right-aligned before the plot. */
export function ValueTicks({ ticks, scale, x, y }: ValueTicksProps): ReactNode {
  return (
    <>
      {ticks.map((tick) => (
        <text key={tick} className="ax" x={x - 8} y={y(tick) + 4} textAnchor="end">
          {formatOn(scale, tick)}
        </text>
      ))}
    </>
  );
}

export interface NamedTick {
  x: number;
  text: string;
}

/**
 * Every so-manyth name, so that none runs into the next.
 * @param width of the whole axis in pixels
 */
export function thinned(ticks: readonly NamedTick[], width: number): NamedTick[] {
  const each = textWidth(longest(ticks.map((tick) => tick.text))) + 12;
  const most = Math.max(1, Math.floor(width / each));
  const every = Math.max(1, Math.ceil(ticks.length / most));
  return ticks.filter((_, index) => index % every === 0);
}

interface NameTicksProps {
  ticks: readonly NamedTick[];
  y: number;
  right: number;
}

/** Names or numbers below a plot. */
export function NameTicks({ ticks, y, right }: NameTicksProps): ReactNode {
  const anchor = (tick: NamedTick) => {
    const half = textWidth(tick.text.length) / 2;
    if (tick.x - half < 0) return 'start';
    return tick.x + half > right ? 'end' : 'middle';
  };
  const place = { start: () => 0, middle: (tick: NamedTick) => tick.x, end: () => right };
  return (
    <>
      {keyed(ticks, (tick) => tick.text).map(({ key, item }) => (
        <text key={key} className="ax" x={place[anchor(item)](item)} y={y} textAnchor={anchor(item)}>
          {item.text}
        </text>
      ))}
    </>
  );
}
