import { spawn } from 'node:child_process';
import { LIMITS } from '../../../../shared/limits.ts';

/**
 * A repository's own configuration can name programs for git to run and files elsewhere for it to read. None of that may
 * happen here: no pager, no hooks, no file system monitor, no signature check, no fetching of missing objects, no mail map or
 * attributes from other places, and no cached graph in place of the commits themselves. `--bare`: the working tree is not
 * looked at, wherever the configuration says it is.
 */
const SAFE = [
  '--no-pager',
  '--bare',
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.attributesFile=/dev/null',
    'core.commitGraph=false',
    'log.showSignature=false',
    'log.mailmap=false',
    'log.follow=false',
    'log.showRoot=true',
    'mailmap.file=/dev/null',
    'protocol.allow=never',
    `core.bigFileThreshold=${LIMITS.gitBlobBytes}`,
  ].flatMap((setting) => ['-c', setting]),
];

/** Nothing of this process's own environment but where programs are; and the repository's links to other folders are not followed. */
const environment = (dir: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH ?? '',
  LC_ALL: 'C',
  GIT_DIR: dir,
  GIT_COMMON_DIR: dir,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_LITERAL_PATHSPECS: '1',
  // Stronger than any protocol setting of the repository: no protocol at all.
  GIT_ALLOW_PROTOCOL: '',
});

/** Git was there and began, but did not end in time. */
export class GitTimeout extends Error {}

/** How long git may be silent, and how long it may take in all, in milliseconds. */
export interface GitTime {
  silentMs: number;
  totalMs: number;
}
export const GIT_TIME: GitTime = { silentMs: LIMITS.gitMs, totalMs: LIMITS.gitTotalMs };

/**
 * Runs git on one repository and gives its output as it comes, in memory bounded by one piece of it.
 * @param dir the repository (`.git`), already checked by `checkRepository`
 * @param input what git reads from its standard input
 * @param accept exit codes that are no failure
 * @throws GitTimeout, or an error when git is not installed or fails
 */
export async function* runGit(
  dir: string,
  args: readonly string[],
  {
    input,
    accept = [0],
    time = GIT_TIME,
  }: { input?: string; accept?: readonly number[]; time?: GitTime } = {},
): AsyncGenerator<Buffer> {
  const child = spawn('git', [...SAFE, `--git-dir=${dir}`, ...args], {
    cwd: dir,
    env: environment(dir),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
  });
  let late = false;
  const stop = (): void => {
    late = true;
    child.kill('SIGKILL');
  };
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // Awaited below; this keeps a failure to start from counting as unhandled before that.
  ended.catch(() => undefined);
  // Git may end before it has read everything.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  const total = setTimeout(stop, time.totalMs);
  let silent = setTimeout(stop, time.silentMs);
  try {
    for await (const chunk of child.stdout ?? []) {
      clearTimeout(silent);
      const bytes: unknown = chunk;
      if (bytes instanceof Buffer) yield bytes;
      silent = setTimeout(stop, time.silentMs);
    }
    const code = await ended;
    if (late) throw new GitTimeout('git took too long');
    if (code === null || !accept.includes(code)) throw new Error(`git ended with ${code}`);
  } finally {
    clearTimeout(silent);
    clearTimeout(total);
    if (child.exitCode === null) child.kill('SIGKILL');
  }
}

/** The whole of a short output as text. Throws as runGit does, and when there is more than `LIMITS.sourceText` of it. */
export async function gitText(
  dir: string,
  args: readonly string[],
  accept: readonly number[] = [0],
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of runGit(dir, args, { accept })) {
    size += chunk.length;
    if (size > LIMITS.sourceText) throw new Error('git says more than was asked');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
