import type { AnyBlock, Check, Premise } from '../../../shared/plan.ts';
import { measureOf, QueryRefused } from '../../metrics/fit.ts';
import { single } from '../../metrics/query.ts';
import { type FactResult, featureIn } from '../facts.ts';
import { findTypedFigures } from '../figures.ts';
import { isSpanOf } from '../span-of-question.ts';
import { type ResolveContext, whereOf } from './context.ts';
import { toleranceOf } from './story.ts';

export type Outcome = 'true' | 'false' | 'unknown';

const flat = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

const of = (truth: boolean): Outcome => (truth ? 'true' : 'false');

/** The number in a claimed span, in the unit of the fact; null when there is none. */
function claimedValue(claimed: string, fact: FactResult): number | null {
  const figures = findTypedFigures(claimed);
  const same = figures.find(({ unit }) => unit === fact.figure.unit);
  return (same ?? figures.find(({ unit }) => unit === null) ?? figures[0])?.value ?? null;
}

/** Equal, as the record takes it: durations may lie a little apart, everything else may not. */
function equal(a: number, b: number, fact: FactResult): boolean {
  const scale = Math.max(Math.abs(a), Math.abs(b));
  const slack = fact.measure?.unit === 's' ? toleranceOf('build_time', scale) : 1e-9;
  return Math.abs(a - b) <= slack;
}

function figureOutcome(
  premise: Extract<Premise, { type: 'figure' }>,
  facts: ReadonlyMap<string, FactResult>,
): Outcome {
  const fact = facts.get(premise.fact);
  if (!fact) return 'unknown';
  if (fact.label !== null)
    return of(
      fact.labels.some(
        (label) => flat(premise.claimed).includes(flat(label)) || flat(label).includes(flat(premise.claimed)),
      ),
    );
  const value = fact.figure.value;
  const claimed = claimedValue(premise.claimed, fact);
  if (value === null || claimed === null) return 'unknown';
  if (premise.is === 'at_least') return of(value >= claimed);
  return of(premise.is === 'at_most' ? value <= claimed : equal(value, claimed, fact));
}

function relationOutcome(
  premise: Extract<Premise, { type: 'relation' }>,
  facts: ReadonlyMap<string, FactResult>,
): Outcome {
  const one = facts.get(premise.fact);
  const other = facts.get(premise.other);
  if (!one || !other) return 'unknown';
  if (premise.is === 'same_label_as') {
    if (one.labels.length === 0 || other.labels.length === 0) return 'unknown';
    return of(one.labels.some((label) => other.labels.includes(label)));
  }
  const a = one.figure.value;
  const b = other.figure.value;
  if (a === null || b === null || one.figure.unit !== other.figure.unit) return 'unknown';
  if (premise.is === 'more_than') return of(a > b);
  return of(premise.is === 'less_than' ? a < b : equal(a, b, one));
}

/** What became of one premise. A claim that is not a span of the question is no premise of it: unknown. */
export function premiseOutcome(
  premise: Premise,
  facts: ReadonlyMap<string, FactResult>,
  context: Pick<ResolveContext, 'profile'>,
  question: string | null,
): Outcome {
  switch (premise.type) {
    case 'figure':
      return question !== null && isSpanOf(premise.claimed, question)
        ? figureOutcome(premise, facts)
        : 'unknown';
    case 'relation':
      return relationOutcome(premise, facts);
    case 'state': {
      const feature = context.profile.features.find(({ id }) => id === premise.feature);
      if (!feature || feature[premise.field] === '') return 'unknown';
      return of(flat(feature[premise.field]) === flat(premise.is));
    }
  }
}

/** What became of one check: whether sources agree on a measure, or whether it is recorded at all. Throws QueryError. */
export async function checkOutcome(check: Check, context: ResolveContext): Promise<Outcome> {
  try {
    const measure = measureOf(check.measure);
    const where = whereOf(context.about, 'about', []);
    if (check.type === 'recorded') {
      const answer = await context.queries.run(single(check.measure, check.source, where));
      return of(answer.groups.some((group) => (group.values[0]?.n ?? 0) > 0));
    }
    if (measure.fact === null) {
      const disputed = await context.queries.run(single('disputed_features', 'counted', where));
      const value = disputed.groups[0]?.values[0]?.value;
      return value == null ? 'unknown' : of(value === 0);
    }
    const [counted, each] = await Promise.all([
      context.queries.run(single(check.measure, 'counted', where)),
      context.queries.run(single(check.measure, 'each', where)),
    ]);
    const tellers = each.groups.filter((group) => (group.values[0]?.n ?? 0) > 0).length;
    const value = counted.groups[0]?.values[0];
    // One source alone has nobody to agree with.
    return !value || tellers < 2 ? 'unknown' : of(!value.disputed);
  } catch (error) {
    if (error instanceof QueryRefused) return 'unknown';
    throw error;
  }
}

/** Premise cards a plan's own premises call for: figures and states that are not so, or about which sources disagree. */
export function premiseBlocksOf(
  premises: readonly Premise[],
  facts: ReadonlyMap<string, FactResult>,
  outcomes: ReadonlyMap<string, Outcome>,
  context: Pick<ResolveContext, 'about'>,
  question: string | null,
): AnyBlock[] {
  return premises.flatMap((premise): AnyBlock[] => {
    const outcome = outcomes.get(premise.name);
    if (premise.type === 'state') {
      if (
        outcome !== 'false' ||
        premise.field !== 'status' ||
        question === null ||
        !isSpanOf(premise.is, question)
      )
        return [];
      const claimed = { text: premise.is, value: null };
      return [{ type: 'premise', feature: premise.feature, measure: 'status', claimed }];
    }
    if (premise.type !== 'figure') return [];
    const fact = facts.get(premise.fact);
    if (!fact?.measure || fact.fact.kind !== 'value') return [];
    if (outcome !== 'false' && !(outcome === 'true' && fact.figure.disputed)) return [];
    const where = whereOf(context.about, fact.fact.scope, fact.fact.where);
    const feature = featureIn(where);
    // A premise about some part of the run has no card: its rows would be sums over the part a source.
    if (feature === null && where.length > 0) return [];
    return [
      {
        type: 'premise',
        feature,
        measure: fact.measure.id,
        claimed: { text: premise.claimed, value: claimedValue(premise.claimed, fact) },
      },
    ];
  });
}
