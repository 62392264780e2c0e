import type { MeasureRef, Where } from '../../shared/plan.ts';
import type { SourceKind } from '../record/store.ts';

/** How groups are put in order: `natural` is by number, time or the order of the record; the others by the first measure. */
export type GroupOrder = 'natural' | 'largest' | 'smallest';

/**
 * The one query form: what facts, charts and tables of a plan become. Everything in it is a name to be looked up
 * or a value to be bound; none of it is ever SQL.
 */
export interface Query {
  /** At least one; `source` is `counted`, `each` or a source kind. */
  measures: readonly MeasureRef[];
  by: string | null;
  split: string | null;
  where: readonly Where[];
  order: GroupOrder;
  /** Most groups of `by` to give; null is LIMITS.queryRows. */
  limit: number | null;
}

/** What a query needs to know of the record besides its names: the zone clock times are meant in, and what sources are called. */
export interface QueryContext {
  zone: string;
  /** Zone of the person who reads: days, months and hours of sessions are its. Without it they are those of the run. */
  readerZone?: string;
  startedAtMs: number | null;
  sources: readonly { kind: SourceKind; label: string }[];
}

/** Zone that days, months and hours of sessions are told in. */
export const readerZone = ({ zone, readerZone: own }: QueryContext): string => own ?? zone;

/** A query of one measure over everything in scope, to be widened with a spread. */
export const single = (measure: string, source: string, where: readonly Where[] = []): Query => ({
  measures: [{ measure, source }],
  by: null,
  split: null,
  where,
  order: 'natural',
  limit: null,
});

/** The filter that leaves one feature. */
export const onlyFeature = (id: string): Where => ({ type: 'in', dim: 'feature', not: false, any_of: [id] });
