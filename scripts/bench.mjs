// `npm run bench`: measures in one run what the README reports; results go to reports/bench.json and reports/bench.md.
import { runBundle } from './lib/bundle.mjs';
import { ensureBuilt, ensureInstalled } from './lib/setup.mjs';

ensureInstalled();
ensureBuilt();
process.exitCode = await runBundle('bench', ['--expose-gc'], process.argv.slice(2));
