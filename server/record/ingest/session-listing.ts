import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { LIMITS } from '../../../shared/limits.ts';
import type { SessionHome } from './session-homes.ts';

/** A file of a home that may hold a session. */
export interface SessionFile {
  home: SessionHome;
  /** As people see it: `~/.claude/projects/…`. */
  path: string;
  /** The same place without any link in it. */
  real: string;
  /** Its folder has changed since it was listed last, or is listed for the first time. */
  relisted: boolean;
}

export interface SessionListing {
  files: SessionFile[];
  /** What was left out, in words. */
  left: string[];
}

/** What stands in one folder, and the state of the folder it was read in. */
interface Folder {
  state: string;
  /** The folder had last changed long enough before it was read for a later change to show in its time. */
  settled: boolean;
  folders: string[];
  files: string[];
  links: string[];
}

/** Two changes of a folder closer together than this may leave it with one time. */
const SETTLED_MS = 2_000;

/** Folders of a home that hold sessions, and which of the folders below are looked into. */
const PLACES = {
  claude: [
    {
      below: 'projects',
      file: (name: string) => name.endsWith('.jsonl') || name.endsWith('.meta.json'),
      // <project>/<session>/subagents/… ; what else stands beside a session is no transcript.
      folder: (name: string, depth: number) => depth !== 2 || name === 'subagents',
      /** Folders in those at this depth are each of one session, the transcript of which stands beside it. */
      ofSession: 1,
    },
  ],
  codex: ['sessions', 'archived_sessions'].map((below) => ({
    below,
    file: (name: string) => name.endsWith('.jsonl'),
    folder: () => true,
    ofSession: null,
  })),
  // Found by its own look (telemetry-look.ts).
  telemetry: [],
} as const;

const DEPTH = 6;
/** Folders and files looked at side by side. */
const SIDE_BY_SIDE = 16;

/** Those for which a question is answered with yes, some of them asked side by side. */
export async function keptOf<T>(all: readonly T[], ask: (one: T) => Promise<boolean>): Promise<T[]> {
  const kept: T[] = [];
  for (let from = 0; from < all.length; from += SIDE_BY_SIDE) {
    const some = all.slice(from, from + SIDE_BY_SIDE);
    const answers = await Promise.all(some.map(ask));
    kept.push(...some.filter((_, at) => answers[at] === true));
  }
  return kept;
}

/** Which folders of sessions are worth looking into, by the transcript beside them. */
export type Wanted = (transcript: string) => Promise<boolean>;

/**
 * Lists the files of homes, again and again: a folder that has not changed is not read a second time, so looking once a second
 * costs a look at each folder's state. Links are followed only inside the home. Nothing is ever written.
 */
export class SessionLister {
  readonly #known = new Map<string, Folder>();

  async #folder(dir: string): Promise<(Folder & { relisted: boolean }) | null> {
    try {
      const { mtimeMs, ctimeMs, ino } = await lstat(dir);
      const state = `${mtimeMs}:${ctimeMs}:${ino}`;
      const known = this.#known.get(dir);
      if (known?.state === state && known.settled) return { ...known, relisted: false };
      const settled = Date.now() - Math.max(mtimeMs, ctimeMs) > SETTLED_MS;
      const made: Folder = { state, settled, folders: [], files: [], links: [] };
      for (const entry of await readdir(dir, { withFileTypes: true })) {
        if (entry.isDirectory()) made.folders.push(entry.name);
        else if (entry.isFile()) made.files.push(entry.name);
        else if (entry.isSymbolicLink()) made.links.push(entry.name);
      }
      this.#known.set(dir, made);
      return { ...made, relisted: true };
    } catch {
      this.#known.delete(dir);
      return null;
    }
  }

  async #place(
    home: SessionHome,
    root: string,
    { below, file, folder, ofSession }: (typeof PLACES)[SessionHome['harness']][number],
    wanted: Wanted,
    into: SessionListing,
    budget: { left: number; outside: number },
  ): Promise<void> {
    const start = await realpath(join(root, below)).catch(() => null);
    if (start === null) return;
    let level = [{ dir: start, path: `${home.shown}/${below}` }];
    const seen = new Set([start]);
    // Bounded: each folder once, and a number of entries in all.
    for (let depth = 0; level.length > 0 && depth <= DEPTH; depth += 1) {
      const next: typeof level = [];
      for (let from = 0; from < level.length && budget.left > 0; from += SIDE_BY_SIDE) {
        const some = level.slice(from, from + SIDE_BY_SIDE);
        const listed = await Promise.all(some.map(({ dir }) => this.#folder(dir)));
        for (const [at, { dir, path }] of some.entries()) {
          const found = listed[at] ?? null;
          if (found === null) continue;
          budget.left -= 1 + found.files.length + found.folders.length + found.links.length;
          const enter = (name: string, real: string): void => {
            if (seen.has(real) || !folder(name, depth)) return;
            seen.add(real);
            next.push({ dir: real, path: `${path}/${name}` });
          };
          const take = (name: string, real: string): void => {
            if (file(name))
              into.files.push({ home, path: `${path}/${name}`, real, relisted: found.relisted });
          };
          for (const name of found.files) take(name, join(dir, name));
          for (const name of found.folders) enter(name, join(dir, name));
          for (const name of found.links) {
            const real = await realpath(join(dir, name)).catch(() => null);
            if (real === null) continue;
            if (!real.startsWith(`${start}${sep}`)) {
              budget.outside += 1;
              continue;
            }
            const what = await stat(real).catch(() => null);
            if (what?.isDirectory()) enter(name, real);
            else if (what?.isFile()) take(name, real);
          }
        }
      }
      level = depth === ofSession ? await keptOf(next, ({ dir }) => wanted(`${dir}.jsonl`)) : next;
    }
  }

  /**
   * Every file of the homes that may hold a session, each place once, in the order of their paths.
   * @param wanted asked before the folder of a session is looked into
   */
  async list(homes: readonly SessionHome[], wanted: Wanted): Promise<SessionListing> {
    const all: SessionListing = { files: [], left: [] };
    const budget = { left: LIMITS.sessionEntries, outside: 0 };
    for (const home of homes) {
      const root = await realpath(home.dir).catch(() => null);
      if (root === null) continue;
      for (const place of PLACES[home.harness]) await this.#place(home, root, place, wanted, all, budget);
    }
    if (budget.left <= 0)
      all.left.push(
        `Only ${LIMITS.sessionEntries} entries of the folders of sessions were looked at; the rest was left out.`,
      );
    if (budget.outside > 0)
      all.left.push(
        `${budget.outside} ${budget.outside === 1 ? 'link' : 'links'} out of the folders of sessions ${budget.outside === 1 ? 'was' : 'were'} not followed.`,
      );
    const places = new Set<string>();
    all.files = all.files
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .filter(({ real }) => !places.has(real) && places.add(real));
    return all;
  }
}
