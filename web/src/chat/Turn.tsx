import { type ReactNode, useMemo } from 'react';
import type { CardChrome } from '../a2ui/types.ts';
import { routePath } from '../app/route.ts';
import { type AnswerState, isLive } from '../app/state.ts';
import { onPlainClick } from '../app/TopBar.tsx';
import { Prose } from '../cards/prose.tsx';
import { evidenceIds } from '../lib/figures.ts';
import { timeOfDay } from '../lib/words.ts';
import type { ChatActions } from './actions.ts';
import { Chips } from './Chips.tsx';
import { ProgressList } from './ProgressList.tsx';

interface TurnProps {
  answer: AnswerState;
  /** It is the one on the page: full size, with its steps and what to ask next. */
  current: boolean;
  actions: ChatActions;
}

/** One question of the conversation, and what was said to it. */
export function Turn({ answer, current, actions }: TurnProps): ReactNode {
  const live = isLive(answer);
  const chrome = useMemo<CardChrome>(() => {
    const siblings = evidenceIds(answer.paragraphs);
    const open = (queryId: string, label?: string) =>
      actions.openEvidence({
        queryId,
        label: label ?? null,
        siblings: siblings.includes(queryId) ? siblings : [queryId, ...siblings],
        mark: null,
      });
    return {
      ask: (_label, request) => actions.ask(request),
      openEvidence: open,
      openFigure: open,
      busy: live,
    };
  }, [answer.paragraphs, actions, live]);

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
      {answer.paragraphs.length === 0 ? null : (
        <div className="say">
          <Prose paragraphs={answer.paragraphs} chrome={chrome} />
        </div>
      )}
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
