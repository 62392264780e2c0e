import type { Cell, EmptyCard } from '../../../shared/cards.ts';
import type { TableBlock } from '../../../shared/plan.ts';
import type { Column } from '../../metrics/columns.ts';
import { measureOf } from '../../metrics/fit.ts';
import type { Measure } from '../../metrics/measures.ts';
import { type Query, single } from '../../metrics/query.ts';
import type { GroupValue } from '../../metrics/run.ts';
import { type ResolveContext, whereOf } from './context.ts';
import { emptyOf } from './empty.ts';
import { figureOf, missing } from './figure.ts';
import type { TableRow, TableRows } from './table-rows.ts';

/** One column's measure, asked of every project. */
interface Asked {
  column: string;
  measure: Measure;
  query: Query;
  /** By the project's id. */
  values: ReadonlyMap<string, GroupValue | undefined>;
}

/** For how many of a project's features its figures are known: "29 of 30 features", or each figure by itself where they differ. */
function knownFor(asked: readonly Asked[], project: string): Cell {
  const known = asked.flatMap(({ measure, values }) => {
    const value = values.get(project);
    return measure.base === 'feature' && measure.fact !== null && value?.value != null
      ? [{ label: measure.label, n: value.n, of: value.of }]
      : [];
  });
  const [first] = known;
  if (first === undefined) return { kind: 'none', why: 'not recorded' };
  const words = known.every(({ n, of }) => n === first.n && of === first.of)
    ? first.n === first.of
      ? 'every feature'
      : `${first.n} of ${first.of} features`
    : known.map(({ label, n, of }) => `${label}: ${n} of ${of}`).join('; ');
  return { kind: 'text', text: words };
}

/** One row a project: the same measures, each computed in that project's own record. */
export async function projectRows(
  block: TableBlock,
  columns: readonly Column[],
  id: string,
  context: ResolveContext,
): Promise<TableRows | EmptyCard> {
  const where = whereOf(context.about, block.scope, block.where);
  const names = new Map<string, string>();
  const asked = await Promise.all(
    columns.flatMap(({ id: column, measure }) => {
      if (measure === null) return [];
      const query: Query = { ...single(measure, 'counted', where), by: 'project' };
      return [
        context.queries.run(query).then(({ groups }): Asked => {
          for (const { key, label } of groups) if (typeof key === 'string') names.set(key, label);
          const values = new Map(groups.map(({ key, values: [value] }) => [String(key), value]));
          return { column, measure: measureOf(measure), query, values };
        }),
      ];
    }),
  );
  if (names.size === 0)
    return emptyOf(context, { id, title: block.title, actions: block.actions }, measureOf('features'));
  const cellOf = (column: Column, project: string): Cell => {
    if (column.id === 'project') return { kind: 'text', text: names.get(project) ?? project };
    if (column.measure === null) return knownFor(asked, project);
    const one = asked.find((entry) => entry.column === column.id);
    const value = one?.values.get(project);
    if (!one || value === undefined) return { kind: 'figure', figure: missing(column.unit, 'not recorded') };
    const evidence = context.register({ kind: 'query', query: one.query, key: { by: project } });
    return { kind: 'figure', figure: figureOf(one.measure, value, evidence) };
  };
  const rows = inOrder(names, asked).map((project): TableRow => {
    const cells = columns.map((column) => cellOf(column, project));
    const sort = Object.fromEntries(
      columns.map(({ id: column }, at) => {
        const cell = cells[at];
        return [
          column,
          cell?.kind === 'figure' ? cell.figure.value : cell?.kind === 'text' ? cell.text : null,
        ];
      }),
    );
    return { cells, sort };
  });
  return { rows, total: rows.length };
}

/** Projects as the longest answer lists them, so that the order is the same whichever query was first. */
function inOrder(names: ReadonlyMap<string, string>, asked: readonly Asked[]): string[] {
  const longest = asked.reduce<string[]>((most, { values }) => {
    const keys = [...values.keys()];
    return keys.length > most.length ? keys : most;
  }, []);
  return [...new Set([...longest, ...names.keys()])].filter((project) => names.has(project));
}
