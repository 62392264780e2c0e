// `npm start [-- folder]`: installs and builds what is missing, then serves the record of the folder (the demo's when none is given).
// `npm start -- replay file [--speed 0.25]` plays a saved answer instead.
import { join } from 'node:path';
import { resolvePaths } from './lib/paths.mjs';
import { ensureBuilt, ensureInstalled, root, run } from './lib/setup.mjs';

// npm runs scripts in the package's folder; a relative path means the folder the person stands in.
const args = resolvePaths(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd());

ensureInstalled();
ensureBuilt();
process.exitCode = await run(process.execPath, [join(root, 'dist', 'server', 'main.js'), ...args]);
