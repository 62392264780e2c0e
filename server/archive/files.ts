import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '../../shared/limits.ts';
import { ID } from './entry.ts';

/** A folder of small files, one an id: archived answers, boards. An id becomes part of a path only here, and only after its pattern was checked. */

const FILE = /^([A-Za-z0-9_-]{16})\.json$/;
const LEFT_OVER = /^\.[A-Za-z0-9_-]{16}\.[0-9a-f]{12}\.tmp$/;
/** A half-written file of this age has no writer any more, in milliseconds. */
const LEFT_OVER_MS = 60_000;

export interface Files {
  /** Makes the folder if need be. Rejects when nothing can be written there. */
  prepare(): Promise<void>;
  /** Ids of the files that are there, the newest first; so many of them, and the ids of the rest. */
  list(first: number): Promise<{ ids: string[]; rest: string[] }>;
  /** Rejects when there is no such file, it is none, or it is too large. */
  read(id: string): Promise<string>;
  /** Whole or not at all: written beside, then renamed. */
  write(id: string, text: string): Promise<void>;
  /** Gone afterwards, whether or not it was there. */
  remove(id: string): Promise<void>;
}

/**
 * @param most bytes of one file; a larger one is not read
 */
export function createFiles(folder: string, most: number = LIMITS.archiveBytes): Files {
  const pathOf = (id: string): string => {
    if (!ID.test(id)) throw new Error('not an id');
    return join(folder, `${id}.json`);
  };
  const gone = (path: string): Promise<void> =>
    unlink(path).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    });

  return {
    async prepare() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const probe = join(folder, `.${'0'.repeat(16)}.${randomBytes(6).toString('hex')}.tmp`);
      const file = await open(probe, 'wx', 0o600);
      await file.close();
      await unlink(probe);
      for (const name of await readdir(folder)) {
        const path = join(folder, name);
        if (LEFT_OVER.test(name) && Date.now() - (await stat(path)).mtimeMs > LEFT_OVER_MS) await gone(path);
      }
    },

    async list(first) {
      const found: { id: string; at: number }[] = [];
      for (const name of await readdir(folder)) {
        const id = FILE.exec(name)?.[1];
        if (id !== undefined) found.push({ id, at: (await stat(join(folder, name))).mtimeMs });
      }
      const ids = found.sort((a, b) => b.at - a.at).map(({ id }) => id);
      return { ids: ids.slice(0, first), rest: ids.slice(first) };
    },

    async read(id) {
      const file = await open(pathOf(id), constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        const about = await file.stat();
        if (!about.isFile() || about.size > most) throw new Error('not one of our files');
        return await file.readFile('utf8');
      } finally {
        await file.close();
      }
    },

    async write(id, text) {
      const path = pathOf(id);
      const beside = join(folder, `.${id}.${randomBytes(6).toString('hex')}.tmp`);
      try {
        const file = await open(beside, 'wx', 0o600);
        try {
          await file.writeFile(text);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(beside, path);
      } catch (error) {
        await gone(beside).catch(() => undefined);
        throw error;
      }
    },

    remove: async (id) => gone(pathOf(id)),
  };
}
