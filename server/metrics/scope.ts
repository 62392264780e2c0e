import { SOURCE_KINDS } from '../record/store.ts';
import type { Bindings, Dialect } from './dialect.ts';
import { lines } from './dialect.ts';
import { type CheckedQuery, dimensionOf, measureOf } from './fit.ts';
import { type Axis, DISAGREE, type Frame, frameOf, JOINS, STATUS, STATUS_RANK } from './frame.ts';
import type { Measure } from './measures.ts';
import { type QueryContext, readerZone } from './query.ts';
import { condition } from './where.ts';

/** One measure's rows, compiled once for its groups and for the rows behind them. */
export interface Parts {
  measure: Measure;
  source: string;
  /** WITH entries; the last is `used<i>`: one row a base row (and teller), with what is counted marked. */
  ctes: string[];
}

/** A grouping in use: `k` for `by`, `s` for `split`. */
interface Grouping {
  name: 'k' | 's';
  axis: Axis;
  /** Read off the observation, not off the base row. */
  observed: boolean;
}

const sourceOrder = (column: string): string =>
  `CASE ${column} ${SOURCE_KINDS.map((kind, at) => `WHEN '${kind}' THEN ${at + 1}`).join(' ')} END`;

/** The source that tells is an axis of observations: who told the counted value, or (with `each`) who was asked. */
const tellerAxis = (source: string): Axis => {
  const key = source === 'each' ? 's.teller' : 'o.source_kind';
  return { key, label: null, order: sourceOrder(key), rank: null, joins: [] };
};

/** What counts as a hit for counts and ratios, and how strong the word is that it rests on. */
const hitOf = (measure: Measure, frame: Frame): { hit: string; rank: string; status: boolean } => {
  switch (measure.filter) {
    case 'accepted':
    case 'skipped':
    case 'pending':
    case 'blocked':
    case 'failed': {
      const hit = `${STATUS} = '${measure.filter}'`;
      // That a feature was not accepted follows from no source saying it was: derived, whoever else says what.
      const rank =
        measure.aggregate === 'ratio'
          ? `CASE WHEN ${hit} THEN ${STATUS_RANK} ELSE least(${STATUS_RANK}, 2) END`
          : STATUS_RANK;
      return { hit, rank, status: true };
    }
    case 'disputed':
      return { hit: DISAGREE, rank: '2', status: false };
    default: {
      const own = measure.filter === null ? undefined : frame.hits?.[measure.filter];
      const ranked = measure.column === undefined ? undefined : frame.ranks?.[measure.column];
      return {
        hit: own ?? 'TRUE',
        rank: ranked ?? frame.rank ?? (measure.base === 'finding' ? '2' : '1'),
        status: false,
      };
    }
  }
};

/** What a quotient's sum is divided by, of one row: a number, or the id of a thing. */
function underOf(under: NonNullable<Measure['under']>, frame: Frame, dialect: Dialect): string {
  switch (under.of) {
    case 'column':
      return `CAST(${frame.columns?.[under.column] ?? dialect.nullNumber} AS DOUBLE)`;
    case 'rows':
      return 'CAST(1 AS DOUBLE)';
    default:
      return frame.counted?.[under.of] ?? dialect.nullText;
  }
}

/** Observations of the fact for each row in scope, as the source asks for them. */
function observed(measure: Measure, source: string, frame: Frame, scope: string, b: Bindings): string {
  const fact = b.bind(measure.fact);
  const join = frame.observation ?? 'FALSE';
  if (source === 'counted')
    return `FROM ${scope} s LEFT JOIN counted o ON ${join} AND o.fact = ${fact} AND o.value IS NOT NULL`;
  const once = `(SELECT * FROM v_observation WHERE fact = ${fact} AND value IS NOT NULL AND first_word)`;
  if (source === 'each')
    return `FROM (SELECT s.*, t.source_kind AS teller FROM ${scope} s CROSS JOIN
    (SELECT DISTINCT source_kind FROM observations WHERE fact = ${fact} AND value IS NOT NULL) t) s
  LEFT JOIN ${once} o ON ${join} AND o.source_kind = s.teller`;
  return `FROM ${scope} s LEFT JOIN ${once} o ON ${join} AND o.source_kind = ${b.bind(source)}`;
}

