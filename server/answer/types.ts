import type { CardData, Cite, Figure, Paragraph } from '../../shared/cards.ts';
import type { Code } from '../../shared/codes.ts';
import type { About, AnyBlock, Block, Check, Fact, Premise, Sentence } from '../../shared/plan.ts';
import type { RecordProfile } from '../record/store.ts';

/** The shapes that travel between the steps of an answer (design, section 2). */

/** One row or line that a question is about; planners cite it by id. Everything in it is data, never instruction. */
export interface EvidenceItem {
  /** `E1`, `E2`, … in order of relevance. */
  id: string;
  cite: Cite;
  /** Feature it is about; absent for the run as a whole. */
  feature?: string;
  /** The source's own words, trimmed. */
  text: string;
}

/** What the premise check found before planning. */
export interface PremiseFinding {
  feature: string | null;
  measure: string;
  /** The span of the question, and its value in the measure's unit. */
  claimed: { text: string; value: number | null };
  verdict: 'true' | 'false' | 'disputed' | 'unknown';
}

/** An earlier turn of the conversation, as planners need it. */
export interface Turn {
  question: string;
  about: About;
  measures: string[];
  by: string | null;
  titles: string[];
}

export interface PlannerRequest {
  question: string;
  turns: readonly Turn[];
  profile: RecordProfile;
  evidence: readonly EvidenceItem[];
  premises: readonly PremiseFinding[];
  signal: AbortSignal;
  /** Called at most once, where the model server says what the plan took. */
  onTokens?(tokens: Tokens): void;
}

/** Tokens of one plan: read and written. */
export interface Tokens {
  in: number;
  out: number;
}

/** A planner yields the text of one plan as JSON, in pieces of any size. Failures are thrown as PlannerError. */
export type Planner = (request: PlannerRequest) => AsyncIterable<string>;

/** A plan that was not read as a whole, and what is wrong with it, in the validator's words. */
export interface FaultyPlan {
  text: string;
  problems: readonly string[];
}
export interface NamedPlanner {
  kind: 'builtin' | 'model';
  /** What people read: "Built-in planner", or the model's name. */
  name: string;
  model: string | null;
  plan: Planner;
  /** Writes a plan once more that had faults; absent where it would come out the same. */
  repair?(request: PlannerRequest, faulty: FaultyPlan): AsyncIterable<string>;
  /** Plans in its stead when it gives nothing that can be used; absent for one that does not fail. */
  fallback?: NamedPlanner;
}

/** A planner failed in a way with a stable code. `message` is for the log only. */
export class PlannerError extends Error {
  constructor(
    readonly code: Code,
    message: string,
  ) {
    super(message);
    this.name = 'PlannerError';
  }
}

/** What the block scanner finds in a growing text. */
export type ScanEvent =
  /** A complete top-level value other than the blocks: about, facts, premises, … */
  | { kind: 'section'; key: string; value: unknown }
  /** Type and title of a block are known; the rest is still being written. */
  | { kind: 'draft'; index: number; type: string; title: string }
  | { kind: 'block'; index: number; value: unknown }
  | { kind: 'problem'; code: Code; index: number | null };

export type Checked<T> =
  | { ok: true; value: T; notes: string[] }
  | { ok: false; code: Code; issues: string[] };

/** The parts of a plan that stand before its blocks. */
export interface Preamble {
  about: About;
  facts: Fact[];
  premises: Premise[];
  checks: Check[];
}

/** A fact, run. `label` for top and bottom kinds; `text` as the server renders it in prose. */
export interface ResolvedFact {
  name: string;
  figure: Figure;
  label: string | null;
  /** Values the aggregate was taken over (for the strip and for checking prose), bounded. */
  values: number[];
}
/** Outcome of a premise or a check by name. */
export type Outcomes = ReadonlyMap<string, 'true' | 'false' | 'unknown'>;

/**
 * Runs the queries of one answer, each equal query once. Made per answer and per connection.
 * No method throws for bad content: what cannot be resolved becomes a card with a code.
 */
export interface Resolver {
  /** Declares facts, premises and checks; must come before blocks that use them. */
  preamble(preamble: Preamble): Promise<void>;
  facts(): ReadonlyMap<string, ResolvedFact>;
  outcomes(): Outcomes;
  /** Card for one block; `id` becomes the card's id. */
  card(block: AnyBlock, id: string): Promise<CardData>;
  /** Sentences for the chat or a note: picked by outcome, placeholders filled. */
  prose(sentences: readonly Sentence[]): Paragraph[];
  /** Premise cards the plan's own premises call for: false or disputed ones. */
  premiseBlocks(): AnyBlock[];
}

/** One card as the verifier resolved it. */
export interface VerifiedCard {
  /** By position in the plan, as `placing.ts` names it: the same id the streamed card has. */
  id: string;
  card: CardData;
  /** The card before numbers in its prose were put right. */
  resolved: CardData;
  /** What in it no fact or citation bears out, in words; empty when everything is borne out. */
  doubts: string[];
  /** Numbers a planner typed that were replaced by what the record says, in words. */
  corrections: string[];
}

export interface VerifiedAnswer {
  /** Premise cards first, then the plan's, in order of position. */
  cards: VerifiedCard[];
  chat: Paragraph[];
  followUps: string[];
  /** Numbers looked at in cards and prose; sources behind them. */
  figures: number;
  /** Rows of the record the figures were computed from. */
  rows: number;
  sources: number;
  /** The record the check ran on. */
  fingerprint: string;
  passes: number;
  ms: number;
  /** Blocks of the plan the strict reading refused. */
  refused: { id: string; code: Code; reason: string }[];
  /** Why the plan as a whole could not be read strictly, or `record_moved`; null when the check has a verdict. */
  code: Code | null;
}

export type { Block, CardData, RecordProfile };
