import { numberAt, textAt } from './cells.ts';
import type { Adapter } from './ingest/adapter.ts';
import type { Found } from './ingest/discover.ts';
import { kindOf } from './source-kinds.ts';
import type { ReadSummary, Store } from './store.ts';
import { TABLE_NAMES } from './tables.ts';

/** Problems of one source that are named; the rest are counted. */
const NAMED = 3;

const COUNTED = TABLE_NAMES.filter((table) => !['meta', 'projects', 'finding_rows'].includes(table));

/** What reading came to, for the table a person sees at the start. */
export async function summaryOf(
  store: Store,
  project: { id: string; name: string; root: string | null },
  found: Found,
  adapters: readonly Adapter[],
): Promise<ReadSummary> {
  const ask = async (sql: string) => (await store.query(sql)).rows;
  const [projects, sources, issues, counts] = await Promise.all([
    ask('SELECT name FROM projects'),
    ask(
      'SELECT source_id, kind, label, path, bytes, lines_ok, lines_bad, parser FROM sources ORDER BY parser, path',
    ),
    ask(
      "SELECT source_id, line_no, detail FROM ingest_issues WHERE severity <> 'info' ORDER BY source_id, line_no NULLS FIRST, issue_id",
    ),
    ask(
      COUNTED.map((table) => `SELECT '${table}' AS name, count(*) AS rows FROM ${table}`).join(' UNION ALL '),
    ),
  ]);
  const format = new Map(adapters.map(({ id, label }) => [id, label]));
  const rows = Object.fromEntries(
    counts.flatMap((row) => {
      const count = numberAt(row, 'rows') ?? 0;
      return count > 0 ? [[textAt(row, 'name') ?? '', count] as const] : [];
    }),
  );
  return {
    project: { id: project.id, name: (projects[0] && textAt(projects[0], 'name')) ?? project.name },
    root: project.root,
    sources: sources.flatMap((row) => {
      const kind = kindOf(textAt(row, 'kind'));
      const id = textAt(row, 'source_id');
      if (kind === null || id === null) return [];
      const problems = issues.filter((issue) => issue.source_id === id);
      return [
        {
          id,
          kind,
          label: textAt(row, 'label') ?? kind,
          path: textAt(row, 'path') ?? '',
          format: format.get(textAt(row, 'parser') ?? '') ?? '',
          bytes: numberAt(row, 'bytes'),
          ok: numberAt(row, 'lines_ok'),
          bad: numberAt(row, 'lines_bad'),
          problems: problems
            .slice(0, NAMED)
            .map((issue) => ({ line: numberAt(issue, 'line_no'), detail: textAt(issue, 'detail') ?? '' })),
          problemCount: problems.length,
        },
      ];
    }),
    rows,
    findings: rows.findings ?? 0,
    left: found.left,
  };
}
