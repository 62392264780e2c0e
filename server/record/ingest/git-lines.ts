import { gitState as stateOf, readGitFolder } from './git-folder.ts';

/** Changes when the commits of a repository do; see git-folder.ts. */
export const gitState = stateOf;

/** The log of a repository, one JSON object a commit, oldest first. Throws when git cannot give it. */
export async function* gitLines(dir: string): AsyncGenerator<string> {
  for (const line of (await readGitFolder(dir)).split('\n')) if (line !== '') yield line;
}

/** Changes of the entries of a ledger over its history, one JSON object a change. */
export async function* ledgerLines(_dir: string, _ledger: string): AsyncGenerator<string> {
  yield* [];
}
