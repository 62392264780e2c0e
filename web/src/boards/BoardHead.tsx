import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, ListOrdered, Trash2, X } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import type { Board } from '../../../shared/wire.ts';
import { plural, whenAsked } from '../lib/words.ts';
import type { BoardDesk } from './desk.ts';

interface BoardHeadProps {
  /** Null while the boards are not read, or when this one is gone. */
  board: Board | null;
  desk: BoardDesk;
}

/** What can be done with the board that is shown: its name, the order of what stands on it, and taking things off. */
export function BoardHead({ board, desk }: BoardHeadProps): ReactNode {
  const [open, setOpen] = useState(false);
  const panel = useId();
  if (board === null) return null;
  return (
    <div className="board-head">
      <button
        type="button"
        className="tb"
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => setOpen(!open)}
      >
        <ListOrdered className="i" aria-hidden="true" />
        Arrange {plural(board.items.length, 'item')}
      </button>
      <section id={panel} className="board-panel" aria-label="Arrange this board" hidden={!open}>
        {open ? <Arrange board={board} desk={desk} /> : null}
      </section>
    </div>
  );
}

function Arrange({ board, desk }: { board: Board; desk: BoardDesk }): ReactNode {
  return (
    <>
      <Rename board={board} desk={desk} />
      <Items board={board} desk={desk} />
      <div className="board-acts">
        <button type="button" className="tb" onClick={() => void desk.move(board.id, -1)}>
          <ArrowLeft className="i" aria-hidden="true" />
          Move tab left
        </button>
        <button type="button" className="tb" onClick={() => void desk.move(board.id, 1)}>
          <ArrowRight className="i" aria-hidden="true" />
          Move tab right
        </button>
        <button type="button" className="tb" onClick={() => void desk.remove(board.id)}>
          <Trash2 className="i" aria-hidden="true" />
          Remove this board
        </button>
      </div>
    </>
  );
}

function Rename({ board, desk }: { board: Board; desk: BoardDesk }): ReactNode {
  const [name, setName] = useState(board.name);
  const id = useId();
  useEffect(() => setName(board.name), [board.name]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const given = name.trim();
    if (given !== '' && given !== board.name) void desk.rename(board.id, given);
  };
  return (
    <form className="board-name" onSubmit={submit}>
      <label htmlFor={id}>Name</label>
      <input
        id={id}
        value={name}
        maxLength={LIMITS.boardName}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <button type="submit" className="btn" disabled={name.trim() === '' || name.trim() === board.name}>
        Rename
      </button>
    </form>
  );
}

function Items({ board, desk }: { board: Board; desk: BoardDesk }): ReactNode {
  const list = useRef<HTMLOListElement>(null);
  const pressed = useRef<string | null>(null);
  const [said, setSaid] = useState('');
  const { items } = board;
  // A row that moves in the page loses the focus; the button that moved it gets it back.
  useEffect(() => {
    const name = pressed.current;
    if (name === null) return;
    pressed.current = null;
    const [item, way] = name.split(' ');
    const at = items.findIndex(({ id }) => id === item);
    list.current?.querySelector<HTMLElement>(`[data-move="${name}"]`)?.focus();
    if (at !== -1) setSaid(`Moved ${way}: now ${at + 1} of ${items.length}.`);
  }, [items]);
  const move = (item: string, way: 'up' | 'down'): void => {
    pressed.current = `${item} ${way}`;
    void desk.moveItem(board.id, item, way === 'up' ? -1 : 1);
  };
  if (items.length === 0)
    return <p className="board-none">Nothing is pinned here yet. Open an answer and press Pin.</p>;
  return (
    <>
      <p className="vh" aria-live="polite">
        {said}
      </p>
      <ol className="board-items" ref={list} tabIndex={-1} aria-label="What stands on this board">
        {items.map((item, at) => {
          const name = item.card ?? item.question;
          return (
            <li key={item.id}>
              <span className="what">
                {name}
                <span className="when">
                  {item.card === null ? 'whole answer' : 'one card'}, pinned{' '}
                  {whenAsked(item.pinnedAt, Date.now())}
                </span>
              </span>
              <button
                type="button"
                className="ib"
                aria-label={`Move up: ${name}`}
                aria-disabled={at === 0}
                data-move={`${item.id} up`}
                onClick={() => move(item.id, 'up')}
              >
                <ArrowUp className="i" aria-hidden="true" />
              </button>
              <button
                type="button"
                className="ib"
                aria-label={`Move down: ${name}`}
                aria-disabled={at === items.length - 1}
                data-move={`${item.id} down`}
                onClick={() => move(item.id, 'down')}
              >
                <ArrowDown className="i" aria-hidden="true" />
              </button>
              <button
                type="button"
                className="ib"
                aria-label={`Remove: ${name}`}
                onClick={() => {
                  // The button goes with its row; the list keeps the focus.
                  list.current?.focus();
                  void desk.unpin(board.id, item.id);
                }}
              >
                <X className="i" aria-hidden="true" />
              </button>
            </li>
          );
        })}
      </ol>
    </>
  );
}
