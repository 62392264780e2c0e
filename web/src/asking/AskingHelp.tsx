import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { AskingMenu } from '../../../shared/wire.ts';
import { useDialog } from '../lib/use-dialog.ts';

interface AskingHelpProps {
  menu: AskingMenu;
  onAsk(question: string): void;
  onClose(): void;
}

/** What can be asked of this record: questions to begin with, and everything there are figures on. */
export default function AskingHelp({ menu, onAsk, onClose }: AskingHelpProps): ReactNode {
  const dialog = useDialog();
  const title = useId();
  return (
    <dialog className="asking-help" ref={dialog} aria-labelledby={title} onClose={onClose}>
      <header>
        <h2 id={title}>What can I ask?</h2>
        <button type="button" className="ib" aria-label="Close" onClick={onClose}>
          <X className="i" aria-hidden="true" />
        </button>
      </header>
      <p>
        Ask in your own words. Name a feature by number or title, a category, a time of day or a bound, and go
        on from an answer: “and by category?”, “only the failed ones”, “why?”.
      </p>
      <h3>To begin with</h3>
      <ul className="asking-questions">
        {menu.questions.map((question) => (
          <li key={question}>
            <button
              type="button"
              className="link"
              onClick={() => {
                onClose();
                onAsk(question);
              }}
            >
              {question}
            </button>
          </li>
        ))}
      </ul>
      <h3>What this record has figures on</h3>
      {menu.subjects.map(({ name, measures, by }) => (
        <section key={name}>
          <h4>{name}</h4>
          <dl>
            {measures.map(({ label, meaning }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
          {by.length === 0 ? null : <p className="asking-by">By {by.join(', ')}</p>}
        </section>
      ))}
    </dialog>
  );
}
