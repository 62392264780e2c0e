import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Progress } from './Progress.tsx';
import { ReplayMark } from './ReplayMark.tsx';
import { StoredLine } from './StoredLine.tsx';
import { type AnswerState, isLive } from './state.ts';
import { Verification } from './Verification.tsx';

/** From this many characters a question is set smaller. */
const LONG = 140;

interface HeadingProps {
  answer: AnswerState;
  offline: boolean;
  onClose(): void;
  onStop(): void;
  onResume(): void;
  onAskAnew(question: string): void;
  onInspect(): void;
}

/** The question, and in one line below it how far the answer is or how well it is checked. */
export function Heading({
  answer,
  offline,
  onClose,
  onStop,
  onResume,
  onAskAnew,
  onInspect,
}: HeadingProps): ReactNode {
  const question = answer.question;
  return (
    <div className="head">
      {answer.kind === 'start' || question === null ? (
        <h1 tabIndex={-1}>{answer.title ?? startWords(answer, offline)}</h1>
      ) : (
        <h1 className={question.length > LONG ? 'quoted long' : 'quoted'} tabIndex={-1}>
          <span className="q" aria-hidden="true">
            “
          </span>
          {question}
          <span className="q" aria-hidden="true">
            ”
          </span>
        </h1>
      )}
      {answer.kind === 'start' ? null : (
        <button
          type="button"
          className="ib out"
          aria-label="Close this answer, back to the start view"
          onClick={onClose}
        >
          <X className="i" aria-hidden="true" />
        </button>
      )}
      {answer.replay === null ? null : <ReplayMark madeAt={answer.replay} />}
      {isLive(answer) ? (
        <Progress answer={answer} onStop={onStop} />
      ) : (
        <Verification answer={answer} onResume={onResume} onInspect={onInspect} />
      )}
      <StoredLine answer={answer} onAskAnew={onAskAnew} />
    </div>
  );
}

function startWords(answer: AnswerState, offline: boolean): string {
  if (answer.kind === 'question')
    return answer.phase === 'lost' ? 'This answer is not kept any more' : 'Opening an answer';
  if (answer.phase === 'lost' || (offline && !isLive(answer))) return 'Looplight does not answer';
  return answer.phase === 'done' ? 'The state of this run' : 'Reading the record';
}
