import { stat } from 'node:fs/promises';

/**
 * Why a folder given on the command line cannot be read, in one sentence for the person who gave it; null when it can be.
 * An empty folder is fine: the page then says what to put there.
 */
export async function folderProblem(path: string): Promise<string | null> {
  try {
    return (await stat(path)).isDirectory()
      ? null
      : `${path} is not a folder. Give the folder of a run, or none for the demo record.`;
  } catch {
    return `There is no folder ${path}. Give the folder of a run, or none for the demo record.`;
  }
}
