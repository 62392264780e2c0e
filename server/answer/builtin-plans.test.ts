import { expect, it } from 'vitest';
import { planFor } from '../planner/builtin/index.ts';
import { QUESTIONS } from '../planner/builtin/questions.ts';
import { testProfile } from '../planner/test-profile.ts';
import { parsePlan, readWholePlan } from './parse-plan.ts';
import { createScanner } from './scanner.ts';
import type { EvidenceItem } from './types.ts';
import { validatePlan } from './validate.ts';

const evidence: EvidenceItem[] = ['E1', 'E2', 'E3'].map((id) => ({
  id,
  cite: { source: 'p', label: 'claude-progress.txt', line: 1, basis: 'measured' },
  text: 'Feature 28 passed',
}));
const questions: readonly string[] = [
  'why did feature 28 take three attempts?',
  'how did the run go?',
  'compare scaffold and polish',
  'what is the meaning of life?',
  ...Object.values(QUESTIONS),
];

it('the plans of the built-in planner pass every step unchanged', () => {
  expect(questions.length).toBeGreaterThan(8);
  for (const question of questions) {
    const request = {
      question,
      turns: [],
      profile: testProfile,
      evidence,
      premises: [],
      signal: new AbortController().signal,
    };
    const { plan } = planFor(request);
    const text = JSON.stringify(plan);
    const parsed = parsePlan(text);
    expect(parsed, question).toEqual({ ok: true, value: plan, notes: [] });
    expect(validatePlan(plan, { profile: testProfile, question, evidence }), question).toEqual([]);
    const read = readWholePlan(text, testProfile, question, evidence);
    expect(read, question).toMatchObject({ code: null, refused: [] });
    expect(
      read.blocks.map(({ block }) => block),
      question,
    ).toEqual(plan.blocks);
    expect(read.preamble.facts, question).toEqual(plan.facts);
    const scanner = createScanner();
    const events = [...scanner.push(text), ...scanner.end()];
    expect(
      events.flatMap((event) => (event.kind === 'block' ? [event.value] : [])),
      question,
    ).toEqual(plan.blocks);
  }
});
