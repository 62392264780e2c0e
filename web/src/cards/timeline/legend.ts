import type { TimelineCard } from '../../../../shared/cards.ts';
import { ATTRIBUTION_IDS, type Attribution, VERDICT_IDS } from '../../../../shared/outcomes.ts';
import { isFailure, type Outcome, outcomeOf } from '../outcome/stance.ts';

export interface LegendModel {
  outcomes: { outcome: Outcome; count: number }[];
  /** Whose doing the drawn failures were; empty when there is no failure. */
  faults: { attribution: Attribution; count: number }[];
}

const ORDER: readonly Outcome[] = [...VERDICT_IDS, 'open', 'bad', 'warning', 'info', 'unknown'];

const tally = <T extends string>(values: readonly T[], order: readonly T[]): { value: T; count: number }[] =>
  order
    .map((value) => ({ value, count: values.filter((one) => one === value).length }))
    .filter(({ count }) => count > 0);

/** What is drawn, how often: only what occurs. */
export function legendOf(card: TimelineCard): LegendModel {
  const marks = card.lanes.flatMap((lane) => lane.marks);
  const failures = marks.filter((mark) => isFailure(outcomeOf(mark)));
  return {
    outcomes: tally(marks.map(outcomeOf), ORDER).map(({ value, count }) => ({ outcome: value, count })),
    faults: tally(
      failures.map(({ attribution }) => attribution),
      ATTRIBUTION_IDS,
    ).map(({ value, count }) => ({ attribution: value, count })),
  };
}
