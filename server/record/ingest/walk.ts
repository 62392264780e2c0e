import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { LIMITS } from '../../../shared/limits.ts';
import type { Issue } from './issue.ts';
import type { SessionHarness } from './session-homes.ts';

/** A plain file inside the folder that is read. */
export interface WalkedFile {
  /** Path inside the folder, `/` between folders. */
  path: string;
  /** The same place without any link in it. */
  real: string;
  /** Where it stands in the home of a harness and not in the folder: whose. */
  harness?: SessionHarness;
}

export interface Walk {
  files: WalkedFile[];
  /** Folders that were looked into, by path. */
  folders: Set<string>;
  /** What is there and must not, or cannot, be read. */
  refused: { path: string; issue: Issue }[];
  /** The folder's own repository, if it has one: `.git` as a plain folder. */
  git: string | null;
  /** What was left out, in words. */
  left: string[];
}

/** Folders that hold what others wrote: packages, build results, caches. Their files are never a harness's record. */
const SKIPPED = new Set([
  'node_modules',
  '.git',
  '.hg',
  '.svn',
  '.venv',
  'venv',
  '__pycache__',
  '.next',
  '.cache',
  '.turbo',
  '.yarn',
  '.pnpm-store',
  'bower_components',
]);

const posix = (path: string): string => (sep === '/' ? path : path.split(sep).join('/'));

const refusal = (code: Issue['code'], detail: string): Issue => ({
  code,
  severity: 'error',
  line: null,
  detail,
});

/** Where a path is relative to the root, or null when it is outside (or the root itself). */
function inside(root: string, real: string): string | null {
  const path = relative(root, real);
  return path === '' || path === '..' || path.startsWith(`..${sep}`) ? null : posix(path);
}

/**
 * Lists the plain files of a folder. Links are followed only as far as they stay inside the folder, each place is listed once
 * however many links lead to it, so a link that leads in a circle ends there. Bounded in depth and number.
 * @param root a folder without links in its path; one that is not there has no files
 */
export async function walk(root: string): Promise<Walk> {
  const found: Walk = { files: [], folders: new Set(), refused: [], git: null, left: [] };
  const seen = new Set<string>([root]);
  const links: { path: string; depth: number }[] = [];
  const queue: { dir: string; path: string; depth: number }[] = [{ dir: root, path: '', depth: 0 }];
  let entries = 0;
  let deep = 0;

  const folder = async ({ dir, path, depth }: (typeof queue)[number]): Promise<void> => {
    found.folders.add(path);
    let list: Dirent[];
    try {
      list = await readdir(dir, { withFileTypes: true });
    } catch {
      found.refused.push({
        path: path || '.',
        issue: refusal('not_readable', 'This folder cannot be read.'),
      });
      return;
    }
    for (const entry of list.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      entries += 1;
      if (entries > LIMITS.walkEntries) return;
      const at = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isSymbolicLink()) links.push({ path: at, depth });
      else if (entry.isDirectory()) {
        if (at === '.git') found.git = join(dir, entry.name);
        if (SKIPPED.has(entry.name)) continue;
        if (depth >= LIMITS.walkDepth) deep += 1;
        else {
          const real = join(dir, entry.name);
          seen.add(real);
          queue.push({ dir: real, path: at, depth: depth + 1 });
        }
      } else if (entry.isFile()) {
        seen.add(join(dir, entry.name));
        found.files.push({ path: at, real: join(dir, entry.name) });
      } else {
        found.refused.push({
          path: at,
          issue: refusal('not_readable', 'This is not a plain file, so it was not read.'),
        });
      }
    }
  };
  const link = async ({ path, depth }: (typeof links)[number]): Promise<void> => {
    const name = path.split('/').at(-1) ?? path;
    let real: string;
    try {
      real = await realpath(join(root, path));
      const target = inside(root, real);
      if (real === root || root.startsWith(`${real}${sep}`)) {
        found.refused.push({
          path,
          issue: refusal(
            'link_loop',
            'This link leads back to a folder it stands in, so it was not followed.',
          ),
        });
        return;
      }
      if (target === null) {
        found.refused.push({
          path,
          issue: refusal(
            'outside_folder',
            'This is a link to a place outside the folder, so it was not read.',
          ),
        });
        return;
      }
      if (target.split('/').some((part) => SKIPPED.has(part)) || SKIPPED.has(name)) return;
      if (seen.has(real)) {
        if (`${root}${sep}${path}`.startsWith(`${real}${sep}`))
          found.refused.push({
            path,
            issue: refusal(
              'link_loop',
              'This link leads back to a folder it stands in, so it was not followed.',
            ),
          });
        // A second name of a file: found.files has the first one; a name that is looked for may be only this one.
        else if ((await stat(real)).isFile()) found.files.push({ path, real });
        return;
      }
      seen.add(real);
      const what = await stat(real);
      if (what.isFile()) found.files.push({ path, real });
      else if (what.isDirectory() && depth < LIMITS.walkDepth)
        queue.push({ dir: real, path, depth: depth + 1 });
      else
        found.refused.push({
          path,
          issue: refusal('not_readable', 'This is not a plain file, so it was not read.'),
        });
    } catch {
      found.refused.push({
        path,
        issue: refusal('not_readable', 'This leads to nothing that can be read.'),
      });
    }
  };

  // Bounded: each folder is queued once, and both lists end with the number of entries.
  while (entries <= LIMITS.walkEntries) {
    const next = queue.shift();
    if (next) await folder(next);
    else {
      const one = links.shift();
      if (!one) break;
      await link(one);
    }
  }
  if (entries > LIMITS.walkEntries)
    found.left.push(`Only the first ${LIMITS.walkEntries} files and folders were looked at.`);
  if (deep > 0) found.left.push(`${deep} folders deeper than ${LIMITS.walkDepth} levels were not looked at.`);
  return found;
}
