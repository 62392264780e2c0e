import type { SqlValue } from '../record/store.ts';
import { Bindings, type Dialect, duckdb } from './dialect.ts';
import { eventRows } from './event-rows.ts';
import type { CheckedQuery } from './fit.ts';
import type { Measure } from './measures.ts';
import type { QueryContext } from './query.ts';
import { parts } from './scope.ts';
import type { Compiled } from './sql.ts';

/** Key of one group: what `by` and `split` are in it. `undefined` leaves the axis open. */
export interface GroupKey {
  by?: string | number | null;
  split?: string | number | null;
}

/** Of the rows of a finding, the one to name it by: an observation before a mere place. */
export const FIRST_ROW = 'observation_id IS NULL, source_id, source_line';

/**
 * Compiles the rows behind one group of one measure: the words of the sources on it, the counted ones first.
 * Columns: row_id, ref, label, value, basis, source_id, source_kind, source, line, counted, how, total; and fact, where rows
 * of one figure tell different facts.
 * @param key the group; without it everything in scope
 * @param rows how many rows to give
 */
export function compileRows(
  query: CheckedQuery,
  at: number,
  key: GroupKey,
  rows: number,
  context: QueryContext,
  dialect: Dialect = duckdb,
): Compiled {
  const b = new Bindings(dialect);
  const { measure, source, ctes } = parts(query, at, context, b, dialect);
  const groups = [
    key.by === undefined || query.by === null ? null : dialect.same('u.k', b.bind(key.by)),
    key.split === undefined || query.split === null ? null : dialect.same('u.s', b.bind(key.split)),
  ].filter((entry) => entry !== null);
  const inGroup = groups.length > 0 ? groups.join(' AND ') : 'TRUE';
  const tail = `ORDER BY counted DESC, ord NULLS LAST, ref NULLS LAST, rank NULLS LAST, source_kind, line NULLS LAST LIMIT ${b.bind(rows)}`;
  const head = `WITH ${ctes.join(',\n')}\nSELECT *, count(*) OVER () AS total FROM (`;
  const body = rowsBody(measure, source, at, inGroup, b);
  return { sql: `${head}${body}) ${tail}`, params: b.values };
}

/**
 * A statement of one's own over the rows a query has in scope: what its filters leave of its first measure's base rows.
 * Filters mean the same as everywhere; only what is read of the rows is the caller's.
 * @param select given the relation of those rows (columns row_id, hit) and a way to bind values, writes a SELECT
 * @throws QueryRefused for a filter that cannot be read
 */
export function compileOver(
  query: CheckedQuery,
  context: QueryContext,
  select: (scope: string, bind: (value: SqlValue) => string) => string,
  dialect: Dialect = duckdb,
): Compiled {
  const b = new Bindings(dialect);
  const { ctes } = parts(query, 0, context, b, dialect);
  const body = select('(SELECT row_id, hit FROM used0 WHERE used)', (value) => b.bind(value));
  return { sql: `WITH ${ctes.join(',\n')}\n${body}`, params: b.values };
}

