import { z } from 'zod/v4';
import { LIMITS } from '../../shared/limits.ts';
import type { Board } from '../../shared/wire.ts';
import { ID } from '../archive/entry.ts';
import { migration } from '../archive/versioned.ts';

/**
 * The file of one board. Its format has a version; older ones are brought up to date before they are parsed. A board holds
 * plans, never values: what it shows is read from the record each time.
 */
export const VERSION = 1;

export const ITEM_ID = /^i[a-z0-9]{10}$/;
const when = z.int().nonnegative().max(8.64e15);

/** A pinned answer, or one card of it; its plan then holds that block alone. */
export const Item = z.object({
  id: z.string().regex(ITEM_ID),
  question: z.string().min(1).max(LIMITS.question),
  /** Title of the pinned card as it was when pinned; null for a whole answer. */
  card: z.string().min(1).max(LIMITS.request).nullable(),
  plan: z
    .string()
    .min(1)
    .max(LIMITS.planBytes + 1),
  planner: z.object({
    kind: z.enum(['builtin', 'model']),
    name: z.string().max(200),
    model: z.string().max(200).nullable(),
  }),
  /** Code its answer ended with, which is told again with the plan. */
  code: z.string().max(64).nullable(),
  plannedAt: when,
  pinnedAt: when,
  /** Folder of the record it is about; '' stands for whichever is loaded. */
  folder: z.string().max(4_096),
});
export type Item = z.infer<typeof Item>;

export const BoardFile = z.object({
  version: z.literal(VERSION),
  id: z.string().regex(ID),
  name: z.string().trim().min(1).max(LIMITS.boardName),
  /** Place among the boards, the smallest first. */
  place: z.number(),
  items: z.array(Item).max(LIMITS.boardItems),
});
export type BoardFile = z.infer<typeof BoardFile>;

/** Version 1 is the first one: what has no version is no board. */
const migrate = migration([
  () => {
    throw new Error('a board without a version');
  },
]);

/**
 * Reads the text of a board.
 * @throws when it is no JSON, or no board of a known version
 */
export const readBoard = (text: string): BoardFile => BoardFile.parse(migrate(JSON.parse(text)));

/** The board as the page is told of it: without its plans and folders. */
export const boardOf = ({ id, name, items }: BoardFile): Board => ({
  id,
  name,
  items: items.map(({ id: item, question, card, plannedAt, pinnedAt }) => ({
    id: item,
    question,
    card,
    plannedAt,
    pinnedAt,
  })),
});
