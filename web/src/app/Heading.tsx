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
  /** Which of several projects it is about, in words; null where that goes without saying. */
  about: string | null;
  offline: boolean;
  onClose(): void;
  onStop(): void;
  onResume(): void;
  onAskAnew(question: string): void;
  onInspect(): void;
  /** Offers to pin the answer; null where it cannot be pinned. */
  onPin: (() => void) | null;
  /** Stands below everything else: what can be done with a board. */
  children?: ReactNode;
}

/** The question, and in one line below it how far the answer is or how well it is checked. */
export function Heading({
  answer,
  about,
  offline,
  onClose,
  onStop,
  onResume,
  onAskAnew,
  onInspect,
  onPin,
  children,
}: HeadingProps): ReactNode {
  const question = answer.question;
  return (
    <div className="head">
      {answer.kind !== 'question' || question === null ? (
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
          aria-label={`Close this ${answer.kind === 'board' ? 'board' : 'answer'}, back to the start view`}
          onClick={onClose}
        >
          <X className="i" aria-hidden="true" />
        </button>
      )}
      {about === null || answer.kind === 'start' ? null : <p className="about-projects">{about}</p>}
      {answer.replay === null ? null : <ReplayMark madeAt={answer.replay} />}
      {isLive(answer) ? (
        <Progress answer={answer} onStop={onStop} />
      ) : (
        <Verification answer={answer} onResume={onResume} onInspect={onInspect} onPin={onPin} />
      )}
      <StoredLine answer={answer} onAskAnew={onAskAnew} />
      {children}
    </div>
  );
}

function startWords(answer: AnswerState, offline: boolean): string {
  if (answer.kind === 'question')
    return answer.phase === 'lost' ? 'This answer is not kept any more' : 'Opening an answer';
  if (answer.kind === 'board')
    return answer.phase === 'lost' ? 'This board is not there any more' : 'Drawing the board';
  if (answer.phase === 'lost' || (offline && !isLive(answer))) return 'Looplight does not answer';
  return answer.phase === 'done' ? 'The state of this run' : 'Reading the record';
}
