import { numberAt, textAt } from '../cells.ts';
import { minuteText } from '../ingest/time.ts';
import type { Row } from '../store.ts';
import { placeOf } from './place.ts';
import type { Finding, Rule } from './rule.ts';

/** Use cases of every build of the graph, build by build. */
const CLAIMS = `
 SELECT graph_id, graph_id || '.' || node_id AS ref, run_id, node_id, title, generated_at_ms, source_id, source_line FROM graph_nodes
 WHERE type = 'claim' AND title IS NOT NULL AND generated_at_ms IS NOT NULL ORDER BY generated_at_ms, graph_id, node_id`;

const key = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** One build: its use cases by id, and by title. */
interface Build {
  atMs: number;
  byId: Map<string, Row>;
  byTitle: Map<string, Row>;
}

function builds(rows: readonly Row[]): Build[] {
  const found = new Map<string, Build>();
  for (const row of rows) {
    const graph = textAt(row, 'graph_id') ?? '';
    const build = found.get(graph) ?? {
      atMs: numberAt(row, 'generated_at_ms') ?? 0,
      byId: new Map(),
      byTitle: new Map(),
    };
    build.byId.set(textAt(row, 'node_id') ?? '', row);
    build.byTitle.set(key(textAt(row, 'title') ?? ''), row);
    found.set(graph, build);
  }
  return [...found.values()];
}

function moved(older: Build, newer: Build): Finding[] {
  return [...older.byTitle].flatMap(([title, before]) => {
    const after = newer.byTitle.get(title);
    const [from, to] = [textAt(before, 'node_id') ?? '', textAt(after ?? {}, 'node_id')];
    if (after === undefined || to === null || to === from) return [];
    const now = newer.byId.get(from);
    const then = older.byId.get(to);
    const beside = [
      now ? `${from} now names "${textAt(now, 'title')}"` : null,
      then ? `${to} was "${textAt(then, 'title')}"` : null,
    ].filter((part) => part !== null);
    return [
      {
        id: `use_case_renumbered.${textAt(after, 'ref')}`,
        runId: textAt(after, 'run_id'),
        featureId: null,
        severity: 'warning' as const,
        fact: null,
        says: `"${textAt(after, 'title')}" is ${from} in the graph of ${minuteText(older.atMs, '+00:00')} and ${to} in that of ${minuteText(newer.atMs, '+00:00')}${beside.length === 0 ? '' : `; ${beside.join(', ')}`}`,
        rows: [before, after, ...(now ? [now] : []), ...(then ? [then] : [])].map(placeOf),
      },
    ];
  });
}

/** An id that names another thing after the next build: everything written under it before is now about something else. */
export const useCaseRenumbered: Rule = {
  id: 'use_case_renumbered',
  sentence: 'A use case has another id in a later build of the graph.',
  find: async (query) => {
    const all = builds(await query(CLAIMS));
    return all.flatMap((newer, at) => {
      const older = all[at - 1];
      return older ? moved(older, newer) : [];
    });
  },
};
