import { numberAt, textAt } from '../cells.ts';
import { CITED, countText, placeOf } from './place.ts';
import type { AuditQuery, Finding, Rule } from './rule.ts';

/** Files that one source lists in more than one spelling, with how many lists each spelling is in; the widest split first. */
const SPLIT = `
 WITH spelled AS (SELECT source_id, any_value(run_id) AS run_id, path, raw_path, count(*) AS lists FROM file_touches
  WHERE op = 'listed' GROUP BY source_id, path, raw_path)
 SELECT source_id, any_value(run_id) AS run_id, path, count(*) AS spellings, sum(lists) AS lists, string_agg(lists::VARCHAR, ' and ' ORDER BY lists, raw_path) AS parts
 FROM spelled GROUP BY source_id, path HAVING count(*) > 1 ORDER BY source_id, min(lists) DESC, sum(lists) DESC, path`;
const LINES = `
 SELECT touch_id AS ref, source_id, source_line FROM file_touches WHERE op = 'listed' AND source_id = $1 AND path = $2 ORDER BY source_line LIMIT ${CITED}`;
const LABELS = 'SELECT source_id, label FROM sources';

/** The same edge of a graph more than once. */
const TWICE = `
 SELECT e.graph_id, e.from_node, e.to_node, e.type, count(*) AS times, any_value(n.run_id) AS run_id FROM graph_edges e
 LEFT JOIN graph_nodes n ON n.graph_id = e.graph_id AND n.node_id = e.from_node
 GROUP BY e.graph_id, e.from_node, e.to_node, e.type HAVING count(*) > 1 ORDER BY e.graph_id, e.from_node, e.to_node`;
const EDGES = `
 SELECT source_id, source_line, from_node || ' ' || type || ' ' || to_node AS ref FROM graph_edges
 WHERE graph_id = $1 AND from_node = $2 AND to_node = $3 AND type = $4 ORDER BY source_line LIMIT ${CITED}`;

async function splitCounts(query: AuditQuery): Promise<Finding[]> {
  const labels = new Map(
    (await query(LABELS)).map((row) => [textAt(row, 'source_id'), textAt(row, 'label')]),
  );
  const sources = new Map<
    string,
    { path: string; parts: string; lists: number; files: number; runId: string | null }
  >();
  for (const row of await query(SPLIT)) {
    const source = textAt(row, 'source_id') ?? '';
    const first = sources.get(source);
    if (first) first.files += 1;
    else {
      sources.set(source, {
        path: textAt(row, 'path') ?? '',
        parts: textAt(row, 'parts') ?? '',
        lists: numberAt(row, 'lists') ?? 0,
        files: 1,
        runId: textAt(row, 'run_id'),
      });
    }
  }
  const findings: Finding[] = [];
  for (const [source, { path, parts, lists, files, runId }] of sources) {
    findings.push({
      id: `path_spelled_twice.${source}`,
      runId,
      featureId: null,
      severity: 'warning',
      fact: 'files_changed',
      says: `${labels.get(source) ?? source} spells ${countText(files, 'file', 'files')} in more than one way: ${path} is listed ${lists} times, which a count by spelling splits into ${parts}`,
      rows: (await query(LINES, [source, path])).map(placeOf),
    });
  }
  return findings;
}

async function countedTwice(query: AuditQuery): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const row of await query(TWICE)) {
    const parts = ['graph_id', 'from_node', 'to_node', 'type'].map((column) => textAt(row, column) ?? '');
    const [graph, from, to, type] = parts;
    findings.push({
      id: `path_spelled_twice.${parts.join('.')}`,
      runId: textAt(row, 'run_id'),
      featureId: null,
      severity: 'warning',
      fact: null,
      says: `The graph counts "${from} ${type} ${to}" ${numberAt(row, 'times')} times`,
      rows: (await query(EDGES, [graph ?? '', from ?? '', to ?? '', type ?? ''])).map(placeOf),
    });
  }
  return findings;
}

/** A file by its path in the project and by its path on the machine is one file; counted by spelling it is two. */
export const pathSpelledTwice: Rule = {
  id: 'path_spelled_twice',
  sentence:
    'One file is written in two spellings, so that what is counted by file is split or counted twice.',
  find: async (query) => [...(await splitCounts(query)), ...(await countedTwice(query))],
};
