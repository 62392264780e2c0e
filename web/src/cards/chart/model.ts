import type { ChartCard, ChartPoint, Figure, Unit } from '../../../../shared/cards.ts';
import { isClaim } from '../basis.tsx';
import { formatFigure, formatOn, isNoun, type Scale, scaleOf, titled } from '../format.ts';
import { longest, textWidth } from './text-width.ts';

/** One series as it is drawn. */
export interface PanelSeries {
  /** Place of its figure in every point. */
  index: number;
  label: string;
  /**
   * Custom property of its colour; null for a lone series, where only the subject stands out.
   * One measured series beside claims keeps the colour of what is measured.
   */
  colour: string | null;
  /** Every value it has is only claimed. */
  claimed: boolean;
}

/** The series of one unit: two units never share a scale, each gets a drawing of its own. */
export interface Panel {
  unit: Unit;
  series: PanelSeries[];
  scale: Scale;
  /** Title of the value axis, with its unit. */
  title: string;
  /** Whole numbers only: the unit is counted. */
  whole: boolean;
}

const COLOURS = 8;

/** Colours in the order of names, so that the same names have the same colours on every card. */
export function colours(names: readonly string[]): Map<string, string> {
  const sorted = [...new Set(names)].sort();
  return new Map(sorted.map((name, index) => [name, `--c${(index % COLOURS) + 1}`]));
}

export const valuesOf = (points: readonly ChartPoint[], index: number): number[] =>
  points.flatMap((point) => {
    const value = point.figures[index]?.value;
    return value === null || value === undefined ? [] : [value];
  });

/** Whether a series has values and none of them is more than a claim. */
function onlyClaimed(points: readonly ChartPoint[], index: number): boolean {
  const present = points.flatMap((point) => {
    const figure = point.figures[index];
    return figure === undefined || figure.value === null ? [] : [figure];
  });
  return present.length > 0 && present.every((figure) => isClaim(figure.basis));
}

/** The drawings of a chart card, one for each unit. */
export function panelsOf(card: ChartCard): Panel[] {
  const byColour = colours(card.series.map((series) => series.id));
  const units = [...new Set(card.series.map((series) => series.unit))];
  return units.map((unit): Panel => {
    const own = card.series.flatMap((series, index) => (series.unit === unit ? [{ series, index }] : []));
    const lone = own.length === 1;
    const solid = own.filter(({ index }) => !onlyClaimed(card.points, index)).length;
    const [first] = own;
    const values = own.flatMap(({ index }) => valuesOf(card.points, index));
    const scale = scaleOf(
      unit,
      reference(card, unit) === null ? values : [...values, reference(card, unit)?.value ?? 0],
    );
    const label = lone && card.series.length > 1 ? (first?.series.label ?? card.y.label) : card.y.label;
    return {
      unit,
      scale,
      title: titled(label, scale.word),
      whole: isNoun(unit),
      series: own.map(({ series, index }) => ({
        index,
        label: series.label,
        colour: lone ? null : solid === 1 ? '--measured' : (byColour.get(series.id) ?? '--c1'),
        claimed: onlyClaimed(card.points, index),
      })),
    };
  });
}

/** The reference line of a drawing, when it is of its unit. */
export const reference = (card: ChartCard, unit: Unit): ChartCard['reference'] =>
  card.reference !== null && card.reference.unit === unit ? card.reference : null;

/** Fill of a bar that is not hatched. */
export const fillOf = (series: PanelSeries, point: ChartPoint, anySubject: boolean): string => {
  if (series.colour !== null) return `var(${series.colour})`;
  return point.subject || !anySubject ? 'var(--measured)' : 'var(--datum)';
};

export const isHatched = (figure: Figure | undefined): boolean =>
  figure !== undefined && figure.value !== null && isClaim(figure.basis);

/** Width in which the names of upright bars must all fit: that of the narrowest card. */
const NAMES_FIT = 250;

/** Bars stand upright over numbers, times and a few short names; otherwise they lie, so that no name is left out. */
export function standsUpright(card: ChartCard): boolean {
  if (card.points.some((point) => point.ref !== null)) return false;
  if (card.x.kind !== 'category') return true;
  const name = textWidth(longest(card.points.map((point) => point.label))) + 12;
  return card.points.length * name <= NAMES_FIT;
}

/** Most places added to a number axis, and the largest number that is counted from zero. */
const MOST_GAPS = 40;
const FROM_ZERO = 12;

/**
 * Upright bars over whole numbers, with empty places for the numbers between that have no bar:
 * a gap in the record is seen as a gap.
 */
export function withGaps(card: ChartCard): ChartPoint[] {
  const { points } = card;
  if (card.x.kind !== 'number') return points;
  const byNumber = new Map(points.map((point) => [Number(point.key), point]));
  const numbers = [...byNumber.keys()];
  if (points.length === 0 || byNumber.size !== points.length || !numbers.every(Number.isInteger))
    return points;
  const high = Math.max(...numbers);
  const low = Math.min(...numbers);
  const from = low >= 0 && high <= FROM_ZERO ? 0 : low;
  if (high - from > MOST_GAPS) return points;
  return Array.from({ length: high - from + 1 }, (_, index) => {
    const number = from + index;
    const point = byNumber.get(number);
    return point ?? { key: String(number), label: String(number), ref: null, figures: [], subject: false };
  });
}

const nameOf = (point: ChartPoint): string => point.label || point.key || 'no name';

/** Largest and smallest value of one series in words. */
function extremes(points: readonly ChartPoint[], index: number): string {
  const present = points.filter(
    (point) => point.figures[index]?.value !== null && point.figures[index] !== undefined,
  );
  const sorted = present.toSorted((a, b) => (b.figures[index]?.value ?? 0) - (a.figures[index]?.value ?? 0));
  const [top] = sorted;
  const bottom = sorted.at(-1);
  const value = (point: ChartPoint) => {
    const figure = point.figures[index];
    return figure === undefined ? '' : formatFigure(figure);
  };
  if (top === undefined || bottom === undefined) return 'no value';
  if (top === bottom) return `${nameOf(top)} ${value(top)}`;
  return `largest ${nameOf(top)} with ${value(top)}, smallest ${nameOf(bottom)} with ${value(bottom)}`;
}

const KINDS = { bar: 'Bar chart', line: 'Line chart', donut: 'Shares' } as const;

/** The chart in one sentence, as its accessible name. */
export function chartSentence(card: ChartCard, panel: Panel): string {
  const count = card.points.length;
  const by = card.x.label === '' ? '' : ` by ${card.x.label}`;
  const each = panel.series.map((series) => {
    const name = panel.series.length > 1 ? `${series.label}: ` : '';
    const claimed = series.claimed ? ', claimed' : '';
    return `${name}${extremes(card.points, series.index)}${claimed}`;
  });
  const line = reference(card, panel.unit);
  const set = line === null ? '' : ` ${line.label} ${formatOn(panel.scale, line.value)}.`;
  return `${KINDS[card.draw]} of ${panel.title}${by}, ${count} ${count === 1 ? 'point' : 'points'}: ${each.join('; ')}.${set} Every figure is in the table of this card.`;
}
