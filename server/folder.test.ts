import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { demoFolders, folderProblem } from './folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'looplight-folder-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('names a folder that is not there, and a file that is none; an empty folder is fine', async () => {
  const file = join(folder, 'metrics.json');
  await writeFile(file, '{}');
  expect(await folderProblem(folder)).toBeNull();
  expect(await folderProblem(join(folder, 'nowhere'))).toContain(
    `There is no folder ${join(folder, 'nowhere')}`,
  );
  expect(await folderProblem(file)).toContain('is not a folder');
});

it('lists the demo projects, the first one first, and nothing else', async () => {
  for (const name of ['ralph', 'agentforge', '.hidden', 'agent-loop']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'README.md'), '');
  expect(await demoFolders(folder)).toEqual(
    ['agentforge', 'agent-loop', 'ralph'].map((name) => join(folder, name)),
  );
  expect(await demoFolders(join(folder, 'nowhere'))).toEqual([]);
});
