import { X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { routePath } from '../app/route.ts';
import { onPlainClick } from '../app/TopBar.tsx';
import { whenAsked } from '../lib/words.ts';

/** Questions listed before the rest is asked for. */
const FIRST = 10;

export interface EarlierItem {
  id: string;
  question: string;
  at: number | null;
}

interface EarlierProps {
  /** The newest first. */
  items: readonly EarlierItem[];
  onOpen(id: string): void;
  /** Null where nothing is kept that could be deleted. */
  onDelete: ((id: string) => void) | null;
}

/** What was asked before: a link to each answer, its time, and a way to delete it. */
export function Earlier({ items, onOpen, onDelete }: EarlierProps): ReactNode {
  const [all, setAll] = useState(false);
  const title = useRef<HTMLParagraphElement>(null);
  if (items.length === 0) return null;
  return (
    <section className="turn" aria-labelledby="earlier-title">
      <p className="cl" id="earlier-title" ref={title} tabIndex={-1}>
        Asked earlier
      </p>
      <ul className="plog earlier">
        {items.slice(0, all ? items.length : FIRST).map(({ id, question, at }) => (
          <li key={id}>
            <a href={routePath({ view: 'answer', id })} onClick={onPlainClick(() => onOpen(id))}>
              {question}
            </a>
            {at === null ? null : (
              <time dateTime={new Date(at).toISOString()}>{whenAsked(at, Date.now())}</time>
            )}
            {onDelete === null ? null : (
              <button
                type="button"
                className="ib"
                aria-label={`Delete the answer to “${question}”`}
                onClick={() => {
                  // The button goes with its row; the list keeps the focus.
                  title.current?.focus();
                  onDelete(id);
                }}
              >
                <X className="i" aria-hidden="true" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {all || items.length <= FIRST ? null : (
        <button type="button" className="link" onClick={() => setAll(true)}>
          Show all {items.length}
        </button>
      )}
    </section>
  );
}
