import type { Basis, CardBase, Figure, Mark, Unit } from '../../../shared/cards.ts';
import { BASES } from '../../../shared/cards.ts';
import type { Measure } from '../../metrics/measures.ts';
import type { GroupValue } from '../../metrics/run.ts';

/** The weaker of two bases. */
export const weaker = (a: Basis, b: Basis): Basis => (BASES.indexOf(a) >= BASES.indexOf(b) ? a : b);

/** Whether a basis is only somebody's word. */
export const isClaim = (basis: Basis): boolean => BASES.indexOf(basis) >= BASES.indexOf('claimed');

/** A figure that is not there, with the reason. */
export const missing = (unit: Unit, why: string, evidence: string | null = null): Figure => ({
  value: null,
  unit,
  basis: 'unknown',
  evidence,
  disputed: false,
  n: null,
  missing: why,
});

/**
 * Whether sources that disagree about some of the rows put the result itself in doubt.
 * A median does not move past its neighbours while fewer than half of its rows are in doubt; anything else may.
 */
export const inDoubt = (measure: Measure, value: Pick<GroupValue, 'n' | 'disputedRows'>): boolean =>
  measure.aggregate === 'median'
    ? value.disputedRows > 0 && value.disputedRows * 2 >= value.n
    : value.disputedRows > 0;

/**
 * A group's value as a figure of a page.
 * @param evidence query id
 * @param why why it would be missing, where the group alone does not say
 */
export function figureOf(
  measure: Measure,
  value: GroupValue,
  evidence: string | null,
  why = 'not recorded',
): Figure {
  if (value.value === null)
    return missing(
      measure.unit,
      value.claimedOnly > 0 ? 'only claimed' : value.of === 0 ? 'nothing in scope' : (value.atLeast ?? why),
      evidence,
    );
  return {
    value: value.value,
    unit: measure.unit,
    basis: value.basis,
    evidence,
    disputed: inDoubt(measure, value),
    n: measure.aggregate === 'count' ? null : value.n,
    missing: null,
    ...(value.atLeast === undefined ? {} : { atLeast: value.atLeast }),
  };
}

/** Shares of measured, claimed and missing figures: the rule on top of a card. */
export function ruleOf(figures: readonly Figure[]): CardBase['rule'] {
  if (figures.length === 0) return { measured: 1, claimed: 0, missing: 0 };
  const absent = figures.filter((figure) => figure.value === null).length;
  const claims = figures.filter((figure) => figure.value !== null && isClaim(figure.basis)).length;
  const all = figures.length;
  return { measured: (all - absent - claims) / all, claimed: claims / all, missing: absent / all };
}

const HALVES = { measured: 0.5, claimed: 0.5, missing: 0 } as const;

export interface Judged {
  mark: Mark;
  rule: CardBase['rule'];
}

/**
 * State mark and rule of a card.
 * @param figures all figures of the card
 * @param about those the card is about; when one of them is in doubt, so is the card
 * @param coverage rows that have the figure and all rows, where the card speaks of a whole
 */
export function judge(
  figures: readonly Figure[],
  about: readonly Figure[] = figures,
  coverage: { have: number; of: number; why: string } | null = null,
): Judged {
  const none: Pick<Mark, 'have' | 'of'> = { have: null, of: null };
  if (about.some((figure) => figure.disputed))
    return {
      mark: { state: 'disputed', ...none, why: 'Sources disagree about a figure of this card.' },
      rule: HALVES,
    };
  const present = figures.filter((figure) => figure.value !== null);
  if (present.length > 0 && present.every((figure) => isClaim(figure.basis)))
    return {
      mark: { state: 'claimed', ...none, why: 'No measured source tells any figure of this card.' },
      rule: { measured: 0, claimed: 1, missing: 0 },
    };
  if (coverage !== null && coverage.have < coverage.of) {
    const share = coverage.of === 0 ? 0 : coverage.have / coverage.of;
    return {
      mark: { state: 'incomplete', have: coverage.have, of: coverage.of, why: coverage.why },
      rule: { measured: share, claimed: 0, missing: 1 - share },
    };
  }
  return { mark: { state: 'checking', ...none, why: null }, rule: ruleOf(figures) };
}
