import type { CardData, ChartCard, ChartPoint } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { ChartBlock, MeasureRef } from '../../../shared/plan.ts';
import { dimensionOf } from '../../metrics/fit.ts';
import { MEASURES, type Measure } from '../../metrics/measures.ts';
import { type Query, single } from '../../metrics/query.ts';
import type { QueryAnswer } from '../../metrics/run.ts';
import { codeCard } from '../code-card.ts';
import { plainText } from '../placeholders.ts';
import { baseOf, proseContext, shown, sizeOf } from './base.ts';
import { labelled, Points, seriesOf } from './chart-points.ts';
import { type ResolveContext, whereOf } from './context.ts';
import { slices } from './donut.ts';
import { emptyOf } from './empty.ts';
import { judge } from './figure.ts';

/** "By source" asks for each source's own word. */
const sourced = (ref: MeasureRef, block: ChartBlock): MeasureRef =>
  ref.source === 'counted' && (block.by === 'source' || block.split === 'source')
    ? { ...ref, source: 'each' }
    : ref;

const drawn = (point: ChartPoint): boolean => point.figures.some(({ value }) => value !== null);

/** The median of single features' values, for rankings of times: what is long is seen against it. */
async function referenceOf(
  block: ChartBlock,
  measure: Measure,
  query: Query,
  context: ResolveContext,
): Promise<{ reference: ChartCard['reference']; evidence: string | null }> {
  const none = { reference: null, evidence: null };
  const ranking = block.by === 'feature' && block.split === null && block.measures.length === 1;
  if (!ranking || block.draw !== 'bar' || measure.unit !== 's' || measure.fact === null) return none;
  const median = MEASURES.find(({ fact, aggregate }) => fact === measure.fact && aggregate === 'median');
  const ref = query.measures[0];
  if (!median || !ref || ref.source === 'each') return none;
  const own = single(median.id, ref.source, query.where);
  const value = (await context.queries.run(own)).groups[0]?.values[0];
  if (value?.value == null || value.n < 3) return none;
  return {
    reference: { label: 'median', value: value.value, unit: median.unit },
    evidence: context.register({ kind: 'query', query: own, key: {} }),
  };
}

/** How to read the chart: whose word it is, and what has no figure. */
function subOf(answer: QueryAnswer, context: ResolveContext): string | null {
  const source = answer.query.measures[0]?.source ?? 'counted';
  const coverage = answer.coverage[0];
  const measure = answer.measures[0];
  if (!measure || measure.fact === null) return null;
  const label = context.queries.context.sources.find(({ kind }) => kind === source)?.label;
  const whose =
    source === 'each' ? 'Each source by itself.' : label === undefined ? null : `As ${label} says it.`;
  const left =
    source !== 'each' && coverage && coverage.have < coverage.of
      ? `${coverage.have} of ${coverage.of} have a figure that counts${coverage.claimedOnly > 0 ? `; ${coverage.claimedOnly} only claimed` : ''}.`
      : null;
  return [whose, left].filter((part) => part !== null).join(' ') || null;
}

/** Values by a grouping: bars, a line over an order, or parts of a whole. */
export async function resolveChart(
  block: ChartBlock,
  id: string,
  context: ResolveContext,
): Promise<CardData> {
  const refs = block.measures.slice(0, LIMITS.series).map((ref) => sourced(ref, block));
  const measures = block.split === null ? refs : refs.slice(0, 1);
  const donut = block.draw === 'donut';
  const where = whereOf(context.about, block.scope, block.where);
  const query: Query = {
    measures: donut ? measures.slice(0, 1) : measures,
    by: block.by,
    split: donut ? null : block.split,
    where,
    order: block.order,
    limit: null,
  };
  const answer = await context.queries.run(query);
  const measure = answer.measures[0];
  const title = plainText(block.title, proseContext(context));
  if (!measure) return codeCard(id, 'block_invalid', title);
  if (donut && !measure.additive) return codeCard(id, 'donut_not_additive', title);

  const allSeries = labelled(seriesOf(answer), context);
  const series = allSeries.slice(0, LIMITS.series);
  const dimension = dimensionOf(answer.query.by ?? block.by);
  const ordered = dimension.kind !== 'category';
  const every = new Points(answer, series, context, query).all();
  // A ranking has no place for what has no value, an axis none for what has no place on it.
  const points = every.filter(
    (point) => (block.order === 'natural' || drawn(point)) && !(ordered && point.key === ''),
  );
  const zero =
    measure.aggregate === 'count' && points.every(({ figures }) => figures.every(({ value }) => !value));
  if (!points.some(drawn) || zero)
    return emptyOf(context, { id, title: block.title, actions: block.actions }, measure, refs[0]?.source);

  let cut = points.slice(0, Math.min(sizeOf(block.size, LIMITS.points), LIMITS.points));
  let other = 0;
  let rest: ChartPoint[] = [];
  if (donut) {
    const parts = slices(points, answer, query, context);
    if (parts === 'donut_needs_parts') return codeCard(id, parts, title);
    ({ points: cut, other, rest } = parts);
  }
  const { reference, evidence } = await referenceOf(block, measure, query, context);
  const figures = cut.flatMap((point) => point.figures);
  const coverage = answer.coverage[0];
  const whole =
    coverage && measure.fact !== null && query.measures[0]?.source === 'counted' && block.size === 'all'
      ? { ...coverage, why: `${coverage.have} of ${coverage.of} have a figure that counts.` }
      : null;
  const trimmed = [
    donut ? null : shown(cut.length, points.length),
    shown(series.length, allSeries.length, 'series'),
    shown(query.measures.length, block.measures.length, 'measures'),
  ].filter((words) => words !== null);
  const card: ChartCard = {
    ...baseOf(context, {
      id,
      title: block.title,
      sub: subOf(answer, context),
      actions: block.actions,
      evidence: [...figures.map((figure) => figure.evidence), evidence].slice(0, LIMITS.points),
      trimmed: trimmed.length > 0 ? trimmed.join('; ') : null,
      // What a question is about changes no figure, so it changes no mark either.
      ...judge(figures, figures, whole),
    }),
    type: 'chart',
    draw: block.draw,
    x: { label: dimension.axis ?? dimension.label, kind: dimension.kind },
    y: { label: measure.label, unit: measure.unit },
    series: series.map(({ id: key, label, unit }) => ({ id: key, label, unit })),
    points: cut,
    reference,
    other,
    rest,
  };
  return card;
}
