import { CODES, isCode } from '../../../shared/codes.ts';
import type { Board, Boards } from '../../../shared/wire.ts';
import { type Called, callBoards, readBoard, readBoards } from './board-lib.ts';

/** A word about what was done, and the way to take it back. */
export interface Notice {
  serial: number;
  says: string;
  undo: (() => void) | null;
}

export interface BoardsState extends Boards {
  notice: Notice | null;
}

/** How long a word without anything to take back stays, in milliseconds. */
const SAID_FOR = 8_000;

/** Where something is pinned: to a board that is there, or to a new one. */
export type PinTo = { board: string } | { name: string };

/** Boards as the page has them, and everything that can be done to them. Nothing here rejects. */
export interface BoardDesk {
  state(): BoardsState;
  subscribe(listener: () => void): () => void;
  /** Reads the boards from the server; those that were changed elsewhere are drawn anew. */
  load(): Promise<void>;
  /**
   * Pins an answer, or one card of it.
   * @returns whether it is pinned; when not, the notice says why
   */
  pin(answer: string, card: string | null, to: PinTo): Promise<boolean>;
  /** @returns id of the new board, or null when it could not be made */
  create(name: string): Promise<string | null>;
  rename(id: string, name: string): Promise<void>;
  /** Moves an item of a board by so many places. */
  moveItem(id: string, item: string, by: number): Promise<void>;
  unpin(id: string, item: string): Promise<void>;
  /** Moves a board among the boards. */
  move(id: string, by: number): Promise<void>;
  remove(id: string): Promise<void>;
  dismiss(): void;
}

export interface BoardDeskOptions {
  /** What stands on a board, or its order, is another one now. */
  onRedraw(id: string): void;
  /** A board is gone. */
  onRemoved(id: string): void;
  /** A board is there again. */
  onRestored(id: string): void;
}

/** The list with one entry moved by so many places, as far as there is room. */
export function moved<T>(items: readonly T[], at: number, by: number): T[] {
  const item = items[at];
  const to = Math.min(items.length - 1, Math.max(0, at + by));
  if (item === undefined || to === at) return [...items];
  return items.toSpliced(at, 1).toSpliced(to, 0, item);
}

const itemsOf = (board: Board): string => board.items.map(({ id }) => id).join();

export function createBoardDesk({ onRedraw, onRemoved, onRestored }: BoardDeskOptions): BoardDesk {
  const listeners = new Set<() => void>();
  let state: BoardsState = { kept: false, boards: [], notice: null };
  let serial = 0;

  const set = (change: Partial<BoardsState>): void => {
    state = { ...state, ...change };
    for (const notify of [...listeners]) notify();
  };
  const say = (says: string, undo: (() => void) | null = null): void => {
    serial += 1;
    const mine = serial;
    set({ notice: { serial, says, undo } });
    // What can be taken back stays until something else is said.
    if (undo === null)
      setTimeout(() => {
        if (state.notice?.serial === mine) set({ notice: null });
      }, SAID_FOR);
  };
  const failed = (called: Called, what: string): void => {
    if (called.ok) return;
    say(isCode(called.code) ? CODES[called.code].says : `${what} The server did not answer.`);
  };
  /** Takes boards over as they are now, whoever changed them: those with other items are drawn anew. */
  const take = (next: Partial<Boards> & Pick<Boards, 'boards'>): void => {
    const before = state.boards;
    set(next);
    for (const was of before) {
      const now = next.boards.find(({ id }) => id === was.id);
      if (now === undefined) onRemoved(was.id);
      else if (itemsOf(now) !== itemsOf(was)) onRedraw(was.id);
    }
  };
  /** Takes a changed board over; null when the call failed, which is then said. */
  const taken = (called: Called, what: string): Board | null => {
    const board = called.ok ? readBoard(called.body) : null;
    if (board === null) {
      failed(called, what);
      return null;
    }
    const known = state.boards.some(({ id }) => id === board.id);
    const boards = known
      ? state.boards.map((one) => (one.id === board.id ? board : one))
      : [...state.boards, board];
    take({ boards });
    return board;
  };
  const path = (id: string, ...rest: string[]): string =>
    `/${[id, ...rest].map((part) => encodeURIComponent(part)).join('/')}`;
  const board = (id: string): Board | undefined => state.boards.find((one) => one.id === id);

  async function load(): Promise<void> {
    const called = await callBoards('GET', '');
    if (!called.ok) return;
    const next = readBoards(called.body);
    const gone = state.boards.find(({ id }) => !next.boards.some((board) => board.id === id));
    take(next);
    if (gone !== undefined) say(`The board ${gone.name} was removed on another page.`);
  }
  async function create(name: string): Promise<string | null> {
    return taken(await callBoards('POST', '', { name }), 'The board could not be made.')?.id ?? null;
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load,
    create,
    async pin(answer, card, to) {
      const id = 'board' in to ? to.board : await create(to.name);
      if (id === null) return false;
      const body = card === null ? { answer } : { answer, card };
      const pinned = taken(await callBoards('POST', path(id, 'items'), body), 'It could not be pinned.');
      if (pinned === null) return false;
      say(`Pinned to ${pinned.name}.`);
      return true;
    },
    async rename(id, name) {
      taken(await callBoards('PATCH', path(id), { name }), 'The board could not be renamed.');
    },
    async moveItem(id, item, by) {
      const items = board(id)?.items ?? [];
      const at = items.findIndex((one) => one.id === item);
      const order = moved(items, at, by).map((one) => one.id);
      if (at === -1 || order[at] === item) return;
      taken(await callBoards('PATCH', path(id), { order }), 'The order could not be changed.');
    },
    async unpin(id, item) {
      const gone = board(id)?.items.find((one) => one.id === item);
      const called = await callBoards('DELETE', path(id, 'items', item));
      if (taken(called, 'It could not be removed.') === null) return;
      const restore = async (): Promise<void> => {
        const back = await callBoards('POST', path(id, 'items', item, 'restore'));
        if (taken(back, 'It could not be put back.') !== null) set({ notice: null });
      };
      say(`Removed “${gone?.card ?? gone?.question ?? 'it'}”.`, () => void restore());
    },
    async move(id, by) {
      const at = state.boards.findIndex((one) => one.id === id);
      const order = moved(state.boards, at, by).map((one) => one.id);
      if (at === -1 || order[at] === id) return;
      const called = await callBoards('PUT', '', { order });
      if (called.ok) take(readBoards(called.body));
      else failed(called, 'The order could not be changed.');
    },
    async remove(id) {
      const name = board(id)?.name ?? 'the board';
      const called = await callBoards('DELETE', path(id));
      if (!called.ok) {
        failed(called, 'The board could not be removed.');
        return;
      }
      take({ boards: state.boards.filter((one) => one.id !== id) });
      const restore = async (): Promise<void> => {
        if (taken(await callBoards('POST', path(id, 'restore')), 'It could not be put back.') === null)
          return;
        set({ notice: null });
        await load();
        onRestored(id);
      };
      say(`Removed the board ${name}.`, () => void restore());
    },
    dismiss: () => set({ notice: null }),
  };
}
