import type { ReactNode } from 'react';
import { onPlainClick } from '../app/links.ts';
import { routePath } from '../app/route.ts';
import { type AnswerState, isLive } from '../app/state.ts';
import { timeOfDay } from '../lib/words.ts';
import type { ChatActions } from './actions.ts';
import { Chips } from './Chips.tsx';
import { ProgressList } from './ProgressList.tsx';
import { Said } from './Said.tsx';

interface TurnProps {
  answer: AnswerState;
  /** It is the one on the page: full size, with its steps and what to ask next. */
  current: boolean;
  actions: ChatActions;
}

/** One question of the conversation, and what was said to it. */
export function Turn({ answer, current, actions }: TurnProps): ReactNode {
  const live = isLive(answer);

  return (
    <article className={current ? 'turn' : 'turn past'}>
      <TurnHead at={answer.at} />
      <h3 className="ask">{answer.question ?? 'An earlier question'}</h3>
      {answer.label === null || answer.label === answer.question ? null : (
        <p className="from">with the button “{answer.label}”</p>
      )}
      {current && (live || answer.paragraphs.length === 0) ? (
        <ProgressList progress={answer.progress} live={live} />
      ) : null}
      <Said paragraphs={answer.paragraphs} actions={actions} />
      {current || answer.id === null ? null : <OpenAnswer id={answer.id} onOpen={actions.open} />}
      {current && !live ? (
        <Chips label="Ask next" questions={answer.suggestions} onAsk={actions.ask} />
      ) : null}
    </article>
  );
}

export function TurnHead({ at }: { at: number | null }): ReactNode {
  return (
    <p className="who">
      <b>You</b>
      {at === null ? null : <time dateTime={new Date(at).toISOString()}>{timeOfDay(at)}</time>}
    </p>
  );
}

export function OpenAnswer({ id, onOpen }: { id: string; onOpen(id: string): void }): ReactNode {
  return (
    <p className="reopen">
      <a href={routePath({ view: 'answer', id })} onClick={onPlainClick(() => onOpen(id))}>
        Open that answer
      </a>
    </p>
  );
}
