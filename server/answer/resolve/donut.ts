import type { ChartPoint, Figure } from '../../../shared/cards.ts';
import { BASES } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { type Query, single } from '../../metrics/query.ts';
import type { QueryAnswer } from '../../metrics/run.ts';
import type { ResolveContext } from './context.ts';

/** The six largest parts and the rest as one; refuses what is no whole of parts. */
export function slices(
  points: ChartPoint[],
  answer: QueryAnswer,
  query: Query,
  context: ResolveContext,
): { points: ChartPoint[]; other: number; rest: ChartPoint[] } | 'donut_needs_parts' {
  const parts = points.filter(({ figures }) => (figures[0]?.value ?? 0) > 0);
  if (parts.length < 2 || points.some(({ figures }) => (figures[0]?.value ?? 0) < 0))
    return 'donut_needs_parts';
  const value = (point: ChartPoint) => point.figures[0]?.value ?? 0;
  if (parts.length <= LIMITS.slices) return { points: parts, other: 0, rest: [] };
  const kept = new Set(parts.toSorted((a, b) => value(b) - value(a)).slice(0, LIMITS.slices));
  const rest = parts.filter((part) => !kept.has(part)).toSorted((a, b) => value(b) - value(a));
  const figures = rest.flatMap((part) => part.figures[0] ?? []);
  const ref = query.measures[0];
  const whole = ref
    ? context.register({
        kind: 'query',
        query: { ...single(ref.measure, ref.source, query.where), by: answer.query.by },
        key: {},
      })
    : null;
  const weakest = figures.toSorted((a, b) => order(b) - order(a))[0];
  const other: ChartPoint = {
    key: 'other',
    label: 'other',
    ref: null,
    figures: [
      {
        value: figures.reduce((sum, figure) => sum + (figure.value ?? 0), 0),
        unit: answer.measures[0]?.unit ?? 'none',
        basis: weakest?.basis ?? 'unknown',
        evidence: whole,
        disputed: figures.some(({ disputed }) => disputed),
        n: figures.reduce((sum, { n }) => sum + (n ?? 0), 0) || null,
        missing: null,
      },
    ],
    subject: false,
  };
  return {
    points: [...parts.filter((part) => kept.has(part)), other],
    other: rest.length,
    rest: rest.slice(0, LIMITS.points),
  };
}
const order = (figure: Figure): number => BASES.indexOf(figure.basis);
