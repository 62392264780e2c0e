import type { CardData } from '../../shared/cards.ts';

/** A card that says what was trimmed from its block while the plan was read, beside what was trimmed while resolving. */
export function withNotes(card: CardData, notes: readonly string[]): CardData {
  if (notes.length === 0) return card;
  const said = card.trimmed === null ? notes : [card.trimmed, ...notes];
  return { ...card, trimmed: said.join('; ') };
}
