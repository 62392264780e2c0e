import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Why a folder given on the command line cannot be read, in one sentence for the person who gave it; null when it can be.
 * An empty folder is fine: the page then says what to put there.
 */
export async function folderProblem(path: string): Promise<string | null> {
  try {
    return (await stat(path)).isDirectory()
      ? null
      : `${path} is not a folder. Give the folder of a project, or none for the demo projects.`;
  } catch {
    return `There is no folder ${path}. Give the folder of a project, or none for the demo projects.`;
  }
}

/** What else stands beside the demo projects: price lists. */
const NOT_PROJECTS = ['prices'];

/** The demo project that is shown first. */
const FIRST = 'agentforge';

/**
 * Folders of the demo projects, the first one first, the others by name.
 * @param data the folder they are in
 */
export async function demoFolders(data: string): Promise<string[]> {
  const entries = await readdir(data, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const others = names
    .filter((name) => name !== FIRST && !name.startsWith('.') && !NOT_PROJECTS.includes(name))
    .sort();
  return [...(names.includes(FIRST) ? [FIRST] : []), ...others].map((name) => join(data, name));
}
