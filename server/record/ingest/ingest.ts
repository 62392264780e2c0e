import { LIMITS } from '../../../shared/limits.ts';
import { audit } from '../audit/index.ts';
import { numberAt, textAt } from '../cells.ts';
import { dropDerived, type Transaction } from '../duck-transaction.ts';
import type { Duck } from '../duckdb.ts';
import type { RecordLog } from '../log.ts';
import { DERIVED_NAMES, derivedSql, MACROS } from '../schema.ts';
import type { ReadProgress, Row, SqlValue, Store } from '../store.ts';
import { cellsOf, type FactTable, TABLE_NAMES, type TableName } from '../tables.ts';
import type { Adapter } from './adapter.ts';
import { changeOf, type StoredSource, type UnitChange } from './changes.ts';
import type { Found, FoundSource } from './discover.ts';
import { OpenSource } from './open-source.ts';
import { sha256, sizeOfState, tailSha } from './read-source.ts';
import { RowWriter } from './row-writer.ts';

const isFactTable = (table: TableName): table is FactTable =>
  !['meta', 'projects', 'sources', 'ingest_issues', 'findings', 'finding_rows'].includes(table);
const FACT_TABLES = TABLE_NAMES.filter(isFactTable);

const stored = (row: Row): StoredSource => ({
  id: textAt(row, 'source_id') ?? '',
  path: textAt(row, 'path') ?? '',
  unit: textAt(row, 'unit') ?? '',
  state: textAt(row, 'state') ?? '',
  sha: textAt(row, 'content_sha'),
  parser: textAt(row, 'parser') ?? '',
  version: numberAt(row, 'parser_version') ?? 0,
  offset: numberAt(row, 'offset_bytes'),
  line: numberAt(row, 'next_line'),
  tailSha: textAt(row, 'tail_sha'),
  carry: textAt(row, 'carry'),
});

/** What the database knows of the sources it was made from. */
export async function storedSources(store: Store): Promise<StoredSource[]> {
  const { rows } = await store.query('SELECT * FROM sources ORDER BY source_id', [], {
    rows: LIMITS.foundSources,
  });
  return rows.map(stored);
}

/** What has changed since the last reading: each found unit, and the units that are gone. */
export async function changesSince(
  found: Found,
  known: readonly StoredSource[],
): Promise<{ units: UnitChange[]; gone: string[] }> {
  const units: UnitChange[] = [];
  for (const unit of found.units)
    units.push(
      await changeOf(
        unit,
        known.filter((source) => source.unit === unit.key),
      ),
    );
  const there = new Set(found.units.map(({ key }) => key));
  const gone = [...new Set(known.map(({ unit }) => unit))].filter((unit) => !there.has(unit));
  return { units, gone };
}

/** Tells how far reading is, at most ten times a second. */
function meter(
  units: readonly UnitChange[],
  tell: ((at: ReadProgress) => void) | undefined,
): (path: string) => (bytes: number) => void {
  let bytes = 0;
  let last = 0;
  const totalBytes = units
    .filter(({ how }) => how === 'anew' || how === 'append')
    .flatMap(({ states }) => [...states.values()])
    .reduce((sum, state) => sum + (sizeOfState(state) ?? 0), 0);
  return (path) => (more) => {
    bytes += more;
    const now = performance.now();
    if (!tell || (now - last < 100 && bytes < totalBytes)) return;
    last = now;
    tell({ bytes, totalBytes, path });
  };
}

async function forget(transaction: Transaction, unit: string): Promise<void> {
  const mine = 'source_id IN (SELECT source_id FROM sources WHERE unit = $1)';
  for (const table of FACT_TABLES) await transaction.run(`DELETE FROM ${table} WHERE ${mine}`, [unit]);
  await transaction.run(`DELETE FROM ingest_issues WHERE ${mine}`, [unit]);
  await transaction.run('DELETE FROM sources WHERE unit = $1', [unit]);
  await transaction.run('DELETE FROM meta WHERE key = $1', [`name.${unit}`]);
}

