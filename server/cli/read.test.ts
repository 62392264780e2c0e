import { createHash } from 'node:crypto';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageRoot } from '../paths.ts';
import { sessionHomes } from '../record/ingest/session-homes.ts';
import { SILENT } from '../record/log.ts';
import { auditOf } from './audit.ts';
import type { Where } from './command.ts';
import { readFolders, usableState } from './read.ts';

const DEMO = join(packageRoot(), 'data', 'agentforge');
let folder: string;
let said: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'looplight-read-'));
  said = [];
});
afterEach(async () => {
  await chmod(folder, 0o755);
  await rm(folder, { recursive: true, force: true });
});

const read = (where: Where, state: string | null = null) =>
  readFolders({
    where,
    data: join(folder, 'data'),
    state,
    log: SILENT,
    stream: { write: (text) => said.push(text) },
  });
const given = (...folders: string[]): Where => ({ type: 'given', folders });

/** Names, kinds, sizes, times and contents of everything below a folder. */
async function picture(path: string): Promise<string> {
  const hash = createHash('sha256');
  const look = async (at: string): Promise<void> => {
    const stat = await lstat(at);
    hash.update(`${at.slice(path.length)} ${stat.mode} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}\n`);
    if (stat.isSymbolicLink()) hash.update(await readlink(at));
    else if (stat.isFile()) hash.update(await readFile(at));
    else for (const name of (await readdir(at)).sort()) await look(join(at, name));
  };
  await look(path);
  return hash.digest('hex');
}

describe('reading folders', () => {
  it('writes nothing into them, and reads one in which nothing can be written', async () => {
    const project = join(folder, 'project');
    await cp(DEMO, project, { recursive: true });
    await symlink(join(folder, 'elsewhere'), join(project, 'link'));
    await chmod(project, 0o555);
    const before = await picture(project);
    const state = join(folder, 'state');
    const workspace = await read(given(project), await usableState(state, SILENT));
    const [one] = workspace.projects;
    expect((await one.record.summary()).sources).toHaveLength(4);
    expect((await auditOf(workspace.projects))[0]?.findings.length).toBeGreaterThan(10);
    await one.record.reload();
    await workspace.close();
    expect(await picture(project)).toBe(before);
    expect((await readdir(state)).some((name) => name.endsWith('.duckdb'))).toBe(true);
    await chmod(project, 0o755);
  });

  it('takes the same folder once, whatever it is called', async () => {
    const project = join(folder, 'project');
    await cp(DEMO, project, { recursive: true });
    await symlink(project, join(folder, 'other'));
    const workspace = await read(
      given(project, `${project}/`, join(folder, 'other'), join(folder, 'x', '..', 'project')),
    );
    expect(workspace.projects.map(({ id }) => id)).toEqual(['project']);
    expect(said).toEqual(['Reading project\n']);
    await workspace.close();
  });

  it('refuses folders that are not there, each in a sentence', async () => {
    await writeFile(join(folder, 'file'), '');
    const reading = read(given(join(folder, 'nowhere'), join(folder, 'file'), folder));
    await expect(reading).rejects.toThrow(`There is no folder ${join(folder, 'nowhere')}`);
    await expect(reading).rejects.toThrow('is not a folder');
  });

  it('says so when the folder one stands in holds nothing; a folder that was given may', async () => {
    await expect(read({ type: 'here', folder })).rejects.toThrow('Nothing that Looplight reads was found in');
    const workspace = await read(given(folder));
    expect((await workspace.projects[0].record.summary()).sources).toEqual([]);
    await workspace.close();
  });

  it('reads the sessions of a folder that holds nothing else, from the homes it is given', async () => {
    const [home, project] = [join(folder, 'home'), join(folder, 'project')];
    const sessions = join(home, '.codex', 'sessions', '2026', '08', '20');
    await mkdir(sessions, { recursive: true });
    await mkdir(project);
    await writeFile(
      join(sessions, 'rollout-a.jsonl'),
      `${JSON.stringify({ type: 'session_meta', payload: { id: 'a', cwd: project } })}\n`,
    );
    const before = await picture(home);
    const workspace = await readFolders({
      where: { type: 'here', folder: project },
      data: join(folder, 'data'),
      state: null,
      log: SILENT,
      homes: { homes: sessionHomes({}, home), scope: 'folder' },
      stream: { write: () => true },
    });
    const { sources } = await workspace.projects[0].record.summary();
    expect(sources.map(({ path, format, ok }) => [path, format, ok])).toEqual([
      ['~/.codex/sessions/2026/08/20/rollout-a.jsonl', 'Codex rollout', 1],
    ]);
    await workspace.close();
    expect(await picture(home)).toBe(before);
  });

  it('reads the demo projects, the first one first', async () => {
    await expect(read({ type: 'demo' })).rejects.toThrow('The demo projects are not there');
    for (const name of ['zeta', 'agentforge'])
      await cp(DEMO, join(folder, 'data', name), { recursive: true });
    const workspace = await read({ type: 'demo' });
    expect(workspace.projects.map(({ id }) => id)).toEqual(['agentforge', 'zeta']);
    await workspace.close();
  });

  it('keeps records in memory where no state folder can be made', async () => {
    await writeFile(join(folder, 'file'), '');
    const warned: string[] = [];
    const log = { info: () => undefined, warn: (message: string) => void warned.push(message) };
    expect(await usableState(join(folder, 'file', 'state'), log)).toBeNull();
    expect(warned[0]).toContain('the record is kept in memory');
    const state = join(folder, 'state');
    expect(await usableState(state, log)).toBe(state);
    await mkdir(state, { recursive: true });
  });
});
