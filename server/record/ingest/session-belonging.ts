import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { readHead } from './read-file.ts';
import type { SessionScope } from './session-homes.ts';

const LEVELS = 64;
const POINTER_BYTES = 4_096;

/** Whether a folder is another one, or lies below it; both without links. */
export const within = (folder: string, root: string): boolean => {
  const path = relative(root, folder);
  return path === '' || (path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path));
};

/** A path without links in it, as far as it is there: a session's folder may have been removed since. */
export async function realFolder(path: string): Promise<string> {
  let there = resolve(path);
  const gone: string[] = [];
  for (let level = 0; level < LEVELS; level += 1) {
    const real = await realpath(there).catch(() => null);
    if (real !== null) return join(real, ...gone);
    gone.unshift(basename(there));
    there = dirname(there);
  }
  return resolve(path);
}

/** The first line of a small file of git's, without its `gitdir: `. */
async function pointer(file: string): Promise<string | null> {
  try {
    const text = (await readHead(await realpath(file), POINTER_BYTES)).toString('utf8');
    return (
      text
        .split('\n')[0]
        ?.replace(/^gitdir:\s*/, '')
        .trim() || null
    );
  } catch {
    return null;
  }
}

interface Worktree {
  /** The repository's own folder, the same for all its worktrees. */
  repository: string;
  top: string;
}

/** The worktree a folder stands in, found by its files alone (git is not run); null when there is none. */
async function worktreeOf(folder: string): Promise<Worktree | null> {
  let top = folder;
  for (let level = 0; level < LEVELS; level += 1) {
    const git = join(top, '.git');
    const what = await lstat(git).catch(() => null);
    if (what?.isDirectory()) return { repository: await realFolder(git), top };
    if (what?.isFile()) {
      const own = await pointer(git);
      if (own === null) return null;
      const dir = resolve(top, own);
      const common = await pointer(join(dir, 'commondir'));
      return { repository: await realFolder(common === null ? dir : resolve(dir, common)), top };
    }
    const above = dirname(top);
    if (above === top) return null;
    top = above;
  }
  return null;
}

/** Decides which folders of sessions belong to one project. */
export class Belonging {
  readonly #known = new Map<string, boolean>();

  /**
   * @param root the project's folder without links
   * @param scope `worktrees` also takes the same place in other worktrees of the repository
   */
  constructor(
    readonly root: string,
    readonly scope: SessionScope,
  ) {}

  async #decide(cwd: string): Promise<boolean> {
    const folder = await realFolder(cwd);
    if (within(folder, this.root)) return true;
    if (this.scope !== 'worktrees') return false;
    const [mine, its] = [await worktreeOf(this.root), await worktreeOf(folder)];
    if (mine === null || its === null || mine.repository !== its.repository) return false;
    // The project may be one folder of its repository; the same folder of another worktree is meant then.
    return within(folder, join(its.top, relative(mine.top, this.root)));
  }

  /** Whether a session begun in a folder belongs; one that does not say where it was begun belongs only when all do. */
  async of(cwd: string | null): Promise<boolean> {
    if (this.scope === 'all') return true;
    if (cwd === null) return false;
    const known = this.#known.get(cwd);
    if (known !== undefined) return known;
    const belongs = await this.#decide(cwd);
    this.#known.set(cwd, belongs);
    return belongs;
  }
}
