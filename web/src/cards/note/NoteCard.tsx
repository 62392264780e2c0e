import { ArrowRight } from 'lucide-react';
import { type ReactNode, useCallback, useRef } from 'react';
import type { NoteCard } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { BasisTag, citeText } from '../basis.tsx';
import { CardFrame } from '../frame.tsx';
import { keyed } from '../keyed.ts';
import { Prose } from '../prose.tsx';

interface NoteViewProps {
  model: NoteCard;
  card: CardChrome;
}

/** Prose with its evidence; also what stands for a failure, with what to do next. */
export function NoteView({ model, card }: NoteViewProps): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  const showCite = useCallback((id: string) => {
    const entries = list.current?.querySelectorAll<HTMLElement>('li') ?? [];
    for (const entry of entries) if (entry.dataset.cite === id) entry.focus();
  }, []);
  const known = model.cites.length > 0;
  return (
    <CardFrame model={model} card={card} kind={model.code === null ? 'note' : 'note said'}>
      <div className="prose">
        <Prose paragraphs={model.body} chrome={card} onCite={known ? showCite : undefined} />
      </div>
      <Suggestions questions={model.suggestions} card={card} />
      {known ? (
        <ul className="ev" ref={list}>
          {keyed(model.cites, (entry) => entry.id).map(({ key, item }) => (
            <li key={key} tabIndex={-1} data-cite={item.id}>
              <span className="ev-id">{item.id}</span>
              <span className="mono">{citeText(item.cite)}</span>
              <BasisTag basis={item.cite.basis} />
            </li>
          ))}
        </ul>
      ) : null}
      {model.code === null ? null : <p className="code-id mono">{model.code}</p>}
    </CardFrame>
  );
}

interface SuggestionsProps {
  questions: readonly string[];
  card: CardChrome;
}

/** Questions the record can answer instead, each one press away. */
function Suggestions({ questions, card }: SuggestionsProps): ReactNode {
  if (questions.length === 0) return null;
  return (
    <ul className="suggest">
      {keyed(questions, (question) => question).map(({ key, item }) => (
        <li key={key}>
          <button type="button" className="offer" disabled={card.busy} onClick={() => card.ask(item, item)}>
            {item}
            <ArrowRight className="i" aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
