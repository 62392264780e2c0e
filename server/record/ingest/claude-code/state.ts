import { z } from 'zod/v4';
import { LIMITS } from '../../../../shared/limits.ts';

const text = z.string().max(LIMITS.sourceText);
const optional = text.nullable();
const amount = z.number().nullable();

const Usage = z.object({
  input: amount,
  cacheRead: amount,
  /** All that was written to the cache, and its two parts where they are told. */
  cacheWrite: amount,
  write5m: amount,
  write1h: amount,
  output: amount,
  webSearches: amount,
});
/** Tokens of one message as far as its rows have told them. */
export type Usage = z.infer<typeof Usage>;

const Message = z.object({
  id: text,
  request: optional,
  line: z.number(),
  usage: Usage,
  /** Characters of what it says, to see an output count that cannot be all of it. */
  chars: z.number(),
  model: optional,
  session: text,
  sidechain: z.boolean(),
  subagent: z.boolean(),
  startedMs: amount,
  endedMs: amount,
  stop: optional,
  speed: optional,
  tier: optional,
  costUusd: amount,
  cwd: optional,
  branch: optional,
});
/** One message of the model while its rows come in. */
export type Message = z.infer<typeof Message>;

const Call = z.object({
  id: text,
  name: text,
  kind: z.enum(['shell', 'edit', 'read', 'search', 'mcp', 'web', 'subagent', 'other']),
  startedMs: amount,
  path: optional,
  committing: z.boolean(),
});
/** A tool call that has not come back yet. */
export type Call = z.infer<typeof Call>;

const State = z.object({
  session: optional,
  /** The folder of the first row, from which paths are told; and the last row's own. */
  root: optional,
  cwd: optional,
  branch: optional,
  /** Sessions this file has told of already. */
  announced: z.array(text),
  /** The last rows by id, with their times: a row names the one it answers. */
  recent: z.array(z.object({ uuid: text, ms: z.number() })),
  lastMs: amount,
  open: Message.nullable(),
  /** Messages that ended lately; one that goes on between the rows of another goes on from what was known. */
  closed: z.array(Message),
  calls: z.array(Call),
  /** The turn that runs: since the prompt, to its last row. */
  turn: z.object({ startedMs: amount, lastMs: amount }).nullable(),
  /** Since when a person's next word is waited for. */
  waitingMs: amount,
  stop: z.object({
    /** Stops in a row that a hook held up, and the last of them. */
    blocks: z.number(),
    last: optional,
    line: z.number(),
    /** Outcomes of hooks of this stop were told one by one; its feedback went to the agent. */
    told: z.boolean(),
    feedback: z.boolean(),
  }),
  ok: z.number(),
  bad: z.number(),
});
/** What is known of a transcript up to a line. Never changed in place. */
export type State = z.infer<typeof State>;

export const NO_STOP: State['stop'] = { blocks: 0, last: null, line: 0, told: false, feedback: false };

export const START: State = {
  session: null,
  root: null,
  cwd: null,
  branch: null,
  announced: [],
  recent: [],
  lastMs: null,
  open: null,
  closed: [],
  calls: [],
  turn: null,
  waitingMs: null,
  stop: NO_STOP,
  ok: 0,
  bad: 0,
};

/** How much is remembered at a time; the oldest goes first. */
const KEPT = { announced: 50, recent: 32, closed: 8, calls: 64 } as const;

/** A list with one more entry, bounded. */
export const withOne = <T>(list: readonly T[], one: T, what: keyof typeof KEPT): T[] =>
  [...list, one].slice(-KEPT[what]);

const Carried = z.object({ ok: z.number(), bad: z.number(), state: State });
/** What one reading leaves for the next: the state at the line it starts from, and what was counted in all. */
export type Carried = z.infer<typeof Carried>;

/** @returns null when nothing was left, or not by this reader */
export function carriedOf(carry: string | null): Carried | null {
  if (carry === null) return null;
  try {
    return Carried.safeParse(JSON.parse(carry)).data ?? null;
  } catch {
    return null;
  }
}
