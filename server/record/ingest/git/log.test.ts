import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../../test-folder.ts';
import { commitsOf, gitLines } from './log.ts';
import { gitState, RepositoryRefused } from './repository.ts';
import { testRepository } from './test-repository.ts';

async function lines(dir: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const line of gitLines(dir)) found.push(JSON.parse(line));
  return found;
}
async function* from(tokens: readonly string[]): AsyncGenerator<string> {
  yield* tokens;
}

describe('gitLines', { timeout: 60_000 }, () => {
  it('gives each commit with its message, counts and paths, oldest first', async () => {
    const repo = await testRepository();
    const first = await repo.commit({ 'a.txt': 'one\n', 'with space.txt': '1\n2\n' }, 'begin');
    const second = await repo.commit(
      { 'a.txt': 'one\ntwo\n' },
      'feat: US-2 - Hands\n\nWhy it moves.\n\nStory: US-2\nReviewed-by: nobody',
    );
    const third = await repo.commit({}, 'nothing changed');
    const fourth = await repo.commit(
      { 'a.txt': 'one\n', 'b.bin': Buffer.from([0, 1, 2]) },
      `Revert "feat: US-2 - Hands"\n\nThis reverts commit ${second}.`,
    );
    expect(await lines(repo.dir)).toEqual([
      {
        sha: first,
        committed_at: '2026-01-02T10:00:00-07:00',
        author: 'Tester',
        subject: 'begin',
        files: 2,
        insertions: 3,
        deletions: 0,
        paths: [
          ['a.txt', 1, 0],
          ['with space.txt', 2, 0],
        ],
      },
      {
        sha: second,
        committed_at: '2026-01-02T10:01:00-07:00',
        author: 'Tester',
        subject: 'feat: US-2 - Hands',
        trailers: [
          ['Story', 'US-2'],
          ['Reviewed-by', 'nobody'],
        ],
        files: 1,
        insertions: 1,
        deletions: 0,
        paths: [['a.txt', 1, 0]],
      },
      {
        sha: third,
        committed_at: '2026-01-02T10:02:00-07:00',
        author: 'Tester',
        subject: 'nothing changed',
        files: 0,
        insertions: 0,
        deletions: 0,
        paths: [],
      },
      {
        sha: fourth,
        committed_at: '2026-01-02T10:03:00-07:00',
        author: 'Tester',
        subject: 'Revert "feat: US-2 - Hands"',
        reverts: second,
        files: 2,
        insertions: 0,
        deletions: 1,
        paths: [
          ['a.txt', 0, 1],
          ['b.bin', null, null],
        ],
      },
    ]);
  });

  it('is not led astray by a message that looks like the output of git', async () => {
    const repo = await testRepository();
    await repo.commit({ 'odd\tname\n9\t9\tx': 'one\n' }, 'commit\x1e\x1f 1\t2\tx\n\ncommit\n\n9\t9\tfake');
    await repo.commit({ 'a.txt': 'a\n' }, 'two');
    const found = await lines(repo.dir);
    expect(found).toMatchObject([
      {
        subject: 'commit\uFFFD\uFFFD 1\t2\tx',
        files: 1,
        insertions: 1,
        paths: [['odd\tname\n9\t9\tx', 1, 0]],
      },
      { subject: 'two', files: 1 },
    ]);
  });

  it('has no lines before the first commit', async () => {
    const repo = await testRepository();
    expect(await lines(repo.dir)).toEqual([]);
  });

  it('lists at most a bounded number of paths, and still counts all', async () => {
    const repo = await testRepository();
    const files = Object.fromEntries(Array.from({ length: 503 }, (_, i) => [`f${i}.txt`, 'x\n']));
    await repo.commit(files, 'many');
    const [commit] = await lines(repo.dir);
    expect(commit).toMatchObject({ files: 503, insertions: 503, paths_left: 3 });
  });

  it('does not count what a shallow copy only seems to have written at once', async () => {
    const repo = await testRepository();
    await repo.commit({ 'a.txt': '1\n' }, 'one');
    const edge = await repo.commit({ 'a.txt': '1\n2\n' }, 'two');
    await repo.commit({ 'a.txt': '1\n2\n3\n' }, 'three');
    await writeFile(join(repo.dir, 'shallow'), `${edge}\n`);
    const found = await lines(repo.dir);
    expect(found).toMatchObject([
      { note: 'shallow', commits: 1 },
      { subject: 'two' },
      { subject: 'three', insertions: 1 },
    ]);
    expect(found[1]).not.toHaveProperty('insertions');
  });

  it('goes on without counts when counting takes too long', async () => {
    const repo = await testRepository();
    await repo.commit({ 'a.txt': '1\n' }, 'one');
    await repo.commit({ 'a.txt': '2\n' }, 'two');
    const found: unknown[] = [];
    for await (const line of gitLines(repo.dir, { silentMs: 10_000, totalMs: 0 }))
      found.push(JSON.parse(line));
    expect(found.at(-1)).toEqual({ note: 'not_counted', commits: 2 });
    expect(found.slice(0, 2)).toMatchObject([{ subject: 'one' }, { subject: 'two' }]);
    expect(found[0]).not.toHaveProperty('files');
  });

  it('throws when what git prints is no log', async () => {
    const read = async (tokens: readonly string[]): Promise<void> => {
      for await (const commit of commitsOf(from(tokens), () => true)) expect(commit).toBeUndefined();
    };
    await expect(read(['commit', 'not a name', 'x', 'x', 'x', 'x'])).rejects.toThrow('something else');
    await expect(read(['1\t2\tpath'])).rejects.toThrow('something else');
    await expect(read(['stray'])).rejects.toThrow('something else');
  });
});

