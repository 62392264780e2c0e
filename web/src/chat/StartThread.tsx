import type { ReactNode } from 'react';
import type { AnswerState, State } from '../app/state.ts';
import { isOfProject } from '../projects/choice.ts';
import type { ChatActions } from './actions.ts';
import { Chips } from './Chips.tsx';
import { Earlier, type EarlierItem } from './Earlier.tsx';
import { Sources } from './Sources.tsx';

interface StartThreadProps {
  state: State;
  asked: readonly AnswerState[];
  actions: ChatActions;
}

/** The chat beside the starting view: what can be asked, what was asked, and what the record was read from. */
export function StartThread({ state, asked, actions }: StartThreadProps): ReactNode {
  // What the server keeps; where it keeps nothing, what this tab remembers.
  const items: EarlierItem[] =
    state.archive === null
      ? [
          ...state.earlier,
          ...asked.map(({ id, question, at }) => ({ id: id ?? '', question: question ?? '', at })),
        ]
          .filter((turn) => turn.id !== '')
          .reverse()
      : state.archive
          .filter(({ projects }) => isOfProject(projects, state.project, state.projects))
          .map(({ id, question, askedAt }) => ({ id, question, at: askedAt }));
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
      <Earlier
        items={items}
        onOpen={actions.open}
        onDelete={state.archive === null ? null : actions.forget}
        onDeleteAll={actions.forgetAll}
      />
      <Sources health={state.health} />
    </>
  );
}
