import { LIMITS } from '../../../../shared/limits.ts';
import { visibleText } from '../visible.ts';
import { GIT_TIME, type GitTime, GitTimeout, gitText, runGit } from './command.ts';
import { readMessage } from './message.ts';
import { checkRepository, shallowCommits } from './repository.ts';
import { tokensOf } from './tokens.ts';

/** One path a commit changes; a binary file has no lines. */
export type PathLine = [path: string, insertions: number | null, deletions: number | null];

/** One commit as a line of a `git-log.jsonl`. What git did not count is left out. */
export interface CommitLine {
  sha: string;
  committed_at: string;
  author: string;
  subject: string;
  trailers?: [key: string, value: string][];
  reverts?: string;
  files?: number;
  insertions?: number;
  deletions?: number;
  paths?: PathLine[];
  /** Paths beyond those listed. */
  paths_left?: number;
}

/** A line that is about the log and not about a commit. */
export type LogNote = { note: 'older_left' | 'shallow' | 'not_counted'; commits: number };

const SUBJECT = 1_000;
const AUTHOR = 200;
/** So that all paths of a commit still fit into one line. */
const PATH = 500;

const MARK = 'commit';
const FORMAT = `tformat:%x00${MARK}%x00%H%x00%cI%x00%an%x00%s%x00%b%x00`;
const LOG = [
  'log',
  '-z',
  '--reverse',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-notes',
  '--no-mailmap',
  '--no-relative',
  '--no-show-signature',
  '--submodule=short',
  '--ignore-submodules=none',
  '--diff-algorithm=myers',
  '--no-decorate',
  '-O/dev/null',
  '--encoding=UTF-8',
  `--format=${FORMAT}`,
  `--max-count=${LIMITS.sourceEntries}`,
];

const NUMSTAT = /^\n?(\d{1,15}|-)\t(\d{1,15}|-)\t([\s\S]+)$/;
const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/**
 * Commits out of what `git log` prints: for each the word `commit`, five pieces of its head, then one piece for each path.
 * @param counted whether what git counts of a commit is true of it
 * @throws when what is printed is not a log of that form
 */
export async function* commitsOf(
  tokens: AsyncIterable<string>,
  counted: (sha: string) => boolean,
): AsyncGenerator<CommitLine> {
  let head: string[] | null = null;
  let commit: CommitLine | null = null;
  let pathBytes = 0;
  for await (const token of tokens) {
    if (head !== null) {
      head.push(token);
      if (head.length < 5) continue;
      commit = commitOf(head, counted);
      head = null;
    } else if (token === MARK) {
      if (commit) yield commit;
      commit = null;
      head = [];
    } else if (token !== '') {
      const stat = commit ? NUMSTAT.exec(token) : null;
      if (!stat || !commit) throw new Error('git printed something else than a commit');
      if (commit.paths) pathBytes += addPath(commit, commit.paths, stat, LIMITS.gitPathBytes - pathBytes);
    }
  }
  if (commit) yield commit;
}

function commitOf(head: readonly string[], counted: (sha: string) => boolean): CommitLine {
  const [sha = '', committed_at = '', author = '', subject = '', body = ''] = head;
  if (!SHA.test(sha)) throw new Error('git printed something else than a commit');
  const { trailers, reverts } = readMessage(body);
  return {
    sha,
    committed_at,
    author: visibleText(author).slice(0, AUTHOR),
    subject: visibleText(subject).slice(0, SUBJECT),
    ...(trailers.length > 0 ? { trailers } : {}),
    ...(reverts === null ? {} : { reverts }),
    ...(counted(sha) ? { files: 0, insertions: 0, deletions: 0, paths: [] } : {}),
  };
}

/** Adds one line of `--numstat` to a commit, its path only while there is room; gives the bytes that took. */
function addPath(commit: CommitLine, paths: PathLine[], stat: RegExpExecArray, room: number): number {
  const insertions = stat[1] === '-' ? null : Number(stat[1]);
  const deletions = stat[2] === '-' ? null : Number(stat[2]);
  commit.files = (commit.files ?? 0) + 1;
  commit.insertions = (commit.insertions ?? 0) + (insertions ?? 0);
  commit.deletions = (commit.deletions ?? 0) + (deletions ?? 0);
  const path = visibleText(stat[3] ?? '').slice(0, PATH);
  const bytes = Buffer.byteLength(path) + 16;
  if (paths.length >= LIMITS.commitPaths || bytes > room) {
    commit.paths_left = (commit.paths_left ?? 0) + 1;
    return 0;
  }
  paths.push([path, insertions, deletions]);
  return bytes;
}

/** Whether the repository has a commit yet. Throws when git cannot tell. */
async function hasCommit(dir: string): Promise<boolean> {
  return (await gitText(dir, ['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], [0, 1])).trim() !== '';
}

/**
 * The log of a repository, one JSON object a commit, oldest first, at most LIMITS.sourceEntries of the newest; a line with a
 * `note` says what was left out. When counting lines takes git too long, the rest of the commits comes without counts.
 * @param dir the repository (`.git`), a path without links in it
 * @throws RepositoryRefused when it leads out of its folder; an error when git is not installed, fails or takes too long
 */
export async function* gitLines(dir: string, time: GitTime = GIT_TIME): AsyncGenerator<string> {
  await checkRepository(dir);
  if (!(await hasCommit(dir))) return;
  const all = Number(await gitText(dir, ['rev-list', '--count', 'HEAD', '--']));
  const older = Math.max(0, all - LIMITS.sourceEntries);
  if (older > 0) yield noteLine({ note: 'older_left', commits: older });
  const shallow = await shallowCommits(dir);
  if (shallow.size > 0) yield noteLine({ note: 'shallow', commits: shallow.size });
  let given = 0;
  try {
    const tokens = tokensOf(runGit(dir, [...LOG, '--numstat', 'HEAD', '--'], { time }), LIMITS.commitText);
    for await (const commit of commitsOf(tokens, (sha) => !shallow.has(sha))) {
      yield JSON.stringify(commit);
      given += 1;
    }
  } catch (error) {
    if (!(error instanceof GitTimeout)) throw error;
    let at = 0;
    for await (const commit of commitsOf(
      tokensOf(runGit(dir, [...LOG, 'HEAD', '--']), LIMITS.commitText),
      () => false,
    )) {
      at += 1;
      if (at > given) yield JSON.stringify(commit);
    }
    yield noteLine({ note: 'not_counted', commits: at - given });
  }
  // What is checked before could have been put there since.
  await checkRepository(dir);
}

const noteLine = (note: LogNote): string => JSON.stringify(note);
