#!/usr/bin/env node
// `looplight [paths…]`: without paths the folder one stands in. In a clone it builds first what is missing.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const setup = join(root, 'scripts', 'lib', 'setup.mjs');
if (existsSync(join(root, 'server')) && existsSync(setup)) {
  const { ensureBuilt, ensureInstalled } = await import(pathToFileURL(setup).href);
  ensureInstalled();
  ensureBuilt();
}
process.argv.splice(2, 0, '--here');
await import(pathToFileURL(join(root, 'dist', 'server', 'main.js')).href);
