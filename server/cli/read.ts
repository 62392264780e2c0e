import { mkdir } from 'node:fs/promises';
import { demoFolders, folderProblem } from '../folder.ts';
import type { SessionHomes } from '../record/ingest/session-homes.ts';
import type { RecordLog } from '../record/log.ts';
import type { Price } from '../record/prices/price-list.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import type { Where } from './command.ts';
import { createProgress, type ProgressStream } from './progress.ts';

/** Something a person asked for cannot be done; the message says why. */
export class CliError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CliError';
  }
}

export interface ReadOptions {
  where: Where;
  /** Folder of the demo projects. */
  data: string;
  /** Folder for database files, or null to keep records in memory. */
  state: string | null;
  log: RecordLog;
  /** Where sessions are looked for beside the folders; nowhere when it is left out. */
  homes?: SessionHomes;
  /** Folder under which received telemetry is kept; none is read when it is left out. */
  telemetry?: string;
  /** What model calls cost; without any they are unpriced. */
  prices?: readonly Price[];
  /** Where progress is shown. */
  stream: NodeJS.WriteStream | ProgressStream;
}

/** Folders the command line means. Throws CliError when one of them cannot be read. */
async function foldersOf(where: Where, data: string): Promise<string[]> {
  if (where.type === 'demo') {
    const folders = await demoFolders(data);
    if (folders.length === 0)
      throw new CliError('The demo projects are not there. Give the folder of a project.');
    return folders;
  }
  const folders = where.type === 'here' ? [where.folder] : where.folders;
  const problems = await Promise.all(folders.map(folderProblem));
  const told = problems.filter((problem) => problem !== null);
  if (told.length > 0) throw new CliError(told.join('\n'));
  return folders;
}

/** The state folder, or null where none can be made: then records are kept in memory. */
export async function usableState(state: string, log: RecordLog): Promise<string | null> {
  try {
    await mkdir(state, { recursive: true });
    return state;
  } catch {
    log.warn(`${state} cannot be written; the record is kept in memory.`);
    return null;
  }
}

/**
 * Reads the folders the command line means, with progress. Nothing is written into them.
 * @throws CliError for folders that cannot be read, and for a folder one stands in that holds nothing to read
 */
export async function readFolders({
  where,
  data,
  state,
  log,
  homes,
  telemetry,
  prices,
  stream,
}: ReadOptions): Promise<Workspace> {
  const folders = await foldersOf(where, data);
  const progress = createProgress(stream);
  let workspace: Workspace;
  try {
    workspace = await openWorkspace({
      folders,
      state,
      log,
      ...(homes === undefined ? {} : { homes }),
      ...(telemetry === undefined ? {} : { telemetry }),
      ...(prices === undefined ? {} : { prices }),
      progress: ({ name }, at) => progress.at(name, at),
    });
  } finally {
    progress.end();
  }
  if (where.type !== 'here') return workspace;
  const { sources } = await workspace.projects[0].record.summary();
  if (sources.length > 0) return workspace;
  await workspace.close();
  throw new CliError(
    `Nothing that Looplight reads was found in ${where.folder}. Give the folder of a project, or --demo for the demo projects.`,
  );
}
