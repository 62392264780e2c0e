import type { ReactNode } from 'react';
import { plural } from '../lib/words.ts';
import type { AnswerState } from './state.ts';

/** Segments drawn while it is not known how many cards will come. */
const SEGMENTS = 5;
const MOST = 6;

interface ProgressProps {
  answer: AnswerState;
  onStop(): void;
}

/** How far the answer is: a segment a card, what is being done, and Stop. Stands where the verification will stand. */
export function Progress({ answer, onStop }: ProgressProps): ReactNode {
  const cards = answer.progress.find((entry) => entry.step === 'cards');
  const segments = Math.min(MOST, Math.max(cards?.of ?? SEGMENTS, answer.cardsReady, 1));
  const latest = answer.progress.findLast((entry) => !entry.done) ?? answer.progress.at(-1);
  const stopping = answer.phase === 'stopping';
  return (
    <div className="verif live">
      <span className="steps5" aria-hidden="true">
        {segmentClasses(segments, answer.cardsReady).map(({ id, name }) => (
          <i key={id} className={name} />
        ))}
      </span>
      <span className="txt">
        <span>{stopping ? 'Stopping' : (latest?.says ?? 'Reading the question')}</span>
        {answer.cardsReady === 0 ? null : (
          <span>
            <span className="dot">·</span>
            {plural(answer.cardsReady, 'card')} ready, checked at the end
          </span>
        )}
      </span>
      {answer.kind === 'start' ? null : (
        <span className="acts">
          <button type="button" className="stop" disabled={stopping} onClick={onStop}>
            Stop<kbd>Esc</kbd>
          </button>
        </span>
      )}
    </div>
  );
}

/** Done, the one being made, and those to come. */
const segmentClasses = (segments: number, ready: number): { id: string; name: string }[] =>
  Array.from({ length: segments }, (_, index) => ({
    id: `segment-${index}`,
    name: index < ready ? 'd' : index === ready ? 'n' : '',
  }));
