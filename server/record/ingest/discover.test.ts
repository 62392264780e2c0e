import { execFileSync } from 'node:child_process';
import { rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../shared/limits.ts';
import { readRawLines } from '../raw-lines.ts';
import { testFolder } from '../test-folder.ts';
import type { Adapter } from './adapter.ts';
import { AGENTFORGE } from './agentforge/index.ts';
import { readGitLog } from './agentforge/test-readings.ts';
import { discover as discoverWith, type FoundSource } from './discover.ts';
import { OpenSource } from './open-source.ts';
import { sourceState } from './read-source.ts';

/** The AgentForge adapter without its need for a harness's file, so that git alone is found too. */
const ANY: readonly Adapter[] = AGENTFORGE.map(({ needs: _, ...adapter }) => adapter);
const discover = async (folder: string): Promise<FoundSource[]> =>
  (await discoverWith(folder, ANY)).units.flatMap(({ sources }) => sources);
const readSource = async (found: FoundSource) => {
  const source = new OpenSource(found);
  const text = await source.text();
  return { text, issues: source.issues };
};

const only = async (folder: string) => {
  const [source, ...rest] = await discover(folder);
  expect(rest).toEqual([]);
  if (!source) throw new Error('nothing was found');
  return source;
};

/** A repository as a harness leaves it. */
function repository(folder: string): (...args: string[]) => void {
  const git = (...args: string[]): void => {
    execFileSync('git', args, {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'n',
        GIT_AUTHOR_EMAIL: 'n@example.org',
        GIT_COMMITTER_NAME: 'n',
        GIT_COMMITTER_EMAIL: 'n@example.org',
        GIT_COMMITTER_DATE: '2026-01-02T10:00:00-0700',
      },
    });
  };
  git('init', '-q');
  return git;
}

describe('discover', () => {
  it('finds nothing where there is nothing', async () => {
    expect(await discover(await testFolder())).toEqual([]);
    expect(await discover('/nowhere/at/all')).toEqual([]);
  });

  it('finds the four files, and metrics under public/ when they are only there', async () => {
    const folder = await testFolder({ 'public/metrics.json': '{}', 'git-log.jsonl': '', 'other.json': '{}' });
    const found = await discover(folder);
    expect(found.map((source) => [source.id, source.label, source.path])).toEqual([
      ['metrics', 'metrics.json', 'public/metrics.json'],
      ['git', 'git log', 'git-log.jsonl'],
    ]);
    await writeFile(join(folder, 'metrics.json'), '{}');
    expect((await discover(folder))[0]?.path).toBe('metrics.json');
  });

  it('does not follow a link out of the folder, and follows one inside', async () => {
    const outside = await testFolder({ 'secret.json': '{"features": []}' });
    const folder = await testFolder({ 'old/list.json': '[]' });
    await symlink(join(outside, 'secret.json'), join(folder, 'metrics.json'));
    await symlink(join(folder, 'old/list.json'), join(folder, 'feature_list.json'));
    await symlink(join(folder, 'gone'), join(folder, 'claude-progress.txt'));
    const found = await discover(folder);
    expect(found.map((source) => [source.id, source.at.type])).toEqual([
      ['metrics', 'refused'],
      ['feature_list', 'file'],
      ['progress_log', 'refused'],
    ]);
    const reads = await Promise.all(found.map(readSource));
    expect(reads.map((read) => [read.text, read.issues[0]?.code])).toEqual([
      [null, 'outside_folder'],
      ['[]', undefined],
      [null, 'not_readable'],
    ]);
  });

  it('does not wait for what is no plain file', async () => {
    const folder = await testFolder({ 'claude-progress.txt/inside': '' });
    execFileSync('mkfifo', [join(folder, 'metrics.json')]);
    const reads = await Promise.all((await discover(folder)).map(readSource));
    expect(reads.map((read) => read.issues[0]?.code)).toEqual(['not_readable', 'not_readable']);
  });

  it('does not follow a link that took the place of a file or of its folder', async () => {
    const outside = await testFolder({ 'metrics.json': 'secret' });
    const folder = await testFolder({ 'public/metrics.json': '{}' });
    const source = await only(folder);
    const before = await sourceState(source);
    expect(await readRawLines(source, 1)).not.toBeNull();
    await rm(join(folder, 'public/metrics.json'));
    await symlink(join(outside, 'metrics.json'), join(folder, 'public/metrics.json'));
    expect(await readRawLines(source, 1)).toBeNull();
    expect(await readSource(source)).toMatchObject({ text: null, issues: [{ code: 'not_readable' }] });
    expect(await sourceState(source)).not.toBe(before);
    await rename(join(folder, 'public'), join(folder, 'old'));
    await symlink(outside, join(folder, 'public'));
    expect(await readRawLines(source, 1)).toBeNull();
  });

  it('does not read a file beyond the limit', async () => {
    const folder = await testFolder({ 'metrics.json': '{}' });
    await truncate(join(folder, 'metrics.json'), LIMITS.fileBytes + 1);
    expect(await readSource(await only(folder))).toMatchObject({
      text: null,
      issues: [{ code: 'file_too_large' }],
    });
  });

  it('notices that a file changed, and not that it was only looked at', async () => {
    const folder = await testFolder({ 'metrics.json': '{"a": 1}' });
    const source = await only(folder);
    const before = await sourceState(source);
    await readSource(source);
    expect(await sourceState(source)).toBe(before);
    await writeFile(join(folder, 'metrics.json'), '{"a": 2}');
    expect(await sourceState(source)).not.toBe(before);
  });
});

