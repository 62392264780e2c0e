import type { SqlValue } from '../record/store.ts';
import { SOURCE_KINDS } from '../record/store.ts';
import { Bindings, type Dialect, duckdb } from './dialect.ts';
import { type CheckedQuery, dimensionOf, measureOf } from './fit.ts';
import { type Axis, DISAGREE, type Frame, frameOf, JOINS, STATUS, STATUS_RANK } from './frame.ts';
import type { Measure } from './measures.ts';
import type { QueryContext } from './query.ts';
import { condition } from './where.ts';

/** A statement and the values bound to it. */
export interface Compiled {
  sql: string;
  params: SqlValue[];
}

/** Everything one measure's rows need, compiled once for groups and for the rows behind them. */
export interface Parts {
  measure: Measure;
  source: string;
  /** WITH entries that end in `used<i>`. */
  ctes: string[];
  fact: string | null;
}

const OBSERVED: Axis = {
  key: 'o.source_kind',
  label: null,
  order: `CASE o.source_kind ${SOURCE_KINDS.map((kind, at) => `WHEN '${kind}' THEN ${at + 1}`).join(' ')} END`,
  rank: null,
  joins: [],
};

const filterHit = (measure: Measure): { hit: string; rank: string; joins: (keyof typeof JOINS)[] } => {
  switch (measure.filter) {
    case 'accepted':
    case 'skipped':
    case 'pending': {
      const hit = `${STATUS} = '${measure.filter}'`;
      // That a feature was not accepted follows from no source saying it was: derived, whoever else says what.
      const rank =
        measure.aggregate === 'ratio'
          ? `CASE WHEN ${hit} THEN ${STATUS_RANK} ELSE least(${STATUS_RANK}, 2) END`
          : STATUS_RANK;
      return { hit, rank, joins: ['status'] };
    }
    case 'disputed':
      return { hit: DISAGREE, rank: '2', joins: [] };
    default:
      return { hit: 'TRUE', rank: measure.base === 'finding' ? '2' : '1', joins: [] };
  }
};

/** Observations of the fact for each row in scope, as the source asks for them. */
function observed(measure: Measure, source: string, frame: Frame, scope: string, b: Bindings): string {
  const fact = b.bind(measure.fact);
  const join = frame.observation ?? 'FALSE';
  if (source === 'counted')
    return `FROM ${scope} s LEFT JOIN counted o ON ${join} AND o.fact = ${fact} AND o.value IS NOT NULL`;
  // A source may tell a fact twice; its strongest word stands for it.
  const once = `(SELECT * EXCLUDE (turn) FROM (SELECT *, row_number() OVER
    (PARTITION BY run_id, feature_id, source_kind ORDER BY rank, observation_id) AS turn
    FROM v_observation WHERE fact = ${fact} AND value IS NOT NULL) WHERE turn = 1)`;
  if (source === 'each')
    return `FROM (SELECT s.*, t.source_kind AS teller FROM ${scope} s CROSS JOIN
      (SELECT DISTINCT source_kind FROM observations WHERE fact = ${fact} AND value IS NOT NULL) t) s
      LEFT JOIN ${once} o ON ${join} AND o.source_kind = s.teller`;
  return `FROM ${scope} s LEFT JOIN ${once} o ON ${join} AND o.source_kind = ${b.bind(source)}`;
}

