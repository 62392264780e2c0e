import type { ReactNode } from 'react';
import type { EarlierTurn } from '../app/state.ts';
import { OpenAnswer, TurnHead } from './Turn.tsx';

/** Questions asked before the page was loaded again: their words, and the way back to their answers. */
export function EarlierTurns({
  turns,
  onOpen,
}: {
  turns: readonly EarlierTurn[];
  onOpen(id: string): void;
}): ReactNode {
  return turns.map((turn) => (
    <article key={turn.id} className="turn past">
      <TurnHead at={turn.at} />
      <h3 className="ask">{turn.question}</h3>
      <OpenAnswer id={turn.id} onOpen={onOpen} />
    </article>
  ));
}
