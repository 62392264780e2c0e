import type { ReactNode } from 'react';
import { CODES, isCode } from '../../../shared/codes.ts';
import type { AnswerState } from '../app/state.ts';
import { Shape } from '../cards/shape.tsx';
import { exactTime, plural } from '../lib/words.ts';

/** A quiet word beside the verification: when the cards last changed with the record, or that they could not follow it. */
export function LiveNote({ answer }: { answer: AnswerState }): ReactNode {
  const { stale, updated } = answer;
  if (stale !== null)
    return (
      <span className="live-note" data-stale="">
        <Shape name="bang" />
        The record changed since. {isCode(stale) ? CODES[stale].title : 'It could not be checked again'}.
      </span>
    );
  if (updated === null) return null;
  return (
    <span className="live-note">
      Updated <time dateTime={new Date(updated.at).toISOString()}>{exactTime(updated.at)}</time>
      {updated.cards === null ? null : `, ${plural(updated.cards, 'card')}`}
    </span>
  );
}
