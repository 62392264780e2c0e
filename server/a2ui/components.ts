import type { CardData, CardType } from '../../shared/cards.ts';
import type { CardComponent } from '../../shared/catalog.ts';

/**
 * How wide a card likes to be: a whole row, or the wider or narrower part of one.
 * A half that finds no partner gets the row.
 */
export type Width = 'full' | 'major' | 'minor';

export interface Drawn {
  component: CardComponent;
  width: Width;
}

const full = (component: CardComponent): Drawn => ({ component, width: 'full' });
const major = (component: CardComponent): Drawn => ({ component, width: 'major' });
const minor = (component: CardComponent): Drawn => ({ component, width: 'minor' });

type Of<T extends CardType> = Extract<CardData, { type: T }>;

/** Most columns of a conflict that are readable in part of a row. */
const NARROW_COLUMNS = 3;

const CHARTS = { line: major('LineChart'), bar: major('BarChart'), donut: minor('DonutChart') } as const;

/** What a skeleton stands for decides its width; a component not listed here fills a row. */
const HALVES = new Map<string, Width>([
  ['LineChart', 'major'],
  ['BarChart', 'major'],
  ['DonutChart', 'minor'],
  ['NoteCard', 'minor'],
  ['EmptyCard', 'minor'],
]);

/** The one table of card types: what draws them, and how wide. */
const CARDS: { [T in CardType]: (card: Of<T>) => Drawn } = {
  premise: () => full('PremiseCard'),
  conflict: (card) => (card.columns.length > NARROW_COLUMNS ? full('ConflictCard') : major('ConflictCard')),
  attempts: () => full('AttemptsCard'),
  stat: () => full('StatCard'),
  chart: (card) => CHARTS[card.draw],
  table: () => full('TableCard'),
  ledger: () => full('LedgerCard'),
  log: () => full('LogCard'),
  timeline: () => full('TimelineCard'),
  note: () => minor('NoteCard'),
  empty: () => minor('EmptyCard'),
  skeleton: (card) => ({ component: 'CardSkeleton', width: HALVES.get(card.becomes) ?? 'full' }),
};

/** The component that draws this card, and its natural width. */
export function drawn<T extends CardType>(card: Of<T> & { type: T }): Drawn {
  return CARDS[card.type](card);
}

/** Blocks of a plan by the component they will most likely become: what a draft's skeleton looks like. */
const BECOMES = new Map<string, CardComponent>([
  ['stat', 'StatCard'],
  ['chart', 'BarChart'],
  ['attempts', 'AttemptsCard'],
  ['feature_table', 'TableCard'],
  ['commit_table', 'TableCard'],
  ['finding_table', 'TableCard'],
  ['gate_table', 'TableCard'],
  ['project_table', 'TableCard'],
  ['ledger', 'LedgerCard'],
  ['log', 'LogCard'],
  ['timeline', 'TimelineCard'],
  ['note', 'NoteCard'],
  ['premise', 'PremiseCard'],
  ['conflict', 'ConflictCard'],
]);

/**
 * The component a drafted block will become.
 * @param blockType `type` of the draft, as a planner wrote it
 * @returns null for a type that is no block: it gets no skeleton
 */
export const becomes = (blockType: string): CardComponent | null => BECOMES.get(blockType) ?? null;