/** One measure's rows: what is in scope, what was told of it, what of that is counted. */
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
  const counts = measure.fact === null;
  const source = counts ? 'counted' : ref.source;
  const frame = frameOf(measure.base, dialect, readerZone(context));
  const axisOf = (id: string): Axis | undefined => (id === 'source' ? tellerAxis(source) : frame.axes[id]);
  const grouping = (id: string | null, name: Grouping['name']): Grouping[] => {
    const axis = id === null ? undefined : axisOf(id);
    return axis ? [{ name, axis, observed: id === 'source' }] : [];
  };
  const groupings = [...grouping(query.by, 'k'), ...grouping(query.split, 's')];
  const filters = query.where.flatMap((where) => {
    const dimension = dimensionOf(where.dim);
    const axis = axisOf(dimension.id);
    return axis ? [{ where, dimension, axis, observed: dimension.id === 'source' }] : [];
  });
  const { hit, rank, status } = hitOf(measure, frame);
  const within = measure.filter === null ? undefined : frame.within?.[measure.filter];
  const column = measure.column === undefined ? undefined : frame.columns?.[measure.column];
  // "First try" is asked of accepted features only.
  const onlyAccepted = measure.filter === 'first_try';

  const axes = [...groupings, ...filters].map(({ axis }) => axis);
  const joined = new Set(axes.flatMap((axis) => axis.joins));
  if (status || onlyAccepted) joined.add('status');
  const ranks = [...new Set(axes.flatMap((axis) => axis.rank ?? []))];
  const anyRun = [query.by, query.split, ...query.where.map(({ dim }) => dim)].some(
    (id) => id === 'run' || id === 'phase',
  );
  const conditions = lines(
    [
      anyRun ? null : frame.current,
      onlyAccepted ? `${STATUS} = 'accepted'` : null,
      within ?? null,
      ...filters
        .filter((filter) => !filter.observed)
        .map(({ where, dimension, axis }) => condition(where, dimension, axis, context, b, dialect)),
    ],
    ' AND ',
  );
  const columns = ({ name, axis }: Grouping): string =>
    `${axis.key} AS ${name}, ${axis.label ?? dialect.nullText} AS ${name}l, CAST(${axis.order} AS DOUBLE) AS ${name}o`;
  const axisRank =
    ranks.length === 0 ? '0' : `greatest(0, ${ranks.map((entry) => `coalesce(${entry}, 0)`).join(', ')})`;
  const scope = `scope${at} AS (
  ${lines([
    `SELECT ${lines(
      [
        `${frame.row} AS row_id`,
        ...groupings.filter((entry) => !entry.observed).map(columns),
        counts
          ? `${hit} AS hit, greatest(${rank}, ${axisRank}) AS rank, ${rank} AS told_rank`
          : `${axisRank} AS axis_rank`,
        counts && status
          ? 'd_status.observation_id AS told_id, coalesce(d_status.disputed, FALSE) AS disputed'
          : null,
        counts && !status ? `${dialect.nullText} AS told_id, FALSE AS disputed` : null,
        counts ? `CAST(${column ?? '1'} AS DOUBLE) AS v` : null,
        measure.under === undefined ? null : `${underOf(measure.under, frame, dialect)} AS w`,
        measure.leftOut === undefined ? null : `coalesce(${frame.lower ?? 'FALSE'}, FALSE) AS lower`,
      ],
      ', ',
    )}`,
    `FROM ${frame.from}`,
    ...[...joined].map((name) => JOINS[name]),
    conditions === '' ? null : `WHERE ${conditions}`,
  ])})`;
  if (counts) {
    const used = `used${at} AS (
  SELECT *, v IS NOT NULL AS known, v IS NOT NULL AS used FROM scope${at})`;
    return { measure, source, ctes: [scope, used] };
  }
  const asked = filters.filter((filter) => filter.observed);
  const told = `told${at} AS (
  ${lines([
    `SELECT ${lines(
      [
        's.row_id',
        ...groupings.map((entry) =>
          entry.observed ? columns(entry) : `s.${entry.name}, s.${entry.name}l, s.${entry.name}o`,
        ),
        'o.observation_id AS told_id, o.value AS v, o.value IS NOT NULL AS known',
        `${onlyAccepted ? 'o.value = 1' : 'TRUE'} AS hit`,
        'o.rank AS told_rank, greatest(o.rank, s.axis_rank) AS rank',
        'coalesce(o.agreeing < o.told, FALSE) AS disputed',
      ],
      ', ',
    )}`,
    observed(measure, source, frame, `scope${at}`, b),
    asked.length === 0
      ? null
      : `WHERE ${asked
          .map(({ where, dimension, axis }) => condition(where, dimension, axis, context, b, dialect))
          .join(' AND ')}`,
  ])})`;
  // Claims are left out of an aggregate as soon as anything in scope was measured or derived.
  const rule =
    source === 'counted'
      ? 'known AND (told_rank <= 2 OR NOT coalesce(bool_or(told_rank <= 2) OVER (), FALSE))'
      : 'known';
  return {
    measure,
    source,
    ctes: [scope, told, `used${at} AS (\n  SELECT *, ${rule} AS used FROM told${at})`],
  };
}
