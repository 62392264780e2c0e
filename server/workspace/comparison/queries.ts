import { LIMITS } from '../../../shared/limits.ts';
import type { Where } from '../../../shared/plan.ts';
import { Queries } from '../../answer/resolve/context.ts';
import { checkQuery, measureOf, QueryRefused } from '../../metrics/fit.ts';
import type { Measure } from '../../metrics/measures.ts';
import type { Query, QueryContext } from '../../metrics/query.ts';
import type { Coverage, Group, GroupValue, QueryAnswer } from '../../metrics/run.ts';
import type { Row, SqlValue } from '../../record/store.ts';
import type { JoinedStore } from './store.ts';

/** One project of a comparison, with what runs the queries on its record. */
export interface Compared {
  id: string;
  name: string;
  queries: Queries;
}

/** What was counted where there is not a single row: an audit that found nothing did look. */
const NONE_FOUND: GroupValue = {
  value: 0,
  n: 0,
  of: 0,
  claimedOnly: 0,
  basis: 'derived',
  disputedRows: 0,
  disputed: false,
  interval: null,
};

/** The filter on projects, taken out of the others. */
function chosen(where: readonly Where[], all: readonly Compared[]): { some: Compared[]; rest: Where[] } {
  const rest = where.filter(({ dim }) => dim !== 'project');
  const some = all.filter(({ id }) =>
    where.every(
      (entry) => entry.dim !== 'project' || (entry.type === 'in' && entry.any_of.includes(id) !== entry.not),
    ),
  );
  return { some, rest };
}

/** Groups of one project, under its own id and name. A project without a row has a group without values. */
function groupsOf({ id, name }: Compared, answer: QueryAnswer): Group[] {
  const own = answer.groups.map((group): Group => ({ ...group, key: id, label: name }));
  if (own.length > 0) return own;
  const [measure] = answer.measures;
  return [
    { key: id, label: name, ref: null, split: null, values: measure?.base === 'finding' ? [NONE_FOUND] : [] },
  ];
}

const first = (group: Group): number | null => group.values[0]?.value ?? null;

/** Projects in the order asked for; what has no value comes last, `natural` is the order they were loaded in. */
function inOrder(groups: readonly Group[], order: Query['order'], measure: Measure | undefined): Group[] {
  if (order === 'natural') return [...groups];
  const sums = new Map<string, number>();
  for (const group of groups) {
    const value = first(group);
    if (value === null) continue;
    const known = sums.get(String(group.key));
    const both =
      known === undefined
        ? value
        : measure?.additive
          ? known + value
          : order === 'largest'
            ? Math.max(known, value)
            : Math.min(known, value);
    sums.set(String(group.key), both);
  }
  return groups.toSorted((x, y) => {
    const a = sums.get(String(x.key));
    const b = sums.get(String(y.key));
    if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
    return order === 'largest' ? b - a : a - b;
  });
}

const added = (parts: readonly (Coverage | undefined)[]): Coverage => ({
  have: parts.reduce((sum, part) => sum + (part?.have ?? 0), 0),
  of: parts.reduce((sum, part) => sum + (part?.of ?? 0), 0),
  claimedOnly: parts.reduce((sum, part) => sum + (part?.claimedOnly ?? 0), 0),
});

/**
 * Queries of a comparison: grouped by project, run once in each project's own record, and put side by side.
 * A query with another grouping is refused: there is no record in which it could be run.
 */
export class JoinedQueries extends Queries {
  readonly #all: readonly Compared[];

  constructor(all: readonly Compared[], store: JoinedStore, context: QueryContext, signal: AbortSignal) {
    super(store, context, signal);
    this.#all = all;
  }

  override async run(query: Query): Promise<QueryAnswer> {
    const checked = checkQuery(query);
    if (checked.by !== 'project')
      throw new QueryRefused(
        'block_incompatible',
        'What compares projects is grouped by project.',
        'project',
      );
    const { some, rest } = chosen(checked.where, this.#all);
    const measures = checked.measures.map(({ measure }) => measureOf(measure));
    const answers: QueryAnswer[] = [];
    // One record after the other: a comparison of many projects asks no more at once than an answer about one.
    for (const one of some)
      answers.push(
        await one.queries.run({ ...query, by: 'project', where: rest, order: 'natural', limit: null }),
      );
    const groups = inOrder(
      some.flatMap((one, at) => {
        const answer = answers[at];
        return answer ? groupsOf(one, answer) : [];
      }),
      checked.order,
      measures[0],
    );
    const projects = [...new Set(groups.map(({ key }) => key))];
    const kept = new Set(projects.slice(0, checked.limit ?? LIMITS.queryRows));
    const valued = new Set(groups.filter((group) => first(group) !== null).map(({ key }) => key));
    return {
      query: checked,
      measures,
      groups: groups.filter(({ key }) => kept.has(key)),
      total: projects.length,
      valued: valued.size,
      coverage: measures.map((_, at) => added(answers.map(({ coverage }) => coverage[at]))),
      truncated: answers.some(({ truncated }) => truncated),
      sql: answers[0]?.sql ?? '',
      params: answers[0]?.params ?? [],
      ms: Math.max(0, ...answers.map(({ ms }) => ms)),
    };
  }

  /** Rows of each project, one project after the other. */
  override async rows(
    sql: string,
    params: readonly SqlValue[],
    cap: number = LIMITS.queryRows,
  ): Promise<Row[]> {
    const found = await Promise.all(this.#all.map(({ queries }) => queries.rows(sql, params, cap)));
    return found.flat().slice(0, cap);
  }
}
