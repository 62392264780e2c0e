import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { ROOT } from './harness.ts';

/** What the start script hands on for these arguments, given in the folder /home/me. */
function handedOn(args: string[]): unknown {
  const module = pathToFileURL(join(ROOT, 'scripts', 'lib', 'paths.mjs')).href;
  const script = `import { resolvePaths } from ${JSON.stringify(module)};
    console.log(JSON.stringify(resolvePaths(JSON.parse(process.argv[1]), '/home/me')));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script, JSON.stringify(args)], {
      encoding: 'utf8',
    }),
  );
}

it('the start script makes paths absolute and leaves words and flags alone', () => {
  expect(handedOn(['run'])).toEqual(['/home/me/run']);
  expect(handedOn(['/run'])).toEqual(['/run']);
  expect(handedOn(['./replay'])).toEqual(['/home/me/replay']);
  expect(handedOn(['replay', 'a.json', '--speed', '0.25'])).toEqual([
    'replay',
    '/home/me/a.json',
    '--speed',
    '0.25',
  ]);
  expect(handedOn(['replay', '--speed', '2', 'a.json'])).toEqual([
    'replay',
    '--speed',
    '2',
    '/home/me/a.json',
  ]);
});
