import { z } from 'zod/v4';
import type { Basis, Figure, Inline, Paragraph, Unit } from './cards.ts';
import { PROTOCOL, REFINE } from './catalog.ts';
import { LIMITS } from './limits.ts';
import type { SAVED_FORMAT, SAVED_VERSION } from './saved.ts';

/** Id of a loaded project, as it stands in addresses. */
export const ProjectId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/);

/** Query of an address that is about one project; the default one when left out. */
export const InProject = z.object({ project: ProjectId.optional() });

/** A loaded project as people know it. */
export interface ProjectRef {
  id: string;
  name: string;
}

/** `POST /api/ask` */
export const AskRequest = z.object({
  question: z.string().trim().min(1).max(LIMITS.question),
  conversation: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional(),
  /** Which of the loaded projects the question is asked in; the first one when left out. */
  project: ProjectId.optional(),
  /** Asks the planner even if there is a plan of the same question on the same record. */
  anew: z.boolean().optional(),
});
export type AskRequest = z.infer<typeof AskRequest>;

/** `POST /api/action`: an A2UI client message with the one action of the catalog. */
export const ActionRequest = z.object({
  version: z.literal(PROTOCOL),
  action: z.object({
    name: z.literal(REFINE),
    surfaceId: z.string().max(100),
    sourceComponentId: z.string().max(100),
    timestamp: z.string().max(40),
    context: z.object({
      label: z.string().max(LIMITS.label),
      request: z.string().trim().min(1).max(LIMITS.question),
      conversation: z
        .string()
        .regex(/^[\w-]{1,64}$/)
        .optional(),
      project: ProjectId.optional(),
    }),
  }),
});
export type ActionRequest = z.infer<typeof ActionRequest>;

/** `POST /api/report`: an A2UI client error (a card that could not be drawn, a message that was refused). */
export const ErrorReport = z.object({
  version: z.literal(PROTOCOL),
  error: z.object({
    code: z.string().max(64),
    surfaceId: z.string().max(100),
    path: z.string().max(200).optional(),
    message: z.string().max(500),
  }),
});

/** What became of one card in the check. */
export interface Verdict {
  card: string;
  state: 'verified' | 'corrected' | 'dropped' | 'unverified';
  reasons: string[];
}

/** A plan that was kept and is used again, instead of asking a planner. */
export interface Stored {
  /** When the plan was made, epoch milliseconds, and how long ago that was. */
  askedAt: number;
  ageMs: number;
  /** The plan was made by another version of the program. */
  older: boolean;
}

/** A figure as one reading of the record gave it; a value that is null was missing. */
export interface Reading {
  value: number | null;
  unit: Unit;
}

/** What became of the figures of an answer since it was given. */
export interface Since {
  /** The record is another one than then: its fingerprint differs. */
  changed: boolean;
  /** The record of then is not loaded any more, so nothing could be compared. */
  gone: boolean;
  /** Figures that differ, the first LIMITS.sinceFigures of them; `was` or `now` is null where the card did not have it. */
  figures: { card: string; label: string; was: Reading | null; now: Reading | null }[];
  /** All figures that differ. */
  total: number;
}

export interface Report {
  ok: boolean;
  code: string | null;
  cards: number;
  figures: number;
  /** Rows of the record the figures were computed from. */
  rows: number;
  sources: number;
  /** Short fingerprint of the record the check ran on. */
  record: string;
  ms: number;
  passes: number;
  changed: number;
  verdicts: Verdict[];
  /** What changed since, when a stored plan was used; else null. */
  since: Since | null;
}

/**
 * Events of `GET /api/live`, the feed of changes. `?answer=` names the answer that is on the page, `&record=` the short
 * fingerprint its figures were checked on; without them only changes of the record are told.
 */
export type LiveEvent =
  /** Listening. `answerId` is null when the answer cannot be followed (it was stopped, or has no plan). */
  | { event: 'ready'; data: { answerId: string | null } }
  /** The record was read again and is another one. */
  | { event: 'record'; data: Record<string, never> }
  /** A board was changed, on this page or another one. */
  | { event: 'boards'; data: Record<string, never> }
  /** One message for the surface of the answer. */
  | { event: 'a2ui'; data: Record<string, unknown> }
  /** What is said beside the cards. */
  | { event: 'chat'; data: { paragraphs: Paragraph[] } }
  /** The cards stand as the record is now, checked. `changed`: cards whose content is another one than before. */
  | {
      event: 'updated';
      data: {
        answerId: string;
        title: string | null;
        cards: number;
        changed: string[];
        /** Every card was sent again, because the page had another state; which of them differ is not known. */
        all: boolean;
        report: Report | null;
        /** Epoch milliseconds. */
        at: number;
      };
    }
  /** The record changed, and the cards could not be made and checked on it. What is shown is what was there before. */
  | { event: 'stale'; data: { answerId: string; code: string } };
