import type { CardData, ChartCard, ChartPoint, ChartSeries, Figure } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { ChartBlock, MeasureRef } from '../../../shared/plan.ts';
import { dimensionOf } from '../../metrics/fit.ts';
import { MEASURES, type Measure } from '../../metrics/measures.ts';
import { type Query, single } from '../../metrics/query.ts';
import type { Group, QueryAnswer } from '../../metrics/run.ts';
import { codeCard } from '../code-card.ts';
import { absence } from '../facts.ts';
import { plainText } from '../placeholders.ts';
import { baseOf, proseContext, shown, sizeOf } from './base.ts';
import { type ResolveContext, whereOf } from './context.ts';
import { emptyOf } from './empty.ts';
import { figureOf, judge, missing } from './figure.ts';

/** One drawn value of one measure: its series, and where it is in a group. */
interface SeriesPlan extends ChartSeries {
  /** Index of the measure in the query, and the split it stands for (undefined without a split). */
  at: number;
  split: string | number | null | undefined;
  source: string;
}

/** A card a chart cannot be drawn without: "by source" asks for each source's own word. */
const sourced = (ref: MeasureRef, block: ChartBlock): MeasureRef =>
  ref.source === 'counted' && (block.by === 'source' || block.split === 'source')
    ? { ...ref, source: 'each' }
    : ref;

function seriesOf(answer: QueryAnswer): SeriesPlan[] {
  const { query, measures } = answer;
  if (query.split === null)
    return measures.map((measure, at) => ({
      id: `${measure.id}-${query.measures[at]?.source ?? ''}`,
      label: measure.label,
      unit: measure.unit,
      at,
      split: undefined,
      source: query.measures[at]?.source ?? 'counted',
    }));
  const seen = new Map<string, SeriesPlan>();
  const measure = measures[0];
  for (const { split } of answer.groups) {
    const key = JSON.stringify(split?.key ?? null);
    if (measure && split && !seen.has(key))
      seen.set(key, {
        id: `s${seen.size}`,
        label: split.label,
        unit: measure.unit,
        at: 0,
        split: split.key,
        source: query.measures[0]?.source ?? 'counted',
      });
  }
  return [...seen.values()];
}

/** Two series of one measure from different sources are told apart by the source. */
function labelled(series: SeriesPlan[], context: ResolveContext): SeriesPlan[] {
  const labels = series.map(({ label }) => label);
  return series.map((entry) => {
    if (labels.filter((label) => label === entry.label).length < 2) return entry;
    const source = context.queries.context.sources.find(({ kind }) => kind === entry.source)?.label;
    return { ...entry, label: `${entry.label}, ${source ?? entry.source}` };
  });
}

class Points {
  readonly #rows = new Map<string, Group[]>();
  constructor(
    readonly answer: QueryAnswer,
    readonly series: readonly SeriesPlan[],
    readonly context: ResolveContext,
    readonly query: Query,
  ) {
    for (const group of answer.groups) {
      const key = JSON.stringify(group.key);
      this.#rows.set(key, [...(this.#rows.get(key) ?? []), group]);
    }
  }

  figure(groups: readonly Group[], entry: SeriesPlan, key: string | number | null): Figure {
    const ref = this.query.measures[entry.at];
    const measure = this.answer.measures[entry.at];
    if (!ref || !measure) return missing(entry.unit, 'not recorded');
    const group =
      entry.split === undefined ? groups[0] : groups.find(({ split }) => split?.key === entry.split);
    const value = group?.values[entry.at];
    const why = absence(ref.source, this.context.queries);
    if (!value || value.value === null)
      return value ? figureOf(measure, value, null, why) : missing(measure.unit, why);
    const evidence = this.context.register({
      kind: 'query',
      query: {
        ...single(ref.measure, ref.source, this.query.where),
        by: this.answer.query.by,
        split: this.answer.query.split,
      },
      key: entry.split === undefined ? { by: key } : { by: key, split: entry.split },
    });
    return figureOf(measure, value, evidence, why);
  }

  all(): ChartPoint[] {
    const by = this.answer.query.by;
    const about = this.context.about.feature;
    return [...this.#rows.values()].flatMap((groups) => {
      const [first] = groups;
      if (!first) return [];
      return {
        key: first.key === null ? '' : String(first.key),
        label: first.label,
        ref: first.ref,
        figures: this.series.map((entry) => this.figure(groups, entry, first.key)),
        subject: by === 'feature' && about !== null && first.key === about,
      };
    });
  }
}

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
      ? `${coverage.have} of ${coverage.of} have a ${measure.label} that counts${
          coverage.claimedOnly > 0 ? `; ${coverage.claimedOnly} only claimed` : ''
        }.`
      : null;
  return [whose, left].filter((part) => part !== null).join(' ') || null;
}

/** The six largest parts and the rest as one; refuses what is no whole of parts. */
function slices(
  points: ChartPoint[],
  answer: QueryAnswer,
  query: Query,
  context: ResolveContext,
): { points: ChartPoint[]; other: number } | 'donut_needs_parts' {
  const parts = points.filter(({ figures }) => (figures[0]?.value ?? 0) > 0);
  if (parts.length < 2 || points.some(({ figures }) => (figures[0]?.value ?? 0) < 0))
    return 'donut_needs_parts';
  const value = (point: ChartPoint) => point.figures[0]?.value ?? 0;
  if (parts.length <= LIMITS.slices) return { points: parts, other: 0 };
  const kept = new Set(parts.toSorted((a, b) => value(b) - value(a)).slice(0, LIMITS.slices));
  const rest = parts.filter((part) => !kept.has(part));
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
  return { points: [...parts.filter((part) => kept.has(part)), other], other: rest.length };
}
const order = (figure: Figure): number =>
  ['measured', 'derived', 'claimed', 'estimated', 'unknown'].indexOf(figure.basis);

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
  if (donut) {
    const parts = slices(points, answer, query, context);
    if (parts === 'donut_needs_parts') return codeCard(id, parts, title);
    ({ points: cut, other } = parts);
  }
  const { reference, evidence } = await referenceOf(block, measure, query, context);
  const figures = cut.flatMap((point) => point.figures);
  const subject = cut.filter((point) => point.subject).flatMap((point) => point.figures);
  const coverage = answer.coverage[0];
  const whole =
    coverage && measure.fact !== null && query.measures[0]?.source === 'counted' && block.size === 'all'
      ? { ...coverage, why: `${coverage.have} of ${coverage.of} have a ${measure.label} that counts.` }
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
      ...judge(figures, subject.length > 0 ? subject : figures, whole),
    }),
    type: 'chart',
    draw: block.draw,
    x: { label: dimension.label, kind: dimension.kind },
    y: { label: measure.label, unit: measure.unit },
    series: series.map(({ id: key, label, unit }) => ({ id: key, label, unit })),
    points: cut,
    reference,
    other,
  };
  return card;
}
