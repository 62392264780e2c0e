import type { Cell, EmptyCard } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { TableBlock, Where } from '../../../shared/plan.ts';
import type { Column } from '../../metrics/columns.ts';
import { checkQuery, dimensionOf, measureOf } from '../../metrics/fit.ts';
import { groupLabel } from '../../metrics/labels.ts';
import { single } from '../../metrics/query.ts';
import { compileRows, FIRST_ROW } from '../../metrics/rows.ts';
import type { Row, SqlValue } from '../../record/store.ts';
import { clip } from '../placeholders.ts';
import { titleOf } from './base.ts';
import { cells, citeOf, type ResolveContext, readingProblems, whereOf } from './context.ts';
import type { CommitField } from './descriptor.ts';
import { emptyOf } from './empty.ts';
import { missing } from './figure.ts';
import { READ_ROWS, type TableRow, type TableRows } from './table-rows.ts';

const text = (value: SqlValue | undefined): Cell => {
  const read = cells.text(value);
  return read === null || read === ''
    ? { kind: 'none', why: 'not recorded' }
    : { kind: 'text', text: clip(read, LIMITS.cellText) };
};

const featureCell = (value: SqlValue | undefined, context: ResolveContext): Cell => {
  const id = cells.text(value);
  return id === null
    ? { kind: 'none', why: 'no feature' }
    : { kind: 'feature', id, title: titleOf(context, id) };
};

const slots = (count: number): string => Array.from({ length: count }, (_, at) => `$${at + 1}`).join(', ');

/** Ids of the rows in scope, in their natural order, and how many there are. */
async function idsOf(
  measure: 'commits' | 'findings',
  block: TableBlock,
  context: ResolveContext,
): Promise<{ ids: string[]; total: number }> {
  const where = whereOf(context.about, block.scope, block.where);
  const compiled = compileRows(
    checkQuery(single(measure, 'counted', where)),
    0,
    {},
    READ_ROWS,
    context.queries.context,
  );
  const rows = await context.queries.rows(compiled.sql, compiled.params, READ_ROWS);
  return {
    ids: rows.flatMap((row) => cells.text(row.row_id) ?? []),
    total: cells.number(rows[0]?.total) ?? 0,
  };
}

const byId = (rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [cells.text(row.id) ?? '', row]));

const KINDS: Readonly<Record<string, string>> = { accept: 'accepting', skip: 'skipping', other: 'other' };

function commitCell(row: Row, column: Column, context: ResolveContext): Cell {
  const figure = (field: CommitField): Cell => {
    const value = cells.number(row[field]);
    const commit = cells.text(row.id) ?? '';
    if (value === null) return { kind: 'figure', figure: missing(column.unit, 'not recorded') };
    return {
      kind: 'figure',
      figure: {
        value,
        unit: column.unit,
        basis: 'measured',
        evidence: context.register({ kind: 'commit', commit, field }),
        disputed: false,
        n: null,
        missing: null,
      },
    };
  };
  switch (column.id) {
    case 'files':
    case 'insertions':
    case 'deletions':
      return figure(column.id);
    case 'commit':
      return text(cells.text(row.sha)?.slice(0, 7) ?? null);
    case 'time': {
      const ms = cells.number(row.at_ms);
      const zone = cells.text(row.zone) ?? context.queries.context.zone;
      return ms === null ? { kind: 'none', why: 'not recorded' } : { kind: 'time', ms, zone };
    }
    case 'feature':
      return featureCell(row.ref, context);
    case 'kind':
      return text(KINDS[cells.text(row.kind) ?? ''] ?? null);
    default:
      return text(row[column.id]);
  }
}

