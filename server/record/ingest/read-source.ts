import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { LIMITS } from '../../../shared/limits.ts';
import type { FoundSource } from './discover.ts';
import { gitState } from './git/repository.ts';
import { openPlainFile, readPlainFile } from './read-file.ts';

export const sha256 = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex');

/**
 * A text that changes when the source on disk does, without reading it: size, times and place of the file. Writing to a file
 * changes its change time, whatever a program sets the modification time to.
 */
export async function sourceState({ at }: Pick<FoundSource, 'at'>): Promise<string> {
  if (at.type === 'refused') return `refused:${at.issue.code}`;
  if (at.type === 'git' || at.type === 'ledger') return gitState(at.dir);
  try {
    const { size, mtimeMs, ctimeMs, ino } = await lstat(at.file);
    return `${size}:${mtimeMs}:${ctimeMs}:${ino}`;
  } catch {
    return 'gone';
  }
}

/** Size in bytes that a state of a file tells, or null. */
export function sizeOfState(state: string): number | null {
  const size = /^(\d+):/.exec(state)?.[1];
  return size === undefined ? null : Number(size);
}

/** Hex digest over the bytes of a file as it is now; null when it is too large to be read as a whole, or not a file. */
export async function contentSha({ at }: Pick<FoundSource, 'at'>): Promise<string | null> {
  if (at.type !== 'file') return null;
  try {
    const bytes = await readPlainFile(at.file, LIMITS.fileBytes);
    return bytes === null ? null : sha256(bytes);
  } catch {
    return null;
  }
}

/**
 * Hex digest over the beginning of a file and the bytes before `offset`: a log that has only grown keeps it.
 * Null when the file is shorter than that, or cannot be read.
 */
export async function tailSha(file: string, offset: number): Promise<string | null> {
  try {
    const { handle, size } = await openPlainFile(file);
    try {
      if (size < offset) return null;
      const hash = createHash('sha256');
      for (const from of [0, Math.max(0, offset - LIMITS.prefixBytes)]) {
        const length = Math.min(LIMITS.prefixBytes, offset - from);
        if (length <= 0) continue;
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from);
        if (bytesRead < length) return null;
        hash.update(buffer);
      }
      return hash.digest('hex');
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}
