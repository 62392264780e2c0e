import type { Dialect } from './dialect.ts';
import { eventFrame, kindRank } from './event-frames.ts';
import { type Counted, isOfSessions, type Measure } from './measures.ts';
import { sessionFrame } from './session-frames.ts';

/** A dimension as SQL over one frame: its key, what it is ordered by, and the basis its value rests on. */
export interface Axis {
  key: string;
  /** Text people read where the key alone does not say it; left out for a group of which it is not one and the same. */
  label: string | null;
  order: string;
  /** Strength (basis_rank) of what the value was read from; null when it is a plain property. */
  rank: string | null;
  /** Joins it needs, from JOINS. */
  joins: readonly (keyof typeof JOINS)[];
  /** A time that is read in the zone of the reader, not in that of the run. */
  reader?: true;
}

const countedJoin = (alias: string, fact: string): string =>
  `LEFT JOIN counted ${alias} ON ${alias}.feature_id = f.feature_id AND ${alias}.fact = '${fact}'`;

/** Joins that only some dimensions and measures need: a query names those it uses, no others enter it. */
export const JOINS = {
  status: countedJoin('d_status', 'status'),
  score: countedJoin('d_score', 'score'),
  attempts: countedJoin('d_attempts', 'attempts'),
  build_time: countedJoin('d_time', 'build_time'),
  lines_added: countedJoin('d_lines', 'lines_added'),
  completed: countedJoin('d_done', 'completed_at'),
  // Only what was accepted has a place, and what merely a claim accepts has none beside what was measured.
  order: `LEFT JOIN (SELECT feature_id, rank, row_number() OVER (PARTITION BY run_id ORDER BY value, feature_id) AS place
    FROM (SELECT t.run_id, t.feature_id, t.value, greatest(t.rank, st.rank) AS rank,
        min(greatest(t.rank, st.rank)) OVER (PARTITION BY t.run_id) AS strongest
      FROM counted t JOIN counted st ON st.feature_id = t.feature_id AND st.fact = 'status'
      WHERE t.fact = 'completed_at' AND t.feature_id IS NOT NULL AND st.text_value = 'accepted')
    WHERE rank <= 2 OR strongest > 2) d_order ON d_order.feature_id = f.feature_id`,
} as const;

export const STATUS = `coalesce(d_status.text_value, 'pending')`;
/** No word about a feature is itself read off the record: derived. */
export const STATUS_RANK = 'coalesce(d_status.rank, 2)';
export const DISAGREE = `EXISTS (SELECT 1 FROM findings x WHERE x.feature_id = f.feature_id AND x.rule = 'sources_disagree')`;

const number = (key: string, rank: string, join: keyof typeof JOINS): Axis => ({
  key,
  label: null,
  order: key,
  rank,
  joins: [join],
});
/** A number or time that as a rule one feature has: it is read with the feature's title. */
const named = (key: string, rank: string, join: keyof typeof JOINS): Axis => ({
  ...number(key, rank, join),
  label: 'f.title',
});
const place = (expression: string, values: readonly string[]): string =>
  `CASE ${expression} ${values.map((value, at) => `WHEN '${value}' THEN ${at + 1}`).join(' ')} ELSE ${values.length + 1} END`;

type Columns = Readonly<Partial<Record<NonNullable<Measure['column']>, string>>>;
type Conditions = Readonly<Partial<Record<NonNullable<Measure['filter']>, string>>>;

/** Rows a measure counts or sums, before grouping. */
export interface Frame {
  from: string;
  /** Id that observations are joined by. */
  row: string;
  /** Condition that ties an observation `o` to the row. */
  observation: string | null;
  /** Condition for the current run only. */
  current: string;
  axes: Readonly<Record<string, Axis>>;
  /** How far the word of a row goes, as basis_rank, where rows are no observations and no commits. */
  rank?: string;
  /** Conditions of counts and ratios, and of the rows a ratio is asked of at all. */
  hits?: Conditions;
  within?: Conditions;
  /** Numbers of the row itself, and their own basis_rank where it is not that of the row. */
  columns?: Columns;
  ranks?: Columns;
  /** Whether a number of the row is only a lower bound. */
  lower?: string;
  /** Ids of things a row names, to be counted each once. */
  counted?: Readonly<Record<Counted, string>>;
}

