import type { ReactNode } from 'react';
import { routePath } from '../app/route.ts';
import type { AnswerState, State } from '../app/state.ts';
import { onPlainClick } from '../app/TopBar.tsx';
import { timeOfDay } from '../lib/words.ts';
import type { ChatActions } from './actions.ts';
import { Chips } from './Chips.tsx';
import { Sources } from './Sources.tsx';

interface StartThreadProps {
  state: State;
  asked: readonly AnswerState[];
  actions: ChatActions;
}

/** The chat beside the starting view: what can be asked, what was asked, and what the record was read from. */
export function StartThread({ state, asked, actions }: StartThreadProps): ReactNode {
  const earlier = [
    ...state.earlier,
    ...asked.map(({ id, question, at }) => ({ id: id ?? '', question: question ?? '', at })),
  ].filter((turn) => turn.id !== '');
  return (
    <>
      <div className="turn">
        <p className="say">
          Ask in your own words. The answer is built from the record of this run, and every figure in it opens
          to the line it came from.
        </p>
        <Chips
          label="This record can answer"
          questions={state.health?.record?.suggestions ?? []}
          onAsk={actions.ask}
        />
      </div>
      {earlier.length === 0 ? null : (
        <section className="turn" aria-labelledby="earlier-title">
          <p className="cl" id="earlier-title">
            Asked earlier
          </p>
          <ul className="plog">
            {earlier.toReversed().map(({ id, question, at }) => (
              <li key={id}>
                <a href={routePath({ view: 'answer', id })} onClick={onPlainClick(() => actions.open(id))}>
                  {question}
                </a>
                {at === null ? null : <span>{timeOfDay(at)}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Sources health={state.health} />
    </>
  );
}
