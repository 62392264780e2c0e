import { stat } from 'node:fs/promises';
import { openDuck } from './duckdb.ts';
import { LiveSources, writtenDigest } from './fingerprint.ts';
import type { FoundSource } from './ingest/discover.ts';
import { takeSnapshot, writeRecord } from './ingest/ingest.ts';
import { sha256 } from './ingest/read-source.ts';
import { type RecordLog, SILENT } from './log.ts';
import { profileOf } from './profile.ts';
import { readRawLines } from './raw-lines.ts';
import type { ReadProgress, RecordHandle } from './store.ts';

export interface RecordOptions {
  /** Folder of a run, or null for none. A folder without sources gives an empty record, not an error. */
  root: string | null;
  /** Where the record is kept: `:memory:`, or the path of a database file. */
  database: string | ':memory:';
  log?: RecordLog;
  /** Told while sources are read, at most ten times a second. */
  progress?(at: ReadProgress): void;
  /** Name of the project where the folder's is not good enough; ids are made of the folder's name. */
  project?: { id: string; name: string };
}

/**
 * Opens a record: reads the folder, runs the audit, and answers from then on. Reading again happens only by `reload`.
 * Throws only when DuckDB itself cannot start.
 */
export async function openRecord({ root, database, log = SILENT }: RecordOptions): Promise<RecordHandle> {
  const live = new LiveSources();
  const duck = await openDuck(database, log, async (store) =>
    // What was written, and what the files hold now: either one changing is a record that moved.
    sha256(`${await writtenDigest(store)}\n${await live.digest()}`),
  );
  let loaded: ReadonlyMap<string, FoundSource> = new Map();
  let key: string | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  const read = async (): Promise<boolean> => {
    if (root !== null && !(await stat(root).catch(() => null))?.isDirectory()) {
      log.warn(`There is no folder ${root}; the record is empty.`);
    }
    const snapshot = await takeSnapshot(root);
    if (snapshot.key === key) return false;
    await writeRecord(duck, root, snapshot);
    live.watch(snapshot.sources);
    loaded = new Map(snapshot.sources.map(({ found }) => [found.id, found]));
    key = snapshot.key;
    for (const { found, read: source } of snapshot.sources) {
      for (const issue of source.issues) log.warn(`${found.path}: ${issue.detail}`);
    }
    return true;
  };
  try {
    await read();
  } catch (error) {
    await duck.close();
    throw error;
  }

  return {
    store: duck.store,
    profile: async () => profileOf(duck.store, await duck.store.fingerprint()),
    rawLines: async (sourceId, line, around) => {
      const source = loaded.get(sourceId);
      return source ? readRawLines(source, line, around) : null;
    },
    reload: () => {
      // One after the other: two readings at once could write an older state over a newer one.
      const mine = turn.then(read);
      turn = mine.catch(() => undefined);
      return mine;
    },
    close: async () => {
      await turn;
      await duck.close();
    },
  };
}
