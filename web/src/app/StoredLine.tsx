import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Reading } from '../../../shared/wire.ts';
import { formatFigure } from '../cards/format.ts';
import { keyed } from '../cards/keyed.ts';
import { sinceLine } from './since.ts';
import { type AnswerState, isLive } from './state.ts';

interface StoredLineProps {
  answer: AnswerState;
  onAskAnew(question: string): void;
}

/** For an answer made with a kept plan: when it was asked, what changed since, and the way to have it planned again. */
export function StoredLine({ answer, onAskAnew }: StoredLineProps): ReactNode {
  const { stored, question } = answer;
  if (stored === null) return null;
  const line = sinceLine(stored, answer.report);
  const live = isLive(answer);
  return (
    <div className="since">
      {line.figures.length === 0 ? (
        <p>
          {line.asked} {line.says}
        </p>
      ) : (
        <details>
          <summary>
            {line.asked} {line.says}
          </summary>
          <ul aria-label="Figures that changed">
            {keyed(line.figures).map(({ key, item: { card, label, was, now } }) => (
              <li key={key}>
                <span className="what">
                  {card}: {label}
                </span>
                <span className="vh">was</span> <s>{words(was)}</s>
                <span aria-hidden="true">→</span> <span className="vh">is now</span> <b>{words(now)}</b>
              </li>
            ))}
            {line.more === 0 ? null : <li>and {line.more} more</li>}
          </ul>
        </details>
      )}
      {question === null || live ? null : (
        <button type="button" className="tb" onClick={() => onAskAnew(question)}>
          <RotateCw className="i" aria-hidden="true" />
          Ask anew
        </button>
      )}
    </div>
  );
}

/** A figure of then or now; one that the card did not have is said to be so. */
const words = (reading: Reading | null): string => {
  if (reading === null) return 'not shown';
  return reading.value === null ? 'not recorded' : formatFigure(reading);
};
