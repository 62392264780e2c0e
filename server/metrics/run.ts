import { BASES, type Basis } from '../../shared/cards.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { Row, SqlValue, Store } from '../record/store.ts';
import { dimensionById } from './dimensions.ts';
import { type CheckedQuery, checkQuery, measureOf } from './fit.ts';
import { groupLabel } from './labels.ts';
import { type Measure, BASES as ROWS } from './measures.ts';
import type { Query, QueryContext } from './query.ts';
import { type Compiled, compile } from './sql.ts';
import { type Interval, wilson } from './wilson.ts';

/** One measure's value in one group. */
export interface GroupValue {
  value: number | null;
  /** Rows it was computed from: those counted, or the denominator of a ratio. */
  n: number;
  /** Rows of the group that could have had it, and those with nothing but a claim that was left out. */
  of: number;
  claimedOnly: number;
  /** Weakest basis among its rows; `unknown` when there is none. */
  basis: Basis;
  /** Rows whose sources disagree; `disputed` is "any". */
  disputedRows: number;
  disputed: boolean;
  /** Interval of a ratio, else null. */
  interval: Interval | null;
  /** Why the true value is at least this one ("13 of 76 requests unpriced"); left out where it is the value itself. */
  atLeast?: string;
}

export interface Group {
  /** Value of the grouping; null is its own group, "not recorded". */
  key: string | number | null;
  label: string;
  /** Short id before the label, for features and requirements. */
  ref: string | null;
  split: { key: string | number | null; label: string } | null;
  /** One for each measure of the query, in its order. */
  values: GroupValue[];
}

/** How much of what is in scope had the figure. */
export interface Coverage {
  have: number;
  of: number;
  claimedOnly: number;
}

export interface QueryAnswer {
  query: CheckedQuery;
  measures: Measure[];
  groups: Group[];
  /** Groups of `by` there are, and those with a value, before the limit. */
  total: number;
  valued: number;
  /** Over everything in scope, one for each measure. */
  coverage: Coverage[];
  /** The row cap cut cells off. */
  truncated: boolean;
  sql: string;
  params: SqlValue[];
  ms: number;
}

const number = (row: Row, name: string): number => {
  const value = row[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
};
const numberOrNull = (row: Row, name: string): number | null => {
  const value = row[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};
const text = (row: Row, name: string): string | null => {
  const value = row[name];
  return typeof value === 'string' ? value : null;
};
const keyOf = (row: Row, name: string): string | number | null => {
  const value = row[name] ?? null;
  return typeof value === 'boolean' ? String(value) : value;
};

const basisOf = (rank: number | null): Basis => BASES[(rank ?? BASES.length) - 1] ?? 'unknown';

/** A value where there is no row at all: an empty scope counts to 0, everything else is missing. */
const nothing = (measure: Measure): GroupValue => ({
  value: measure.aggregate === 'count' ? 0 : null,
  n: 0,
  of: 0,
  claimedOnly: 0,
  basis: measure.aggregate === 'count' ? 'derived' : 'unknown',
  disputedRows: 0,
  disputed: false,
  interval: null,
});

/** Rows whose number is not known, or of which it is only a part: "13 of 76 requests unpriced", or null when there are none. */
function partial(row: Row, measure: Measure): string | null {
  if (measure.leftOut === undefined) return null;
  const of = number(row, 'rows_of');
  const without = of - number(row, 'known');
  const lower = number(row, 'lower');
  const parts = [
    ...(without > 0
      ? [
          `${without} of ${of} ${of === 1 ? ROWS[measure.base].one : ROWS[measure.base].many} ${measure.leftOut}`,
        ]
      : []),
    ...(lower > 0 ? [`${lower} of ${of} counted only in part`] : []),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

function cellValue(row: Row, measure: Measure): GroupValue {
  const value = numberOrNull(row, 'value');
  const n = number(row, 'n');
  const atLeast = partial(row, measure);
  const disputedRows = number(row, 'disputed');
  const rank = numberOrNull(row, 'weakest');
  return {
    value,
    n,
    of: number(row, 'rows_of'),
    claimedOnly: number(row, 'claimed'),
    basis: value !== null && rank === null ? 'derived' : basisOf(rank),
    disputedRows,
    disputed: disputedRows > 0,
    interval: measure.aggregate === 'ratio' ? wilson(number(row, 'hits'), n) : null,
    ...(atLeast === null ? {} : { atLeast }),
  };
}

/** Dimensions whose keys are ids that people know. */
const REFERRED = new Set(['feature', 'requirement']);

/** Reads the cells of `compile` back into groups. Exported for its tests. */
export function readCells(
  query: CheckedQuery,
  rows: readonly Row[],
  context: QueryContext,
): Pick<QueryAnswer, 'groups' | 'total' | 'valued' | 'coverage' | 'measures'> {
  const measures = query.measures.map((ref) => measureOf(ref.measure));
  const by = query.by === null ? undefined : dimensionById(query.by);
  const split = query.split === null ? undefined : dimensionById(query.split);
  const groups = new Map<string, Group>();
  const coverage: Coverage[] = measures.map(() => ({ have: 0, of: 0, claimedOnly: 0 }));
  for (const row of rows) {
    const at = number(row, 'm');
    const measure = measures[at];
    if (!measure) continue;
    coverage[at] = {
      have: number(row, by ? 'have_all' : 'known'),
      of: number(row, by ? 'of_all' : 'rows_of'),
      claimedOnly: number(row, by ? 'claimed_all' : 'claimed'),
    };
    const key = keyOf(row, 'k');
    const splitKey = keyOf(row, 's');
    const id = JSON.stringify([key, splitKey]);
    let group = groups.get(id);
    if (!group) {
      group = {
        key,
        label: by ? groupLabel(by, key, text(row, 'kl'), context) : 'all',
        ref: by !== undefined && REFERRED.has(by.id) && key !== null ? String(key) : null,
        split: split ? { key: splitKey, label: groupLabel(split, splitKey, text(row, 'sl'), context) } : null,
        values: measures.map(nothing),
      };
      groups.set(id, group);
    }
    group.values[at] = cellValue(row, measure);
  }
  const first = rows[0];
  return {
    measures,
    groups: [...groups.values()],
    total: by ? (first ? number(first, 'groups') : 0) : 1,
    valued: by ? (first ? number(first, 'valued') : 0) : 1,
    coverage,
  };
}

/**
 * Checks, compiles and runs a query.
 * @returns groups in the order asked for; without `by` exactly one
 * @throws QueryRefused when names are unknown or do not fit; QueryError when the store fails or runs out of time
 */
export async function runQuery(
  store: Store,
  query: Query,
  context: QueryContext,
  ms: number = LIMITS.queryMs,
): Promise<QueryAnswer> {
  const checked = checkQuery(query);
  const compiled: Compiled = compile(checked, context);
  const result = await store.query(compiled.sql, compiled.params, { rows: LIMITS.queryRows, ms });
  return {
    query: checked,
    ...readCells(checked, result.rows, context),
    truncated: result.truncated,
    sql: compiled.sql,
    params: compiled.params,
    ms: result.ms,
  };
}
