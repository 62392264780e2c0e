import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Built files looked at, and levels of folders they stand in. */
const FILES = 200;
const DEPTH = 3;

/** Names of built files below a folder, in order. */
function built(folder: string, depth = DEPTH): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth > 0 ? built(path, depth - 1) : [];
    return entry.name.endsWith('.js') ? [path] : [];
  });
}

/**
 * Names the program that runs, in hex: another build has another name. It is made of the built files of the server, or, where
 * it runs unbuilt, of this file. A plan that another program had made is not used for a new question.
 * Never throws; where nothing can be read the name is empty.
 * @param file the running file
 */
export function programOf(file: string): string {
  try {
    const files = basename(file).endsWith('.js') ? built(dirname(file)).sort().slice(0, FILES) : [file];
    const hash = createHash('sha256');
    for (const path of files) hash.update(readFileSync(path)).update('\u0000');
    return hash.digest('hex').slice(0, 32);
  } catch {
    return '';
  }
}

export const PROGRAM = programOf(fileURLToPath(import.meta.url));