function rowsBody(measure: Measure, source: string, at: number, inGroup: string, b: Bindings): string {
  const sources = 'LEFT JOIN sources x ON x.source_id =';
  switch (measure.base) {
    case 'commit':
      return `SELECT u.row_id, substr(c.sha, 1, 7) AS ref, c.subject AS label, CAST(1 AS DOUBLE) AS value, 'measured' AS basis, c.source_id,
        x.kind AS source_kind, x.label AS source, c.source_line AS line, TRUE AS counted, 'one commit' AS how, c.at_ms AS ord, 1 AS rank
        FROM used${at} u JOIN commits c ON c.commit_id = u.row_id ${sources} c.source_id WHERE ${inGroup} AND u.used AND u.hit`;
    case 'finding':
      return `SELECT u.row_id, CAST(NULL AS VARCHAR) AS ref, d.says AS label, CAST(1 AS DOUBLE) AS value, 'derived' AS basis, w.source_id,
        x.kind AS source_kind, x.label AS source, w.source_line AS line, TRUE AS counted, d.rule AS how, f.ord AS ord, 2 AS rank
        FROM used${at} u JOIN findings d ON d.finding_id = u.row_id LEFT JOIN features f ON f.feature_id = d.feature_id
        LEFT JOIN (SELECT *, row_number() OVER (PARTITION BY finding_id ORDER BY ${FIRST_ROW}) AS pick FROM finding_rows) w
          ON w.finding_id = d.finding_id AND w.pick = 1 ${sources} w.source_id WHERE ${inGroup} AND u.used AND u.hit`;
    case 'gate_event':
    case 'requirement':
    case 'attempt':
    case 'log_event':
    case 'test_result':
    case 'own_answer':
    case 'request':
    case 'session':
    case 'tool_call':
    case 'session_time':
      return eventRows(measure.base, `used${at}`, measure.column !== undefined, inGroup);
    case 'feature':
    case 'run': {
      // That sources disagree rests on what they say, not on the list of features.
      if (measure.filter === 'disputed')
        return `SELECT u.row_id, f.ext_id AS ref, d.says AS label, o.value AS value, coalesce(o.fact, d.fact) AS fact,
          coalesce(o.basis, 'derived') AS basis, w.source_id, x.kind AS source_kind, x.label AS source, w.source_line AS line, TRUE AS counted,
          coalesce(o.how, d.rule) AS how, f.ord AS ord, basis_rank(o.basis) AS rank
          FROM used${at} u JOIN features f ON f.feature_id = u.row_id
          JOIN findings d ON d.feature_id = u.row_id AND d.rule = 'sources_disagree'
          LEFT JOIN finding_rows w ON w.finding_id = d.finding_id LEFT JOIN observations o ON o.observation_id = w.observation_id
          ${sources} w.source_id WHERE ${inGroup} AND u.used AND u.hit`;
      if (measure.fact === null)
        return `SELECT u.row_id, f.ext_id AS ref, f.title AS label, CAST(CASE WHEN u.hit THEN 1 ELSE 0 END AS DOUBLE) AS value,
          coalesce(o.basis, CASE u.told_rank WHEN 1 THEN 'measured' ELSE 'derived' END) AS basis, coalesce(o.source_id, f.source_id) AS source_id,
          x.kind AS source_kind, x.label AS source, coalesce(o.source_line, f.source_line) AS line, TRUE AS counted,
          coalesce(o.how, 'listed') AS how, f.ord AS ord, u.told_rank AS rank
          FROM used${at} u JOIN features f ON f.feature_id = u.row_id LEFT JOIN observations o ON o.observation_id = u.told_id
          ${sources} coalesce(o.source_id, f.source_id)
          WHERE ${inGroup} AND u.used AND ${measure.aggregate === 'ratio' ? 'TRUE' : 'u.hit'}`;
      const tie =
        source === 'counted'
          ? `o.fact = ${b.bind(measure.fact)} AND ${
              measure.base === 'run'
                ? 'o.run_id = u.row_id AND o.feature_id IS NULL'
                : 'o.feature_id = u.row_id'
            }`
          : 'o.observation_id = u.told_id';
      return `SELECT u.row_id, f.ext_id AS ref, coalesce(f.title, r.name) AS label, o.value AS value, o.basis AS basis, o.source_id,
        o.source_kind AS source_kind, x.label AS source, o.source_line AS line, coalesce(u.used AND o.observation_id = u.told_id, FALSE) AS counted,
        o.how AS how, f.ord AS ord, o.rank AS rank
        FROM used${at} u JOIN v_observation o ON ${tie} LEFT JOIN features f ON f.feature_id = o.feature_id
        LEFT JOIN runs r ON r.run_id = o.run_id ${sources} o.source_id WHERE ${inGroup} AND o.value IS NOT NULL${others(measure, at, inGroup)}`;
    }
  }
}

/** Further rows that one figure rests on: a time that runs between two places rests on both of them. */
function others(measure: Measure, at: number, inGroup: string): string {
  if (measure.fact !== 'elapsed') return '';
  return `
        UNION ALL SELECT u.row_id, CAST(NULL AS VARCHAR) AS ref, 'the run begins' AS label, CAST(NULL AS DOUBLE) AS value,
        CASE WHEN x.kind IN ('git', 'progress_log') THEN 'measured' ELSE 'claimed' END AS basis, r.source_id, x.kind AS source_kind,
        x.label AS source, r.source_line AS line, TRUE AS counted, 'start of the time' AS how, CAST(NULL AS INTEGER) AS ord, 4 AS rank
        FROM used${at} u JOIN observations o ON o.observation_id = u.told_id AND o.basis = 'derived' JOIN runs r ON r.run_id = u.row_id
        JOIN sources x ON x.source_id = r.source_id WHERE ${inGroup}`;
}
