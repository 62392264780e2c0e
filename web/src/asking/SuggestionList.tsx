import type { ReactNode } from 'react';
import type { Suggestion } from './suggest.ts';

interface SuggestionListProps {
  id: string;
  suggestions: readonly Suggestion[];
  /** Index of the one the keyboard is on, or -1. */
  active: number;
  onChoose(question: string): void;
}

export const optionId = (list: string, at: number): string => `${list}-${at}`;

/** What may be meant by what was typed, over the ask box. The keyboard stays in the box. */
export function SuggestionList({ id, suggestions, active, onChoose }: SuggestionListProps): ReactNode {
  return (
    <div className="suggestions" id={id} role="listbox" aria-label="Suggestions">
      {suggestions.map(({ question, hint }, at) => (
        <div
          key={question}
          id={optionId(id, at)}
          role="option"
          aria-selected={at === active}
          tabIndex={-1}
          // Before the box loses the focus to it.
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(question);
          }}
        >
          <span>{question}</span>
          {hint === null ? null : <small>{hint}</small>}
        </div>
      ))}
    </div>
  );
}
