import { z } from 'zod/v4';
import { UNITS } from '../../shared/cards.ts';
import { LIMITS } from '../../shared/limits.ts';
import { migration } from './versioned.ts';

/**
 * The file of one archived answer. Its format has a version; older ones are brought up to date by `migrate`, one step a
 * version, before they are parsed.
 */
export const VERSION = 2;

const count = z.int().nonnegative();
const when = z.int().nonnegative().max(8.64e15);
const code = z.string().max(64).nullable();

/** A figure with the words that say which one it is. */
const LabelledFigure = z.object({
  /** Id of its card, and the card's title. */
  card: z.string().max(100),
  title: z.string().max(1_000),
  label: z.string().max(1_000),
  value: z.number().nullable(),
  unit: z.enum(UNITS),
});

const KeptReport = z.object({
  ok: z.boolean(),
  code,
  cards: count,
  figures: count,
  sources: count,
  record: z.string().max(64),
  ms: z.number().nonnegative(),
  passes: count,
  changed: count,
});

/** What an answer took, and what became of its cards; null is "not recorded" (older answers), or that no model was asked. */
const Meter = z.object({
  ms: z.number().nonnegative(),
  firstCardMs: z.number().nonnegative().nullable(),
  /** Tokens as the model server counts them. */
  tokensIn: count.nullable(),
  tokensOut: count.nullable(),
  /** Cards left out: what the planner wrote could not be read, drawn or borne out. */
  dropped: count.nullable(),
  /** Cards that were trimmed to fit, or put right by the check. */
  repaired: count.nullable(),
  corrected: count.nullable(),
  verified: count.nullable(),
  unverified: count.nullable(),
  /** Made with a plan that was kept, without asking a planner. */
  reused: z.boolean(),
});
export type Meter = z.infer<typeof Meter>;

export const ID = /^[A-Za-z0-9_-]{16}$/;

export const Entry = z.object({
  version: z.literal(VERSION),
  id: z.string().regex(ID),
  question: z.string().min(1).max(LIMITS.question),
  /** Conversation it was asked in, and a digest of the earlier turns it can only be understood with; '' for none. */
  conversation: z.string().max(64).nullable(),
  context: z.string().max(64),
  planner: z.object({
    kind: z.enum(['builtin', 'model']),
    name: z.string().max(200),
    model: z.string().max(200).nullable(),
  }),
  /** The plan as the planner wrote it; of an answer that ended early, what there was. */
  plan: z.string().max(LIMITS.planBytes + 1),
  /** When the plan was made, which is earlier than `askedAt` when a stored plan was used. Epoch milliseconds. */
  plannedAt: when,
  askedAt: when,
  /** The program that had the plan made; '' for one that did not say. Another program may plan otherwise. */
  program: z.string().max(64),
  meter: Meter,
  /** Folder of the run, and the whole fingerprint of its record. */
  record: z.object({ folder: z.string().max(4_096), fingerprint: z.string().max(128) }),
  code,
  cards: count,
  report: KeptReport.nullable(),
  figures: z.array(LabelledFigure).max(LIMITS.archiveFigures),
});
export type Entry = z.infer<typeof Entry>;
export type LabelledFigure = z.infer<typeof LabelledFigure>;

/** Before formats had versions: a planner was its name alone, times were text, and one folder was all there was. */
const Version0 = z.object({
  id: z.string(),
  question: z.string(),
  planner: z.string(),
  plan: z.string(),
  asked: z.iso.datetime({ offset: true }),
  fingerprint: z.string(),
  code: z.string().nullable().optional(),
  cards: z.number().optional(),
});

/** The planner that needs no model has had this name from the beginning. */
const BUILT_IN = 'Built-in planner';

function from0(value: unknown): unknown {
  const old = Version0.parse(value);
  const builtin = old.planner === BUILT_IN;
  const asked = Date.parse(old.asked);
  return {
    version: 1,
    id: old.id,
    question: old.question,
    conversation: null,
    context: '',
    planner: {
      kind: builtin ? 'builtin' : 'model',
      name: old.planner,
      model: builtin ? null : old.planner,
    },
    plan: old.plan,
    plannedAt: asked,
    askedAt: asked,
    ms: 0,
    firstCardMs: null,
    // Which folder it was is not known; '' stands for whichever is loaded.
    record: { folder: '', fingerprint: old.fingerprint },
    code: old.code ?? null,
    cards: old.cards ?? 0,
    report: null,
    figures: [],
  };
}

const Version1 = z.looseObject({
  ms: z.number(),
  firstCardMs: z.number().nullable(),
  plannedAt: z.number(),
  askedAt: z.number(),
});

/** Answers were not metered beyond their times, and no program said which it was. */
function from1(value: unknown): unknown {
  const { ms, firstCardMs, ...rest } = Version1.parse(value);
  return {
    ...rest,
    version: 2,
    program: '',
    meter: {
      ms,
      firstCardMs,
      tokensIn: null,
      tokensOut: null,
      dropped: null,
      repaired: null,
      corrected: null,
      verified: null,
      unverified: null,
      reused: rest.plannedAt !== rest.askedAt,
    },
  };
}

/**
 * Brings an entry of any earlier version up to date.
 * @throws ZodError when it is not an entry of the version it says; versions of the future are left for `Entry` to refuse
 */
export const migrate = migration([from0, from1]);

/**
 * Reads the text of an entry.
 * @throws when it is no JSON, or no entry of a known version
 */
export function readEntry(text: string): Entry {
  const value: unknown = JSON.parse(text);
  return Entry.parse(migrate(value));
}

/**
 * The text of an entry: each member on a line of its own, in the order of the format, so that a line of the file can be pointed
 * at and read.
 */
export function writeEntry(entry: Entry): string {
  const lines = Object.entries(Entry.parse(entry)).map(
    ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}
