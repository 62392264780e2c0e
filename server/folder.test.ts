import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderProblem } from './folder.ts';

it('names a folder that is not there, and a file that is none; an empty folder is fine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'looplight-folder-'));
  try {
    const file = join(folder, 'metrics.json');
    await writeFile(file, '{}');
    expect(await folderProblem(folder)).toBeNull();
    expect(await folderProblem(join(folder, 'nowhere'))).toContain(
      `There is no folder ${join(folder, 'nowhere')}`,
    );
    expect(await folderProblem(file)).toContain('is not a folder');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
