// Builds one of the programs beside the server (bench, eval) as a bundle of its own, and runs it.
import { join } from 'node:path';
import { root, run } from './setup.mjs';

/** @returns the exit code: that of the build when it fails, else that of the program */
export async function runBundle(mode, nodeOptions = [], args = []) {
  const built = await run(process.execPath, [
    join(root, 'node_modules/vite/bin/vite.js'),
    'build',
    '--config',
    'vite.server.config.ts',
    '--mode',
    mode,
    '--logLevel',
    'warn',
  ]);
  return built || run(process.execPath, [...nodeOptions, join(root, 'dist', mode, 'main.js'), ...args]);
}
