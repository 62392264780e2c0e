import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LIMITS } from '../../shared/limits.ts';
import { telemetryFolder } from '../otlp/keeper.ts';
import { openRecord, type RecordOptions } from '../record/index.ts';
import type { SessionHomes } from '../record/ingest/session-homes.ts';
import type { RecordLog } from '../record/log.ts';
import type { Price } from '../record/prices/price-list.ts';
import type { ReadProgress, RecordHandle } from '../record/store.ts';
import { createWiring } from '../wiring.ts';
import { namesOf, type ProjectNames } from './names.ts';
import type { Project } from './project.ts';

export interface WorkspaceOptions {
  /** Folders as they were given, the default project's first. */
  folders: readonly string[];
  /** Folder for database files, or null to keep the records in memory. */
  state: string | null;
  log: RecordLog;
  /** Where sessions are looked for beside the folders; nowhere when it is left out. */
  homes?: SessionHomes;
  /** Folder under which received telemetry is kept; none is read when it is left out. */
  telemetry?: string;
  /** What model calls cost; without any they are unpriced. */
  prices?: readonly Price[];
  /** Told while a project is read. */
  progress?(project: ProjectNames, at: ReadProgress): void;
  /** Opens one record; the real one unless a test brings its own. */
  open?(options: RecordOptions): Promise<RecordHandle>;
}

/** The loaded projects, at least one, the default one first. */
export interface Workspace {
  projects: readonly [Project, ...Project[]];
  /** Reads new lines as they come, until it is closed. */
  watch(): void;
  close(): Promise<void>;
}

/** Folders to load in words of the file system: each once, whatever it was called. Keeps the first spelling given. */
export async function distinctFolders(folders: readonly string[]): Promise<string[]> {
  const seen = new Map<string, string>();
  for (const given of folders) {
    const folder = resolve(given);
    const real = await realpath(folder).catch(() => folder);
    if (!seen.has(real)) seen.set(real, folder);
  }
  return [...seen.values()];
}

/** One database file a folder, so that records of two folders never mix. */
const databaseOf = (state: string | null, folder: string): string =>
  state === null
    ? ':memory:'
    : join(state, `record-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.duckdb`);

/**
 * Opens the records of all folders, one after the other, at most LIMITS.projects of them.
 * The same folder twice is one project. Throws when there is none, or when a record cannot be opened; what was open is
 * closed then.
 */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { state, log, homes, telemetry, prices, progress, open = openRecord } = options;
  const all = await distinctFolders(options.folders);
  const folders = all.slice(0, LIMITS.projects);
  if (all.length > folders.length)
    log.warn(
      `${all.length - folders.length} folders more than ${LIMITS.projects} were given; they are not read.`,
    );
  const names = namesOf(folders);
  const projects: Project[] = [];
  const close = async (): Promise<void> => {
    await Promise.allSettled(projects.map(({ record }) => record.close()));
  };
  try {
    for (const [at, folder] of folders.entries()) {
      const own = names[at];
      if (own === undefined) continue;
      const { id, name, label } = own;
      const record = await open({
        root: folder,
        database: databaseOf(state, folder),
        log,
        project: { id, name },
        ...(homes === undefined ? {} : { homes }),
        ...(telemetry === undefined ? {} : { telemetry: telemetryFolder(telemetry, folder) }),
        ...(prices === undefined ? {} : { prices }),
        ...(progress ? { progress: (now: ReadProgress) => progress(own, now) } : {}),
      });
      // A source may know a better name than the folder has.
      const told = (await record.summary()).project.name;
      const taken = projects.some((other) => other.name.toLowerCase() === told.toLowerCase());
      const ref = { id, name: told === '' || taken ? name : told };
      const called = [...new Set([ref.name, name, id])];
      projects.push({
        ...ref,
        called,
        label,
        folder,
        record,
        wiring: createWiring(record, { ...ref, called }),
      });
    }
  } catch (error) {
    await close();
    throw error;
  }
  const [first, ...others] = projects;
  if (first === undefined) throw new Error('no folder was given');
  return {
    projects: [first, ...others],
    watch: () => {
      for (const { record } of projects) record.watch();
    },
    close,
  };
}
