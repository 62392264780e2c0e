import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';

interface ChipsProps {
  label: string;
  questions: readonly string[];
  disabled?: boolean;
  onAsk(question: string): void;
}

/** Questions one press away. */
export function Chips({ label, questions, disabled = false, onAsk }: ChipsProps): ReactNode {
  if (questions.length === 0) return null;
  return (
    <section className="chips" aria-label={label}>
      <p className="cl" aria-hidden="true">
        {label}
      </p>
      {[...new Set(questions)].map((question) => (
        <button
          key={question}
          type="button"
          className="chip"
          disabled={disabled}
          onClick={() => onAsk(question)}
        >
          {question}
          <ArrowRight className="i" aria-hidden="true" />
        </button>
      ))}
    </section>
  );
}