describe('a folder with its own git', () => {
  it('gives the same lines as a written log', async () => {
    const folder = await testFolder({ 'a.txt': 'one\ntwo\n' });
    const git = repository(folder);
    git('add', '.');
    git('commit', '-q', '-m', 'clean slate: night run');
    await writeFile(join(folder, 'a.txt'), 'one\nthree\nfour\n');
    git('commit', '-q', '-am', 'feat(#1): Dial (score: 9/10, 1 attempts)');
    const source = await only(folder);
    expect(source).toMatchObject({ kind: 'git', path: '.git' });
    const { text, issues } = await readSource(source);
    expect(issues).toEqual([]);
    const { commits } = readGitLog(text ?? '');
    expect(commits.map((one) => [one.subject, one.files, one.insertions, one.deletions, one.zone])).toEqual([
      ['clean slate: night run', 1, 2, 0, '-07:00'],
      ['feat(#1): Dial (score: 9/10, 1 attempts)', 1, 2, 1, '-07:00'],
    ]);
    const before = await sourceState(source);
    git('commit', '-q', '--allow-empty', '-m', 'more');
    expect(await sourceState(source)).not.toBe(before);
  });

  it('neither waits for a pipe in place of HEAD nor follows a link there', async () => {
    const folder = await testFolder({ '.git/HEAD': 'one', elsewhere: 'two' });
    const source = await only(folder);
    expect(await sourceState(source)).toBe('one\n\n\n\n');
    await rm(join(folder, '.git/HEAD'));
    execFileSync('mkfifo', [join(folder, '.git/HEAD')]);
    expect(await sourceState(source)).toBe('\n\n\n\n');
    await rm(join(folder, '.git/HEAD'));
    await symlink(join(folder, 'elsewhere'), join(folder, '.git/HEAD'));
    expect(await sourceState(source)).toBe('\n\n\n\n');
  });

  it('runs no program that the repository names', async () => {
    const folder = await testFolder({ 'a.txt': 'one\n', '.gitattributes': '*.txt diff=evil\n' });
    const git = repository(folder);
    git('add', '.');
    git('commit', '-q', '-m', 'init');
    const evil = `touch ${join(folder, 'ran')}; false`;
    for (const key of [
      'core.pager',
      'core.fsmonitor',
      'diff.external',
      'diff.evil.command',
      'diff.evil.textconv',
      'gpg.program',
      'pager.log',
    ]) {
      git('config', key, evil);
    }
    git('config', 'log.showSignature', 'true');
    const source = (await discover(folder)).find((one) => one.kind === 'git');
    const { text } = source ? await readSource(source) : { text: null };
    expect(readGitLog(text ?? '').commits).toHaveLength(1);
    expect(await discover(folder)).toHaveLength(1);
    expect(execFileSync('ls', [folder], { encoding: 'utf8' })).toBe('a.txt\n');
  });

  it('says when git cannot give a log', async () => {
    const folder = await testFolder({ '.git/HEAD': 'nonsense' });
    expect(await readSource(await only(folder))).toMatchObject({
      text: null,
      issues: [{ code: 'git_failed' }],
    });
  });
});