describe('a repository that leads elsewhere', { timeout: 60_000 }, () => {
  const refused = async (dir: string): Promise<void> => {
    await expect(lines(dir)).rejects.toBeInstanceOf(RepositoryRefused);
  };

  it('is refused when it borrows commits from another place', async () => {
    const other = await testRepository();
    await other.commit({ 'secret.txt': 's\n' }, 'secret');
    const repo = await testRepository();
    await repo.commit({ 'a.txt': '1\n' }, 'one');
    await mkdir(join(repo.dir, 'objects/info'), { recursive: true });
    await writeFile(join(repo.dir, 'objects/info/alternates'), `${join(other.dir, 'objects')}\n`);
    await refused(repo.dir);
  });

  it('is refused when it is a part of another repository', async () => {
    const other = await testRepository();
    await other.commit({ 'secret.txt': 's\n' }, 'secret');
    const repo = await testRepository();
    await writeFile(join(repo.dir, 'commondir'), `${other.dir}\n`);
    await refused(repo.dir);
  });

  it.each(['objects', 'refs', 'objects/pack', 'refs/heads', 'info'])(
    'is refused when %s is a link to a folder',
    async (name) => {
      const other = await testRepository();
      await other.commit({ 'secret.txt': 's\n' }, 'secret');
      const repo = await testRepository();
      await repo.commit({ 'a.txt': '1\n' }, 'one');
      await mkdir(join(other.dir, name), { recursive: true });
      await rm(join(repo.dir, name), { recursive: true, force: true });
      await symlink(join(other.dir, name), join(repo.dir, name));
      await refused(repo.dir);
    },
  );

  it.each(['config', 'packed-refs', 'objects/pack/pack-1.pack', 'refs/heads/main'])(
    'is refused when %s is a link to a file outside',
    async (name) => {
      const folder = await testFolder({ outside: 'x' });
      const repo = await testRepository();
      await repo.commit({ 'a.txt': '1\n' }, 'one');
      await mkdir(join(repo.dir, 'objects/pack'), { recursive: true });
      await rm(join(repo.dir, name), { force: true });
      await symlink(join(folder, 'outside'), join(repo.dir, name));
      await refused(repo.dir);
    },
  );

  it('is refused when a pipe stands in place of a file, or HEAD is none of its own', async () => {
    const repo = await testRepository();
    await repo.commit({ 'a.txt': '1\n' }, 'one');
    execFileSync('mkfifo', [join(repo.dir, 'refs/heads/waits')]);
    await refused(repo.dir);
    await rm(join(repo.dir, 'refs/heads/waits'));
    expect(await lines(repo.dir)).toHaveLength(1);
    await writeFile(join(repo.dir, 'HEAD'), 'ref: ../../elsewhere\n');
    await expect(lines(repo.dir)).rejects.toThrow('current commit');
  });

  it('is read without its own settings', async () => {
    const folder = await testFolder({ mailmap: 'Mapped <m@example.org> Tester <tester@example.org>\n' });
    const repo = await testRepository();
    await repo.commit({ 'a.txt': '1\n' }, 'one');
    await repo.commit({ 'a.txt': '2\n' }, 'two');
    const before = await lines(repo.dir);
    const touched = join(folder, 'touched');
    const evil = `sh -c 'touch ${touched}'`;
    for (const [key, value] of [
      ['core.worktree', folder],
      ['core.pager', evil],
      ['core.fsmonitor', evil],
      ['core.sshCommand', evil],
      ['core.alternateRefsCommand', evil],
      ['diff.external', evil],
      ['diff.x.textconv', evil],
      ['diff.x.command', evil],
      ['diff.orderFile', join(folder, 'mailmap')],
      ['diff.renames', 'copies'],
      ['diff.relative', 'true'],
      ['gpg.program', evil],
      ['log.showSignature', 'true'],
      ['log.showRoot', 'false'],
      ['log.diffMerges', 'first-parent'],
      ['mailmap.file', join(folder, 'mailmap')],
      ['color.ui', 'always'],
      ['format.pretty', 'oneline'],
      ['trailer.x.command', evil],
      ['protocol.ext.allow', 'always'],
      ['remote.origin.url', `ext::${evil}`],
      ['remote.origin.promisor', 'true'],
      ['extensions.partialClone', 'origin'],
    ] as const)
      repo.git('config', key, value);
    await writeFile(join(repo.dir, 'info/attributes'), '* diff=x\n');
    expect(await lines(repo.dir)).toEqual(before);
    // A missing object is not fetched by a program of the repository's choice.
    const blob = repo.git('rev-parse', 'HEAD:a.txt').trim();
    await rm(join(repo.dir, 'objects', blob.slice(0, 2), blob.slice(2)));
    await expect(lines(repo.dir)).rejects.toThrow();
    await expect(writeFile(touched, '', { flag: 'wx' })).resolves.toBeUndefined();
  });
});

describe('gitState', () => {
  it('changes with each commit and stays while there is none', async () => {
    const repo = await testRepository();
    const empty = await gitState(repo.dir);
    await repo.commit({ 'a.txt': '1\n' }, 'one');
    const one = await gitState(repo.dir);
    expect(one).not.toBe(empty);
    expect(await gitState(repo.dir)).toBe(one);
    await repo.commit({}, 'two');
    expect(await gitState(repo.dir)).not.toBe(one);
  });
});
