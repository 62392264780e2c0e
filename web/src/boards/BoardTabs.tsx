import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { onPlainClick } from '../app/links.ts';
import { routePath } from '../app/route.ts';
import type { BoardsState } from './desk.ts';

interface BoardTabsProps {
  boards: BoardsState;
  current: string | null;
  onOpen(id: string): void;
  onNew(): void;
}

/** The boards as tabs, and the way to a new one. */
export function BoardTabs({ boards, current, onOpen, onNew }: BoardTabsProps): ReactNode {
  if (!boards.kept) return null;
  return (
    <>
      {boards.boards.length === 0 ? null : <span className="tab-rule" aria-hidden="true" />}
      {boards.boards.map(({ id, name }) => (
        <a
          key={id}
          href={routePath({ view: 'board', id })}
          aria-current={id === current ? 'page' : undefined}
          onClick={onPlainClick(() => onOpen(id))}
        >
          {name}
        </a>
      ))}
      <button type="button" className="tab-new" aria-label="New board" title="New board" onClick={onNew}>
        <Plus className="i" aria-hidden="true" />
      </button>
    </>
  );
}
