import type { Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import { SOURCE_KINDS } from '../record/store.ts';
import { DIMENSIONS, type Dimension, dimensionById } from './dimensions.ts';
import { MEASURES, type Measure, measureById } from './measures.ts';
import type { Query } from './query.ts';

/** Most filters of one query, and values of one filter. */
const MAX_WHERE = 16;
const MAX_VALUES = 500;

/**
 * A query that names something that does not exist, or things that do not go together.
 * `says` is a sentence for people; `nearest` the id that works in its place, or null.
 */
export class QueryRefused extends Error {
  constructor(
    readonly code: Extract<Code, 'block_unbound' | 'block_incompatible' | 'block_invalid'>,
    readonly says: string,
    readonly nearest: string | null,
  ) {
    super(nearest === null ? says : `${says} Nearest: ${nearest}`);
    this.name = 'QueryRefused';
  }
}

/** Whether results of this measure can be grouped or filtered by this dimension. */
export const fits = (measure: Measure, dimension: Dimension): boolean =>
  dimension.bases.includes(measure.base) && !(dimension.id === 'source' && measure.fact === null);

/** Dimensions a measure goes with, in the order of the list. */
export const dimensionsFor = (measure: Measure): Dimension[] =>
  DIMENSIONS.filter((dimension) => fits(measure, dimension));

/** What people group by most comes first when a grouping has to be replaced. */
const USUAL = ['category', 'order', 'feature', 'run'];

function nearestDimension(measures: readonly Measure[], wanted: Dimension): string | null {
  const able = DIMENSIONS.filter((dimension) => measures.every((measure) => fits(measure, dimension)));
  const usual = USUAL.flatMap((id) => able.filter((dimension) => dimension.id === id));
  const ordered = [...usual, ...able];
  return (ordered.find((dimension) => dimension.kind === wanted.kind) ?? ordered[0])?.id ?? null;
}

/** The listed id a wrong name most likely means: equal label or synonym, or one inside the other. */
function nearestName(
  name: string,
  list: readonly { id: string; label: string; synonyms: string[] }[],
): string | null {
  const wanted = name
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
  if (wanted.length < 3 || wanted.length > LIMITS.label) return null;
  const words = (entry: (typeof list)[number]) =>
    [entry.id.replaceAll('_', ' '), entry.label, ...entry.synonyms].map((word) => word.toLowerCase());
  const equal = list.find((entry) => words(entry).includes(wanted));
  const near = list.find((entry) =>
    words(entry).some((word) => word.length > 3 && (word.includes(wanted) || wanted.includes(word))),
  );
  return (equal ?? near)?.id ?? null;
}

/** Looks a measure up. Throws QueryRefused. */
export function measureOf(id: string): Measure {
  const measure = measureById(id);
  if (measure) return measure;
  throw new QueryRefused('block_unbound', 'There is no such measure.', nearestName(id, MEASURES));
}

/** Looks a dimension up. Throws QueryRefused. */
export function dimensionOf(id: string): Dimension {
  const dimension = dimensionById(id);
  if (dimension) return dimension;
  throw new QueryRefused('block_unbound', 'There is no such grouping.', nearestName(id, DIMENSIONS));
}

const isSource = (source: string): boolean =>
  source === 'counted' || source === 'each' || SOURCE_KINDS.some((kind) => kind === source);

/** A query whose names are all known and fit together, with the grouping `each` calls for. */
export interface CheckedQuery extends Query {
  readonly checked: true;
}

/**
 * Looks every name of a query up and makes sure they fit together.
 * A lone split becomes the grouping; `each` adds a split by source where none was asked for.
 * @returns the query in its normal form: equal questions give equal forms
 * @throws QueryRefused naming the nearest that works
 */
export function checkQuery(query: Query): CheckedQuery {
  if (query.measures.length === 0 || query.measures.length > LIMITS.series)
    throw new QueryRefused('block_invalid', 'A query has between one and four measures.', null);
  if (query.where.length > MAX_WHERE)
    throw new QueryRefused('block_invalid', 'A query has at most sixteen filters.', null);
  const measures = query.measures.map((ref) => measureOf(ref.measure));
  for (const { source } of query.measures)
    if (!isSource(source)) throw new QueryRefused('block_unbound', 'There is no such source.', 'counted');

  let by = query.by ?? query.split;
  let split = query.by === null || query.split === query.by ? null : query.split;
  if (query.measures.some(({ source }) => source === 'each') && by !== 'source' && split !== 'source') {
    if (by === null) by = 'source';
    else if (split === null) split = 'source';
    else
      throw new QueryRefused(
        'block_incompatible',
        'One value a source leaves room for one other grouping.',
        by,
      );
  }
  const used = [by, split, ...query.where.map((entry) => entry.dim)].flatMap((id) =>
    id === null ? [] : [dimensionOf(id)],
  );
  for (const dimension of used) {
    const measure = measures.find((entry) => !fits(entry, dimension));
    if (measure)
      throw new QueryRefused(
        'block_incompatible',
        `"${measure.label}" cannot be grouped or filtered by ${dimension.label}.`,
        nearestDimension(measures, dimension),
      );
  }
  for (const entry of query.where) {
    const dimension = dimensionOf(entry.dim);
    if (entry.type === 'in' && (entry.any_of.length === 0 || entry.any_of.length > MAX_VALUES))
      throw new QueryRefused('block_invalid', 'A filter needs at least one value.', null);
    if (entry.type === 'range' && dimension.kind === 'category' && dimension.id !== 'feature')
      throw new QueryRefused(
        'block_incompatible',
        `${dimension.label} has names, so it takes no range.`,
        null,
      );
  }
  const limit =
    query.limit === null
      ? LIMITS.queryRows
      : Math.max(1, Math.min(Math.floor(query.limit), LIMITS.queryRows));
  return {
    measures: query.measures,
    by,
    split,
    where: query.where,
    order: query.order,
    limit,
    checked: true,
  };
}
