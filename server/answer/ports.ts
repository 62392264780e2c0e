import type { CardData, Paragraph } from '../../shared/cards.ts';
import type { Code } from '../../shared/codes.ts';
import type { Block, Sentence } from '../../shared/plan.ts';
import type { CardChange, ProjectRef, Report, Since } from '../../shared/wire.ts';
import type { RecordProfile, Store } from '../record/store.ts';
import type { Scanner } from './scanner.ts';
import type {
  Checked,
  EvidenceItem,
  NamedPlanner,
  Preamble,
  PremiseFinding,
  Resolver,
  Tokens,
  Turn,
  VerifiedAnswer,
} from './types.ts';

/** What the way of an answer is built from. Everything that reads, waits or decides comes in here, so each step can be tested alone. */

/** One A2UI message. */
export type Envelope = Record<string, unknown>;

/** The surface of one answer: turns cards into A2UI messages that have passed the check before sending. */
export interface Surface {
  /** Messages that create the surface with its empty root. */
  open(): Envelope[];
  /** A place held for a card whose kind and title are known. */
  draft(id: string, type: string, title: string): Envelope[];
  /** A card, new or in the place of a draft or of its earlier version. */
  card(card: CardData): Envelope[];
  /** No card will be added: places without a card go, and so does the one held for the next. */
  end(): Envelope[];
  /** The final state: exactly these cards, in this order. What did not change sends nothing. */
  final(cards: readonly CardData[]): Envelope[];
  /** Everything that is on the surface, for a page that has an earlier state of it. */
  all(): Envelope[];
}

/** Reads the parts of a plan that the scanner found: `unknown` in, typed out. Never throws. */
export interface PlanReader {
  preamble(sections: ReadonlyMap<string, unknown>): Checked<Preamble>;
  block(value: unknown, preamble: Preamble): Checked<Block>;
  explanation(value: unknown): Sentence[];
  followUps(value: unknown): string[];
}

export interface ResolverOptions {
  store: Store;
  profile: RecordProfile;
  evidence: readonly EvidenceItem[];
  signal: AbortSignal;
  question: string | null;
  stage: 'stream' | 'final';
}

export interface StepLog {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
}

export interface AnswerPorts {
  /** Looks whether a source changed and reads it again if so. */
  refresh(): Promise<void>;
  profile(): Promise<RecordProfile>;
  store(): Store;
  checkPremises(question: string, profile: RecordProfile, store: Store): Promise<PremiseFinding[]>;
  /** @param about features the conversation is about, for a question that names none */
  collectEvidence(
    question: string,
    profile: RecordProfile,
    store: Store,
    about: readonly string[],
  ): Promise<EvidenceItem[]>;
  scanner(): Scanner;
  reader(profile: RecordProfile, question: string | null, evidence: readonly EvidenceItem[]): PlanReader;
  resolver(options: ResolverOptions): Resolver;
  /** @param order of cards while it grows; by their place when left out */
  surface(id: string, order?: (a: string, b: string) => number): Surface;
  verify(input: VerifyInput): Promise<VerifiedAnswer>;
  /** Calls back after each reading of the record that changed it; the result ends that. */
  onChange(listener: () => void): () => void;
  /** Questions this record can answer. */
  suggestions(profile: RecordProfile): string[];
  log: StepLog;
}

/** All that the verifier is told. The record it opens by itself. */
export interface VerifyInput {
  text: string;
  question: string | null;
  /** Features the conversation was about, so that `[E3]` means what it meant to the planner. */
  about: readonly string[];
  signal: AbortSignal;
}

export interface AnswerRequest {
  /** What kept answers remember the record by; '' where that is not known. */
  folder?: string;
  /** Projects the answer is about. */
  projects: readonly ProjectRef[];
  /** Null for the starting view. */
  question: string | null;
  /** Heading of a view without a question, made of what the record counts. */
  title: ((profile: RecordProfile, store: Store) => Promise<string>) | null;
  planner: NamedPlanner;
  turns: readonly Turn[];
  /** Called once with the turn to remember when the answer has a plan. */
  remember(turn: Turn): void;
  /** The kept plan an answer is opened again with. */
  stored: StoredPlan | null;
  /** Looks for a kept plan that can be used instead of the planner; null when there cannot be one. */
  recall: ((profile: RecordProfile) => Promise<StoredPlan | null>) | null;
  /** Called once at the end of a question's answer, whatever the end. */
  keep(outcome: Outcome, from: StoredPlan | null): void;
}

/** A plan that was kept, to be used again in place of a planner. Times are milliseconds. */
export interface StoredPlan {
  /** Features it is about: the subject of a conversation that is gone. */
  about: readonly string[];
  /** Writes the plan as it was written. */
  planner: NamedPlanner;
  /** When the plan was made, since the epoch, and how long ago that is. */
  askedAt: number;
  ageMs: number;
  /** The program that had it made, and whether that is another one, which may plan otherwise. */
  program: string;
  older: boolean;
  /** Whether the record it was made about is not the one that is loaded. */
  gone(profile: RecordProfile): boolean;
  /** What the cards of today say otherwise than those of then. */
  since(cards: readonly CardData[], fingerprint: string): Since;
}

/** How an answer went. */
export interface Outcome {
  /** The plan's text as far as it was read. */
  plan: string;
  /** Who wrote it, where that is not who was asked. */
  by: NamedPlanner | null;
  code: Code | null;
  /** The final cards. */
  cards: CardData[];
  report: Report | null;
  /** Whole fingerprint of the record it was checked against, else of the one it was read from; '' when there was none. */
  fingerprint: string;
  ms: number;
  firstCardMs: number | null;
  /** Tokens of the plan as the model server counts them; null when it did not say, or no model was asked. */
  tokens: Tokens | null;
  /** Ids of cards that were left out while it was made, and of those that were trimmed. */
  dropped: readonly string[];
  trimmed: readonly string[];
}

/** An answer that has ended, as far as it can follow the record: what the change feed works with. */
export interface Settled {
  /** Shows the cards; goes on where the answer ended. */
  surface: Surface;
  shown: Shown;
  /** The plan it was made with, for pinning; '' when it has none of its own (a view of the server, a board). */
  plan: string;
  question: string | null;
  /** What kept answers remember its record by; '' where that is not known. */
  folder: string;
  /** Who wrote the plan, and when (epoch milliseconds). */
  planner: Pick<NamedPlanner, 'kind' | 'name' | 'model'>;
  plannedAt: number;
  /**
   * Changes one card of the plan by hand, or with null puts it back as it was planned. Whoever follows the answer is told, and
   * `again` makes it so from then on. Gives a code where the plan has no such card, or the card nothing of that kind.
   */
  change(index: number, change: CardChange | null): Promise<Code | null>;
  /** Makes the same on the record as it is now, with the same plan, and sends nothing. Rejects only for a defect. */
  again(signal: AbortSignal): Promise<Remade>;
  /** Calls back when the record behind it changed. */
  onChange(listener: () => void): () => void;
}

/** What stands on a page. */
export interface Shown {
  title: string | null;
  cards: readonly CardData[];
  chat: readonly Paragraph[];
  report: Report | null;
}

/** A new making of a settled answer; not ok when the record could not be read, or moved while it was checked. */
export type Remade = { ok: true; shown: Shown } | { ok: false; code: Code };

/** How the reading of a planner's text ended. */
export interface PlanText {
  text: string;
  /** Null when the plan is complete. */
  code: Code | null;
}
