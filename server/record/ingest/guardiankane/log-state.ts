import { z } from 'zod/v4';
import { LIMITS } from '../../../../shared/limits.ts';
import { NO_ROUNDS, type Round, type TaskRounds } from './verifier-rounds.ts';

/**
 * What is known of the lines of the log before a place. Nothing in it is changed in place, so an earlier state can be kept
 * for the price of its list of tasks.
 */
export interface LogState {
  /** A first entry has been read. */
  begun: boolean;
  /** Line of the last start of any task, and the line at which old open rounds were last looked for. */
  lastStartLine: number;
  sweptLine: number;
  /** Lines that were understood, and those that were not. */
  ok: number;
  bad: number;
  tasks: ReadonlyMap<string, TaskRounds>;
}

export const START: LogState = {
  begun: false,
  lastStartLine: 0,
  sweptLine: 0,
  ok: 0,
  bad: 0,
  tasks: new Map(),
};

/** The same with one task changed; beyond LIMITS.logTasks the task that came first is forgotten. */
export function withTask(state: LogState, task: string, rounds: TaskRounds): LogState {
  const tasks = new Map(state.tasks);
  tasks.set(task, rounds);
  const [oldest] = tasks.keys();
  if (tasks.size > LIMITS.logTasks && oldest !== undefined) tasks.delete(oldest);
  return { ...state, tasks };
}

export const roundsOf = (state: LogState, task: string): TaskRounds => state.tasks.get(task) ?? NO_ROUNDS;

/** Every round that is open, with its task. */
export const openRounds = (state: LogState): { task: string; round: Round }[] =>
  [...state.tasks].flatMap(([task, { open }]) => open.map((round) => ({ task, round })));

const ROUND = z.object({
  n: z.int().min(1),
  line: z.int().min(1),
  atMs: z.number().nullable(),
  gate: z.enum(['scripted_test', 'defect_sweep']),
  gateAtMs: z.number().nullable(),
  tested: z.boolean(),
});
const CARRY = z.object({
  /** Where the next reading starts: rows of lines before it are written already. */
  from: z.int().min(1),
  begun: z.boolean(),
  lastStartLine: z.int().min(0),
  sweptLine: z.int().min(0),
  ok: z.int().min(0),
  bad: z.int().min(0),
  /** What was counted in all when the earlier reading ended, lines that are read again included. */
  told: z.object({ ok: z.int().min(0), bad: z.int().min(0) }),
  tasks: z
    .array(z.tuple([z.string().max(200), z.object({ rounds: z.int().min(0), open: z.array(ROUND).max(4) })]))
    .max(LIMITS.logTasks),
});

/** Lines that were understood, and those that were not. */
export type Counts = Pick<LogState, 'ok' | 'bad'>;

/** State at a line, to read on from there later. */
export const carryOf = (state: LogState, from: number, told: Counts): string =>
  JSON.stringify({ from, ...state, told, tasks: [...state.tasks] });

/** The state an earlier reading left; null when there is none, or it cannot be read. */
export function carried(text: string | null): { from: number; state: LogState; told: Counts } | null {
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const read = CARRY.safeParse(value);
  if (!read.success) return null;
  const { from, tasks, told, ...state } = read.data;
  return { from, told, state: { ...state, tasks: new Map(tasks) } };
}
