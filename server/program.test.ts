import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PROGRAM, programOf } from './program.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'looplight-program-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'main.js'), 'one');
  await writeFile(join(folder, 'assets', 'part.js'), 'two');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('a build has one name, and another build another', async () => {
  const main = join(folder, 'main.js');
  const name = programOf(main);
  expect(name).toMatch(/^[0-9a-f]{32}$/);
  expect(programOf(main)).toBe(name);
  await writeFile(join(folder, 'main.js.map'), 'not run');
  expect(programOf(main)).toBe(name);
  await writeFile(join(folder, 'assets', 'part.js'), 'three');
  expect(programOf(main)).not.toBe(name);
});

it('has no name where it cannot be read, and one where it runs', () => {
  expect(programOf(join(folder, 'nowhere', 'main.js'))).toBe('');
  expect(PROGRAM).toMatch(/^[0-9a-f]{32}$/);
});