/** Before a log is read on: its last entry is read again, since it may have grown. */
async function cut(transaction: Transaction, source: string, line: number): Promise<void> {
  for (const table of FACT_TABLES)
    await transaction.run(`DELETE FROM ${table} WHERE source_id = $1 AND source_line >= $2`, [source, line]);
  await transaction.run('DELETE FROM ingest_issues WHERE source_id = $1 AND coalesce(line_no, $2) >= $2', [
    source,
    line,
  ]);
}

/** Reads one unit into the transaction. What goes wrong stands with its sources afterwards. */
async function readUnit(
  transaction: Transaction,
  change: UnitChange & { how: 'anew' | 'append' },
  project: { id: string; name: string },
  log: RecordLog,
  progress: (path: string) => (bytes: number) => void,
): Promise<void> {
  const { unit, states } = change;
  const resume = change.how === 'append' ? change.resume : null;
  const before = { ok: 0, bad: 0 };
  if (resume !== null) {
    const [source] = unit.sources;
    const [row] = await transaction.rows('SELECT lines_ok, lines_bad FROM sources WHERE source_id = $1', [
      source?.id ?? '',
    ]);
    before.ok = (row && numberAt(row, 'lines_ok')) ?? 0;
    before.bad = (row && numberAt(row, 'lines_bad')) ?? 0;
    await cut(transaction, source?.id ?? '', resume.no);
    await transaction.run('DELETE FROM sources WHERE unit = $1', [unit.key]);
  }
  const sources = unit.sources.map((found) => new OpenSource(found, resume, progress(found.path)));
  // A reader that goes on and finds nothing to count has still counted what was there before.
  if (resume !== null) for (const source of sources) source.count(0, 0);
  const writer = new RowWriter(transaction, sources);
  try {
    await unit.adapter.read(
      {
        project,
        sources,
        of: (kind) => sources.filter((source) => source.kind === kind),
        carried: change.how === 'append' ? change.carry : null,
      },
      writer,
    );
  } catch (error) {
    // A fault of the reader must not take the other sources with it; what was read up to there is kept.
    log.warn(`${unit.key}: ${error instanceof Error ? error.message : String(error)}`);
    sources[0]?.issue(
      'adapter_failed',
      'error',
      null,
      'Reading stopped because of a fault in the reader of this format.',
    );
    writer.resume = null;
  }
  await writer.end();
  if (writer.name !== null) await transaction.append('meta', [[`name.${unit.key}`, writer.name]]);
  for (const source of sources) {
    const { found, counts, issues } = source;
    const point = unit.adapter.appendable && found.at.type === 'file' ? writer.resume : null;
    const tail = point && found.at.type === 'file' ? await tailSha(found.at.file, point.offset) : null;
    await transaction.append('sources', [
      cellsOf('sources', {
        source_id: found.id,
        project_id: project.id,
        kind: found.kind,
        label: found.label,
        path: found.path,
        content_sha: source.sha,
        bytes: source.bytesRead,
        lines_ok: counts && counts.ok + before.ok,
        lines_bad: counts && counts.bad + before.bad,
        parser: unit.adapter.id,
        parser_version: unit.adapter.version,
        unit: unit.key,
        state: states.get(found.id) ?? '',
        offset_bytes: point?.offset ?? null,
        next_line: point?.no ?? null,
        tail_sha: tail,
        carry: point?.carry ?? null,
      }),
    ]);
    const from = resume?.no ?? 0;
    await transaction.append(
      'ingest_issues',
      issues.map((issue, i): SqlValue[] => [
        `${found.id}.i${from > 0 ? `${from}.` : ''}${i + 1}`,
        found.id,
        issue.line,
        issue.code,
        issue.severity,
        issue.detail,
      ]),
    );
    for (const issue of issues) if (issue.severity !== 'info') log.warn(`${found.path}: ${issue.detail}`);
  }
}

