import type { CardData } from '../../../shared/cards.ts';
import type { Code } from '../../../shared/codes.ts';
import type { Block } from '../../../shared/plan.ts';
import type { CardChange } from '../../../shared/wire.ts';
import type { RecordProfile } from '../../record/store.ts';
import { cardId } from '../placing.ts';
import type { PlanReader } from '../ports.ts';
import { applyChange } from './apply.ts';
import { controlsOf } from './controls.ts';

/** What was changed by hand on the cards of one answer. */
export interface Changes {
  /** The plan with everything changed in it. */
  readonly plan: string;
  /** Counts up with each change. */
  readonly version: number;
  /**
   * @param change null takes back everything that was changed on the card
   * @returns why it cannot be, or null
   */
  make(index: number, change: CardChange | null, reader: PlanReader, profile: RecordProfile): Code | null;
  /** Cards with what was changed on them. */
  told(cards: readonly CardData[]): CardData[];
}

type Choices = ReadonlyMap<CardChange['control'], string>;

/** The parts of a plan by key; none for a text that is no plan. */
function sections(text: string): Map<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  } catch {
    return new Map();
  }
}

/** One block of a plan as it is read, or null where it is refused. */
function blockOf(text: string, index: number, reader: PlanReader): Block | null {
  const all = sections(text);
  const blocks = all.get('blocks');
  const preamble = reader.preamble(all);
  if (!preamble.ok || !Array.isArray(blocks)) return null;
  const read = reader.block(blocks[index], preamble.value);
  return read.ok ? read.value : null;
}

/** What differs between a card as it was planned and as it is now, in words. */
function wordsOf(was: Block, now: Block, profile: RecordProfile): string {
  const own = new Map(controlsOf(now, profile).map((control) => [control.id, control]));
  return controlsOf(was, profile)
    .flatMap((control) => {
      const current = own.get(control.id);
      if (current === undefined || current.value === control.value) return [];
      const label = (value: string): string =>
        [...control.options, ...current.options].find((option) => option.value === value)?.label ?? value;
      return [`${control.label}: ${label(current.value)}, was ${label(control.value)}`];
    })
    .join('; ');
}

/** @param original the plan as it was written */
export function createChanges(original: string): Changes {
  const changed = new Map<number, { choices: Choices; words: string }>();
  let plan = original;
  let version = 0;

  /** The original with all choices, those of one card being these; null where one of them does not go. */
  function planWith(index: number, choices: Choices): string | null {
    const all = new Map<number, Choices>([...changed].map(([at, one]) => [at, one.choices]));
    let text: string | null = original;
    for (const [at, chosen] of all.set(index, choices))
      for (const [control, value] of chosen)
        text = text === null ? null : applyChange(text, at, { control, value });
    return text;
  }

  return {
    get plan() {
      return plan;
    },
    get version() {
      return version;
    },
    make(index, change, reader, profile) {
      const before = changed.get(index);
      if (change === null && before === undefined) return 'not_found';
      const choices = new Map(change === null ? [] : before?.choices);
      if (change !== null) {
        // The last one is applied last: another grouping takes back a way of drawing.
        choices.delete(change.control);
        choices.set(change.control, change.value);
      }
      const next = planWith(index, choices);
      if (next === null) return 'not_found';
      const now = blockOf(next, index, reader);
      const was = blockOf(original, index, reader);
      if (now === null || was === null) return 'block_invalid';
      const words = wordsOf(was, now, profile);
      if (words === '') changed.delete(index);
      else changed.set(index, { choices, words });
      plan = changed.size === 0 ? original : next;
      version += 1;
      return null;
    },
    told(cards) {
      const byId = new Map([...changed].map(([index, { words }]) => [cardId(index), words]));
      return cards.map((card) => {
        const words = byId.get(card.id);
        return words === undefined ? card : { ...card, changed: words };
      });
    },
  };
}
