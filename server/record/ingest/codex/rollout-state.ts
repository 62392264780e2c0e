import { z } from 'zod/v4';
import { LIMITS } from '../../../../shared/limits.ts';

const text = z.string().max(LIMITS.sourceText);
const optional = text.nullable();
const ms = z.number().nullable();
const amount = z.number().nullable();

const Usage = z.object({
  input: amount,
  cached: amount,
  cacheWrite: amount,
  output: amount,
  reasoning: amount,
  total: amount,
});
const Touch = z.object({
  path: text,
  op: z.enum(['create', 'edit', 'delete', 'rename']),
  added: amount,
  removed: amount,
});
const Open = z.object({
  id: text,
  kind: z.enum(['shell', 'edit', 'read', 'search', 'mcp', 'web', 'subagent', 'other']),
  /** Whether it was to make a commit, and the files its patch touches if it comes to be. */
  committing: z.boolean(),
  touches: z.array(Touch),
});
export type OpenCall = z.infer<typeof Open>;

const State = z.object({
  /** The session of the file, from its first line; never that of history it repeats. */
  session: optional,
  /** Its head was read; further ones are those of history it repeats. */
  headed: z.boolean(),
  parent: optional,
  subagent: z.boolean(),
  /** Somebody waits for its answers, and it for theirs. */
  attended: z.boolean(),
  reviewer: z.boolean(),
  provider: optional,
  cwd: optional,
  branch: optional,
  titled: z.boolean(),
  turn: z.object({
    id: optional,
    model: optional,
    effort: optional,
    tier: z.enum(['standard', 'batch', 'priority', 'flex']).nullable(),
    speed: z.enum(['standard', 'fast']).nullable(),
    startedMs: ms,
    /** It began in this file; the model answered; its tokens were told. */
    begun: z.boolean(),
    answered: z.boolean(),
    counted: z.boolean(),
    /** An error was told that nothing came after. */
    failed: z.boolean(),
  }),
  /** The total of the last token count, and how many counted. */
  total: Usage.nullable(),
  n: z.number(),
  /** It was said that a count had to be worked out. */
  estimated: z.boolean(),
  /** When the model was last given something to answer. */
  askedMs: ms,
  /** Since when a person's next word is waited for. */
  waitingMs: ms,
  review: z.object({ startedMs: ms }).nullable(),
  open: z.array(Open),
  /** Lines understood and not, up to here. */
  ok: z.number(),
  bad: z.number(),
});
export type RolloutState = z.infer<typeof State>;

export const START: RolloutState = {
  session: null,
  headed: false,
  parent: null,
  subagent: false,
  attended: true,
  reviewer: false,
  provider: null,
  cwd: null,
  branch: null,
  titled: false,
  turn: {
    id: null,
    model: null,
    effort: null,
    tier: null,
    speed: null,
    startedMs: null,
    begun: false,
    answered: false,
    counted: false,
    failed: false,
  },
  total: null,
  n: 0,
  estimated: false,
  askedMs: null,
  waitingMs: null,
  review: null,
  open: [],
  ok: 0,
  bad: 0,
};

/** Calls waited for at a time, and files of their patches; the oldest calls are forgotten first. */
const OPEN = 64;
const TOUCHES = 600;

/** One more call that has not come back yet. */
export function opened(open: readonly OpenCall[], call: OpenCall): OpenCall[] {
  const all = [...open.filter(({ id }) => id !== call.id), call].slice(-OPEN);
  while (all.length > 1 && all.reduce((sum, { touches }) => sum + touches.length, 0) > TOUCHES) all.shift();
  return all;
}

/** What an earlier reading left, or null when it cannot be read: then the file is read from the start as far as is known. */
export function carriedState(carry: string | null): RolloutState | null {
  if (carry === null) return null;
  try {
    return State.safeParse(JSON.parse(carry)).data ?? null;
  } catch {
    return null;
  }
}
