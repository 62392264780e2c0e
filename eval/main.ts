import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { choosePlanner } from '../server/planner/choose.ts';
import { Records } from './asked.ts';
import { readQuestions } from './question.ts';
import { type Result, reportOf, rightShare } from './report.ts';
import { missing, wordsOf } from './score.ts';

/**
 * `npm run eval`: asks every question of eval/questions and writes a report. The planner is the one the environment names
 * (OPENAI_MODEL, OPENAI_API_KEY, OPENAI_BASE_URL), else the built-in one. `--out FILE` names the report, `--only TEXT` asks
 * only questions whose id begins so, `--show` prints the words of every answer.
 */
const option = (name: string): string | null => {
  const at = process.argv.indexOf(name);
  return at < 0 ? null : (process.argv[at + 1] ?? null);
};

const planner = choosePlanner({
  apiKey: process.env.OPENAI_API_KEY ?? null,
  baseURL: process.env.OPENAI_BASE_URL ?? null,
  model: process.env.OPENAI_MODEL ?? null,
  effort: process.env.LOOPLIGHT_EFFORT ?? null,
});
const only = option('--only') ?? '';
const records = new Records();
const files: { title: string; results: Result[] }[] = [];
for (const [title, name] of [
  ['Tuned', 'tuned.json'],
  ['Held out', 'held-out.json'],
] as const) {
  const results: Result[] = [];
  for (const question of readQuestions(pathToFileURL(`eval/questions/${name}`))) {
    if (!question.id.startsWith(only)) continue;
    const asked = await records.ask(question, planner);
    const lacks = missing(question, asked);
    results.push({ question, asked, lacks });
    if (process.argv.includes('--show'))
      process.stdout.write(`${question.ask}\n${wordsOf(asked.cards, asked.chat).text}\n\n`);
    if (lacks.length > 0) process.stdout.write(`${question.id}: ${question.ask}\n  ${lacks.join('\n  ')}\n`);
  }
  files.push({ title, results });
  process.stdout.write(`${title}: ${(100 * rightShare(results)).toFixed(1)} % of ${results.length}\n`);
}
await records.close();
const out = option('--out') ?? 'reports/evaluation.md';
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, `${reportOf(planner.name, files)}\n`);
process.stdout.write(`${out}\n`);
