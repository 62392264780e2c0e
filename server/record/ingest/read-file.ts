import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';

/**
 * Opens a plain file to read. What was a file when it was found may be something else now, so a link is not followed, a pipe
 * or device is not waited for, and what was opened must be what stands at the path. The caller closes it.
 * @param file a path without links in it, as `realpath` gives it
 * @throws when there is no plain file at exactly this path, or it cannot be read
 */
export async function openPlainFile(
  file: string,
): Promise<{ handle: FileHandle; size: number; ino: number }> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const opened = await handle.stat();
    if (!opened.isFile()) throw new Error('not a plain file');
    // Not following a link covers the last name of the path only; a folder above it may have become a link.
    const there = await lstat(file);
    if ((await realpath(file)) !== file || there.ino !== opened.ino || there.dev !== opened.dev) {
      throw new Error('the path leads elsewhere now');
    }
    return { handle, size: opened.size, ino: opened.ino };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The first bytes of a plain file. Throws as openPlainFile does. */
export async function readHead(file: string, bytes: number): Promise<Buffer> {
  const { handle } = await openPlainFile(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Bytes of a plain file, or null when it is larger than the limit.
 * @param limit most bytes that are read
 * @throws as openPlainFile does
 */
export async function readPlainFile(file: string, limit: number): Promise<Uint8Array | null> {
  const { handle, size } = await openPlainFile(file);
  try {
    if (size > limit) return null;
    const chunks: Uint8Array[] = [];
    let total = 0;
    for await (const chunk of handle.createReadStream({ end: limit, autoClose: false })) {
      const bytes: unknown = chunk;
      if (!(bytes instanceof Uint8Array)) continue;
      total += bytes.length;
      // The file may have grown since its size was asked for.
      if (total > limit) return null;
      chunks.push(bytes);
    }
    return Buffer.concat(chunks);
  } finally {
    await handle.close();
  }
}
