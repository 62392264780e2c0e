// `npm start [-- paths…]`: installs and builds what is missing, then serves the projects of the folders (the demo's when none is
// given). `npm start -- audit …` and `npm start -- replay …` as well; `npm start -- --help` lists what there is.
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root, run } from './lib/setup.mjs';

// npm runs scripts in the package's folder; a relative path means the folder the person stands in.
const cwd = process.env.INIT_CWD ?? process.cwd();

ensureInstalled();
ensureBuilt();
process.exitCode = await run(
  process.execPath,
  [join(root, 'dist', 'server', 'main.js'), ...process.argv.slice(2)],
  {},
  cwd,
);
