import type { Cell, EmptyCard } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { ATTRIBUTIONS, plainName, VERDICTS } from '../../../shared/outcomes.ts';
import type { TableBlock } from '../../../shared/plan.ts';
import type { Column } from '../../metrics/columns.ts';
import { basisName, kindRank } from '../../metrics/event-frames.ts';
import { checkQuery, measureOf } from '../../metrics/fit.ts';
import { single } from '../../metrics/query.ts';
import { compileOver } from '../../metrics/rows.ts';
import { isOutcome } from '../../metrics/starts.ts';
import type { Row, SqlValue } from '../../record/store.ts';
import { clip } from '../placeholders.ts';
import { titleOf } from './base.ts';
import { attributionOf, verdictOf } from './came-to.ts';
import { cells, citeOf, type ResolveContext, whereOf } from './context.ts';
import { emptyOf } from './empty.ts';
import { missing } from './figure.ts';
import { READ_ROWS, type TableRow, type TableRows } from './table-rows.ts';

const GATES = (
  scope: string,
): string => `SELECT t.gate_event_id AS id, t.gate, f.ext_id AS ref, coalesce(t.started_at_ms, t.ended_at_ms) AS at_ms,
    t.verdict, NOT ${isOutcome('t')} AS open, t.attribution, t.attribution_basis AS why, t.reason, t.attempt_n, t.attempt_cap,
    coalesce(t.duration_ms, t.ended_at_ms - t.started_at_ms) / 1000.0 AS seconds, ${basisName(kindRank('t.source_kind'))} AS basis,
    t.source_id, t.source_kind, x.label AS source, t.source_line AS line, count(*) OVER () AS total
  FROM ${scope} u JOIN gate_events t ON t.gate_event_id = u.row_id LEFT JOIN features f ON f.feature_id = t.feature_id
  LEFT JOIN sources x ON x.source_id = t.source_id
  ORDER BY coalesce(t.started_at_ms, t.ended_at_ms) NULLS LAST, f.ord, t.source_line LIMIT ${READ_ROWS}`;

const text = (value: SqlValue | undefined, why = 'not recorded'): Cell => {
  const read = cells.text(value);
  return read === null || read === ''
    ? { kind: 'none', why }
    : { kind: 'text', text: clip(read, LIMITS.cellText) };
};

function gateCell(row: Row, column: Column, context: ResolveContext): Cell {
  switch (column.id) {
    case 'gate':
      return text(plainName(cells.text(row.gate) ?? ''));
    case 'feature': {
      const ref = cells.text(row.ref);
      return ref === null
        ? { kind: 'none', why: 'no feature' }
        : { kind: 'feature', id: ref, title: titleOf(context, ref) };
    }
    case 'time': {
      const ms = cells.number(row.at_ms);
      return ms === null
        ? { kind: 'none', why: 'no time recorded' }
        : { kind: 'time', ms, zone: context.queries.context.zone };
    }
    case 'verdict': {
      const verdict = verdictOf(row.verdict);
      return text(row.open === true ? 'no outcome' : verdict === null ? null : VERDICTS[verdict]);
    }
    case 'attribution':
      return row.verdict === 'pass' || row.open === true
        ? { kind: 'none', why: 'no failure' }
        : text(ATTRIBUTIONS[attributionOf(row.attribution)]);
    case 'why':
      return text(row.why, 'no evidence for it');
    case 'attempt': {
      const n = cells.number(row.attempt_n);
      const of = cells.number(row.attempt_cap);
      return text(n === null ? null : of === null ? String(n) : `${n} of ${of}`);
    }
    case 'duration': {
      const value = cells.number(row.seconds);
      const evidence = context.register({ kind: 'row', table: 'gate_event', id: cells.text(row.id) ?? '' });
      return {
        kind: 'figure',
        figure:
          value === null
            ? missing('s', row.open === true ? 'no outcome recorded' : 'start not recorded', evidence)
            : {
                value,
                unit: 's',
                basis: citeOf(row).basis,
                evidence,
                disputed: false,
                n: null,
                missing: null,
              },
      };
    }
    case 'source':
      return { kind: 'cite', cite: citeOf(row) };
    default:
      return text(row[column.id]);
  }
}

/** Gate runs in scope, in the order in which they began. */
export async function gateRows(
  block: TableBlock,
  columns: readonly Column[],
  id: string,
  context: ResolveContext,
): Promise<TableRows | EmptyCard> {
  const where = whereOf(context.about, block.scope, block.where);
  const compiled = compileOver(
    checkQuery(single('gate_runs', 'counted', where)),
    context.queries.context,
    GATES,
  );
  const rows = await context.queries.rows(compiled.sql, compiled.params, READ_ROWS);
  if (rows.length === 0)
    return emptyOf(context, { id, title: block.title, actions: block.actions }, measureOf('gate_runs'));
  return {
    rows: rows.map(
      (row): TableRow => ({
        cells: columns.map((column) => gateCell(row, column, context)),
        sort: {
          gate: cells.text(row.gate),
          feature: cells.text(row.ref),
          time: cells.number(row.at_ms),
          verdict: cells.text(row.verdict),
          attribution: cells.text(row.attribution),
          duration: cells.number(row.seconds),
        },
      }),
    ),
    total: cells.number(rows[0]?.total) ?? rows.length,
  };
}
