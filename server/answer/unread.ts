import type { CardData, Inline, Paragraph } from '../../shared/cards.ts';
import { LIMITS } from '../../shared/limits.ts';
import { findTypedFigures } from './figures.ts';
import { isPlanned } from './placing.ts';
import { checkLabel } from './verify/labels.ts';
import { figuresOf, mapProse } from './verify/walk.ts';

/** What is left on a page that nobody has checked: numbers a planner typed are marked, not trusted. */

const untrusted = (inlines: Inline[]): Inline[] =>
  inlines.map((inline) =>
    inline.kind === 'typed' && inline.state === 'unchecked' ? { ...inline, state: 'unverified' } : inline,
  );

export const uncheckedChat = (paragraphs: readonly Paragraph[]): Paragraph[] =>
  paragraphs.map((paragraph) => ({ ...paragraph, inlines: untrusted(paragraph.inlines) }));

/** Questions without a number that somebody typed. */
export const withoutFigures = (questions: readonly string[], names: readonly string[]): string[] =>
  questions.filter((question) => findTypedFigures(question, names).length === 0);

/**
 * A card with every typed number in it marked, and without buttons that carry one.
 * @param names names of the record that hold numbers
 */
export function uncheckedCard(card: CardData, names: readonly string[]): CardData {
  const marked = mapProse(card, untrusted);
  if (!isPlanned(card.id)) return marked;
  const known = { facts: figuresOf(card), own: new Set<never>(), features: new Set<string>(), names };
  const label = (text: string, length: number): string =>
    checkLabel(text, length, known, { question: [], shown: null }).text;
  const named: CardData = {
    ...marked,
    title: label(marked.title, LIMITS.title),
    actions: marked.actions.filter(
      ({ label: words, request }) => withoutFigures([words, request], names).length === 2,
    ),
  };
  if (named.type !== 'stat') return named;
  return {
    ...named,
    figures: named.figures.map((one) => ({ ...one, label: label(one.label, LIMITS.label) })),
  };
}
