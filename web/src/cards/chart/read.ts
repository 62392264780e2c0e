import type { ChartCard, ChartPoint, ChartSeries } from '../../../../shared/cards.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { count, fields, isRecord, list, number, oneOf } from '../../lib/unknown.ts';
import { base, clip, figure, short, unitOf, words } from '../read.ts';

const series = (value: unknown): ChartSeries | null =>
  isRecord(value) ? { id: short(value.id), label: short(value.label), unit: unitOf(value.unit) } : null;

function reference(value: unknown): ChartCard['reference'] {
  const from = fields(value);
  const at = number(from.value);
  return at === null ? null : { label: short(from.label), value: at, unit: unitOf(from.unit) };
}

/**
 * Reads a chart from anything; a point has a figure for every series, missing ones say so.
 * @param draw what the component draws, whatever the data says
 */
export function readChart(draw: ChartCard['draw']): (value: unknown) => ChartCard {
  return (value) => {
    const from = fields(value);
    const all = list(from.series, series, LIMITS.series);
    const y = fields(from.y);
    const x = fields(from.x);
    const point = (item: unknown): ChartPoint | null => {
      if (!isRecord(item)) return null;
      const figures = Array.isArray(item.figures) ? item.figures : [];
      return {
        key: short(item.key),
        label: clip(item.label, LIMITS.title),
        ref: words(item.ref, LIMITS.label),
        figures: all.map((one, index) => ({ ...figure(figures[index]), unit: one.unit })),
        subject: item.subject === true,
      };
    };
    return {
      ...base(value),
      type: 'chart',
      draw,
      x: { label: short(x.label), kind: oneOf(x.kind, ['category', 'number', 'time'], 'category') },
      y: { label: short(y.label), unit: unitOf(y.unit) },
      series: all,
      points: list(from.points, point, LIMITS.points),
      reference: reference(from.reference),
      other: count(from.other),
      rest: list(from.rest, point, LIMITS.points),
    };
  };
}
