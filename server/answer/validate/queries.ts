import type { Where } from '../../../shared/plan.ts';
import { columnOf, type TableKind } from '../../metrics/columns.ts';
import { checkQuery, QueryRefused } from '../../metrics/fit.ts';
import { type Query, single } from '../../metrics/query.ts';
import type { RecordProfile } from '../../record/store.ts';
import { type Issue, quoted, unbound } from './issue.ts';

/** Why a query is refused, by the same rules that compile it. */
export function queryIssues(query: Query, path: string, costs: Issue['costs'] = 'card'): Issue[] {
  try {
    checkQuery(query);
    return [];
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error;
    return [{ path, code: error.code, says: error.message, costs }];
  }
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Values of filters that the record does not have. A card is drawn all the same, and says that there is nothing. */
export function valueIssues(where: readonly Where[], path: string, profile: RecordProfile): Issue[] {
  const known = (dim: string): readonly string[] | null => {
    if (dim === 'feature') return profile.features.map(({ id }) => id);
    if (dim === 'category') return profile.categories;
    return null;
  };
  return where.flatMap((entry, index): Issue[] => {
    const values = entry.type === 'in' ? known(entry.dim) : null;
    if (entry.type !== 'in' || values === null) return [];
    return entry.any_of
      .filter((value) => !values.some((other) => same(value, other)))
      .map((value) =>
        unbound(`${path}[${index}].any_of`, `There is no ${entry.dim} ${quoted(value)}.`, 'nothing'),
      );
  });
}

/** A measure that counts the rows of each table: what its filters have to fit. */
const ROWS_OF: Readonly<Record<TableKind, string>> = {
  feature_table: 'features',
  commit_table: 'commits',
  finding_table: 'findings',
  gate_table: 'gate_runs',
  project_table: 'features',
};

/** The query that counts a table's rows under its filters. */
export const rowsQuery = (kind: TableKind, where: readonly Where[]): Query =>
  single(ROWS_OF[kind], 'counted', where);

export function columnIssues(kind: TableKind, ids: readonly string[], path: string): Issue[] {
  return ids.flatMap((id, index) =>
    columnOf(kind, id)
      ? []
      : [unbound(`${path}[${index}]`, `This table has no column ${quoted(id)}.`, 'part')],
  );
}
