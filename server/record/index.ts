import { realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { openDuck } from './duckdb.ts';
import { LiveSources, writtenDigest } from './fingerprint.ts';
import type { Adapter } from './ingest/adapter.ts';
import { ADAPTERS } from './ingest/adapters.ts';
import { changesSince } from './ingest/changes.ts';
import { type Deriving, derivingOf } from './ingest/deriving.ts';
import { discover, type Found, type FoundSource } from './ingest/discover.ts';
import { noteTouched, recordWriter } from './ingest/ingest.ts';
import { sha256 } from './ingest/read-source.ts';
import type { SessionHomes } from './ingest/session-homes.ts';
import { type FoundSessions, NO_SESSIONS, SessionLook } from './ingest/session-look.ts';
import { type StoredSource, storedSources } from './ingest/stored-sources.ts';
import { TelemetryLook } from './ingest/telemetry-look.ts';
import { type RecordLog, SILENT } from './log.ts';
import type { Price } from './prices/price-list.ts';
import { pricesDigest, writePrices } from './prices/write-prices.ts';
import { profileOf } from './profile.ts';
import { readRawLines } from './raw-lines.ts';
import type { ReadProgress, RecordHandle } from './store.ts';
import { summaryOf } from './summary.ts';
import { Watcher } from './watcher.ts';

export interface RecordOptions {
  /** Folder of a run, or null for none. A folder without sources gives an empty record, not an error. */
  root: string | null;
  /** Where the record is kept: `:memory:`, or the path of a database file. */
  database: string | ':memory:';
  log?: RecordLog;
  /** Told while sources are read, at most ten times a second. */
  progress?(at: ReadProgress): void;
  /** The project, where the folder's own name is not good enough. */
  project?: { id: string; name: string };
  /** Formats that are read; all of them unless a test wants others. */
  adapters?: readonly Adapter[];
  /** Where else sessions of coding agents are looked for; only in the folder itself when it is left out. */
  homes?: SessionHomes;
  /** Folder of the telemetry that was received for the project (server/otlp); none when it is left out. */
  telemetry?: string;
  /** What model calls cost; without any they are unpriced. */
  prices?: readonly Price[];
  /** What is derived of them and checked; everything unless a test wants less. */
  deriving?: Deriving;
}

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || 'project';

const NOTHING: Found = { units: [], left: [] };

/** What was found stays valid for this many times as long as finding it took, so that looking costs little of a second. */
const WALK_SHARE = 20;
const WALK_CHEAP_MS = 20;

/** When something was looked at last, and how long that took. */
interface Pace {
  at: number;
  ms: number;
}
const NEVER: Pace = { at: Number.NEGATIVE_INFINITY, ms: 0 };
const isFresh = ({ at, ms }: Pace): boolean => ms > WALK_CHEAP_MS && performance.now() - at < WALK_SHARE * ms;
const paceSince = (start: number): Pace => ({ at: performance.now(), ms: performance.now() - start });

/**
 * Opens a record: reads what changed in the folder since the database was written, runs the audit, and answers from then on.
 * Reading again happens by `reload`, or by itself after `watch`. Throws only when DuckDB itself cannot start.
 */
export async function openRecord(options: RecordOptions): Promise<RecordHandle> {
  const { root, database, log = SILENT, adapters = ADAPTERS, prices = [] } = options;
  const priced = pricesDigest(prices);
  const folder = root === null ? 'project' : basename(root);
  const project = { id: options.project?.id ?? slug(folder), name: options.project?.name ?? folder, root };
  const live = new LiveSources();
  const duck = await openDuck(database, log, async (store) =>
    // What was written, and what the files hold now: either one changing is a record that moved.
    sha256(`${await writtenDigest(store)}\n${await live.digest()}\n${priced}`),
  );
  // Before anything is read, since what was derived at the last opening may rest on other prices.
  await duck.write((transaction) => writePrices(transaction, prices));
  const write = recordWriter(duck, project, options.deriving ?? derivingOf(adapters), log);
  let loaded: ReadonlyMap<string, FoundSource> = new Map();
  /** Sources as the database knows them; null when that has to be asked again. */
  let stored: readonly StoredSource[] | null = null;
  let found: Found = NOTHING;
  let walked = NEVER;
  let sessions: { look: SessionLook; found: FoundSessions; seen: Pace } | null = null;
  const telemetry = options.telemetry === undefined ? null : new TelemetryLook(options.telemetry);
  /** What lies outside of the folder and belongs to the project. */
  let outside: FoundSessions = NO_SESSIONS;
  let first = true;
  let closed = false;
  let turn: Promise<unknown> = Promise.resolve();
  const listeners = new Set<() => void>();

  /** What the homes hold of the project; the same object while that is the same. */
  const lookForSessions = async (folder: string): Promise<FoundSessions> => {
    if (options.homes === undefined) return NO_SESSIONS;
    if (sessions !== null && isFresh(sessions.seen)) return sessions.found;
    const start = performance.now();
    const look = sessions?.look ?? new SessionLook(options.homes, await realpath(folder));
    const found = await look.look();
    sessions = { look, found, seen: paceSince(start) };
    return found;
  };

  const look = async (): Promise<void> => {
    if (root === null) return;
    const before = outside;
    const now = await lookForSessions(root);
    outside = telemetry === null ? now : await telemetry.with(now);
    if (isFresh(walked) && outside === before) return;
    const start = performance.now();
    found = await discover(root, adapters, outside);
    walked = paceSince(start);
  };

  const read = async (): Promise<boolean> => {
    if (closed) return false;
    if (root !== null && !(await stat(root).catch(() => null))?.isDirectory()) {
      if (first) log.warn(`There is no folder ${root}; the record is empty.`);
      found = NOTHING;
    } else await look();
    stored ??= await storedSources(duck.store);
    const changes = await changesSince(found, stored);
    const moved =
      first || changes.gone.length > 0 || changes.units.some(({ how }) => how === 'anew' || how === 'append');
    if (moved || changes.units.some(({ how }) => how === 'touched')) {
      stored = null;
      if (moved) await write(changes, options.progress);
      else await noteTouched(duck, changes.units);
      stored = await storedSources(duck.store);
      loaded = new Map(found.units.flatMap(({ sources }) => sources.map((source) => [source.id, source])));
      const known = new Map(stored.map((source) => [source.id, source]));
      live.watch(
        [...loaded.values()].map((source) => ({
          found: source,
          state: known.get(source.id)?.state ?? '',
          sha: known.get(source.id)?.sha ?? null,
        })),
      );
    }
    first = false;
    return moved;
  };
  try {
    await read();
  } catch (error) {
    await duck.close();
    throw error;
  }

  const reload = (): Promise<boolean> => {
    // One after the other: two readings at once could write an older state over a newer one.
    const mine = turn.then(read).then((moved) => {
      if (moved) for (const listener of listeners) listener();
      return moved;
    });
    turn = mine.catch(() => undefined);
    return mine;
  };
  const watcher = new Watcher(reload, (error) => {
    log.warn(`The folder could not be read again: ${error instanceof Error ? error.message : String(error)}`);
  });

  return {
    store: duck.store,
    profile: async () => profileOf(duck.store, await duck.store.fingerprint()),
    rawLines: async (sourceId, line, around) => {
      const source = loaded.get(sourceId);
      return source ? readRawLines(source, line, around) : null;
    },
    reload,
    summary: () => summaryOf(duck.store, project, found, adapters),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    watch: () => {
      if (root !== null) watcher.start();
    },
    close: async () => {
      closed = true;
      watcher.stop();
      listeners.clear();
      await turn;
      await duck.close();
    },
  };
}
