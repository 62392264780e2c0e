import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '../../shared/limits.ts';

/** Folder of one project's telemetry, inside the folder of all of it. */
export const telemetryFolder = (base: string, project: string): string =>
  join(base, createHash('sha256').update(project).digest('hex').slice(0, 16));

export interface KeeperLimits {
  otlpFileBytes: number;
  otlpFolderBytes: number;
}

/** Keeps lines in numbered files of one folder: a full file is followed by the next, and the oldest go when there are too many. */
export interface Keeper {
  /** Settles when the lines are in the file; rejects when they cannot be written. */
  append(lines: readonly string[]): Promise<void>;
  /**
   * Moves lines to another keeper: they are there before they are gone here. Settles with how many they were; rejects when
   * something could not be written, and then none is lost.
   * @param wanted tells a line to move
   */
  move(wanted: (line: string) => boolean, to: Pick<Keeper, 'append'>): Promise<number>;
  /** Waits for what is being written. */
  close(): Promise<void>;
}

const FILE = /^(\d{6})\.jsonl$/;
const MOST = 999_999;
const NEWLINE = 10;

/** The last byte of a file; null for an empty one. */
async function lastByte(path: string, size: number): Promise<number | null> {
  if (size === 0) return null;
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    return bytesRead === 1 ? (buffer[0] ?? null) : null;
  } finally {
    await file.close();
  }
}

export function createKeeper(folder: string, limits: KeeperLimits = LIMITS): Keeper {
  let turn: Promise<unknown> = Promise.resolve();
  /** The file that is written now; null before the first line, and after something went wrong. */
  let current: { no: number; bytes: number } | null = null;

  const pathOf = (no: number): string => join(folder, `${String(no).padStart(6, '0')}.jsonl`);
  const numbers = async (): Promise<number[]> =>
    (await readdir(folder))
      .flatMap((name) => {
        const no = FILE.exec(name)?.[1];
        return no === undefined ? [] : [Number(no)];
      })
      .sort((a, b) => a - b);

  /** The file to go on with: the newest one, unless it is full or a line of it was broken off. */
  const begin = async (): Promise<{ no: number; bytes: number }> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const newest = (await numbers()).at(-1) ?? 0;
    if (newest === 0) return { no: 1, bytes: 0 };
    const { size } = await stat(pathOf(newest));
    const whole = size === 0 || (await lastByte(pathOf(newest), size)) === NEWLINE;
    return whole && size < limits.otlpFileBytes ? { no: newest, bytes: size } : { no: newest + 1, bytes: 0 };
  };

  const retain = async (): Promise<void> => {
    const all = await numbers();
    const sizes = await Promise.all(all.map(async (no) => (await stat(pathOf(no))).size));
    let bytes = sizes.reduce((sum, size) => sum + size, 0);
    for (const [at, no] of all.slice(0, -1).entries()) {
      if (bytes <= limits.otlpFolderBytes && all.length - at <= LIMITS.otlpFiles) break;
      await unlink(pathOf(no));
      bytes -= sizes[at] ?? 0;
    }
  };

  const write = async (lines: readonly string[]): Promise<void> => {
    current ??= await begin();
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    if (current.bytes > 0 && current.bytes + bytes.length > limits.otlpFileBytes)
      current = { no: Math.min(MOST, current.no + 1), bytes: 0 };
    const fresh = current.bytes === 0;
    let file: FileHandle | null = null;
    try {
      file = await open(
        pathOf(current.no),
        constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW,
        0o600,
      );
      await file.writeFile(bytes);
      current.bytes += bytes.length;
    } catch (error) {
      // Half of it may be there: whatever comes next begins a file of its own.
      current = null;
      throw error;
    } finally {
      await file?.close();
    }
    if (fresh) await retain();
  };

  const move = async (wanted: (line: string) => boolean, to: Pick<Keeper, 'append'>): Promise<number> => {
    let moved = 0;
    for (const no of await numbers()) {
      const lines = (await readFile(pathOf(no), 'utf8')).split('\n');
      const some = lines.filter((line) => line !== '' && wanted(line));
      if (some.length === 0) continue;
      await to.append(some);
      // What follows goes into a file that is looked at anew.
      current = null;
      const beside = join(folder, `.${no}.tmp`);
      await writeFile(beside, lines.filter((line) => line === '' || !wanted(line)).join('\n'), {
        mode: 0o600,
      });
      await rename(beside, pathOf(no));
      moved += some.length;
    }
    return moved;
  };

  /** One after the other, whatever became of the one before. */
  const next = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };

  return {
    append(lines) {
      if (lines.length === 0) return Promise.resolve();
      return next(() => write(lines));
    },
    move: (wanted, to) => next(() => move(wanted, to)),
    async close() {
      await turn;
    },
  };
}
