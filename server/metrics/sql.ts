import type { SqlValue } from '../record/store.ts';
import { Bindings, type Dialect, duckdb, lines } from './dialect.ts';
import type { CheckedQuery } from './fit.ts';
import type { Measure } from './measures.ts';
import type { QueryContext } from './query.ts';
import { type Parts, parts } from './scope.ts';

/** A statement and the values bound to it. */
export interface Compiled {
  sql: string;
  params: SqlValue[];
}

function aggregate(measure: Measure, dialect: Dialect): string {
  switch (measure.aggregate) {
    case 'sum':
      return dialect.sum('v', 'used');
    case 'mean':
      return dialect.mean('v', 'used');
    case 'median':
      return dialect.median('v', 'used');
    case 'p90':
      return dialect.p90('v', 'used');
    case 'quotient':
      return `${dialect.sum('v', 'used')} / CAST(nullif(${divisor(measure, dialect)}, 0) AS DOUBLE)`;
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

/** Sums are divided over the same rows; things are counted over all rows, priced or not. */
const divisor = ({ under }: Measure, dialect: Dialect): string =>
  under === undefined || under.of === 'column' || under.of === 'rows'
    ? dialect.sum('w', 'used')
    : 'count(DISTINCT w)';

/** The label of a group, where all of its rows have the same. */
const oneLabel = (label: string): string => `CASE WHEN min(${label}) = max(${label}) THEN min(${label}) END`;

/** The groups of one measure: its value, and the counts that say what it rests on. */
function groupsOf(
  { measure, source }: Parts,
  at: number,
  { by, split, where }: CheckedQuery,
  dialect: Dialect,
): string {
  const counts = measure.aggregate === 'count';
  const hits = 'count(*) FILTER (WHERE used AND hit)';
  const known = 'count(*) FILTER (WHERE used)';
  const names = [by === null ? null : 'k', split === null ? null : 's'].filter((name) => name !== null);
  // A sum over the whole run is in doubt where the file's own total is another one, whatever its rows say.
  const whole = by === null && split === null && where.length === 0 && measure.aggregate === 'sum';
  const totals =
    whole && (source === 'counted' || source === 'metrics')
      ? ` + (SELECT count(*) FROM findings d JOIN runs r ON r.run_id = d.run_id
    WHERE r.is_current AND d.rule = 'totals_differ' AND d.fact = '${measure.fact ?? ''}')`
      : '';
  const weakest = counts
    ? 'coalesce(max(rank) FILTER (WHERE used AND hit), max(rank) FILTER (WHERE used))'
    : 'max(rank) FILTER (WHERE used)';
  return lines([
    `SELECT ${at} AS m, ${names.map((name) => `${name}, ${oneLabel(`${name}l`)} AS ${name}l, min(${name}o) AS ${name}o, `).join('')}${aggregate(measure, dialect)} AS value,`,
    `${counts ? hits : known} AS n, ${hits} AS hits, ${known} AS known, count(*) AS rows_of,`,
    `count(*) FILTER (WHERE known AND NOT used) AS claimed, ${weakest} AS weakest,`,
    `${measure.leftOut === undefined ? '0' : 'count(*) FILTER (WHERE used AND lower)'} AS lower,`,
    `count(*) FILTER (WHERE used AND disputed${counts ? ' AND hit' : ''})${totals} AS disputed`,
    `FROM used${at}${names.length > 0 ? ` GROUP BY ${names.join(', ')}` : ''}`,
  ]);
}

const inOrder = (query: CheckedQuery, value: string): string =>
  query.order === 'natural'
    ? 'ko NULLS LAST, kl NULLS LAST, k NULLS LAST'
    : `${value} ${query.order === 'largest' ? 'DESC' : 'ASC'} NULLS LAST, ko NULLS LAST, k NULLS LAST`;

/** Over everything in scope, whatever the limit cuts off. */
const overall = (over: string): string =>
  lines(
    ['known AS have_all', 'rows_of AS of_all', 'claimed AS claimed_all'].map((entry) => {
      const [name, as] = entry.split(' AS ');
      return `CAST(sum(${name}) OVER (${over}) AS BIGINT) AS ${as}`;
    }),
    ', ',
  );

/**
 * Compiles a query into one statement. Its rows are cells: one a group, split and measure, in the order asked for.
 * Columns: m (which measure), value, n, hits, known, rows_of, claimed, weakest, lower, disputed; with a grouping also k, kl,
 * groups, valued, have_all, of_all, claimed_all; with a split also s, sl.
 * @throws QueryRefused for a filter bound that cannot be read
 */
export function compile(query: CheckedQuery, context: QueryContext, dialect: Dialect = duckdb): Compiled {
  const b = new Bindings(dialect);
  const compiled = query.measures.map((_, at) => parts(query, at, context, b, dialect));
  const rows = compiled.flatMap(({ ctes }) => ctes);
  const groups = compiled.map((part, at) => groupsOf(part, at, query, dialect));
  if (query.by === null)
    return { sql: `WITH ${rows.join(',\n')}\n${groups.join('\nUNION ALL ')}`, params: b.values };

  if (query.split === null && groups.length === 1) {
    const sql = `WITH ${[...rows, `cells AS (\n  ${groups[0] ?? ''})`].join(',\n')}
SELECT *, count(*) OVER () AS groups, count(value) OVER () AS valued, ${overall('')}
FROM cells ORDER BY ${inOrder(query, 'value')} LIMIT ${b.bind(query.limit)}`;
    return { sql, params: b.values };
  }
  // The limit is one of groups, not of cells: groups are ranked by their first measure over all splits.
  const top = compiled[0]?.measure.additive
    ? dialect.sum('value', 'm = 0')
    : `${query.order === 'smallest' ? 'min' : 'max'}(value) FILTER (WHERE m = 0)`;
  const cells = groups.map((_, at) => `SELECT * FROM cells${at}`).join(' UNION ALL ');
  const sql = `WITH ${[...rows, ...groups.map((group, at) => `cells${at} AS (\n  ${group})`)].join(',\n')},
cells AS (SELECT *, ${overall('PARTITION BY m')} FROM (${cells})),
tops AS (SELECT k, min(kl) AS kl, min(ko) AS ko, ${top} AS top FROM cells GROUP BY k),
ranked AS (SELECT k AS ranked_k, row_number() OVER (ORDER BY ${inOrder(query, 'top')}) AS pos,
  count(*) OVER () AS groups, count(top) OVER () AS valued FROM tops)
SELECT * FROM cells JOIN ranked ON ${dialect.same('k', 'ranked_k')}
WHERE pos <= ${b.bind(query.limit)} ORDER BY pos, ${query.split === null ? '' : 'so NULLS LAST, s NULLS LAST, '}m`;
  return { sql, params: b.values };
}
