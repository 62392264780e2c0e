// `npm start [-- folder]`: installs and builds what is missing, then serves the record of the folder (the demo's when none is given).
import { isAbsolute, join, resolve } from 'node:path';
import { ensureBuilt, ensureInstalled, root, run } from './lib/setup.mjs';

// npm runs scripts in the package's folder; a relative path means the folder the person stands in.
const from = process.env.INIT_CWD ?? process.cwd();
const args = process.argv.slice(2).map((arg) => (arg.startsWith('-') || isAbsolute(arg) ? arg : resolve(from, arg)));

ensureInstalled();
ensureBuilt();
process.exitCode = await run(process.execPath, [join(root, 'dist', 'server', 'main.js'), ...args]);
