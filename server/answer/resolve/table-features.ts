import type { Cell, EmptyCard } from '../../../shared/cards.ts';
import type { TableBlock } from '../../../shared/plan.ts';
import { type Column, columnOf } from '../../metrics/columns.ts';
import { measureOf } from '../../metrics/fit.ts';
import { onlyFeature, single } from '../../metrics/query.ts';
import { cells, citeOf, type ResolveContext, whereOf } from './context.ts';
import { emptyOf } from './empty.ts';
import { isClaim, missing } from './figure.ts';
import { READ_ROWS, type TableRow, type TableRows } from './table-rows.ts';

/** The counted word on every fact of the current run's features, and whether the sources disagree about the feature. */
const countedSql = (count: number): string => {
  const slots = Array.from({ length: count }, (_, at) => `$${at + 1}`).join(', ');
  return `SELECT f.ext_id AS ref, f.title, f.category, c.fact, c.value, c.text_value, c.basis, c.disputed, c.source_id, c.source_kind,
    x.label AS source, c.source_line AS line,
    EXISTS (SELECT 1 FROM findings d WHERE d.feature_id = f.feature_id AND d.rule = 'sources_disagree') AS disagree
    FROM features f JOIN runs r ON r.run_id = f.run_id LEFT JOIN counted c ON c.feature_id = f.feature_id
    LEFT JOIN sources x ON x.source_id = c.source_id
    WHERE r.is_current AND f.ext_id IN (${slots})`;
};

type Row = Awaited<ReturnType<ResolveContext['queries']['rows']>>[number];
interface FeatureRow {
  id: string;
  title: string;
  category: string;
  disagree: boolean;
  facts: Map<string, Row>;
}

function gather(rows: readonly Row[]): Map<string, FeatureRow> {
  const features = new Map<string, FeatureRow>();
  for (const row of rows) {
    const id = cells.text(row.ref) ?? '';
    const known: FeatureRow = features.get(id) ?? {
      id,
      title: cells.text(row.title) ?? '',
      category: cells.text(row.category) ?? '',
      disagree: row.disagree === true,
      facts: new Map(),
    };
    features.set(id, known);
    const fact = cells.text(row.fact);
    if (fact !== null) known.facts.set(fact, row);
  }
  return features;
}

/** The fact that says where the counted result of a feature stands. */
const RESULT = ['status', 'score', 'attempts', 'build_time'];

function cellOf(feature: FeatureRow, column: Column, context: ResolveContext): Cell {
  const text = (value: string): Cell =>
    value === '' ? { kind: 'none', why: 'not recorded' } : { kind: 'text', text: value };
  if (column.measure !== null) {
    const measure = measureOf(column.measure);
    const row = measure.fact === null ? undefined : feature.facts.get(measure.fact);
    const value = cells.number(row?.value);
    if (!row || value === null) return { kind: 'figure', figure: missing(column.unit, 'not recorded') };
    const query = single(measure.id, 'counted', [onlyFeature(feature.id)]);
    return {
      kind: 'figure',
      figure: {
        value,
        unit: column.unit,
        basis: citeOf(row).basis,
        evidence: context.register({ kind: 'query', query, key: {} }),
        disputed: row.disputed === true,
        n: 1,
        missing: null,
      },
    };
  }
  switch (column.id) {
    case 'feature':
      return { kind: 'feature', id: feature.id, title: feature.title };
    case 'category':
      return text(feature.category);
    case 'status':
      return text(cells.text(feature.facts.get('status')?.text_value) ?? 'pending');
    case 'disputed':
      return text(feature.disagree ? 'disagree' : 'agree');
    case 'completed_at': {
      const ms = cells.number(feature.facts.get('completed_at')?.value);
      return ms === null
        ? { kind: 'none', why: 'not recorded' }
        : { kind: 'time', ms, zone: context.queries.context.zone };
    }
    default: {
      const row = RESULT.map((fact) => feature.facts.get(fact)).find((entry) => entry !== undefined);
      return row ? { kind: 'cite', cite: citeOf(row) } : { kind: 'none', why: 'not recorded' };
    }
  }
}

function sortKey(cell: Cell): string | number | null {
  switch (cell.kind) {
    case 'figure':
      return cell.figure.value;
    case 'text':
      return cell.text;
    case 'feature':
      return cell.id;
    case 'time':
      return cell.ms;
    case 'cite':
      return cell.cite.label;
    default:
      return null;
  }
}

/** Features in scope, each with its counted figures; a claim that stands alone is shown as a claim. */
export async function featureRows(
  block: TableBlock,
  columns: readonly Column[],
  id: string,
  context: ResolveContext,
): Promise<TableRows | EmptyCard> {
  const where = whereOf(context.about, block.scope, block.where);
  const answer = await context.queries.run({ ...single('features', 'counted', where), by: 'feature' });
  const ids = answer.groups.flatMap(({ key }) => (typeof key === 'string' ? [key] : []));
  if (ids.length === 0)
    return emptyOf(context, { id, title: block.title, actions: block.actions }, measureOf('features'));
  const order = block.order_by === null ? undefined : columnOf('feature_table', block.order_by);
  // Sorting needs every row; when there are more than are read, the first by number are taken.
  const read = ids.slice(0, READ_ROWS);
  const features = gather(await context.queries.rows(countedSql(read.length), read, READ_ROWS * 12));
  const found = read.flatMap((key) => features.get(key) ?? []);
  const keys = order ? found.map((feature) => cellOf(feature, order, context)) : [];
  // As in aggregates: a mere claim has no place in a ranking of what was measured.
  const measured = keys.some(
    (cell) => cell.kind === 'figure' && cell.figure.value !== null && !isClaim(cell.figure.basis),
  );
  const rows = found.map((feature, at): TableRow => {
    const key = keys[at];
    const claim = key?.kind === 'figure' && isClaim(key.figure.basis);
    return {
      cells: columns.map((column) => cellOf(feature, column, context)),
      sort: order && key ? { [order.id]: measured && claim ? null : sortKey(key) } : {},
    };
  });
  return { rows, total: ids.length };
}
