import type { Figure, TimelineMark } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { plainName } from '../../../shared/outcomes.ts';
import type { TimelineBlock, Where } from '../../../shared/plan.ts';
import { basisName, kindRank } from '../../metrics/event-frames.ts';
import { checkQuery } from '../../metrics/fit.ts';
import { LOG_LINES } from '../../metrics/log-lines.ts';
import { onlyFeature, single } from '../../metrics/query.ts';
import { compileOver } from '../../metrics/rows.ts';
import { isOutcome } from '../../metrics/starts.ts';
import type { Row } from '../../record/store.ts';
import { clip } from '../placeholders.ts';
import { attributionOf, levelOf, verdictOf } from './came-to.ts';
import { cells, citeOf, type ResolveContext } from './context.ts';
import type { RowTable } from './descriptor.ts';
import { isClaim, missing, weaker } from './figure.ts';

/** One mark and the lane it belongs to: a feature by its external id, or a lane of its own. */
export interface Placed {
  lane: string | null;
  title: string | null;
  mark: TimelineMark;
}
interface Found {
  placed: Placed[];
  /** In scope, whether read or not. */
  total: number;
}

/** Rows read before marks are chosen. */
const READ = 2_000;
const BASIS = basisName(kindRank('t.source_kind'));
/** Joins every row needs: its feature, and what its source is called. */
const NAMED =
  'LEFT JOIN features f ON f.feature_id = t.feature_id LEFT JOIN sources x ON x.source_id = t.source_id';
const CITED = 't.source_id, t.source_kind, x.label AS source, t.source_line AS line';

const STATEMENTS: Readonly<
  Record<Exclude<TimelineBlock['of'], 'builds'>, { table: RowTable; select: (scope: string) => string }>
> = {
  gates: {
    table: 'gate_event',
    select: (
      scope,
    ) => `SELECT t.gate_event_id AS id, f.ext_id AS ref, replace(t.gate, '_', ' ') AS what, t.started_at_ms, t.ended_at_ms,
      coalesce(t.duration_ms, t.ended_at_ms - t.started_at_ms) / 1000.0 AS seconds, NOT ${isOutcome('t')} AS open, t.verdict, t.attribution,
      t.attribution_basis AS why, NULL AS level, t.reason AS text, t.attempt_n AS n, t.attempt_cap AS cap,
      ${BASIS} AS basis, ${CITED}, count(*) OVER () AS total
      FROM ${scope} u JOIN gate_events t ON t.gate_event_id = u.row_id ${NAMED}
      ORDER BY t.verdict = 'pass', coalesce(t.started_at_ms, t.ended_at_ms) NULLS LAST, t.source_line LIMIT ${READ}`,
  },
  attempts: {
    table: 'attempt',
    select: (
      scope,
    ) => `SELECT t.attempt_id AS id, f.ext_id AS ref, 'attempt ' || t.n AS what, t.started_at_ms, t.ended_at_ms,
      coalesce(t.duration_s, (t.ended_at_ms - t.started_at_ms) / 1000.0) AS seconds,
      t.started_at_ms IS NOT NULL AND t.ended_at_ms IS NULL AND coalesce(t.verdict, 'no_verdict') = 'no_verdict' AS open,
      coalesce(t.verdict, CASE t.passed WHEN TRUE THEN 'pass' WHEN FALSE THEN 'block' END) AS verdict, t.attribution,
      t.attribution_basis AS why, NULL AS level, t.feedback AS text, t.n AS n, NULL AS cap, t.basis, ${CITED}, count(*) OVER () AS total
      FROM ${scope} u JOIN attempts t ON t.attempt_id = u.row_id ${NAMED}
      ORDER BY coalesce(t.passed, FALSE), coalesce(t.started_at_ms, t.ended_at_ms) NULLS LAST, t.n LIMIT ${READ}`,
  },
  entries: {
    table: 'log_event',
    select: (
      scope,
    ) => `SELECT t.event_id AS id, f.ext_id AS ref, replace(t.kind, '_', ' ') AS what, t.at_ms AS started_at_ms, t.at_ms AS ended_at_ms,
      NULL AS seconds, FALSE AS open, NULL AS verdict, 'unknown' AS attribution, NULL AS why, t.level, t.message AS text, NULL AS n, NULL AS cap,
      ${BASIS} AS basis, ${CITED}, count(*) OVER () AS total
      FROM ${scope} u JOIN ${LOG_LINES} t ON t.event_id = u.row_id ${NAMED}
      ORDER BY t.level IS DISTINCT FROM 'error', t.at_ms NULLS LAST, t.source_line LIMIT ${READ}`,
  },
};

