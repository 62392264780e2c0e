import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod/v4';

const Package = z.object({ name: z.literal('looplight') });

function isOurs(folder: string): boolean {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return false;
  try {
    return Package.safeParse(JSON.parse(readFileSync(file, 'utf8'))).success;
  } catch {
    return false;
  }
}

/**
 * The folder of the package, whether the code runs from `server/` or as a bundle in `dist/server/`.
 * Throws when no package.json of this package lies above the running file.
 */
export function packageRoot(from: string = import.meta.url): string {
  let folder = dirname(fileURLToPath(from));
  for (let level = 0; level < 8; level += 1) {
    if (isOurs(folder)) return folder;
    folder = dirname(folder);
  }
  throw new Error('Looplight does not find its own package.json; start it from an unchanged installation.');
}
