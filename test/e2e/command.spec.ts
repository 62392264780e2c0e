import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { DEMO, startServer } from './server.ts';

/** The built program as it is called, without a page. */

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const MAIN = join(root, 'dist', 'server', 'main.js');

interface Ended {
  code: number | string | null;
  out: string;
  err: string;
}
const run = (args: readonly string[], cwd: string): Promise<Ended> =>
  new Promise((resolve) => {
    // A home of its own, so that no session of whoever runs the tests is read.
    const env = { PATH: process.env.PATH ?? '', HOME: cwd, LOOPLIGHT_STATE: join(cwd, 'state') };
    execFile(
      process.execPath,
      [MAIN, ...args],
      { cwd, env, timeout: 60_000, maxBuffer: 16_000_000 },
      (error, out, err) => resolve({ code: error === null ? 0 : (error.code ?? null), out, err }),
    );
  });

let folder: string;
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'looplight-command-'));
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

test('explains itself, and says in a sentence what it cannot follow', async () => {
  const help = await run(['--help'], folder);
  expect(help).toMatchObject({ code: 0, err: '' });
  expect(help.out).toContain('Usage: looplight');
  expect(await run(['--version'], folder)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
  for (const [args, sentence] of [
    [['--loud'], 'There is no option --loud. --help lists what there is.'],
    [['nowhere'], `There is no folder ${join(folder, 'nowhere')}.`],
    [['--here'], 'Nothing that Looplight reads was found in'],
    [['--host', '0.0.0.0', '.'], 'Set LOOPLIGHT_TOKEN'],
    [['replay', 'nothing.json'], 'nothing.json'],
  ] as const) {
    const refused = await run(args, folder);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(sentence);
    expect(refused.err).not.toContain('    at ');
    expect(refused.out).toBe('');
  }
});

test('audits without leaving anything behind, and fails only when asked to', async () => {
  test.setTimeout(120_000);
  const plain = await run(['audit', DEMO], folder);
  expect(plain.code).toBe(0);
  expect(plain.out).toContain('sources_disagree');
  expect(plain.out).toMatch(/claude-progress\.txt:\d+/);
  expect(await readdir(folder)).toEqual([]);
  const json = await run(['audit', '--json', '--fail-on', 'warning', DEMO], folder);
  expect(json.code).toBe(1);
  const read = JSON.parse(json.out);
  expect(read).toMatchObject({ format: 'looplight-audit', version: 1 });
  expect(read.projects[0].findings.length).toBeGreaterThan(10);
});

test('says what was found before it serves, and that a port is taken', async () => {
  test.setTimeout(90_000);
  const server = await startServer();
  try {
    expect(server.log()).toMatch(/│ metrics\.json +│/);
    expect(server.log()).toMatch(/\d+ sources, \d+ audit findings/);
    const taken = await run(['--port', new URL(server.url).port, '--no-open', DEMO], folder);
    expect(taken.code).toBe(2);
    expect(taken.err).toContain('is in use. Stop what runs there, or give another one with --port.');
  } finally {
    await server.stop();
  }
});