const NO_END = 'no outcome recorded';

function durationOf(row: Row, open: boolean, evidence: string): Figure {
  const value = cells.number(row.seconds);
  if (value === null)
    return missing(
      's',
      open ? NO_END : cells.number(row.started_at_ms) === null ? 'start not recorded' : 'end not recorded',
      evidence,
    );
  return { value, unit: 's', basis: citeOf(row).basis, evidence, disputed: false, n: null, missing: null };
}

function markOf(row: Row, table: RowTable, context: ResolveContext): TimelineMark {
  const id = cells.text(row.id) ?? '';
  const evidence = context.register({ kind: 'row', table, id });
  const open = row.open === true;
  const n = cells.number(row.n);
  const text = cells.text(row.text);
  return {
    id,
    what: plainName(cells.text(row.what) ?? 'event'),
    startMs: cells.number(row.started_at_ms),
    endMs: cells.number(row.ended_at_ms),
    open,
    verdict: open ? null : verdictOf(row.verdict),
    attribution: attributionOf(row.attribution),
    why: clipped(row.why),
    level: levelOf(row.level),
    text: text === null ? null : clip(text, LIMITS.cellText),
    attempt: n === null ? null : { n, of: cells.number(row.cap) },
    duration: table === 'log_event' ? missing('s', 'a moment', evidence) : durationOf(row, open, evidence),
    evidence,
    disputed: false,
    cite: citeOf(row),
  };
}
const clipped = (value: Row[string] | undefined): string | null => {
  const text = cells.text(value);
  return text === null ? null : clip(text, LIMITS.cellText);
};

/** Gates, listed attempts or log entries in scope; to gates belong starts that nobody listed as a gate run. */
export async function placedRows(
  of: Exclude<TimelineBlock['of'], 'builds'>,
  where: readonly Where[],
  context: ResolveContext,
): Promise<Found> {
  const measure = { gates: 'gate_runs', attempts: 'listed_attempts', entries: 'log_entries' }[of];
  const { table, select } = STATEMENTS[of];
  const compiled = compileOver(
    checkQuery(single(measure, 'counted', where)),
    context.queries.context,
    select,
  );
  const rows = await context.queries.rows(compiled.sql, compiled.params, READ);
  const placed = rows.map((row) => ({
    lane: cells.text(row.ref),
    title: null,
    mark: markOf(row, table, context),
  }));
  const starts =
    of === 'gates' && where.every(({ dim }) => SHARED.has(dim)) ? await openStarts(where, context) : [];
  return { placed: [...placed, ...starts], total: (cells.number(rows[0]?.total) ?? 0) + starts.length };
}

/** Dimensions that gate runs and log entries share: other filters say nothing of a mere start. */
const SHARED = new Set(['feature', 'category', 'run', 'happened_at']);

async function openStarts(where: readonly Where[], context: ResolveContext): Promise<Placed[]> {
  const compiled = compileOver(
    checkQuery(single('open_starts', 'counted', where)),
    context.queries.context,
    (
      scope,
    ) => `SELECT t.event_id AS id, f.ext_id AS ref, regexp_replace(replace(t.kind, '_', ' '), ' start$', '') AS what, t.at_ms AS started_at_ms,
      NULL AS ended_at_ms, NULL AS seconds, TRUE AS open, NULL AS verdict, 'unknown' AS attribution, NULL AS why, NULL AS level, t.message AS text,
      NULL AS n, NULL AS cap, ${BASIS} AS basis, ${CITED}
      FROM ${scope} u JOIN log_events t ON t.event_id = u.row_id AND u.hit ${NAMED}
      WHERE NOT EXISTS (SELECT 1 FROM gate_events g WHERE g.feature_id IS NOT DISTINCT FROM t.feature_id AND g.started_at_ms = t.at_ms)
      ORDER BY t.at_ms, t.source_line LIMIT ${READ}`,
  );
  const rows = await context.queries.rows(compiled.sql, compiled.params, READ);
  return rows
    .map((row) => ({ lane: cells.text(row.ref), title: null, mark: markOf(row, 'log_event', context) }))
    .map(withNoEnd);
}

const withNoEnd = (placed: Placed): Placed => ({
  ...placed,
  mark: { ...placed.mark, duration: missing('s', NO_END, placed.mark.evidence) },
});