export type LiveEventName = LiveEvent['event'];

/** What stands on a board: a whole answer, or one card of it. */
export interface BoardItem {
  id: string;
  question: string;
  /** Title of the pinned card, null for a whole answer. */
  card: string | null;
  /** When its plan was made and when it was pinned, epoch milliseconds. */
  plannedAt: number;
  pinnedAt: number;
}

export interface Board {
  id: string;
  name: string;
  items: BoardItem[];
}

/** `GET /api/boards`, in their order. `kept` is false where they cannot be kept. */
export interface Boards {
  kept: boolean;
  boards: Board[];
}

const BoardId = z.string().regex(/^[A-Za-z0-9_-]{16}$/);
const BoardName = z.string().trim().min(1).max(LIMITS.boardName);

/** `POST /api/boards` */
export const BoardRequest = z.object({ name: BoardName });
/** `PATCH /api/boards/:id`: another name, another order of its items, or both. */
export const BoardChange = z.object({
  name: BoardName.optional(),
  order: z.array(z.string().max(40)).max(LIMITS.boardItems).optional(),
});
/** `PUT /api/boards`: the order of the boards. */
export const BoardOrder = z.object({ order: z.array(BoardId).max(LIMITS.boards) });
/** `POST /api/boards/:id/items`: an answer, or one card of it by its id on the surface. */
export const PinRequest = z.object({
  answer: z.string().regex(/^[\w-]{1,64}$/),
  card: z
    .string()
    .regex(/^c\d{1,2}$/)
    .optional(),
});

/** One answer of `GET /api/answers`. */
export interface ArchivedAnswer {
  id: string;
  question: string;
  /** Epoch milliseconds. */
  askedAt: number;
  planner: string;
  /** Stable code of how it ended, or null when it ended well. */
  code: string | null;
  cards: number;
  /** Loaded projects it was about; empty when one of them is not loaded any more. */
  projects?: ProjectRef[];
}

/** `GET /api/answers`: newest first, at most LIMITS.archiveListed. `kept` is false where no answers are archived at all. */
export interface ArchivedAnswers {
  kept: boolean;
  answers: ArchivedAnswer[];
}

/**
 * Events of an answer stream. Each travels with a numeric SSE `id`, counting from 1 without gaps. `done` is the last one, and
 * its `events` is its own id: the number of events of the answer, itself included.
 */
export type StreamEvent =
  | {
      event: 'open';
      data: {
        answerId: string;
        surfaceId: string;
        question: string | null;
        planner: string;
        /** Set when the plan is one that was kept. */
        stored: Stored | null;
        title: string | null;
        /** Projects it is about: one, or those it compares. Not there in answers that were saved before there were several. */
        projects?: ProjectRef[];
        /** There when the answer is played from a file: the time it was made at, ISO 8601. */
        replay?: string;
      };
    }
  | { event: 'a2ui'; data: Record<string, unknown> }
  | {
      event: 'progress';
      data: {
        step: 'premise' | 'plan' | 'cards' | 'verify';
        says: string;
        done: boolean;
        ms: number | null;
        n: number | null;
        of: number | null;
      };
    }
  | { event: 'chat'; data: { paragraphs: Paragraph[]; final: boolean } }
  | { event: 'report'; data: Report }
  | { event: 'suggestions'; data: { items: string[] } }
  | {
      event: 'done';
      data: { events: number; cards: number; ok: boolean; code: string | null; ms: number; took?: Took };
    };
export type StreamEventName = StreamEvent['event'];

/** What an answer took beside its whole time; null where that is not known or did not happen. */
export interface Took {
  /** From the question to the planner's first text, and to the first card, in milliseconds. */
  firstTextMs: number | null;
  firstCardMs: number | null;
  /** Tokens a model read and wrote for the plan, as its server counts them. */
  tokens: { in: number; out: number } | null;
}

/** `POST /api/answers/:id/cards/:card`: one thing changed on a card by hand; null puts it back as it was planned. */
export const CardChange = z.strictObject({
  control: z.enum(['measure', 'by', 'draw', 'order', 'order_by', 'size', 'group', 'category']),
  value: z.string().max(200),
});
export type CardChange = z.infer<typeof CardChange>;
export const CardChanges = z.strictObject({ change: CardChange.nullable() });

/** One project of `GET /api/projects`, the default one first. */
export interface ProjectInfo extends ProjectRef {
  /** Its folder for people: the last parts of the path, never the whole of it. */
  path: string;
  /** Harnesses whose records were found, in words. */
  harnesses: string[];
  /** `empty`: nothing was found in its folder. `unreadable`: its folder or its database could not be opened. */
  state: 'ready' | 'empty' | 'unreadable';
  features: number;
  findings: number;
}