/** One measure's rows: scope, then what was told, then which of it is counted. */
export function parts(
  query: CheckedQuery,
  at: number,
  context: QueryContext,
  b: Bindings,
  dialect: Dialect,
): Parts {
  const ref = query.measures[at];
  if (!ref) throw new Error('no such measure in the query');
  const measure = measureOf(ref.measure);
  const frame = frameOf(measure.base, dialect);
  const source = measure.fact === null ? 'counted' : ref.source;
  const axisOf = (id: string | null): Axis | null =>
    id === null ? null : id === 'source' ? OBSERVED : (frame.axes[id] ?? null);
  const by = axisOf(query.by);
  const split = axisOf(query.split);
  const filters = query.where.map((where) => ({ where, dimension: dimensionOf(where.dim) }));
  const own = filters.filter(({ dimension }) => dimension.id !== 'source');
  const { hit, rank, joins } = filterHit(measure);

  const used = [by, split, ...own.map(({ dimension }) => axisOf(dimension.id))].filter(
    (axis) => axis !== null,
  );
  const joined = new Set([...used.flatMap((axis) => axis.joins), ...joins]);
  // "First try" is asked of accepted features only.
  const onlyAccepted = measure.filter === 'first_try';
  if (onlyAccepted) joined.add('status');
  const ranks = [...new Set(used.flatMap((axis) => axis.rank ?? []))];
  const anyRun = [query.by, query.split, ...filters.map(({ dimension }) => dimension.id)].some(
    (id) => id === 'run' || id === 'phase',
  );
  const conditions = [
    anyRun ? null : frame.current,
    onlyAccepted ? `${STATUS} = 'accepted'` : null,
    ...own.map(({ where, dimension }) => {
      const axis = axisOf(dimension.id);
      return axis ? condition(where, dimension, axis, context, b, dialect) : null;
    }),
  ].filter((entry) => entry !== null);
  const plain = (axis: Axis | null): Axis | null => (axis === OBSERVED ? null : axis);
  const column = (axis: Axis | null, name: string) =>
    `${axis?.key ?? dialect.nullText} AS ${name}, ${axis?.label ?? dialect.nullText} AS ${name}l, ${axis ? `CAST(${axis.order} AS DOUBLE)` : dialect.nullNumber} AS ${name}o`;
  const counts = measure.fact === null;
  const scope = `scope${at} AS (SELECT ${frame.row} AS row_id, ${column(plain(by), 'k')}, ${column(plain(split), 's')},
    greatest(0, ${ranks.length === 0 ? '0' : ranks.map((entry) => `coalesce(${entry}, 0)`).join(', ')}) AS axis_rank,
    ${counts && joins.includes('status') ? 'd_status.observation_id' : dialect.nullText} AS told_id,
    ${counts && joins.includes('status') ? 'coalesce(d_status.disputed, FALSE)' : 'FALSE'} AS told_disputed,
    ${counts ? hit : 'TRUE'} AS hit, ${counts ? rank : '0'} AS hit_rank
    FROM ${frame.from} ${[...joined].map((name) => JOINS[name]).join(' ')}
    ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''})`;

  const again = (axis: Axis | null, name: string) =>
    axis === OBSERVED
      ? `${source === 'each' ? 's.teller' : 'o.source_kind'} AS ${name}, ${dialect.nullText} AS ${name}l, CAST(${
          source === 'each' ? OBSERVED.order.replace('o.source_kind', 's.teller') : OBSERVED.order
        } AS DOUBLE) AS ${name}o`
      : `s.${name}, s.${name}l, s.${name}o`;
  const bySource = filters
    .filter(({ dimension }) => dimension.id === 'source')
    .map(({ where, dimension }) => condition(where, dimension, OBSERVED, context, b, dialect));
  const told = counts
    ? `told${at} AS (SELECT s.row_id, s.k, s.kl, s.ko, s.s, s.sl, s.so, s.told_id AS told_id, CAST(1 AS DOUBLE) AS v,
        TRUE AS known, s.hit, s.hit_rank AS told_rank, greatest(s.hit_rank, s.axis_rank) AS rank, s.told_disputed AS disputed
        FROM scope${at} s)`
    : `told${at} AS (SELECT s.row_id, ${again(by, 'k')}, ${again(split, 's')}, o.observation_id AS told_id, o.value AS v,
        o.value IS NOT NULL AS known, ${onlyAccepted ? 'o.value = 1' : 'TRUE'} AS hit, o.rank AS told_rank,
        greatest(o.rank, s.axis_rank) AS rank, coalesce(o.agreeing < o.told, FALSE) AS disputed
        ${observed(measure, source, frame, `scope${at}`, b)}
        ${bySource.length > 0 ? `WHERE ${bySource.join(' AND ')}` : ''})`;
  // Claims are left out of an aggregate as soon as anything in scope was measured or derived.
  const rule = !counts && source === 'counted';
  const usedCte = `used${at} AS (SELECT *, known${
    rule ? ` AND (told_rank <= 2 OR NOT coalesce(bool_or(told_rank <= 2) OVER (), FALSE))` : ''
  } AS used FROM told${at})`;
  return { measure, source, ctes: [scope, told, usedCte], fact: measure.fact };
}

