import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRecord } from '../index.ts';
import { testFolder } from '../test-folder.ts';
import type { Adapter } from './adapter.ts';
import { cwdOfHead } from './session-cwd.ts';
import { type SessionHomes, type SessionScope, sessionHomes } from './session-homes.ts';
import { SessionLook } from './session-look.ts';

/** A line of a transcript, and the first line of a rollout, written in a folder. */
const said = (cwd: string, text = 'hi'): string =>
  `${JSON.stringify({ type: 'user', sessionId: 's', cwd, message: { role: 'user', content: text } })}\n`;
const meta = (cwd: string, id = 'r'): string =>
  `${JSON.stringify({ timestamp: '2026-01-02T10:00:00Z', type: 'session_meta', payload: { id, cwd, base_instructions: { text: 'x'.repeat(30_000) } } })}\n`;

const homesAt = (home: string, scope: SessionScope = 'folder'): SessionHomes => ({
  homes: sessionHomes({}, home),
  scope,
});
async function fill(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
const paths = async (look: SessionLook): Promise<string[]> =>
  (await look.look()).files.map(({ path }) => path);

/** Reads any session, one entry a line. */
const LINES: Adapter = {
  id: 'test/sessions',
  version: 1,
  label: 'sessions',
  sources: [
    { kind: 'claude_session', paths: ['**/*.jsonl'], sniff: (head) => head.includes('"sessionId"') },
    { kind: 'codex_rollout', paths: ['**/*.jsonl'], sniff: (head) => head.includes('"session_meta"') },
  ],
  unit: 'each',
  async read({ sources }, out) {
    for (const source of sources)
      for await (const { no, text } of source.lines()) {
        source.count(1, 0);
        out.add('log_events', {
          event_id: `${source.id}.${no}`,
          kind: 'raw',
          message: text.slice(0, 200),
          source_id: source.id,
          source_kind: source.kind,
          source_line: no,
        });
      }
  },
};

describe('homes of sessions', () => {
  it('are the usual folders, or what the settings of the harnesses name', () => {
    expect(sessionHomes({}, '/u').map(({ dir, shown }) => [dir, shown])).toEqual([
      ['/u/.claude', '~/.claude'],
      ['/u/.config/claude', '~/.config/claude'],
      ['/u/.codex', '~/.codex'],
    ]);
    const set = { CLAUDE_CONFIG_DIR: ' /a , ~/b,,/a', CODEX_HOME: '/c' };
    expect(sessionHomes(set, '/u').map(({ dir, shown }) => [dir, shown])).toEqual([
      ['/a', '$CLAUDE_CONFIG_DIR'],
      ['/u/b', '$CLAUDE_CONFIG_DIR:2'],
      ['/c', '$CODEX_HOME'],
    ]);
  });
});

describe('the folder a session worked in', () => {
  it('is told by its records, at their top or in the first line of a rollout', () => {
    expect(cwdOfHead(`{"type":"summary"}\n${said('/repo')}`)).toBe('/repo');
    expect(cwdOfHead(meta('/repo'))).toBe('/repo');
    expect(cwdOfHead(meta('/repo').slice(0, 500))).toBe('/repo');
  });

  it('is not what a person or a tool wrote about folders', () => {
    expect(
      cwdOfHead('{"type":"user","message":{"cwd":"/other","content":"\\"cwd\\":\\"/repo\\""}}\n'),
    ).toBeNull();
    expect(cwdOfHead('{"type":"response_item","payload":{"cwd":"/repo"}}\n')).toBeNull();
    expect(cwdOfHead('{"cwd":"repo"}\n{"cwd":7}\nnothing')).toBeNull();
  });
});

describe('sessions of a project', () => {
  it('are those begun in its folder or below, whatever their folder is called', async () => {
    const [root, home] = [await testFolder({ 'a/b.txt': '' }), await testFolder()];
    await fill(home, {
      // The same name for two folders: dots and slashes both become hyphens.
      '.claude/projects/-x/in.jsonl': said(root),
      '.claude/projects/-x/beside.jsonl': said(`${root}-2`),
      '.claude/projects/-x/below.jsonl': `{"type":"summary","summary":"s"}\n${said(join(root, 'a'))}`,
      '.claude/projects/-x/removed.jsonl': said(join(root, 'gone', 'for', 'good')),
      '.claude/projects/-x/above.jsonl': said(dirname(root)),
      '.claude/projects/-x/none.jsonl': '{"type":"summary"}\n',
      '.claude/projects/-x/notes.txt': said(root),
      '.config/claude/projects/-y/in.jsonl': said(root),
      '.codex/sessions/2026/01/02/rollout-a.jsonl': meta(root),
      '.codex/sessions/2026/01/02/rollout-b.jsonl': meta('/elsewhere'),
      '.codex/archived_sessions/rollout-c.jsonl': meta(root),
      '.codex/history.jsonl': said(root),
    });
    const look = new SessionLook(homesAt(home), root);
    expect(await paths(look)).toEqual([
      '~/.claude/projects/-x/below.jsonl',
      '~/.claude/projects/-x/in.jsonl',
      '~/.claude/projects/-x/removed.jsonl',
      '~/.codex/archived_sessions/rollout-c.jsonl',
      '~/.codex/sessions/2026/01/02/rollout-a.jsonl',
      '~/.config/claude/projects/-y/in.jsonl',
    ]);
    expect((await look.look()).left).toEqual(['4 files of sessions in other folders.']);
    expect(await paths(new SessionLook(homesAt(home, 'all'), root))).toHaveLength(10);
  });

  it("take a session's subagents along, and what is written beside them", async () => {
    const [root, home] = [await testFolder(), await testFolder()];
    await fill(home, {
      '.claude/projects/-x/s1.jsonl': said(root),
      '.claude/projects/-x/s1/subagents/agent-a.jsonl': said('/a/worktree/of/its/own'),
      '.claude/projects/-x/s1/subagents/agent-a.meta.json': '{}',
      '.claude/projects/-x/s1/tool-results/big.jsonl': said(root),
      '.claude/projects/-x/s2.jsonl': said('/elsewhere'),
      '.claude/projects/-x/s2/subagents/agent-b.jsonl': said('/elsewhere'),
    });
    expect(await paths(new SessionLook(homesAt(home), root))).toEqual([
      '~/.claude/projects/-x/s1.jsonl',
      '~/.claude/projects/-x/s1/subagents/agent-a.jsonl',
      '~/.claude/projects/-x/s1/subagents/agent-a.meta.json',
    ]);
  });

  it('are found through links of either side, each file once, and never outside the home', async () => {
    const [root, real, home, secret] = [
      await testFolder(),
      await testFolder(),
      await testFolder(),
      await testFolder(),
    ];
    await rm(join(root), { recursive: true });
    await symlink(real, root);
    await fill(secret, { 'x.jsonl': said(real) });
    await fill(home, {
      'kept/projects/-x/a.jsonl': said(root),
      'kept/projects/-x/b.jsonl': said(real),
    });
    await symlink(join(home, 'kept'), join(home, '.claude'));
    await symlink('a.jsonl', join(home, 'kept/projects/-x/second-name.jsonl'));
    await symlink(join(secret, 'x.jsonl'), join(home, 'kept/projects/-x/outside.jsonl'));
    await symlink('..', join(home, 'kept/projects/-x/round'));
    const found = await new SessionLook(homesAt(home), real).look();
    expect(found.files.map(({ path }) => path)).toEqual([
      '~/.claude/projects/-x/a.jsonl',
      '~/.claude/projects/-x/b.jsonl',
    ]);
    expect(found.left).toEqual(['2 links out of the folders of sessions were not followed.']);
  });

  it('are read of other worktrees of the repository only when asked for', async () => {
    const [base, home] = [await testFolder({ 'main/app/a.txt': '' }), await testFolder()];
    const main = join(base, 'main');
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.org', ...args], {
        cwd: main,
        env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
        stdio: 'ignore',
      });
    };
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'a');
    git('worktree', 'add', '-q', join(base, 'tree'));
    execFileSync('git', ['init', '-q', join(base, 'other')]);
    await fill(home, {
      '.claude/projects/-m/main.jsonl': said(main),
      '.claude/projects/-m/tree.jsonl': said(join(base, 'tree')),
      '.claude/projects/-m/app.jsonl': said(join(base, 'tree/app')),
      '.claude/projects/-m/other.jsonl': said(join(base, 'other')),
    });
    const names = async (scope: SessionScope, root = main) =>
      (await paths(new SessionLook(homesAt(home, scope), root))).map((path) => path.split('/').at(-1));
    expect(await names('folder')).toEqual(['main.jsonl']);
    expect(await names('worktrees')).toEqual(['app.jsonl', 'main.jsonl', 'tree.jsonl']);
    expect(await names('worktrees', join(main, 'app'))).toEqual(['app.jsonl']);
    expect(await names('worktrees', join(base, 'tree'))).toEqual(['app.jsonl', 'main.jsonl', 'tree.jsonl']);
  });

  it('leave out an archived rollout that is also among the active ones', async () => {
    const [root, home] = [await testFolder(), await testFolder()];
    await fill(home, {
      '.codex/sessions/2026/01/02/rollout-a.jsonl': meta(root),
      '.codex/archived_sessions/rollout-a.jsonl': meta(root),
    });
    const found = await new SessionLook(homesAt(home), root).look();
    expect(found.files.map(({ path }) => path)).toEqual(['~/.codex/sessions/2026/01/02/rollout-a.jsonl']);
    expect(found.left).toEqual(['An archived session that is also among the active ones.']);
  });

  it('are looked for again: new files, files that only now say where they work, files that went', async () => {
    const [root, home] = [await testFolder(), await testFolder()];
    const look = new SessionLook(homesAt(home), root);
    expect(await paths(look)).toEqual([]);
    await fill(home, { '.claude/projects/-x/a.jsonl': '{"type":"summary"}\n' });
    const nothing = await look.look();
    expect(nothing.files).toEqual([]);
    expect(await look.look()).toBe(nothing);
    await appendFile(join(home, '.claude/projects/-x/a.jsonl'), said(root));
    expect(await paths(look)).toEqual(['~/.claude/projects/-x/a.jsonl']);
    const one = await look.look();
    await appendFile(join(home, '.claude/projects/-x/a.jsonl'), said(root));
    expect(await look.look()).toBe(one);
    await fill(home, { '.codex/sessions/2026/01/02/rollout-b.jsonl': meta(root) });
    expect(await paths(look)).toHaveLength(2);
    await rename(join(home, '.claude/projects/-x/a.jsonl'), join(home, '.claude/projects/-x/c.jsonl'));
    await rm(join(home, '.codex'), { recursive: true });
    expect(await paths(look)).toEqual(['~/.claude/projects/-x/c.jsonl']);
    await writeFile(join(home, '.claude/projects/-x/c.jsonl'), said('/x'));
    expect(await paths(look)).toEqual([]);
  });
});

