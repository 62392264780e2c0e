import { z } from 'zod/v4';
import type { Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { Answers } from '../answer/answers.ts';
import type { Archive } from '../archive/archive.ts';
import type { Item } from './board.ts';
import { newItemId } from './store.ts';

/** A plan as written, its parts in their order: facts must stand before the blocks that use them. */
const Plan = z.record(z.string(), z.unknown());
const Blocks = z.array(z.unknown()).max(LIMITS.blocksSeen);
const CARD = /^c(\d{1,2})$/;

/**
 * The plan with one of its blocks alone, without its explanation.
 * @param card id of the block's card (`c2`)
 * @returns null when the text is no plan, or has no such block
 */
export function onlyBlock(text: string, card: string): string | null {
  const index = Number(CARD.exec(card)?.[1] ?? Number.NaN);
  try {
    const plan = Plan.parse(JSON.parse(text));
    const block = Blocks.parse(plan.blocks)[index];
    if (block === undefined) return null;
    return JSON.stringify({ ...plan, explanation: [], blocks: [block], followUps: [] });
  } catch {
    return null;
  }
}

export interface PinParts {
  answers: Answers;
  archive: Archive | null;
  now?: () => number;
}

/**
 * What is pinned of an answer.
 * @param answer its id
 * @param card id of one of its cards, for that card alone
 */
export async function pinned(
  answer: string,
  card: string | undefined,
  { answers, archive, now = Date.now }: PinParts,
): Promise<{ ok: true; item: Item } | { ok: false; code: Code }> {
  const settled = answers.get(answer)?.settled ?? null;
  const entry = (await archive?.get(answer)) ?? null;
  if (settled === null && entry === null) return { ok: false, code: 'not_found' };
  const question = entry?.question ?? settled?.question ?? null;
  const whole = settled?.plan || entry?.plan || '';
  const planner = entry?.planner ?? settled?.planner;
  if (question === null || whole === '' || planner === undefined) return { ok: false, code: 'not_pinnable' };
  const plan = card === undefined ? whole : onlyBlock(whole, card);
  if (plan === null) return { ok: false, code: 'not_pinnable' };
  const title = settled?.shown.cards.find(({ id }) => id === card)?.title;
  const { kind, name, model } = planner;
  const at = now();
  return {
    ok: true,
    item: {
      id: newItemId(),
      question,
      card: card === undefined ? null : (title ?? question).slice(0, LIMITS.request),
      plan,
      planner: { kind, name, model },
      code: card === undefined ? (entry?.code ?? null) : null,
      plannedAt: entry?.plannedAt ?? settled?.plannedAt ?? at,
      pinnedAt: at,
      folder: entry?.record.folder ?? settled?.folder ?? '',
    },
  };
}
