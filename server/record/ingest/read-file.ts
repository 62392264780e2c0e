import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';

/**
 * Bytes of a plain file, or null when it is larger than the limit. What was a file when it was found may be something else now,
 * so a link is not followed, a pipe or device is not waited for, and what was opened must be what stands at the path.
 * @param file a path without links in it, as `realpath` gives it
 * @param limit most bytes that are read
 * @throws when there is no plain file at exactly this path, or it cannot be read
 */
export async function readPlainFile(file: string, limit: number): Promise<Uint8Array | null> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const opened = await handle.stat();
    if (!opened.isFile()) throw new Error('not a plain file');
    // Not following a link covers the last name of the path only; a folder above it may have become a link.
    const there = await lstat(file);
    if ((await realpath(file)) !== file || there.ino !== opened.ino || there.dev !== opened.dev) {
      throw new Error('the path leads elsewhere now');
    }
    if (opened.size > limit) return null;
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