/** `GET /api/projects` */
export interface Projects {
  projects: ProjectInfo[];
}

export interface Health {
  ok: boolean;
  protocol: string;
  catalogId: string;
  planner: { kind: 'builtin' | 'model'; model: string | null };
  /** There when a saved answer is played instead of a record being read. */
  replay?: boolean;
  /** The project the record below is of. */
  project?: ProjectRef;
  record: {
    project: string;
    run: string;
    fingerprint: string;
    features: number;
    findings: number;
    sources: {
      label: string;
      kind: string;
      basis: Basis;
      facts: number;
      disputed: boolean;
      issues: number;
    }[];
    suggestions: string[];
  } | null;
}

/** `GET /api/vocabulary`: what can be asked of a project's record, for suggestions, the palette and the help. */
export interface AskingMenu {
  features: { id: string; title: string; status: string }[];
  /** Complete questions that this record has something on, the most telling first. */
  questions: string[];
  /** What there are rows of, and what can be asked about them. */
  subjects: {
    name: string;
    measures: { label: string; meaning: string }[];
    /** By what they can be grouped and filtered. */
    by: string[];
  }[];
}

/** `GET /api/evidence/:queryId` */
export interface Evidence {
  id: string;
  /** Project in whose record the query was run. */
  project?: ProjectRef;
  title: string;
  /** The query in words. */
  words: string;
  sql: string;
  params: (string | number | null)[];
  ms: number;
  figure: Figure | null;
  rows: {
    label: string;
    value: number | null;
    unit: Unit;
    basis: Basis;
    source: string;
    sourceId: string;
    line: number | null;
    counted: boolean;
    how: string;
  }[];
  total: number;
  raw: {
    source: string;
    sourceId: string;
    basis: Basis;
    lines: { line: number; text: string; cited: boolean }[];
  }[];
}

/** One event of an answer as it was sent; the id counts from 1. */
export interface TraceFrame {
  id: number;
  event: StreamEventName;
  /** What it is about, in a word or two ("updateDataModel /cards/c0"). */
  about: string;
  bytes: number;
  /** Since the answer began. */
  ms: number;
}

/** What became of one card on its way; times are milliseconds since the answer began, null where a card had no such moment. */
export interface TraceCard {
  card: string;
  type: string | null;
  title: string | null;
  /** Its kind and title were known. */
  draftMs: number | null;
  /** Its block was complete, or it was asked for by the server itself. */
  readMs: number | null;
  readyMs: number | null;
  /** How long its queries took. */
  resolveMs: number | null;
  /** What was trimmed, in words. */
  notes: string[];
  /** Why it was left out: a stable code and the findings behind it. */
  code: string | null;
  issues: string[];
}

/** `GET /api/answers/:id/trace`: the way of one answer. Bounded by LIMITS.trace…, texts without credentials. */
export interface Trace {
  version: 1;
  answerId: string;
  question: string | null;
  planner: { kind: 'builtin' | 'model'; name: string; model: string | null };
  /** When it began, ISO 8601. */
  startedAt: string;
  ended: boolean;
  plan: {
    text: string;
    /** Characters of text in each piece as it arrived, and when; what came past the bound counts in the last one. */
    pieces: { ms: number; chars: number }[];
    /** When the reading ended, and the stable code it ended with, if any. */
    endMs: number | null;
    code: string | null;
  };
  premises: { feature: string | null; measure: string; claimed: string; verdict: string }[];
  /** Ids of the evidence pack, and where each stands. */
  evidence: { id: string; place: string }[];
  /** What the scanner found in the growing text. */
  scan: { ms: number; kind: 'section' | 'draft' | 'block' | 'problem'; index: number | null; what: string }[];
  /** What was left out of the parts before the cards. */
  preamble: { notes: string[]; code: string | null; issues: string[] };
  cards: TraceCard[];
  steps: { step: string; from: number; to: number | null; says: string }[];
  verdicts: Verdict[];
  frames: TraceFrame[];
}

/** `GET /api/answers/:id/file`: an answer with everything needed to play it again without model or record. */
export interface SavedAnswer {
  format: typeof SAVED_FORMAT;
  version: typeof SAVED_VERSION;
  trace: Trace;
  /** Every event in order, with its time since the answer began. */
  frames: { id: number; ms: number; event: StreamEventName; data: unknown }[];
}

export type { Inline };

/** Header of a stream with the id of its answer, so that one whose line breaks before its first event can be taken up. */
export const ANSWER_HEADER = 'looplight-answer';
