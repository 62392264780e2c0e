import type { ReactNode } from 'react';
import type { EarlierTurn } from '../app/state.ts';
import type { ChatActions } from './actions.ts';
import { Said } from './Said.tsx';
import { OpenAnswer, TurnHead } from './Turn.tsx';

/** Questions asked before the page was loaded again: what was said to them, and the way back to their answers. */
export function EarlierTurns({
  turns,
  actions,
}: {
  turns: readonly EarlierTurn[];
  actions: ChatActions;
}): ReactNode {
  return turns.map((turn) => (
    <article key={turn.id} className="turn past">
      <TurnHead at={turn.at} />
      <h3 className="ask">{turn.question}</h3>
      <Said paragraphs={turn.paragraphs} actions={actions} />
      <OpenAnswer id={turn.id} onOpen={actions.open} />
    </article>
  ));
}