/** Names, states and contents below a folder. */
async function picture(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const look = async (at: string): Promise<void> => {
    const { mode, size, mtimeMs, ctimeMs } = await lstat(at);
    hash.update(`${at} ${mode} ${size} ${mtimeMs} ${ctimeMs}\n`);
    if ((await lstat(at)).isDirectory())
      for (const name of (await readdir(at)).sort()) await look(join(at, name));
    else hash.update(await readFile(at));
  };
  await look(folder);
  return hash.digest('hex');
}

describe('a record with sessions', () => {
  const open = async (root: string, home: string, scope: SessionScope = 'folder') => {
    const record = await openRecord({
      root,
      database: ':memory:',
      adapters: [LINES],
      homes: homesAt(home, scope),
    });
    onTestFinished(() => record.close());
    return record;
  };
  const told = async (record: Awaited<ReturnType<typeof open>>) =>
    (await record.summary()).sources.map(({ path, ok }) => [path, ok]);

  it('reads them, opens their lines and no others, and writes nothing there', async () => {
    const [root, home] = [await testFolder({ 'logs/own.jsonl': said('/anywhere') }), await testFolder()];
    await fill(home, {
      '.claude/projects/-x/a.jsonl': said(root, 'first') + said(root, 'second'),
      '.claude/projects/-x/b.jsonl': said('/elsewhere'),
      '.codex/sessions/2026/01/02/rollout-a.jsonl': meta(root),
    });
    const before = await picture(home);
    const record = await open(root, home);
    expect(await told(record)).toEqual([
      ['logs/own.jsonl', 1],
      ['~/.claude/projects/-x/a.jsonl', 2],
      ['~/.codex/sessions/2026/01/02/rollout-a.jsonl', 1],
    ]);
    const { sources, left } = await record.summary();
    expect(left).toEqual(['1 file of sessions in other folders.']);
    const id = sources.find(({ path }) => path.startsWith('~/.claude'))?.id ?? '';
    const lines = await record.rawLines(id, 2);
    expect(lines?.lines.find(({ cited }) => cited)?.text).toContain('second');
    expect(await record.rawLines('~/.claude/projects/-x/b.jsonl', 1)).toBeNull();
    expect(await picture(home)).toBe(before);
  });

  it('reads none where no homes are given', async () => {
    const root = await testFolder({ 'logs/own.jsonl': said('/anywhere') });
    const record = await openRecord({ root, database: ':memory:', adapters: [LINES] });
    onTestFinished(() => record.close());
    expect((await record.summary()).sources.map(({ path }) => path)).toEqual(['logs/own.jsonl']);
  });

  it('offers the files of a home only to readers of sessions', async () => {
    const [root, home] = [await testFolder(), await testFolder()];
    await fill(home, { '.claude/projects/-x/a.jsonl': said(root) });
    const record = await openRecord({
      root,
      database: ':memory:',
      adapters: [{ ...LINES, sources: [{ kind: 'iterations', paths: ['**/*.jsonl'] }] }],
      homes: homesAt(home),
    });
    onTestFinished(() => record.close());
    expect((await record.summary()).sources).toEqual([]);
  });

  it('sees new lines and new files within two seconds', async () => {
    const [root, home] = [await testFolder(), await testFolder()];
    await fill(home, { '.claude/projects/-x/a.jsonl': said(root) });
    const record = await open(root, home);
    const changed = (): Promise<number> => {
      const start = performance.now();
      return new Promise((resolve) => {
        const end = record.onChange(() => {
          end();
          resolve(performance.now() - start);
        });
      });
    };
    record.watch();
    const line = changed();
    await appendFile(join(home, '.claude/projects/-x/a.jsonl'), said(root));
    expect(await line).toBeLessThan(2_000);
    expect(await told(record)).toEqual([['~/.claude/projects/-x/a.jsonl', 2]]);
    const file = changed();
    await fill(home, { '.codex/sessions/2026/01/02/rollout-a.jsonl': meta(root) });
    expect(await file).toBeLessThan(2_000);
    expect(await told(record)).toHaveLength(2);
  });
});
