import type { ChartPoint, ChartSeries, Figure } from '../../../shared/cards.ts';
import { type Query, single } from '../../metrics/query.ts';
import type { Group, QueryAnswer } from '../../metrics/run.ts';
import { absence } from '../facts.ts';
import type { ResolveContext } from './context.ts';
import { figureOf, missing } from './figure.ts';

/** One drawn value of one measure: its series, and where it is in a group. */
export interface SeriesPlan extends ChartSeries {
  /** Index of the measure in the query, and the split it stands for (undefined without a split). */
  at: number;
  split: string | number | null | undefined;
  source: string;
}

/** The series an answer is drawn in: one a measure, or one a split. */
export function seriesOf(answer: QueryAnswer): SeriesPlan[] {
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
export function labelled(series: SeriesPlan[], context: ResolveContext): SeriesPlan[] {
  const labels = series.map(({ label }) => label);
  return series.map((entry) => {
    if (labels.filter((label) => label === entry.label).length < 2) return entry;
    const source = context.queries.context.sources.find(({ kind }) => kind === entry.source)?.label;
    return { ...entry, label: `${entry.label}, ${source ?? entry.source}` };
  });
}

/** The points of a chart, one a group of `by`. */
export class Points {
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
