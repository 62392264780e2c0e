// `npm run eval`: asks the questions of eval/questions and writes what came out to reports/evaluation.md.
import { runBundle } from './lib/bundle.mjs';
import { ensureInstalled } from './lib/setup.mjs';

ensureInstalled();
process.exitCode = await runBundle('eval', [], process.argv.slice(2));
