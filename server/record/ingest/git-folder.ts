import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '../../../shared/limits.ts';
import { readPlainFile } from './read-file.ts';
import { visibleText } from './visible.ts';

/** Separators that a commit's own text cannot hold: git strips control characters from neither, so records are checked by their hash. */
const RECORD = '\x1e';
const FIELD = '\x1f';

/**
 * A repository's own configuration can name programs for git to run. None of them may run here: no pager, no hooks, no file
 * system monitor, no signature check, no external diff, no text conversion, no fetching of missing objects.
 */
const SAFE = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'log.showSignature=false',
  '-c',
  'protocol.allow=never',
  '--no-pager',
] as const;

/** Runs `git log` on one repository. Bounded in time and size. Throws when git is missing, fails or takes too long. */
function gitLog(dir: string): Promise<string> {
  const args = [
    ...SAFE,
    `--git-dir=${dir}`,
    'log',
    '--reverse',
    `--max-count=${LIMITS.sourceEntries}`,
    '--numstat',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--encoding=UTF-8',
    `--format=${RECORD}%H${FIELD}%cI${FIELD}%s`,
  ];
  const env = {
    PATH: process.env.PATH ?? '',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
  };
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      args,
      { env, timeout: LIMITS.gitMs, killSignal: 'SIGKILL', maxBuffer: LIMITS.gitBytes, encoding: 'utf8' },
      (error, stdout) => {
        if (error) reject(error);
        else resolve(stdout);
      },
    );
  });
}

/** Sums the lines of `--numstat`; binary files count as files without lines. */
function countsOf(lines: readonly string[]): { files: number; insertions: number; deletions: number } {
  const counts = { files: 0, insertions: 0, deletions: 0 };
  for (const line of lines) {
    const match = /^(\d+|-)\t(\d+|-)\t/.exec(line);
    if (!match) continue;
    counts.files += 1;
    if (match[1] !== '-') counts.insertions += Number(match[1]);
    if (match[2] !== '-') counts.deletions += Number(match[2]);
  }
  return counts;
}

/** What `git log` printed, as the lines of a `git-log.jsonl`, oldest commit first. */
export function toLines(output: string): string {
  const lines: string[] = [];
  for (const record of output.split(RECORD)) {
    const [head = '', ...rest] = record.split('\n');
    const [sha = '', committed_at = '', ...subject] = head.split(FIELD);
    if (!/^[0-9a-f]{40,64}$/.test(sha)) continue;
    lines.push(
      JSON.stringify({ sha, committed_at, subject: visibleText(subject.join(' ')), ...countsOf(rest) }),
    );
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** The log of a repository as the lines of a `git-log.jsonl`. Throws when git cannot give it. */
export const readGitFolder = async (dir: string): Promise<string> => toLines(await gitLog(dir));

/**
 * A text that changes when the repository's current commit does, read without starting git: what HEAD says, what its branch
 * file says, and the state of the packed branches.
 */
export async function gitState(dir: string): Promise<string> {
  const read = async (file: string): Promise<string> => {
    try {
      const bytes = await readPlainFile(join(dir, file), LIMITS.cellText);
      return bytes === null ? '' : Buffer.from(bytes).toString('utf8');
    } catch {
      return '';
    }
  };
  const head = (await read('HEAD')).trim();
  const branch = /^ref: (refs\/[\w./-]{1,200})$/.exec(head)?.[1];
  const tip = branch === undefined || branch.includes('..') ? '' : await read(branch);
  const packed = await lstat(join(dir, 'packed-refs')).catch(() => null);
  return [head, tip.trim(), packed ? `${packed.mtimeMs}:${packed.size}` : ''].join('\n');
}
