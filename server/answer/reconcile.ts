import type { CardData, Figure, Mark } from '../../shared/cards.ts';
import type { Verdict } from '../../shared/wire.ts';
import { byPlace } from './placing.ts';
import { uncheckedCard } from './unread.ts';
import { figuresOf } from './verify/walk.ts';

/** Sets the verified cards beside the ones that were streamed, and says for each card what became of it. Pure. */

/** What the check has to say about one card. */
export interface CheckedCard {
  card: CardData;
  /** The card as it was resolved, before numbers in its prose were put right. */
  resolved: CardData;
  /** What in it no fact or citation bears out, in words; empty when everything does. */
  doubts: string[];
  /** What the check itself put right, in words. */
  corrections: string[];
}

export interface Reconciled {
  /** The final cards, in order of position. */
  cards: CardData[];
  verdicts: Verdict[];
  /** Cards that differ from what was streamed. */
  changed: number;
}

/** Query ids, marks and the state of typed numbers differ between two readings of the same thing. */
const sameContent = (key: string, value: unknown): unknown =>
  key === 'evidence' || key === 'mark' || key === 'state' ? undefined : value;
const contentOf = (card: CardData): string => JSON.stringify(card, sameContent);

const words = (figure: Figure): string =>
  figure.value === null
    ? 'not recorded'
    : `${figure.value}${figure.unit === 'none' ? '' : ` ${figure.unit}`}`;

const REASONS = 6;

/** In what two readings of one card differ, in words; empty when only ids and marks do. */
export function differences(before: CardData, after: CardData): string[] {
  if (contentOf(before) === contentOf(after)) return [];
  if (before.type !== after.type) return [`it is a ${after.type} card, not a ${before.type} card`];
  const reasons: string[] = [];
  if (before.title !== after.title) reasons.push('the title changed');
  const was = figuresOf(before);
  const is = figuresOf(after);
  if (was.length !== is.length) reasons.push('the number of figures changed');
  else
    for (const [index, figure] of is.entries()) {
      const old = was[index];
      if (old !== undefined && (old.value !== figure.value || old.unit !== figure.unit))
        reasons.push(`${words(old)} was shown; it is ${words(figure)}`);
    }
  if (reasons.length === 0) reasons.push('its content changed');
  const more = reasons.length - REASONS;
  return more > 0 ? [...reasons.slice(0, REASONS), `and ${more} more`] : reasons;
}

/** The mark of a card that was checked. What the record itself says about a card (disputed, claimed) stays. */
function markOf(card: CardData, state: Verdict['state'], reasons: string[]): Mark {
  if (state === 'verified') {
    const open = card.mark.state === 'checking' || card.mark.state === 'unverified';
    return open ? { ...card.mark, state: 'verified', why: 'resolved twice, the same both times' } : card.mark;
  }
  if (state === 'corrected') return { ...card.mark, state: 'corrected', why: reasons.join('; ') };
  return { ...card.mark, state: 'unverified', why: reasons.join('; ') };
}

export interface ReconcileInput {
  /** Cards as they were sent last, by id. */
  streamed: ReadonlyMap<string, CardData>;
  /** Cards as the check resolved them. */
  checked: ReadonlyMap<string, CheckedCard>;
  /** Cards the strict reading refused: they give way to a card that says so. */
  refused: ReadonlyMap<string, { card: CardData; reason: string }>;
  /** Streamed cards that stand for a failure: there is nothing in them to check. */
  kept: ReadonlySet<string>;
  /** Why the plan could not be read a second time: its cards stay, unverified. Null when it was read. */
  unread: string | null;
  /** Names of the record that hold numbers. */
  names?: readonly string[];
}

export function reconcile({
  streamed,
  checked,
  refused,
  kept,
  unread,
  names = [],
}: ReconcileInput): Reconciled {
  const out: Reconciled = { cards: [], verdicts: [], changed: 0 };
  const order = [...new Set([...streamed.keys(), ...checked.keys()])].sort(byPlace);
  for (const id of order) {
    const before = streamed.get(id);
    const now = checked.get(id);
    if (now !== undefined) {
      const changes =
        before === undefined || kept.has(id)
          ? ['it was not shown before the check']
          : [...differences(before, now.resolved), ...now.corrections];
      const state = now.doubts.length > 0 ? 'unverified' : changes.length > 0 ? 'corrected' : 'verified';
      const reasons = [...now.doubts, ...changes];
      if (changes.length > 0) out.changed += 1;
      out.cards.push({ ...now.card, mark: markOf(now.card, state, reasons) });
      out.verdicts.push({ card: id, state, reasons });
    } else if (before === undefined || kept.has(id)) {
      if (before !== undefined) out.cards.push(before);
    } else if (unread !== null) {
      out.cards.push({ ...uncheckedCard(before, names), mark: markOf(before, 'unverified', [unread]) });
      out.verdicts.push({ card: id, state: 'unverified', reasons: [unread] });
    } else {
      const instead = refused.get(id);
      if (instead !== undefined) out.cards.push(instead.card);
      const reason = instead?.reason ?? 'the second reading of the plan has no such card';
      out.verdicts.push({ card: id, state: 'dropped', reasons: [reason] });
      out.changed += 1;
    }
  }
  return out;
}

/** The cards of an answer that was not checked, each marked so. */
export function unchecked(
  cards: readonly CardData[],
  kept: ReadonlySet<string>,
  why: string,
  names: readonly string[] = [],
): Reconciled {
  const open = (card: CardData): boolean => !kept.has(card.id) && card.type !== 'skeleton';
  return {
    cards: cards.map((card) =>
      open(card) ? { ...uncheckedCard(card, names), mark: { ...card.mark, state: 'unverified', why } } : card,
    ),
    verdicts: cards
      .filter(open)
      .map((card) => ({ card: card.id, state: 'unverified' as const, reasons: [why] })),
    changed: 0,
  };
}
