import { ChevronUp, PanelRight } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { type AnswerState, answerOf, isLive, type State } from '../app/state.ts';
import { AskBox } from './AskBox.tsx';
import type { ChatActions } from './actions.ts';
import { EarlierTurns } from './EarlierTurns.tsx';
import { PlannerLine } from './PlannerLine.tsx';
import { StartThread } from './StartThread.tsx';
import { summaryLine } from './summary.ts';
import { Turn } from './Turn.tsx';
import { Way } from './Way.tsx';

interface ChatProps {
  state: State;
  box: RefObject<HTMLTextAreaElement | null>;
  /** `side`: a column beside the canvas. `bar`: a bar at the bottom, with the conversation in a sheet. */
  place: 'side' | 'bar';
  /** The sheet is open. */
  open: boolean;
  onToggleSheet(): void;
  /** Changes between column and bar; null where there is no room for a column. */
  onTogglePlace: (() => void) | null;
  actions: ChatActions;
}

/** The conversation and the ask box. */
export function Chat({
  state,
  box,
  place,
  open,
  onToggleSheet,
  onTogglePlace,
  actions,
}: ChatProps): ReactNode {
  const sheet = useId();
  const thread = useRef<HTMLDivElement>(null);
  const current = answerOf(state, state.current);
  // Each project has a conversation of its own.
  const asked = state.order
    .map((key) => answerOf(state, key))
    .filter(isQuestion)
    .filter(({ project }) => project === state.project);
  const shown = place === 'side' || open;

  // The question on the page comes into view, and stays there while its answer grows.
  const newest =
    current?.kind !== 'question' ? '' : `${current.key} ${current.phase} ${current.paragraphs.length}`;
  useEffect(() => {
    if (shown && newest !== '') showCurrent(thread.current);
  }, [newest, shown]);

  return (
    <aside className="chat" aria-label="Ask" data-open={open || undefined}>
      {place === 'bar' ? (
        <button
          type="button"
          className="grab"
          aria-expanded={open}
          aria-controls={sheet}
          onClick={onToggleSheet}
        >
          <span>
            <em>{summaryLine(state)}</em>
            <ChevronUp className="i" aria-hidden="true" />
          </span>
        </button>
      ) : null}
      {shown && (place === 'side' || onTogglePlace !== null) ? (
        <header>
          <h2>Ask</h2>
          {onTogglePlace === null ? null : (
            <button
              type="button"
              className="ib"
              aria-label={
                place === 'side' ? 'Move the conversation to the bottom' : 'Move the conversation to the side'
              }
              onClick={onTogglePlace}
            >
              <PanelRight className="i" aria-hidden="true" />
            </button>
          )}
        </header>
      ) : null}
      <div className="sheet" id={sheet} hidden={!shown}>
        <div className="thread" ref={thread}>
          {current?.kind === 'question' ? (
            <>
              <EarlierTurns turns={state.earlier} actions={actions} />
              {asked.map((answer) => (
                <Turn
                  key={answer.key}
                  answer={answer}
                  current={answer.key === state.current}
                  actions={actions}
                />
              ))}
            </>
          ) : (
            <StartThread state={state} asked={asked} actions={actions} />
          )}
        </div>
        {current !== null && !isLive(current) ? <Way answer={current} /> : null}
      </div>
      <div className="compose">
        <AskBox
          box={box}
          placeholder={
            isLive(current) && current?.kind === 'question' ? 'Ask the next question…' : 'Ask about this run…'
          }
          history={[
            ...state.earlier.map((turn) => turn.question),
            ...asked.map((answer) => answer.question ?? ''),
          ]}
          project={state.project}
          record={state.health?.record?.fingerprint ?? null}
          onAsk={actions.ask}
        />
        <PlannerLine health={state.health} onHelp={actions.help} />
      </div>
    </aside>
  );
}

const isQuestion = (answer: AnswerState | null): answer is AnswerState =>
  answer?.kind === 'question' && (answer.question !== null || isLive(answer));

/** Scrolls a thread so that the turn of the page's answer begins at its top, as far as it is long enough. */
function showCurrent(thread: HTMLElement | null): void {
  const turn = thread?.querySelector('.turn:not(.past)');
  if (thread === null || turn === null || turn === undefined) return;
  const above = turn.getBoundingClientRect().top - thread.getBoundingClientRect().top;
  thread.scrollTo({ top: thread.scrollTop + above });
}
