import { expect } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import { Plan, type Sentence, type Where } from '../../shared/plan.ts';
import { TABLE_COLUMNS } from '../metrics/columns.ts';
import { dimensionById } from '../metrics/dimensions.ts';
import { fits } from '../metrics/fit.ts';
import { measureById } from '../metrics/measures.ts';
import type { RecordProfile } from '../record/store.ts';

/** Number words that the verifier reads as typed figures. */
const NUMBER_WORDS =
  /\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice|both|single|no)\b/i;

function fitting(measureId: string, dims: readonly (string | null)[]): void {
  const measure = measureById(measureId);
  expect(measure, measureId).toBeDefined();
  for (const id of dims) {
    if (id === null) continue;
    const dimension = dimensionById(id);
    expect(dimension, id).toBeDefined();
    if (measure && dimension) expect(fits(measure, dimension), `${measureId} by ${id}`).toBe(true);
  }
}

/** Asserts all that a plan of our own must keep to beyond its schema. Gives the plan. */
export function expectSoundPlan(
  text: string,
  profile: RecordProfile,
  evidence: readonly string[] = [],
): Plan {
  const plan = Plan.parse(JSON.parse(text));
  const facts = new Set(plan.facts.map(({ name }) => name));
  const outcomes = new Set([...plan.premises, ...plan.checks].map(({ name }) => name));
  const features = new Set(profile.features.map(({ id }) => id));
  const used = new Set<string>();
  const prose = (value: string): void => {
    for (const match of value.matchAll(/\{([^}]*)\}|\[(E\d+)\]/g)) {
      const inner = match[1] ?? '';
      const [kind, id] = inner.split(/:(.*)/s);
      if (match[2] !== undefined) expect(evidence).toContain(match[2]);
      else if (kind === 'feature') expect(features.has(id ?? '')).toBe(true);
      else if (kind === 'quote') expect(evidence).toContain(id);
      else {
        expect(facts.has(inner), `{${inner}} is declared`).toBe(true);
        used.add(inner);
      }
    }
    const own = value.replace(/\{[^}]*\}|\[E\d+\]/g, '');
    expect(own).not.toMatch(/\d/);
    expect(own).not.toMatch(NUMBER_WORDS);
  };
  const sentences = (list: readonly Sentence[]): void => {
    for (const { says, when } of list) {
      prose(says);
      if (when) expect(outcomes.has(when.name), when.name).toBe(true);
    }
  };
  const about = plan.about.scope.map(({ dim }) => dim);
  const inside = (scope: string, where: readonly Where[]): string[] => [
    ...(scope === 'about' ? about : []),
    ...where.map(({ dim }) => dim),
  ];

  expect(plan.facts.length).toBeLessThanOrEqual(LIMITS.facts);
  expect(facts.size).toBe(plan.facts.length);
  for (const fact of plan.facts) {
    fitting(fact.measure, [fact.by, ...inside(fact.scope, fact.where)]);
    expect(fact.by === null).toBe(!/^(?:top|bottom)/.test(fact.kind));
  }
  expect(plan.explanation.length).toBeGreaterThan(0);
  expect(plan.explanation.length).toBeLessThanOrEqual(LIMITS.explanation);
  sentences(plan.explanation);
  expect(plan.blocks.length).toBeGreaterThan(0);
  expect(plan.blocks.length).toBeLessThanOrEqual(5);
  for (const block of plan.blocks) {
    expect(block.title.length).toBeGreaterThan(0);
    expect(block.title.length).toBeLessThanOrEqual(LIMITS.title);
    expect(block.actions.length).toBeLessThanOrEqual(LIMITS.actions);
    for (const { label, request } of block.actions) {
      expect(label.length).toBeLessThanOrEqual(LIMITS.label);
      expect(request.length).toBeLessThanOrEqual(LIMITS.request);
    }
    switch (block.type) {
      case 'stat':
        expect(block.figures.length).toBeLessThanOrEqual(LIMITS.statFigures);
        for (const figure of block.figures) {
          for (const name of [figure.fact, ...(figure.compare_to === null ? [] : [figure.compare_to])]) {
            expect(facts.has(name), name).toBe(true);
            used.add(name);
          }
          prose(figure.caption ?? '');
        }
        break;
      case 'chart':
        for (const { measure } of block.measures)
          fitting(measure, [block.by, block.split, ...inside(block.scope, block.where)]);
        break;
      case 'note':
        sentences(block.body);
        break;
      case 'attempts':
        expect(features.has(block.feature)).toBe(true);
        break;
      default: {
        const known = TABLE_COLUMNS[block.type].map(({ id }) => id);
        expect(known).toEqual(expect.arrayContaining(block.columns));
        if (block.order_by !== null) expect(block.columns).toContain(block.order_by);
        const base = { feature_table: 'features', commit_table: 'commits', finding_table: 'findings' };
        fitting(base[block.type], inside(block.scope, block.where));
      }
    }
  }
  for (const premise of plan.premises) if (premise.type === 'figure') used.add(premise.fact);
  expect([...facts].filter((name) => !used.has(name))).toEqual([]);
  expect(plan.followUps.length).toBe(LIMITS.followUps);
  expect(new Set(plan.followUps).size).toBe(LIMITS.followUps);
  return plan;
}
