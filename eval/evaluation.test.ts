import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinPlanner } from '../server/planner/builtin/index.ts';
import { Records } from './asked.ts';
import { readQuestions } from './question.ts';
import { type Result, rightShare } from './report.ts';
import { missing } from './score.ts';

const file = (name: string): URL => new URL(`questions/${name}`, import.meta.url);
let records: Records;
beforeAll(() => {
  records = new Records();
});
afterAll(() => records.close());

async function results(name: string): Promise<Result[]> {
  const all: Result[] = [];
  for (const question of readQuestions(file(name))) {
    const asked = await records.ask(question, builtinPlanner());
    all.push({ question, asked, lacks: missing(question, asked) });
  }
  return all;
}

const wrong = (all: readonly Result[]): string =>
  all
    .filter(({ lacks }) => lacks.length > 0)
    .map(({ question, lacks }) => `${question.id} ${question.ask}: ${lacks.join('; ')}`)
    .join('\n');

// Floors: what the built-in planner reaches today may not get worse unseen.
describe('the built-in planner', { timeout: 300_000 }, () => {
  it.each([['tuned.json', 0.95]])('answers the questions of %s', async (name, floor) => {
    const all = await results(name);
    expect(all.length).toBeGreaterThan(40);
    expect(rightShare(all), wrong(all)).toBeGreaterThanOrEqual(floor);
    // Every question gets an answer, if only that it was not understood.
    expect(all.filter(({ asked }) => asked.plan === null).map(({ question }) => question.id)).toEqual([]);
  });
});
