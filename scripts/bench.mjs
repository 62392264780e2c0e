// `npm run bench`: measures in one run what the README reports; results go to reports/bench.json and reports/bench.md.
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root, run } from './lib/setup.mjs';

ensureInstalled();
ensureBuilt();
const built = await run(process.execPath, [
  join(root, 'node_modules/vite/bin/vite.js'),
  'build',
  '--config',
  'vite.server.config.ts',
  '--mode',
  'bench',
  '--logLevel',
  'warn',
]);
process.exitCode =
  built || (await run(process.execPath, ['--expose-gc', join(root, 'dist', 'bench', 'main.js')]));
