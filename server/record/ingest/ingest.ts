import { basename } from 'node:path';
import { audit } from '../audit/index.ts';
import { clear } from '../duck-transaction.ts';
import type { Duck } from '../duckdb.ts';
import { DERIVED, type DerivedName, MACROS, TABLE_NAMES } from '../schema.ts';
import type { SourceKind } from '../store.ts';
import { assemble, PARSER_VERSION } from './agentforge/assemble.ts';
import { readFeatureList } from './agentforge/feature-list.ts';
import { readGitLog } from './agentforge/git-log.ts';
import { readMetrics } from './agentforge/metrics.ts';
import { readProgressLog } from './agentforge/progress-log.ts';
import { discover, type FoundSource } from './discover.ts';
import type { Reading } from './facts.ts';
import { readSource, type SourceText, sha256, sourceState } from './read-source.ts';
import type { Rows } from './rows.ts';

const ADAPTERS: Readonly<Record<SourceKind, (text: string) => Reading>> = {
  metrics: readMetrics,
  feature_list: readFeatureList,
  progress_log: readProgressLog,
  git: readGitLog,
};

/** A folder as it was read at one moment. */
export interface Snapshot {
  sources: { found: FoundSource; read: SourceText; state: string }[];
  /** Equal for equal contents. */
  key: string;
}

/** Reads all sources of a folder; null is no folder, and gives an empty snapshot. */
export async function takeSnapshot(root: string | null): Promise<Snapshot> {
  const found = root === null ? [] : await discover(root);
  const sources: Snapshot['sources'] = [];
  for (const source of found) {
    // The state is taken first: a file that changes while it is read is then seen as changed.
    const state = await sourceState(source);
    sources.push({ found: source, read: await readSource(source), state });
  }
  const key = sha256(
    JSON.stringify(sources.map(({ found: f, read }) => [f.id, f.path, read.sha, read.issues])),
  );
  return { sources, key };
}

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || 'project';

/** The rows of a snapshot, by pure functions of the texts alone. */
export function rowsOf(root: string, snapshot: Snapshot): Rows {
  const readings = new Map<SourceKind, Reading>();
  for (const { found, read } of snapshot.sources) {
    if (read.text !== null) readings.set(found.kind, ADAPTERS[found.kind](read.text));
  }
  const folder = basename(root);
  const named = [...readings.values()].find((reading) => reading.project !== null)?.project;
  const files = snapshot.sources.map(({ found, read }) => ({ ...found, ...read }));
  return assemble({ id: slug(folder), name: named?.slice(0, 80) || folder, root }, files, readings);
}

/**
 * Replaces the record by what a snapshot says: rows, the audit over them, and the derived tables, in one transaction.
 * Writing the same snapshot again gives the same rows.
 */
export async function writeRecord(duck: Duck, root: string | null, snapshot: Snapshot): Promise<void> {
  const rows = root === null || snapshot.sources.length === 0 ? null : rowsOf(root, snapshot);
  await duck.write(async (transaction) => {
    await clear(transaction);
    for (const table of TABLE_NAMES) {
      if (rows === null || table === 'meta' || table === 'findings' || table === 'finding_rows') continue;
      await transaction.append(table, rows[table]);
    }
    await transaction.run(MACROS);
    const derive = (name: DerivedName): Promise<void> =>
      transaction.run(`CREATE TABLE ${name} AS ${DERIVED[name]}`);
    await derive('v_observation');
    await derive('counted');
    // The audit reads what is derived from observations, and what is derived of features reads the audit.
    const found = await audit((sql, params) => transaction.rows(sql, params));
    await transaction.append('findings', found.findings);
    await transaction.append('finding_rows', found.rows);
    await derive('v_feature');
    // The folder's place on this machine is no part of what the record says.
    const content = rows && { ...rows, projects: rows.projects.map(([id, name]) => [id, name]) };
    const digest = sha256(JSON.stringify([PARSER_VERSION, snapshot.key, content, found]));
    await transaction.append('meta', [['digest', digest]]);
  });
}
