import { X } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import type { Board } from '../../../shared/wire.ts';
import { useDialog } from '../lib/use-dialog.ts';
import { plural } from '../lib/words.ts';
import type { BoardDesk, PinTo } from './desk.ts';

/** What is pinned: an answer, or one card of it. Without an answer the dialog makes an empty board. */
export interface PinTarget {
  answer: string | null;
  card: string | null;
  title: string | null;
}

interface PinDialogProps {
  target: PinTarget;
  boards: readonly Board[];
  desk: BoardDesk;
  onOpenBoard(id: string): void;
  onClose(): void;
}

/** Asks for the board: one that is there, or a new one with a name. */
export function PinDialog({ target, boards, desk, onOpenBoard, onClose }: PinDialogProps): ReactNode {
  const dialog = useDialog();
  const titleId = useId();
  const nameId = useId();
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const { answer, card, title } = target;

  const put = async (to: PinTo): Promise<void> => {
    if (answer === null) return;
    setBusy(true);
    await desk.pin(answer, card, to);
    onClose();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const given = name.trim();
    if (given === '' || busy) return;
    if (answer !== null) return put({ name: given });
    setBusy(true);
    const id = await desk.create(given);
    onClose();
    if (id !== null) onOpenBoard(id);
  };
  const heading = answer === null ? 'New board' : card === null ? 'Pin this answer' : 'Pin this card';

  return (
    <dialog className="pin-dialog" ref={dialog} aria-labelledby={titleId} onClose={onClose}>
      <header>
        <h2 id={titleId}>{heading}</h2>
        <button type="button" className="ib" aria-label="Close" onClick={onClose}>
          <X className="i" aria-hidden="true" />
        </button>
      </header>
      {title === null ? null : <p className="pin-what">{title}</p>}
      {answer === null || boards.length === 0 ? null : (
        <ul className="pin-boards" aria-label="Boards">
          {boards.map((board) => {
            const full = board.items.length >= LIMITS.boardItems;
            return (
              <li key={board.id}>
                <button type="button" disabled={busy || full} onClick={() => void put({ board: board.id })}>
                  <span>{board.name}</span>
                  <span>{full ? 'full' : plural(board.items.length, 'item')}</span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <form onSubmit={(event) => void submit(event)}>
        <label htmlFor={nameId}>{answer === null ? 'Name of the board' : 'A new board named'}</label>
        <div className="pin-new">
          <input
            id={nameId}
            value={name}
            maxLength={LIMITS.boardName}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
          <button type="submit" className="btn" disabled={busy || name.trim() === ''}>
            {answer === null ? 'Make' : 'Pin'}
          </button>
        </div>
      </form>
    </dialog>
  );
}
