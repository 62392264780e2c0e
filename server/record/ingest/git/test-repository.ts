import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { testFolder } from '../../test-folder.ts';

export interface TestRepository {
  /** The project folder, and its `.git`. */
  root: string;
  dir: string;
  git(...args: string[]): string;
  /** Writes (or with null removes) files and commits them a minute after the last commit, from 10:00 on; gives the commit's name. */
  commit(
    files: Readonly<Record<string, string | Uint8Array | null>>,
    message: string,
    /** Another time than that. */
    at?: string,
  ): Promise<string>;
}

/** A repository of its own for one test, with times that do not depend on the clock. */
export async function testRepository(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<TestRepository> {
  const root = realpathSync(await testFolder(files));
  let minute = 0;
  let now: string | undefined;
  const git = (...args: string[]): string => {
    const at = now ?? `2026-01-02T10:${String(minute).padStart(2, '0')}:00-07:00`;
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH ?? '',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_AUTHOR_DATE: at,
        GIT_COMMITTER_DATE: at,
        GIT_AUTHOR_NAME: 'Tester',
        GIT_AUTHOR_EMAIL: 'tester@example.org',
        GIT_COMMITTER_NAME: 'Tester',
        GIT_COMMITTER_EMAIL: 'tester@example.org',
      },
    });
  };
  git('init', '-q', '-b', 'main');
  return {
    root,
    dir: join(root, '.git'),
    git,
    commit: async (changes, message, at) => {
      now = at;
      for (const [path, content] of Object.entries(changes)) {
        if (content === null) git('rm', '-q', '-r', '--', path);
        else {
          await mkdir(dirname(join(root, path)), { recursive: true });
          await writeFile(join(root, path), content);
        }
      }
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      minute += 1;
      now = undefined;
      return git('rev-parse', 'HEAD').trim();
    },
  };
}
