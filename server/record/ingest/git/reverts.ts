import { type Commit, inOrder } from './commit.ts';

const REVERT = /^Revert "(.{1,1000})"$/;
/** What newer versions of git call taking back a revert. */
const REAPPLY = /^Reapply "(.{1,1000})"$/;

/** Whether a commit takes another one back, by its subject or its message. */
export const isRevert = (commit: Pick<Commit, 'subject' | 'reverts'>): boolean =>
  commit.reverts !== null || REVERT.test(commit.subject) || REAPPLY.test(commit.subject);

/** The subject of the commit that is taken back, as the subject of a revert quotes it. */
function revertedSubject(subject: string): string | null {
  const reapplied = REAPPLY.exec(subject)?.[1];
  return reapplied === undefined ? (REVERT.exec(subject)?.[1] ?? null) : `Revert "${reapplied}"`;
}

/**
 * Which commit each revert takes back, by the name of the revert: the one its message names, else the latest earlier one with
 * the quoted subject. A revert whose commit is not in the log is left out, unless its message names it.
 */
export function revertsOf(commits: readonly Commit[]): Map<string, string> {
  const found = new Map<string, string>();
  const bySubject = new Map<string, string>();
  const names = commits.map(({ sha }) => sha).sort();
  for (const commit of inOrder(commits)) {
    if (isRevert(commit)) {
      const quoted = revertedSubject(commit.subject);
      const target =
        commit.reverts === null
          ? quoted === null
            ? undefined
            : bySubject.get(quoted)
          : (fullName(names, commit.reverts) ?? commit.reverts);
      if (target !== undefined && target !== commit.sha) found.set(commit.sha, target);
    }
    bySubject.set(commit.subject, commit.sha);
  }
  return found;
}

/** The name that a short one stands for, in a sorted list; null when none or more than one begins with it. */
function fullName(names: readonly string[], short: string): string | null {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((names[middle] ?? '') < short) low = middle + 1;
    else high = middle;
  }
  const name = names[low];
  return name?.startsWith(short) && !names[low + 1]?.startsWith(short) ? name : null;
}
