import { randomBytes } from 'node:crypto';
import type { Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import { createFiles } from '../archive/files.ts';
import { BoardFile, type Item, readBoard, VERSION } from './board.ts';

export interface BoardsLog {
  warn(message: string): void;
}

/** What a change of a board came to. */
export type Done<T> = { ok: true; value: T } | { ok: false; code: Code };

/**
 * The boards of a state folder: files beside the archive, held in memory, written whole or not at all. A file that cannot be
 * read is told of in the log and left as it is. A change that cannot be written is not made. Nothing here throws or rejects.
 */
export interface BoardStore {
  /** False where nothing can be kept. */
  readonly keeps: boolean;
  /** In their order. */
  list(): BoardFile[];
  get(id: string): BoardFile | null;
  create(name: string): Promise<Done<BoardFile>>;
  /** @param order ids of items; those it leaves out follow in their old order */
  change(
    id: string,
    change: { name?: string | undefined; order?: readonly string[] | undefined },
  ): Promise<Done<BoardFile>>;
  /** @param ids in the new order; boards it leaves out follow in their old order */
  reorder(ids: readonly string[]): Promise<Done<BoardFile[]>>;
  pin(id: string, item: Item): Promise<Done<BoardFile>>;
  unpin(id: string, item: string): Promise<Done<BoardFile>>;
  /** Takes the removal of an item back, at its old place; possible until others were removed after it. */
  repin(id: string, item: string): Promise<Done<BoardFile>>;
  remove(id: string): Promise<Done<null>>;
  /** Takes the removal of a board back. */
  restore(id: string): Promise<Done<BoardFile>>;
  /** Calls back after each change. Returns the way to stop it. */
  onChange(listener: () => void): () => void;
  /** Waits for what is still being written. */
  close(): Promise<void>;
}

export const newItemId = (): string => `i${randomBytes(5).toString('hex')}`;

const no = (code: Code): { ok: false; code: Code } => ({ ok: false, code });

/** Puts what `order` names first, in its order; the rest follows as it was. Names that are not there are passed over. */
function inOrder<T extends { id: string }>(items: readonly T[], order: readonly string[]): T[] {
  const named = [...new Set(order)].flatMap((id) => items.find((item) => item.id === id) ?? []);
  return [...named, ...items.filter((item) => !named.includes(item))];
}

/** Opens the boards of a folder. Never rejects. */
export async function openBoards(folder: string, log: BoardsLog): Promise<BoardStore> {
  const files = createFiles(folder, LIMITS.boardBytes);
  const boards = new Map<string, BoardFile>();
  const removedItems = new Map<string, { item: Item; at: number }>();
  const removedBoards = new Map<string, BoardFile>();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of [...listeners]) listener();
  };
  let keeps = true;
  let turn: Promise<unknown> = Promise.resolve();

  try {
    await files.prepare();
    const { ids, rest } = await files.list(LIMITS.boards);
    for (const id of ids) {
      try {
        const board = readBoard(await files.read(id));
        if (board.id !== id) throw new Error('another board');
        boards.set(id, board);
      } catch {
        log.warn(`The board ${id} cannot be read; its file is left as it is.`);
      }
    }
    if (rest.length > 0)
      log.warn(`${rest.length} more boards were not read; ${LIMITS.boards} are kept at most.`);
  } catch {
    keeps = false;
    log.warn(`Boards cannot be kept in ${folder}.`);
  }

  /** One after the other, so that two changes of one board never cross. */
  const queue = <T>(work: () => Promise<Done<T>>): Promise<Done<T>> => {
    const mine = turn.then(() => (keeps ? work() : no('not_kept'))).catch((): Done<T> => no('not_kept'));
    turn = mine;
    return mine;
  };
  const write = async (board: BoardFile): Promise<Done<BoardFile>> => {
    const text = JSON.stringify(BoardFile.parse(board));
    if (Buffer.byteLength(text) > LIMITS.boardBytes) return no('board_full');
    await files.write(board.id, text);
    boards.set(board.id, board);
    changed();
    return { ok: true, value: board };
  };
  const edit = (id: string, change: (board: BoardFile) => BoardFile | Code): Promise<Done<BoardFile>> =>
    queue(async () => {
      const board = boards.get(id);
      if (board === undefined) return no('not_found');
      const next = change(board);
      return typeof next === 'string' ? no(next) : write(next);
    });
  const remember = <T>(map: Map<string, T>, key: string, value: T): void => {
    map.delete(key);
    map.set(key, value);
    const oldest = map.keys().next().value;
    if (map.size > LIMITS.boardUndo && oldest !== undefined) map.delete(oldest);
  };
  const list = (): BoardFile[] =>
    [...boards.values()].sort((a, b) => a.place - b.place || a.id.localeCompare(b.id));
  const placeAtEnd = (): number => Math.max(0, ...list().map(({ place }) => place)) + 1;

  return {
    get keeps() {
      return keeps;
    },
    list,
    get: (id) => boards.get(id) ?? null,
    create: (name) =>
      queue(async () => {
        if (boards.size >= LIMITS.boards) return no('boards_full');
        const id = randomBytes(12).toString('base64url');
        return write({ version: VERSION, id, name, place: placeAtEnd(), items: [] });
      }),
    change: (id, { name, order }) =>
      edit(id, (board) => ({
        ...board,
        name: name ?? board.name,
        items: order === undefined ? board.items : inOrder(board.items, order),
      })),
    reorder: (ids) =>
      queue(async () => {
        const next = inOrder(list(), ids);
        for (const [at, board] of next.entries()) {
          if (board.place === at + 1) continue;
          const written = await write({ ...board, place: at + 1 });
          if (!written.ok) return written;
        }
        return { ok: true, value: list() };
      }),
    pin: (id, item) =>
      edit(id, (board) =>
        board.items.length >= LIMITS.boardItems ? 'board_full' : { ...board, items: [...board.items, item] },
      ),
    unpin: (id, item) =>
      edit(id, (board) => {
        const at = board.items.findIndex((one) => one.id === item);
        const gone = board.items[at];
        if (gone === undefined) return 'not_found';
        remember(removedItems, `${id} ${item}`, { item: gone, at });
        return { ...board, items: board.items.filter((one) => one !== gone) };
      }),
    repin: (id, item) =>
      edit(id, (board) => {
        const key = `${id} ${item}`;
        const removed = removedItems.get(key);
        if (removed === undefined) return 'not_found';
        if (board.items.length >= LIMITS.boardItems) return 'board_full';
        removedItems.delete(key);
        return { ...board, items: board.items.toSpliced(removed.at, 0, removed.item) };
      }),
    remove: (id) =>
      queue(async () => {
        const board = boards.get(id);
        if (board === undefined) return no('not_found');
        await files.remove(id);
        boards.delete(id);
        remember(removedBoards, id, board);
        changed();
        return { ok: true, value: null };
      }),
    restore: (id) =>
      queue(async () => {
        const board = removedBoards.get(id);
        if (board === undefined) return no('not_found');
        if (boards.size >= LIMITS.boards) return no('boards_full');
        const written = await write(board);
        if (written.ok) removedBoards.delete(id);
        return written;
      }),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      await turn;
    },
  };
}
