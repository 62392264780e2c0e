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
    },
  ],
  codex: ['sessions', 'archived_sessions'].map((below) => ({
    below,
    file: (name: string) => name.endsWith('.jsonl'),
    folder: () => true,
  })),
} as const;

const DEPTH = 6;

/**
 * Lists the files of homes, again and again: a folder that has not changed is not read a second time, so looking once a second
 * costs a look at each folder's state. Links are followed only inside the home. Nothing is ever written.
 */
export class SessionLister {
  readonly #known = new Map<string, Folder>();

  async #folder(dir: string): Promise<Folder | null> {
    try {
      const { mtimeMs, ctimeMs, ino } = await lstat(dir);
      const state = `${mtimeMs}:${ctimeMs}:${ino}`;
      const known = this.#known.get(dir);
      if (known?.state === state && known.settled) return known;
      const settled = Date.now() - Math.max(mtimeMs, ctimeMs) > SETTLED_MS;
      const made: Folder = { state, settled, folders: [], files: [], links: [] };
      for (const entry of await readdir(dir, { withFileTypes: true })) {
        if (entry.isDirectory()) made.folders.push(entry.name);
        else if (entry.isFile()) made.files.push(entry.name);
        else if (entry.isSymbolicLink()) made.links.push(entry.name);
      }
      this.#known.set(dir, made);
      return made;
    } catch {
      this.#known.delete(dir);
      return null;
    }
  }

  async #place(
    home: SessionHome,
    root: string,
    { below, file, folder }: (typeof PLACES)[SessionHome['harness']][number],
    into: SessionListing,
    budget: { left: number; outside: number },
  ): Promise<void> {
    const start = await realpath(join(root, below)).catch(() => null);
    if (start === null) return;
    const queue = [{ dir: start, path: `${home.shown}/${below}`, depth: 0 }];
    const seen = new Set([start]);
    // Bounded: each folder once, and a number of entries in all.
    for (let at = queue.shift(); at !== undefined && budget.left > 0; at = queue.shift()) {
      const { dir, path, depth } = at;
      const listed = await this.#folder(dir);
      if (listed === null) continue;
      budget.left -= 1 + listed.files.length + listed.folders.length + listed.links.length;
      const enter = (name: string, real: string): void => {
        if (seen.has(real) || depth >= DEPTH || !folder(name, depth)) return;
        seen.add(real);
        queue.push({ dir: real, path: `${path}/${name}`, depth: depth + 1 });
      };
      for (const name of listed.files)
        if (file(name)) into.files.push({ home, path: `${path}/${name}`, real: join(dir, name) });
      for (const name of listed.folders) enter(name, join(dir, name));
      for (const name of listed.links) {
        const real = await realpath(join(dir, name)).catch(() => null);
        if (real === null) continue;
        if (!real.startsWith(`${start}${sep}`)) {
          budget.outside += 1;
          continue;
        }
        const what = await stat(real).catch(() => null);
        if (what?.isDirectory()) enter(name, real);
        else if (what?.isFile() && file(name)) into.files.push({ home, path: `${path}/${name}`, real });
      }
    }
  }

  /** Every file of the homes that may hold a session, each place once, in the order of their paths. */
  async list(homes: readonly SessionHome[]): Promise<SessionListing> {
    const all: SessionListing = { files: [], left: [] };
    const budget = { left: LIMITS.sessionEntries, outside: 0 };
    for (const home of homes) {
      const root = await realpath(home.dir).catch(() => null);
      if (root === null) continue;
      for (const place of PLACES[home.harness]) await this.#place(home, root, place, all, budget);
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
