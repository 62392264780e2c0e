import { basisName, type EventBase, kindRank } from './event-frames.ts';
import { LOG_LINES } from './log-lines.ts';
import type { SessionBase } from './session-frames.ts';
import { sessionTellings } from './session-rows.ts';

/** What a row says of itself, for the rows behind a figure; columns as compileRows gives them. */
export interface Telling {
  /** Table and its alias `t`. */
  from: string;
  id: string;
  /** What of a counted row `u` the id is; its own id where this is left out. */
  row?: string;
  label: string;
  /** External id of the feature before the label, or of the requirement itself. */
  ref: string;
  /** A number of its own, in the unit of BASES' durations (s), or null. */
  value: string | null;
  basis: string;
  kind: string;
  line: string;
  how: string;
  order: string;
}

const told = basisName(kindRank('t.source_kind'));
const words = (text: string): string => `replace(${text}, '_', ' ')`;

type TellingBase = EventBase | SessionBase;

const TELLINGS: Readonly<Record<TellingBase, Telling>> = {
  ...sessionTellings(told),
  gate_event: {
    from: 'gate_events',
    id: 't.gate_event_id',
    label: `${words('t.gate')} || ': ' || ${words('t.verdict')}`,
    ref: 'f.ext_id',
    value: 'coalesce(t.duration_ms, t.ended_at_ms - t.started_at_ms) / 1000.0',
    basis: told,
    kind: 't.source_kind',
    line: 't.source_line',
    how: `concat_ws('; ', CASE WHEN t.attribution <> 'unknown' THEN t.attribution || coalesce(': ' || t.attribution_basis, '') END, t.reason, 'as written')`,
    order: 'coalesce(t.started_at_ms, t.ended_at_ms)',
  },
  requirement: {
    from: 'v_requirement',
    id: 't.requirement_id',
    label: 't."text"',
    ref: 't.ext_id',
    value: null,
    basis: "'derived'",
    kind: 'x.kind',
    line: 't.source_line',
    how: `${words('t.state')} || ': ' || t.supporting || ' for, ' || t.refuting || ' against, ' || t.voided || ' void'`,
    order: 'f.ord',
  },
  attempt: {
    from: 'attempts',
    id: 't.attempt_id',
    label: `coalesce(f.title, '') || ' attempt ' || t.n`,
    ref: 'f.ext_id',
    value: 'coalesce(t.duration_s, (t.ended_at_ms - t.started_at_ms) / 1000.0)',
    basis: 't.basis',
    kind: 't.source_kind',
    line: 't.source_line',
    how: `coalesce(${words('t.verdict')}, 'as listed')`,
    order: 'f.ord',
  },
  log_event: {
    from: LOG_LINES,
    id: 't.event_id',
    label: 't.message',
    ref: 'f.ext_id',
    value: null,
    basis: told,
    kind: 't.source_kind',
    line: 't.source_line',
    how: words('t.kind'),
    order: 't.at_ms',
  },
  own_answer: {
    from: 'own_answers',
    id: 't.answer_id',
    label: 't.question',
    ref: 'NULL',
    value: 't.took_ms / 1000.0',
    basis: "'measured'",
    kind: 'x.kind',
    line: 't.source_line',
    how: `concat_ws('; ', t.planner, CASE WHEN t.reused THEN 'with a kept plan' END, ${words('t.end_code')})`,
    order: 't.asked_at_ms',
  },
  test_result: {
    from: 'test_results',
    id: 't.test_result_id',
    label: `coalesce(t.suite || ' ', '') || t.name`,
    ref: 'NULL',
    value: null,
    basis: "'measured'",
    kind: 'x.kind',
    line: 't.source_line',
    how: words('t.status'),
    order: 'NULL',
  },
};

/** Bases whose rows have a feature. */
const OF_FEATURES = new Set<TellingBase>([
  'gate_event',
  'requirement',
  'attempt',
  'log_event',
  'request',
  'tool_call',
]);

const columns = (t: Telling, value: string): string =>
  `CAST(${t.ref} AS VARCHAR) AS ref, ${t.label} AS label, CAST(${value} AS DOUBLE) AS value,
        ${t.basis} AS basis, t.source_id, ${t.kind} AS source_kind, x.label AS source, ${t.line} AS line, TRUE AS counted, ${t.how} AS how`;
const joins = (base: TellingBase): string =>
  `${OF_FEATURES.has(base) ? 'LEFT JOIN features f ON f.feature_id = t.feature_id ' : ''}LEFT JOIN sources x ON x.source_id = t.source_id`;

/** One row by its id (the parameter), in the columns of compileRows; its value is its own number, in seconds. */
export const oneRow = (base: TellingBase): string => {
  const t = TELLINGS[base];
  return `SELECT ${columns(t, t.value ?? 'NULL')} FROM ${t.from} t ${joins(base)} WHERE ${t.id} = $1`;
};

/**
 * The rows behind a figure of an event measure; body of compileRows.
 * @param used name of the relation with what is counted
 * @param summed the figure sums a number of the row instead of counting it
 * @param inGroup condition on `u`
 */
export function eventRows(base: TellingBase, used: string, summed: boolean, inGroup: string): string {
  const t = TELLINGS[base];
  return `SELECT u.row_id, ${columns(t, summed ? 'u.v' : '1')}, CAST(${t.order} AS DOUBLE) AS ord, u.rank
        FROM ${used} u JOIN ${t.from} t ON ${t.id} = ${t.row ?? 'u.row_id'} ${joins(base)}
        WHERE ${inGroup} AND u.used AND u.hit`;
}
