import { expect } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import { Plan } from '../../shared/plan.ts';
import { findTypedFigures } from '../answer/figures.ts';
import { validatePlan } from '../answer/validate.ts';
import type { RecordProfile } from '../record/store.ts';

/** Prose carries placeholders and citations, never a figure of its own. */
function expectNoFigures(says: string): void {
  const own = says.replace(/\{[^}]*\}|\[E\d+\]/g, '');
  expect(findTypedFigures(own), own).toEqual([]);
}

/** Asserts what a plan of our own must keep to: nothing to trim or leave out, and no figure typed. Gives the plan. */
export function expectSoundPlan(
  text: string,
  profile: RecordProfile,
  { question = null, evidence = [] }: { question?: string | null; evidence?: readonly { id: string }[] } = {},
): Plan {
  expect(text.length).toBeLessThan(LIMITS.planBytes / 2);
  const plan = Plan.parse(JSON.parse(text));
  expect(validatePlan(plan, { profile, question, evidence })).toEqual([]);

  expect(plan.blocks.length).toBeLessThanOrEqual(5);
  expect(plan.explanation.length).toBeGreaterThan(0);
  for (const { says } of plan.explanation) expectNoFigures(says);
  for (const block of plan.blocks) {
    expect(block.title.length).toBeGreaterThan(0);
    expect(block.title.length).toBeLessThanOrEqual(LIMITS.title);
    for (const { label, request } of block.actions) {
      expect(label.length).toBeLessThanOrEqual(LIMITS.label);
      expect(request.length).toBeLessThanOrEqual(LIMITS.request);
    }
    if (block.type === 'note') {
      expect(block.body.length).toBeLessThanOrEqual(LIMITS.noteSentences);
      for (const { says } of block.body) expectNoFigures(says);
    }
    if (block.type === 'stat') {
      expect(block.figures.length).toBeLessThanOrEqual(LIMITS.statFigures);
      for (const { caption } of block.figures) expectNoFigures(caption ?? '');
    }
  }
  expect(new Set(plan.followUps).size).toBe(LIMITS.followUps);
  return plan;
}