function aggregate(measure: Measure, dialect: Dialect): string {
  switch (measure.aggregate) {
    case 'sum':
      return dialect.sum('v', 'used');
    case 'mean':
      return dialect.mean('v', 'used');
    case 'median':
      return dialect.median('v', 'used');
    case 'min':
      return 'min(v) FILTER (WHERE used)';
    case 'max':
      return 'max(v) FILTER (WHERE used)';
    case 'count':
      return 'CAST(count(*) FILTER (WHERE used AND hit) AS DOUBLE)';
    case 'ratio':
      return 'count(*) FILTER (WHERE used AND hit) / CAST(nullif(count(*) FILTER (WHERE used), 0) AS DOUBLE)';
  }
}

/**
 * Compiles a query into one statement. Its rows are cells: one a group, split and measure, in the order asked for.
 * Columns: pos, groups, valued, m, k, kl, s, sl, value, n, hits, known, rows_of, claimed, weakest, disputed,
 * and over everything in scope: have_all, of_all, claimed_all.
 * @throws QueryRefused for a filter bound that cannot be read
 */
export function compile(query: CheckedQuery, context: QueryContext, dialect: Dialect = duckdb): Compiled {
  const b = new Bindings(dialect);
  const compiled = query.measures.map((_, at) => parts(query, at, context, b, dialect));
  const grouping = [query.by === null ? null : 'k', query.split === null ? null : 's'].filter(
    (x) => x !== null,
  );
  const groups = compiled.map(({ measure }, at) => {
    const key = (name: string, on: boolean) =>
      on
        ? `${name}, min(${name}l) AS ${name}l, min(${name}o) AS ${name}o`
        : `${dialect.nullText} AS ${name}, ${dialect.nullText} AS ${name}l, ${dialect.nullNumber} AS ${name}o`;
    const hits = 'count(*) FILTER (WHERE used AND hit)';
    const counts = measure.aggregate === 'count';
    const weakest = 'max(rank) FILTER (WHERE used';
    return `m${at} AS (SELECT ${at} AS m, ${key('k', query.by !== null)}, ${key('s', query.split !== null)},
    ${aggregate(measure, dialect)} AS value, ${counts ? hits : 'count(*) FILTER (WHERE used)'} AS n, ${hits} AS hits,
    count(*) FILTER (WHERE used) AS known, count(*) AS rows_of, count(*) FILTER (WHERE known AND NOT used) AS claimed,
    ${counts ? `coalesce(${weakest} AND hit), ${weakest}))` : `${weakest})`} AS weakest,
    count(*) FILTER (WHERE used AND disputed${counts ? ' AND hit' : ''}) AS disputed
    FROM used${at}${grouping.length > 0 ? ` GROUP BY ${grouping.join(', ')}` : ''})`;
  });
  const first = compiled[0]?.measure;
  const top = first?.additive
    ? dialect.sum('value', 'm = 0')
    : `${query.order === 'smallest' ? 'min' : 'max'}(value) FILTER (WHERE m = 0)`;
  const order =
    query.order === 'natural'
      ? 'ko ASC NULLS LAST, kl ASC NULLS LAST, k ASC NULLS LAST'
      : `top ${query.order === 'largest' ? 'DESC' : 'ASC'} NULLS LAST, ko ASC NULLS LAST, k ASC NULLS LAST`;
  const all = (name: string) => `CAST(sum(${name}) OVER (PARTITION BY m) AS BIGINT) AS`;
  const sql = `WITH ${[...compiled.flatMap(({ ctes }) => ctes), ...groups].join(',\n')},
cells AS (SELECT *, ${all('known')} have_all, ${all('rows_of')} of_all, ${all('claimed')} claimed_all
  FROM (${compiled.map((_, at) => `SELECT * FROM m${at}`).join(' UNION ALL ')})),
tops AS (SELECT k, min(kl) AS kl, min(ko) AS ko, ${top} AS top FROM cells GROUP BY k),
ranked AS (SELECT k AS rk, row_number() OVER (ORDER BY ${order}) AS pos, count(*) OVER () AS groups, count(top) OVER () AS valued FROM tops)
SELECT pos, groups, valued, m, k, kl, s, sl, value, n, hits, known, rows_of, claimed, weakest, disputed, have_all, of_all, claimed_all
FROM cells JOIN ranked ON ${dialect.same('k', 'rk')}
WHERE pos <= ${b.bind(query.limit)} ORDER BY pos, so NULLS LAST, s NULLS LAST, m`;
  return { sql, params: b.values };
}
