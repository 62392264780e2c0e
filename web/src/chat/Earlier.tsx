import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { onPlainClick } from '../app/links.ts';
import { routePath } from '../app/route.ts';
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
  onDeleteAll(): void;
}

/** What was asked before: a link to each answer, its time, and a way to delete it. */
export function Earlier({ items, onOpen, onDelete, onDeleteAll }: EarlierProps): ReactNode {
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
      {onDelete === null ? null : (
        <DeleteAll
          onDelete={() => {
            title.current?.focus();
            onDeleteAll();
          }}
        />
      )}
    </section>
  );
}

/** Deleting everything cannot be taken back, so it is asked for twice. */
function DeleteAll({ onDelete }: { onDelete(): void }): ReactNode {
  const [asking, setAsking] = useState(false);
  const ask = useRef<HTMLButtonElement>(null);
  const keep = useRef<HTMLButtonElement>(null);
  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else (asking ? keep : ask).current?.focus();
  }, [asking]);
  if (!asking)
    return (
      <p className="earlier-all">
        <button type="button" className="link" ref={ask} onClick={() => setAsking(true)}>
          Delete all kept answers
        </button>
      </p>
    );
  return (
    <fieldset className="earlier-all">
      <legend className="vh">Delete all kept answers</legend>
      <span>Delete every kept answer? This cannot be undone; boards stay.</span>
      <button type="button" className="btn" ref={keep} onClick={() => setAsking(false)}>
        Keep them
      </button>
      <button type="button" className="btn" onClick={onDelete}>
        Delete all
      </button>
    </fieldset>
  );
}