/** Commits in scope, oldest first. */
export async function commitRows(
  block: TableBlock,
  columns: readonly Column[],
  id: string,
  context: ResolveContext,
): Promise<TableRows | EmptyCard> {
  const { ids, total } = await idsOf('commits', block, context);
  if (ids.length === 0)
    return emptyOf(context, { id, title: block.title, actions: block.actions }, measureOf('commits'));
  const found = byId(
    await context.queries.rows(
      `SELECT c.commit_id AS id, c.sha, c.subject, c.at_ms, c.zone, c.kind, c.phase, c.files, c.insertions, c.deletions, f.ext_id AS ref
       FROM commits c LEFT JOIN features f ON f.feature_id = c.feature_id WHERE c.commit_id IN (${slots(ids.length)})`,
      ids,
    ),
  );
  const rows = ids.flatMap((key): TableRow[] => {
    const row = found.get(key);
    if (!row) return [];
    const sort = { ...row, commit: row.sha ?? null, time: row.at_ms ?? null, feature: row.ref ?? null };
    return [{ cells: columns.map((column) => commitCell(row, column, context)), sort: sortable(sort) }];
  });
  return { rows, total };
}

const sortable = (row: Row): TableRow['sort'] =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, typeof value === 'boolean' ? String(value) : value]),
  );

const RULE = dimensionOf('rule');

function findingCell(row: Row, column: Column, context: ResolveContext): Cell {
  switch (column.id) {
    case 'finding':
      return text(row.says);
    case 'rule': {
      const rule = cells.text(row.rule);
      return text(rule === null ? null : groupLabel(RULE, rule, null, context.queries.context));
    }
    case 'fact':
      return text(cells.text(row.fact)?.replaceAll('_', ' ') ?? null);
    case 'feature':
      return featureCell(row.ref, context);
    case 'source':
      return cells.text(row.source_id) === null
        ? { kind: 'none', why: 'no line' }
        : { kind: 'cite', cite: citeOf(row) };
    default:
      return text(row[column.id]);
  }
}

/** Audit findings in scope. */
export async function findingRows(
  block: TableBlock,
  columns: readonly Column[],
  id: string,
  context: ResolveContext,
): Promise<TableRows | EmptyCard> {
  const { ids, total } = await idsOf('findings', block, context);
  if (ids.length === 0)
    return emptyOf(context, { id, title: block.title, actions: block.actions }, measureOf('findings'));
  const found = byId(
    await context.queries.rows(
      `SELECT d.finding_id AS id, d.rule, d.severity, d.fact, d.says, f.ext_id AS ref, w.source_id, w.line, x.label AS source,
         x.kind AS source_kind, coalesce(o.basis, 'derived') AS basis
       FROM findings d LEFT JOIN features f ON f.feature_id = d.feature_id
       LEFT JOIN (SELECT finding_id, source_id, source_line AS line, observation_id,
           row_number() OVER (PARTITION BY finding_id ORDER BY ${FIRST_ROW}) AS pick FROM finding_rows) w
         ON w.finding_id = d.finding_id AND w.pick = 1
       LEFT JOIN observations o ON o.observation_id = w.observation_id
       LEFT JOIN sources x ON x.source_id = w.source_id WHERE d.finding_id IN (${slots(ids.length)})`,
      ids,
    ),
  );
  const rows = ids.flatMap((key): TableRow[] => {
    const row = found.get(key);
    if (!row) return [];
    const sort = { ...row, finding: row.says ?? null, feature: row.ref ?? null };
    return [{ cells: columns.map((column) => findingCell(row, column, context)), sort: sortable(sort) }];
  });
  return { rows, total, sub: await findingsSub(block, total, context) };
}

/** Which findings a table leaves out by its filters, and how many of its own are problems with reading; null for neither. */
async function findingsSub(
  block: TableBlock,
  total: number,
  context: ResolveContext,
): Promise<string | null> {
  const about = whereOf(context.about, block.scope, []);
  const here = whereOf(context.about, block.scope, block.where);
  const [all, problems] = await Promise.all([
    countOf(about, context),
    countOf([...here, readingProblems()], context),
  ]);
  const parts = [
    total < all ? `${total} of ${all} findings are of the kind asked for.` : null,
    problems > 0
      ? `${problems} of ${total} ${problems === 1 ? 'is a reading problem' : 'are reading problems'}.`
      : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(' ');
}

const countOf = async (where: Where[], context: ResolveContext): Promise<number> =>
  (await context.queries.run(single('findings', 'counted', where))).groups[0]?.values[0]?.value ?? 0;
