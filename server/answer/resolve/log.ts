import type { CardData, LogCard, LogEntry } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { plainName } from '../../../shared/outcomes.ts';
import type { LogBlock } from '../../../shared/plan.ts';
import { basisName, kindRank } from '../../metrics/event-frames.ts';
import { checkQuery, measureOf } from '../../metrics/fit.ts';
import { LOG_LINES } from '../../metrics/log-lines.ts';
import { single } from '../../metrics/query.ts';
import { compileOver } from '../../metrics/rows.ts';
import { isOutcome, OPEN_STARTS } from '../../metrics/starts.ts';
import type { Row } from '../../record/store.ts';
import { clip } from '../placeholders.ts';
import { baseOf, titleOf } from './base.ts';
import { attributionOf, levelOf, verdictOf } from './came-to.ts';
import { cells, citeOf, type ResolveContext, whereOf } from './context.ts';
import { emptyCard, emptyOf } from './empty.ts';

/** Entries each size stands for. */
const SIZES = { few: 12, some: 40, all: LIMITS.logLines } as const;
/** Part of the entries that stands before the one they are shown around. */
const BEFORE = 0.4;

/** Which entry the others stand around; null for none. */
const ANCHORS: Readonly<Record<LogBlock['around'], string | null>> = {
  nothing: null,
  first_failure: 'min(pos) FILTER (failed)',
  last_failure: 'max(pos) FILTER (failed)',
  first_open_start: 'min(pos) FILTER (open_start)',
  end: 'max(pos)',
};
const NO_ANCHOR: Readonly<Record<LogBlock['around'], string>> = {
  nothing: '',
  first_failure: 'No entry of the log in scope tells of a failure.',
  last_failure: 'No entry of the log in scope tells of a failure.',
  first_open_start: 'Every start of a check in this log has an outcome.',
  end: '',
};

/**
 * Entries with their outcome and place, and of them the window around the anchor. Entries of one log stand in the order of
 * its lines; one without a time stands with the entry before it. A failure is an outcome that did not pass; in a log without
 * outcomes, an entry at the level error.
 */
function statement(scope: string, around: LogBlock['around'], size: number): string {
  const anchor = ANCHORS[around];
  const before = anchor === null ? 0 : Math.floor(size * BEFORE);
  return `SELECT * FROM (WITH entries AS (
    SELECT t.event_id AS id, t.at_ms, t.kind, t.level, t.message, t.last_line, f.ext_id AS ref, g.verdict, g.attribution, g.attribution_basis AS why,
      t.event_id IN ${OPEN_STARTS} AS open_start, ${basisName(kindRank('t.source_kind'))} AS basis,
      t.source_id, t.source_kind, x.label AS source, t.source_line AS line,
      coalesce(t.at_ms, last_value(t.at_ms IGNORE NULLS) OVER (PARTITION BY t.source_id ORDER BY t.source_line
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)) AS moment
    FROM ${scope} u JOIN ${LOG_LINES} t ON t.event_id = u.row_id
    LEFT JOIN features f ON f.feature_id = t.feature_id LEFT JOIN sources x ON x.source_id = t.source_id
    LEFT JOIN (SELECT * FROM gate_events o WHERE ${isOutcome('o')}
        QUALIFY row_number() OVER (PARTITION BY source_id, source_line ORDER BY verdict = 'pass', gate_event_id) = 1) g
      ON g.source_id = t.source_id AND g.source_line = t.source_line),
  placed AS MATERIALIZED (SELECT *, row_number() OVER (ORDER BY moment NULLS LAST, source_id, line, id) AS pos, count(*) OVER () AS total,
      coalesce(verdict <> 'pass', FALSE) OR (count(verdict) OVER () = 0 AND coalesce(level = 'error', FALSE)) AS failed FROM entries)
  SELECT p.*, a.at FROM placed p, (SELECT ${anchor ?? 'min(pos)'} AS at FROM placed) a
  WHERE a.at IS NOT NULL AND p.pos >= greatest(1, least(a.at - ${before}, p.total - ${size} + 1))) ORDER BY pos LIMIT ${size}`;
}

function entryOf(row: Row, anchored: boolean, context: ResolveContext): LogEntry {
  const id = cells.text(row.id) ?? '';
  const message = cells.text(row.message) ?? '';
  const ref = cells.text(row.ref);
  const verdict = verdictOf(row.verdict);
  const line = cells.number(row.line);
  const last = cells.number(row.last_line);
  const why = cells.text(row.why);
  return {
    id,
    atMs: cells.number(row.at_ms),
    kind: plainName(cells.text(row.kind) ?? 'raw'),
    level: levelOf(row.level),
    feature: ref === null ? null : { id: ref, title: titleOf(context, ref) },
    text: clip(message, LIMITS.entryText),
    cut: message.length > LIMITS.entryText,
    lastLine: last !== null && line !== null && last > line ? last : null,
    cite: citeOf(row),
    open: context.register({ kind: 'row', table: 'log_event', id }),
    outcome:
      verdict === null
        ? null
        : {
            verdict,
            attribution: attributionOf(row.attribution),
            why: why === null ? null : clip(why, LIMITS.cellText),
          },
    openStart: row.open_start === true,
    anchor: anchored && cells.number(row.pos) === cells.number(row.at),
  };
}

/** Entries of the logs as they were written, all in scope or those around one of them. */
export async function resolveLog(block: LogBlock, id: string, context: ResolveContext): Promise<CardData> {
  const where = whereOf(context.about, block.scope, block.where);
  const about = { id, title: block.title, actions: block.actions };
  const query = single('log_entries', 'counted', where);
  const size = SIZES[block.size];
  const compiled = compileOver(checkQuery(query), context.queries.context, (scope) =>
    statement(scope, block.around, size),
  );
  const [rows, kinds] = await Promise.all([
    context.queries.rows(compiled.sql, compiled.params, size),
    context.queries.run({ ...query, by: 'entry_kind', order: 'largest', limit: null }),
  ]);
  const total = kinds.coverage[0]?.of ?? 0;
  if (rows.length === 0)
    return total === 0
      ? emptyOf(context, about, measureOf('log_entries'))
      : emptyCard(context, about, 'none', NO_ANCHOR[block.around], 'Ask for the log of the whole run.');
  const entries = rows.map((row) => entryOf(row, ANCHORS[block.around] !== null, context));
  const first = cells.number(rows[0]?.pos) ?? 1;
  const card: LogCard = {
    ...baseOf(context, {
      ...about,
      sub: null,
      evidence: [context.register({ kind: 'query', query, key: {} }), ...entries.map(({ open }) => open)],
      trimmed: entries.length < total ? `${entries.length} of ${total} entries shown` : null,
      mark: { state: 'checking', have: null, of: null, why: null },
      rule: ruleOfBases(entries.map(({ cite }) => cite.basis)),
    }),
    type: 'log',
    zone: context.queries.context.zone,
    entries,
    total,
    before: first - 1,
    kinds: kinds.groups
      .map((group) => ({ kind: group.label, count: group.values[0]?.value ?? 0 }))
      .slice(0, LIMITS.slices * 2),
  };
  return card;
}

/** A log that the harness wrote is measured; notes of an agent are claims. */
function ruleOfBases(bases: readonly LogEntry['cite']['basis'][]): LogCard['rule'] {
  const claims = bases.filter((basis) => basis !== 'measured' && basis !== 'derived').length;
  return { measured: (bases.length - claims) / bases.length, claimed: claims / bases.length, missing: 0 };
}