const RUN: Axis = { key: 'r.run_id', label: 'r.name', order: 'r.seq', rank: null, joins: [] };
/** A record is of one project: every row has it. What sets projects side by side asks each record (server/workspace/comparison). */
const PROJECT: Axis = {
  key: '(SELECT min(project_id) FROM projects)',
  label: '(SELECT min(name) FROM projects)',
  order: 'NULL',
  rank: null,
  joins: [],
};
const commonAxes = (): Record<string, Axis> => ({
  feature: { key: 'f.ext_id', label: 'f.title', order: 'f.ord', rank: null, joins: [] },
  category: { key: 'f.category', label: null, order: 'f.ord', rank: null, joins: [] },
  run: RUN,
  project: PROJECT,
});

const statusAxis = (): Axis => ({
  key: STATUS,
  label: null,
  order: place(STATUS, ['accepted', 'in_progress', 'blocked', 'failed', 'skipped', 'pending']),
  rank: STATUS_RANK,
  joins: ['status'],
});

/**
 * The frames by base. `source` is an axis of observations and is added in sql.ts.
 * @param zone zone of days and hours: the reader's
 */
export function frameOf(base: Measure['base'], dialect: Dialect, zone: string): Frame {
  const common = commonAxes();
  if (isOfSessions(base)) return sessionFrame(base, { common, status: statusAxis(), kindRank, zone });
  switch (base) {
    case 'feature':
      return {
        from: 'features f JOIN runs r ON r.run_id = f.run_id',
        row: 'f.feature_id',
        observation: 'o.feature_id = s.row_id',
        current: 'r.is_current',
        axes: {
          ...common,
          status: statusAxis(),
          order: named('d_order.place', 'd_order.rank', 'order'),
          completed_at: named('d_done.value', 'd_done.rank', 'completed'),
          score: number('d_score.value', 'd_score.rank', 'score'),
          attempts: number('d_attempts.value', 'd_attempts.rank', 'attempts'),
          build_time: number('d_time.value', 'd_time.rank', 'build_time'),
          lines_added: number('d_lines.value', 'd_lines.rank', 'lines_added'),
          disputed: {
            key: `CASE WHEN ${DISAGREE} THEN 'disputed' ELSE 'undisputed' END`,
            label: null,
            order: `CASE WHEN ${DISAGREE} THEN 1 ELSE 2 END`,
            rank: null,
            joins: [],
          },
        },
      };
    case 'commit':
      return {
        from: 'commits c LEFT JOIN features f ON f.feature_id = c.feature_id LEFT JOIN runs r ON r.run_id = c.run_id',
        row: 'c.commit_id',
        observation: null,
        current: 'r.is_current',
        axes: {
          ...common,
          phase: {
            key: 'c.phase',
            label: null,
            order: place('c.phase', ['before', 'during', 'after']),
            rank: null,
            joins: [],
          },
          commit_kind: {
            key: 'c.kind',
            label: null,
            order: place('c.kind', ['accept', 'skip', 'other']),
            rank: null,
            joins: [],
          },
        },
      };
    case 'finding':
      return {
        from: 'findings d LEFT JOIN features f ON f.feature_id = d.feature_id LEFT JOIN runs r ON r.run_id = d.run_id',
        row: 'd.finding_id',
        observation: null,
        current: '(r.is_current OR d.run_id IS NULL)',
        axes: {
          ...common,
          rule: { key: 'd.rule', label: null, order: dialect.nullNumber, rank: null, joins: [] },
        },
      };
    case 'run':
      return {
        from: 'runs r',
        row: 'r.run_id',
        observation: 'o.run_id = s.row_id AND o.feature_id IS NULL',
        current: 'r.is_current',
        axes: { run: RUN, project: PROJECT },
      };
    default:
      return eventFrame(base, common, dialect);
  }
}
