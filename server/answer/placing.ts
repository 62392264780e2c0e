import { LIMITS } from '../../shared/limits.ts';
import type { AnyBlock } from '../../shared/plan.ts';
import type { RecordProfile } from '../record/store.ts';
import type { PremiseFinding } from './types.ts';

/** Where cards stand. Ids follow from positions alone, so that two readings of one plan give the same ids. */

/** Id of the card of the plan's block at this index, counting from 0. */
export const cardId = (index: number): string => `c${index}`;
/** Id of a premise card, counting from 0. */
export const premiseId = (n: number): string => (n === 0 ? 'premise' : `premise${n}`);
/** Id of the card that shows where the record contradicts itself. */
export const CONFLICT_ID = 'conflict';
/** Id of the note that says how an answer ended, when it did not end well. */
export const END_ID = 'end';

const PLAN_CARD = /^c(\d{1,3})$/;
const PREMISE_CARD = /^premise(\d{0,3})$/;

/** Whether a card is one of the plan's: a planner wrote its title, labels and buttons. */
export const isPlanned = (id: string): boolean => PLAN_CARD.test(id);

/** Place of a card on the canvas: premises, the plan's cards in its order, what the record contradicts, the closing note. */
export function place(id: string): number {
  const premise = PREMISE_CARD.exec(id)?.[1];
  if (premise !== undefined) return premise === '' ? 0 : Number(premise);
  if (id === CONFLICT_ID) return 10_000;
  const block = PLAN_CARD.exec(id)?.[1];
  return block === undefined ? Number.MAX_SAFE_INTEGER : 1_000 + Number(block);
}

export const byPlace = (a: string, b: string): number => place(a) - place(b);

const keyOf = (block: AnyBlock): string =>
  block.type === 'premise' ? `${block.feature ?? ''}\u0000${block.measure}` : '';

/** Blocks of the premise cards a question calls for, from what the premise check found: the false and the disputed ones. */
export function premiseBlocks(findings: readonly PremiseFinding[]): AnyBlock[] {
  return withPlanPremises(
    [],
    findings
      .filter(({ verdict }) => verdict === 'false' || verdict === 'disputed')
      .map(({ feature, measure, claimed }) => ({ type: 'premise' as const, feature, measure, claimed })),
  );
}

/** Adds the premises a plan brings itself, leaving out those already there; at most LIMITS.premises in all. */
export function withPlanPremises(known: readonly AnyBlock[], more: readonly AnyBlock[]): AnyBlock[] {
  const blocks = [...known];
  const keys = new Set(known.map(keyOf));
  for (const block of more) {
    const key = keyOf(block);
    if (block.type !== 'premise' || keys.has(key) || blocks.length >= LIMITS.premises) continue;
    keys.add(key);
    blocks.push(block);
  }
  return blocks;
}

/** Cards the server adds to a view by what the record is like: the starting view always says where it contradicts itself. */
export function standingBlocks(
  question: string | null,
  profile: RecordProfile,
): { id: string; block: AnyBlock }[] {
  if (question !== null || !profile.sources.some(({ disputed }) => disputed)) return [];
  const block: AnyBlock = {
    type: 'conflict',
    title: 'Where the record contradicts itself',
    feature: null,
    actions: [{ label: 'Do the sources agree?', request: 'do the sources agree?' }],
  };
  return [{ id: CONFLICT_ID, block }];
}