/** Makes the derived tables, runs the audit over them, and notes the digest of it all. */
async function derive(transaction: Transaction, adapters: readonly Adapter[]): Promise<void> {
  await dropDerived(transaction, DERIVED_NAMES);
  await transaction.run('DELETE FROM findings');
  await transaction.run('DELETE FROM finding_rows');
  await transaction.run("DELETE FROM meta WHERE key = 'digest'");
  await transaction.script(MACROS);
  for (const statement of adapters.flatMap(({ settles }) => settles ?? [])) await transaction.run(statement);
  const further = adapters.flatMap(({ derives }) => derives ?? []);
  for (const name of DERIVED_NAMES) {
    if (name === 'v_feature') {
      // The audit reads what is derived from observations, and what is derived of features reads the audit.
      const found = await audit((sql, params) => transaction.rows(sql, params));
      await transaction.append('findings', found.findings);
      await transaction.append('finding_rows', found.rows);
    }
    await transaction.run(`CREATE TABLE ${name} AS ${derivedSql(name, further)}`);
  }
  const content = [
    await transaction.rows(
      'SELECT source_id, path, content_sha, parser, parser_version, unit FROM sources ORDER BY source_id',
    ),
    await transaction.rows('SELECT * FROM ingest_issues ORDER BY issue_id'),
    await transaction.rows('SELECT * FROM findings ORDER BY finding_id'),
    await transaction.rows('SELECT project_id, name FROM projects'),
  ];
  await transaction.append('meta', [['digest', sha256(JSON.stringify(content))]]);
}

/**
 * Brings the record up to what was found: units that changed are read, units that are gone are removed, then everything derived
 * is made anew, in one transaction. The same folder gives the same rows, whichever way it was reached.
 */
export async function writeRecord(
  duck: Duck,
  project: { id: string; name: string; root: string | null },
  changes: { units: readonly UnitChange[]; gone: readonly string[] },
  adapters: readonly Adapter[],
  log: RecordLog,
  tell?: (at: ReadProgress) => void,
): Promise<void> {
  const progress = meter(changes.units, tell);
  await duck.write(async (transaction) => {
    for (const unit of changes.gone) await forget(transaction, unit);
    // All before the first is read: a source may have taken over the id another one had.
    for (const { how, unit } of changes.units) if (how === 'anew') await forget(transaction, unit.key);
    for (const change of changes.units) {
      if (change.how === 'anew' || change.how === 'append')
        await readUnit(transaction, change, project, log, progress);
      else if (change.how === 'touched') await touch(transaction, change.states);
    }
    const names = await transaction.rows("SELECT value FROM meta WHERE key LIKE 'name.%' ORDER BY key");
    const name = (names[0] && textAt(names[0], 'value')) ?? project.name;
    await transaction.run('DELETE FROM projects');
    const any = await transaction.rows('SELECT 1 AS one FROM sources LIMIT 1');
    if (any.length > 0)
      await transaction.append('projects', [
        cellsOf('projects', { project_id: project.id, name, root_path: project.root }),
      ]);
    await derive(transaction, adapters);
  });
}

async function touch(transaction: Transaction, states: ReadonlyMap<string, string>): Promise<void> {
  for (const [id, state] of states)
    await transaction.run('UPDATE sources SET state = $2 WHERE source_id = $1', [id, state]);
}

/** Notes new states of files whose content is as before, and nothing else. */
export async function noteTouched(duck: Duck, units: readonly UnitChange[]): Promise<void> {
  const touched = units.filter(({ how }) => how === 'touched');
  if (touched.length > 0)
    await duck.write(async (transaction) => {
      for (const { states } of touched) await touch(transaction, states);
    });
}

/** Every source that is loaded, by id. */
export const loadedSources = (found: Found): Map<string, FoundSource> =>
  new Map(found.units.flatMap(({ sources }) => sources.map((source) => [source.id, source] as const)));
