// What `npm start`, `npm test` and `npm run bench` need before they can run. Only Node's own modules: this runs before the first install.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const SOURCES = [
  'shared',
  'server',
  'web',
  'vite.config.ts',
  'vite.server.config.ts',
  'package-lock.json',
  'tsconfig.json',
];

/** Ends the process with a sentence for a person instead of a stack. */
export function stop(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    stop(
      `Looplight needs Node 20.19 or newer; this is ${process.versions.node}. Install a newer one from nodejs.org.`,
    );
}

/** Runs an npm command in the project, output shown beside what the program itself prints; true when it succeeded. */
export function npm(args, env = {}) {
  const windows = process.platform === 'win32';
  const done = spawnSync(windows ? 'npm.cmd' : 'npm', args, {
    cwd: root,
    stdio: ['inherit', 2, 2],
    shell: windows,
    env: { ...process.env, ...env },
  });
  return done.status === 0;
}

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

function digest(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest('hex');
}

/** Installs the locked packages when they are missing or belong to another lock file. */
export function ensureInstalled() {
  checkNode();
  const stamp = join(root, 'node_modules', '.looplight-lock');
  const wanted = digest([join(root, 'package-lock.json')]);
  if (read(stamp) === wanted) return;
  console.error('Installing the packages of the lock file (once) …');
  // Development packages are needed to build, whatever NODE_ENV says.
  if (!npm(['ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error']))
    stop('The packages could not be installed. Is the package registry reachable?');
  writeFileSync(stamp, wanted);
}

/** Builds page and server when a source file changed since the last build. */
export function ensureBuilt() {
  const stamp = join(root, 'dist', '.sources');
  const wanted = digest(
    SOURCES.flatMap((name) => filesBelow(join(root, name))).filter((path) => !/\.test\.tsx?$/.test(path)),
  );
  if (read(stamp) === wanted) return;
  console.error('Building the page and the server …');
  if (!npm(['run', '--silent', 'build'])) stop('The build failed; the lines above say why.');
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

const BROWSERS = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Path of a Chromium for the browser tests: the system's, else Playwright's own, else its download is tried once. */
export async function ensureBrowser() {
  const system = BROWSERS.find((path) => path && existsSync(path));
  if (system) return system;
  const { chromium } = await import('@playwright/test');
  const own = chromium.executablePath();
  if (existsSync(own)) return own;
  console.log('No Chromium found; trying the one Playwright brings …');
  const windows = process.platform === 'win32';
  spawnSync(windows ? 'npx.cmd' : 'npx', ['playwright', 'install', 'chromium-headless-shell'], {
    cwd: root,
    stdio: 'inherit',
    shell: windows,
  });
  spawnSync(windows ? 'npx.cmd' : 'npx', ['playwright', 'install', 'chromium'], {
    cwd: root,
    stdio: 'inherit',
    shell: windows,
  });
  if (existsSync(own)) return own;
  return stop(
    'The browser tests need Chromium. Install it (Debian or Ubuntu: apt-get install chromium; macOS: brew install --cask chromium),\n' +
      'or run "npx playwright install chromium", or set CHROMIUM_PATH to one, and run npm test again.',
  );
}

/** Runs a command with output shown, in the project's folder unless told another, passing signals on; resolves with its exit code. */
export function run(command, args, env = {}, cwd = root) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
    const forward = (signal) => child.kill(signal);
    process.on('SIGINT', forward);
    process.on('SIGTERM', forward);
    child.on('error', () => resolve(1));
    child.on('exit', (code, signal) => {
      process.off('SIGINT', forward);
      process.off('SIGTERM', forward);
      resolve(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1));
    });
  });
}
