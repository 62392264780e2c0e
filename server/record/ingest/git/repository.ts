import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { LIMITS } from '../../../../shared/limits.ts';
import { readPlainFile } from '../read-file.ts';

/** The repository holds something that leads out of it, so git must not be run on it. The message is for people. */
export class RepositoryRefused extends Error {}

/** What git reads for a log. Other parts of a repository (hooks, worktrees, sockets of helpers) are never touched. */
const READ = new Set([
  'HEAD',
  'config',
  'config.worktree',
  'packed-refs',
  'shallow',
  'objects',
  'refs',
  'info',
  'reftable',
]);

/** Files by which a repository borrows from another one, wherever that is. */
const BORROWS = [
  ['commondir', 'The repository is part of another one outside this folder, so it was not read.'],
  [
    'objects/info/alternates',
    'The repository takes commits from a place outside this folder, so it was not read.',
  ],
] as const;

const HEAD = /^(?:ref: refs\/\S{1,400}|[0-9a-f]{40}|[0-9a-f]{64})\s*$/;

async function there(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

/** A link is sound when it ends at a plain file of the repository itself; one to a folder would have to be followed further. */
async function checkLink(dir: string, path: string): Promise<void> {
  const refused = new RepositoryRefused('The repository holds a link out of itself, so it was not read.');
  const target = await realpath(path).catch(() => null);
  if (target === null || !target.startsWith(`${dir}${sep}`) || !(await stat(target)).isFile()) throw refused;
}

/**
 * Makes sure that reading a repository reads nothing else: no borrowed objects, no links that lead out of it, no pipes or
 * devices in place of its files, and a HEAD that names a branch or a commit of its own.
 * @param dir the repository (`.git`), a path without links in it
 * @throws RepositoryRefused when it leads elsewhere, or has more files than can be checked; an error when it is none
 */
export async function checkRepository(dir: string): Promise<void> {
  for (const [file, why] of BORROWS) if (await there(join(dir, file))) throw new RepositoryRefused(why);
  const head = await readPlainFile(join(dir, 'HEAD'), LIMITS.cellText * 2).catch(() => null);
  if (head === null || !HEAD.test(Buffer.from(head).toString('utf8')))
    throw new Error('the repository does not say what its current commit is');
  const folders = [dir];
  let entries = 0;
  // Bounded: links to folders are refused, so folders end; and so do the entries.
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const list: Dirent[] = await readdir(folder, { withFileTypes: true });
    entries += list.length;
    if (entries > LIMITS.gitEntries)
      throw new RepositoryRefused(
        `The repository has more than ${LIMITS.gitEntries} files, so it was not read.`,
      );
    for (const entry of list) {
      if (folder === dir && !READ.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) await checkLink(dir, path);
      else if (entry.isDirectory()) folders.push(path);
      else if (!entry.isFile())
        throw new RepositoryRefused(
          'The repository holds something that is not a plain file, so it was not read.',
        );
    }
  }
}

const textOf = async (file: string, limit: number = LIMITS.cellText): Promise<string> => {
  try {
    const bytes = await readPlainFile(file, limit);
    return bytes === null ? '' : Buffer.from(bytes).toString('utf8').trim();
  } catch {
    return '';
  }
};
const stampOf = async (file: string): Promise<string> => {
  const found = await lstat(file).catch(() => null);
  return found ? `${found.mtimeMs}:${found.size}` : '';
};

/**
 * A text that changes when the repository's current commit does, read without starting git: what HEAD says, what its branch
 * file says, and the state of the packed branches (or of the table of branches that newer repositories have).
 */
export async function gitState(dir: string): Promise<string> {
  const head = await textOf(join(dir, 'HEAD'));
  const branch = /^ref: (refs\/[\w./-]{1,200})$/.exec(head)?.[1];
  const tip = branch === undefined || branch.includes('..') ? '' : await textOf(join(dir, branch));
  return [
    head,
    tip,
    await stampOf(join(dir, 'packed-refs')),
    await stampOf(join(dir, 'shallow')),
    await textOf(join(dir, 'reftable/tables.list'), LIMITS.sourceText),
  ].join('\n');
}

/** Commits at which a shallow copy of a repository ends; they look as if they had written everything there was. */
export async function shallowCommits(dir: string): Promise<ReadonlySet<string>> {
  const text = await textOf(join(dir, 'shallow'), LIMITS.lineBytes);
  return new Set(text === '' ? [] : text.split('\n').map((line) => line.trim()));
}