/** One span a feature: the build time that is counted, up to the time at which it was finished; and planning passes beside them. */
export async function placedBuilds(where: readonly Where[], context: ResolveContext): Promise<Found> {
  const compiled = compileOver(
    checkQuery(single('features', 'counted', where)),
    context.queries.context,
    (
      scope,
    ) => `SELECT f.feature_id AS id, f.ext_id AS ref, done.value AS ended_at_ms, took.value AS seconds, took.basis AS took_basis,
      coalesce(done.basis, took.basis, 'unknown') AS basis, coalesce(done.source_id, took.source_id, f.source_id) AS source_id,
      coalesce(done.source_kind, took.source_kind) AS source_kind, x.label AS source, coalesce(done.source_line, took.source_line, f.source_line) AS line,
      coalesce(st.text_value, 'pending') AS status, coalesce(took.disputed, FALSE) AS disputed, count(*) OVER () AS total,
      EXISTS (SELECT 1 FROM findings d WHERE d.feature_id = f.feature_id AND d.rule = 'sources_disagree') AS contradicted
      FROM ${scope} u JOIN features f ON f.feature_id = u.row_id
      LEFT JOIN counted done ON done.feature_id = f.feature_id AND done.fact = 'completed_at'
      LEFT JOIN counted took ON took.feature_id = f.feature_id AND took.fact = 'build_time'
      LEFT JOIN counted st ON st.feature_id = f.feature_id AND st.fact = 'status'
      LEFT JOIN sources x ON x.source_id = coalesce(done.source_id, took.source_id, f.source_id)
      ORDER BY done.value NULLS LAST, f.ord LIMIT ${READ}`,
  );
  const rows = await context.queries.rows(compiled.sql, compiled.params, READ);
  const measured = rows.some((row) => cells.number(row.ended_at_ms) !== null && !isClaim(citeOf(row).basis));
  const placed = rows.map((row) => ({
    lane: cells.text(row.ref),
    title: null,
    mark: buildMark(row, measured, context),
  }));
  const timed = placed.some(({ mark }) => mark.endMs !== null);
  const passes = timed && where.length === 0 ? await planningPasses(context) : [];
  return { placed: [...placed, ...passes], total: cells.number(rows[0]?.total) ?? 0 };
}

const ENDED: Readonly<Record<string, TimelineMark['verdict']>> = {
  accepted: 'pass',
  skipped: 'block',
  failed: 'block',
};

/** @param measured some build of this record was measured or derived: then a mere claim has no place on its axis */
function buildMark(row: Row, measured: boolean, context: ResolveContext): TimelineMark {
  const ref = cells.text(row.ref) ?? '';
  const seconds = cells.number(row.seconds);
  const endMs = cells.number(row.ended_at_ms);
  const status = cells.text(row.status) ?? 'pending';
  const evidence = context.register({
    kind: 'query',
    query: single('build_time', 'counted', [onlyFeature(ref)]),
    key: {},
  });
  const took = citeOf({ ...row, basis: row.took_basis ?? null }).basis;
  const claim = measured && isClaim(weaker(seconds === null ? 'measured' : took, citeOf(row).basis));
  return {
    id: cells.text(row.id) ?? '',
    what: 'build',
    startMs: endMs === null || seconds === null || claim ? null : Math.round(endMs - seconds * 1000),
    endMs: claim ? null : endMs,
    open: false,
    verdict: ENDED[status] ?? null,
    attribution: 'unknown',
    why: null,
    level: null,
    text: status,
    attempt: null,
    duration:
      seconds === null || claim
        ? missing('s', claim ? 'only claimed' : 'no time recorded', evidence)
        : {
            value: seconds,
            unit: 's',
            basis: endMs === null ? took : weaker(took, citeOf(row).basis),
            evidence,
            disputed: row.disputed === true,
            n: 1,
            missing: null,
          },
    evidence,
    disputed: row.contradicted === true,
    cite: citeOf(row),
  };
}

async function planningPasses(context: ResolveContext): Promise<Placed[]> {
  const rows = await context.queries.rows(
    `SELECT t.event_id AS id, 'planning pass' AS what, 'info' AS level, t.at_ms AS started_at_ms, t.at_ms AS ended_at_ms, t.message AS text,
      'measured' AS basis, 'unknown' AS attribution, ${CITED}
     FROM log_events t JOIN runs r ON r.run_id = t.run_id LEFT JOIN sources x ON x.source_id = t.source_id
     WHERE r.is_current AND t.kind = 'planning_pass' AND t.at_ms IS NOT NULL ORDER BY t.at_ms LIMIT ${LIMITS.points}`,
    [],
  );
  return rows.map((row) => ({
    lane: null,
    title: 'planning passes',
    mark: markOf(row, 'log_event', context),
  }));
}
