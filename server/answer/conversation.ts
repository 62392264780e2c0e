import { LIMITS } from '../../shared/limits.ts';
import type { Block } from '../../shared/plan.ts';
import type { Preamble, Turn } from './types.ts';

/** What is remembered of conversations, so that "and without scaffold?" can be understood. In memory, bounded, by id. */
export interface Conversations {
  /** Earlier turns, oldest first; empty for an unknown id. */
  turns(id: string | undefined): readonly Turn[];
  add(id: string | undefined, turn: Turn): void;
}

/** The least recently used conversation goes first, and in each the oldest turn. */
export function createConversations(
  limits: { conversations: number; turns: number } = LIMITS,
): Conversations {
  const kept = new Map<string, Turn[]>();
  const touch = (id: string, turns: Turn[]): void => {
    kept.delete(id);
    kept.set(id, turns);
  };
  return {
    turns(id) {
      const turns = id === undefined ? undefined : kept.get(id);
      if (id === undefined || turns === undefined) return [];
      touch(id, turns);
      return turns;
    },
    add(id, turn) {
      if (id === undefined) return;
      touch(id, [...(kept.get(id) ?? []), turn].slice(-limits.turns));
      for (const oldest of kept.keys()) {
        if (kept.size <= limits.conversations) break;
        kept.delete(oldest);
      }
    },
  };
}

/** The turn to remember of one answer: what it was about and which queries its cards held. */
export function turnOf(question: string, preamble: Preamble, blocks: readonly Block[]): Turn {
  const measures = new Set(preamble.facts.map((fact) => fact.measure));
  let by: string | null = null;
  for (const block of blocks) {
    if (block.type !== 'chart') continue;
    for (const { measure } of block.measures) measures.add(measure);
    by ??= block.by;
  }
  return {
    question,
    about: preamble.about,
    measures: [...measures],
    by,
    titles: blocks.map((block) => block.title),
  };
}
