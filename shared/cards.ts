import type { Attribution, RequirementState, Verdict } from './outcomes.ts';

/**
 * Card data: the resolved content of one card, written by the server, read by the card readers in the browser.
 * Every value is computed from the record. Missing is `null` with a reason, never 0.
 */

/** Where a number comes from, strongest first (design 4.3). */
export const BASES = ['measured', 'derived', 'claimed', 'estimated', 'unknown'] as const;
export type Basis = (typeof BASES)[number];

/** Units of figures. `gates` runs of a gate, `requests` requests to a model, `calls` calls of tools, `entries` entries of a log, `s` seconds, `points` a score out of ten, `usd` US dollars, `ratio` a share 0..1, `times` a quotient. */
export const UNITS = [
  's',
  'points',
  'attempts',
  'features',
  'lines',
  'files',
  'commits',
  'tokens',
  'usd',
  'ratio',
  'times',
  'findings',
  'requirements',
  'gates',
  'entries',
  'tests',
  'answers',
  'cards',
  'sessions',
  'requests',
  'calls',
  'none',
] as const;
export type Unit = (typeof UNITS)[number];

/** A place in a source. `uri` is the name people know (`claude-progress.txt`), `line` counts from 1, null where a source has no lines. */
export interface Cite {
  /** Id to open the raw lines with (`/api/raw/<source>/<line>`). */
  source: string;
  label: string;
  line: number | null;
  basis: Basis;
}

/** One number on a page. */
export interface Figure {
  value: number | null;
  unit: Unit;
  basis: Basis;
  /** Query id that the browser can open, or null when there is nothing behind it. */
  evidence: string | null;
  /** Sources disagree about it. */
  disputed: boolean;
  /** How many rows it was computed from; null where counting makes no sense. */
  n: number | null;
  /** Why there is no value, in words; null when there is one. */
  missing: string | null;
  /** Why the true value is at least this one, in words ("13 of 76 requests unpriced"); left out where it is the value itself. */
  atLeast?: string;
}

/** How sure the page is of a card (design README, section 3). */
export interface Mark {
  state:
    | 'verified'
    | 'corrected'
    | 'disputed'
    | 'claimed'
    | 'incomplete'
    | 'unverified'
    | 'checking'
    | 'none';
  /** For `incomplete`: rows that have the figure, and all rows. */
  have: number | null;
  of: number | null;
  /** Why, in words, for the drawer and for screen readers. */
  why: string | null;
}

export type Inline =
  | { kind: 'text'; text: string; bold?: boolean; italic?: boolean; code?: boolean }
  | { kind: 'figure'; figure: Figure }
  /** A label a fact resolved to ("Loading skeletons"). */
  | { kind: 'label'; text: string; evidence: string | null }
  | { kind: 'cite'; id: string }
  | { kind: 'feature'; id: string; title: string }
  | { kind: 'quote'; id: string; text: string }
  /** A number a model typed itself: never trusted, shown marked until the check has decided. */
  | { kind: 'typed'; text: string; state: 'unchecked' | 'supported' | 'unverified' };
export type Paragraph = { kind: 'p' | 'li' | 'pre'; inlines: Inline[] };

/** A button; pressing it sends the action `refine` with this label and request. */
export interface Button {
  label: string;
  request: string;
}

/** One of the choices of a control. */
export interface ControlOption {
  value: string;
  label: string;
}
/** Something about a card's query that can be changed on the card. */
export interface Control {
  id: string;
  label: string;
  /** The choice in force. */
  value: string;
  options: ControlOption[];
}

export interface CardBase {
  /** Equal to the A2UI component id; fixed by position at first emission. */
  id: string;
  title: string;
  sub: string | null;
  mark: Mark;
  actions: Button[];
  /** Query ids behind this card, in reading order. */
  evidence: string[];
  /** What was trimmed, in words ("6 of 14 shown"), or null. */
  trimmed: string | null;
  /** What can be changed on it; absent where nothing can. */
  controls?: Control[];
  /** What was changed on it by hand, in words ("By: Category, was Feature"); absent where nothing was. */
  changed?: string;
  /** How much of the card is measured, claimed, missing (0..1 each, summing to 1): the rule on top. */
  rule: { measured: number; claimed: number; missing: number };
}

export interface StatFigure {
  label: string;
  figure: Figure;
  /** "3.2 times the median": quotient and what it is set against, or null. */
  compare: { figure: Figure; label: string } | null;
  caption: Inline[];
  /** The values one aggregate was taken over, to draw where this one lies; null when it is a single value. */
  strip: {
    values: number[];
    at: number;
    subject: { value: number; label: string } | null;
    unit: Unit;
  } | null;
}
export interface StatCard extends CardBase {
  type: 'stat';
  figures: StatFigure[];
}

export interface ChartPoint {
  /** Group key, and what people read. */
  key: string;
  label: string;
  /** Short id before the label ("28"), or null. */
  ref: string | null;
  /** One figure for each series. */
  figures: Figure[];
  /** The thing the question is about: drawn in `--measured`, the rest in `--datum`. */
  subject: boolean;
}
export interface ChartSeries {
  id: string;
  label: string;
  unit: Unit;
}
export interface ChartCard extends CardBase {
  type: 'chart';
  draw: 'line' | 'bar' | 'donut';
  /** Axis titles without units; the renderer adds the unit. */
  x: { label: string; kind: 'category' | 'number' | 'time' };
  y: { label: string; unit: Unit };
  series: ChartSeries[];
  points: ChartPoint[];
  /** A median or threshold line across the chart, labelled at the line. */
  reference: { label: string; value: number; unit: Unit } | null;
  /** For a donut: how many groups "other" gathers, 0 if none, and the largest of them. */
  other: number;
  rest: ChartPoint[];
}

export type Cell =
  | { kind: 'text'; text: string }
  | { kind: 'feature'; id: string; title: string }
  | { kind: 'figure'; figure: Figure }
  | { kind: 'cite'; cite: Cite }
  | { kind: 'time'; ms: number; zone: string }
  /** Claimed beside counted, or `agree`. */
  | { kind: 'change'; claimed: Figure; counted: Figure }
  | { kind: 'agree' }
  | { kind: 'none'; why: string };
export interface TableColumn {
  id: string;
  label: string;
  align: 'start' | 'end';
}
export interface TableCard extends CardBase {
  type: 'table';
  columns: TableColumn[];
  rows: Cell[][];
  total: number;
}

/** The same card form serves `conflict`: what the claim says on the left of each arrow, what is counted on the right. */
export interface ConflictCard extends CardBase {
  type: 'conflict';
  columns: TableColumn[];
  rows: Cell[][];
  total: number;
}

export interface Attempt {
  n: number;
  score: Figure;
  duration: Figure;
  /** From the score and the threshold, or the harness's own word; null when neither is known. */
  passed: boolean | null;
  /** Whose fault a failure was, with positive evidence; else unknown. */
  attribution: Attribution;
  feedback: string | null;
  cite: Cite;
  /** Sentences of audit findings about this attempt. */
  findings: string[];
}
/** What one source tells about a feature. */
export interface Telling {
  source: string;
  basis: Basis;
  counted: boolean;
  cite: Cite;
  attempts: Attempt[];
  /** Attempts the source counts, and its total time: both may be told without the attempts themselves. */
  count: Figure;
  total: Figure;
  score: Figure;
}
export interface AttemptsCard extends CardBase {
  type: 'attempts';
  feature: { id: string; title: string; category: string; status: string };
  scoreMax: number;
  /** Score from which the harness accepts, with where that is known from; null when not known. */
  threshold: { value: number; why: string; basis: Basis } | null;
  tellings: Telling[];
}

/** One piece of evidence for or against a requirement. */
export interface Proof {
  polarity: 'supports' | 'refutes' | 'void';
  /** test, gate, evaluation or human. */
  kind: string;
  /** How it is tied to the requirement: named, tagged, by its name, inferred. */
  link: string;
  says: string | null;
  atMs: number | null;
  cite: Cite;
  /** Query id that opens its lines. */
  open: string | null;
}
export interface LedgerRow {
  /** External id ("ac-3"). */
  id: string;
  text: string;
  kind: string;
  state: RequirementState;
  /** The ledger's own word; null when it has none. */
  claimed: boolean | null;
  cite: Cite;
  open: string | null;
  /** Latest first; `proofs` is how many there are. */
  proof: Proof[];
  proofs: number;
}
export interface LedgerGroup {
  /** Short id before the title ("T1", "UC-2"), or null. */
  ref: string | null;
  title: string;
  /** Requirements by state, in the order of states; and all of the group. */
  counts: { state: RequirementState; count: number }[];
  total: number;
  rows: LedgerRow[];
}
/** Requirements by how far they are proven. */
export interface LedgerCard extends CardBase {
  type: 'ledger';
  zone: string;
  /** One for each state that occurs, strongest first. */
  states: { state: RequirementState; figure: Figure }[];
  total: Figure;
  /** "designed 100 %", "proven 53 %"; computed, then as sources show it themselves. */
  shares: { label: string; figure: Figure }[];
  groups: LedgerGroup[];
}

export interface LogEntry {
  id: string;
  atMs: number | null;
  /** As its format classifies it, in words. */
  kind: string;
  level: 'info' | 'warning' | 'error' | null;
  feature: { id: string; title: string } | null;
  /** As written, line breaks kept. */
  text: string;
  cut: boolean;
  /** Last line of an entry that goes over several. */
  lastLine: number | null;
  cite: Cite;
  open: string | null;
  /** What a gate came to at this line. */
  outcome: { verdict: Verdict; attribution: Attribution; why: string | null } | null;
  /** It starts a check that no outcome follows. */
  openStart: boolean;
  /** The entry the others stand around. */
  anchor: boolean;
}
/** Entries of the logs as they were written. */
export interface LogCard extends CardBase {
  type: 'log';
  zone: string;
  entries: LogEntry[];
  /** Entries in scope, those before the first that is shown, and those in scope by kind. */
  total: number;
  before: number;
  kinds: { kind: string; count: number }[];
}

/** One thing on the time axis: a span, or a moment where only one end is known. */
export interface TimelineMark {
  id: string;
  /** "scripted test", "attempt 2", "build". */
  what: string;
  startMs: number | null;
  endMs: number | null;
  /** It started and no outcome followed. */
  open: boolean;
  verdict: Verdict | null;
  attribution: Attribution;
  /** The evidence for the attribution, in words. */
  why: string | null;
  level: 'info' | 'warning' | 'error' | null;
  /** Reason, feedback or message. */
  text: string | null;
  attempt: { n: number; of: number | null } | null;
  /** Missing where an end is not known. */
  duration: Figure;
  /** Query id that opens its lines. */
  evidence: string | null;
  disputed: boolean;
  cite: Cite;
}
export interface TimelineLane {
  /** External id of the feature; null for what belongs to none. */
  id: string | null;
  title: string;
  status: string | null;
  marks: TimelineMark[];
}
/** What happened, one lane a feature. */
export interface TimelineCard extends CardBase {
  type: 'timeline';
  of: 'builds' | 'attempts' | 'gates' | 'entries';
  zone: string;
  /** Some times of these sources were written without a zone. */
  zoneUnsure: boolean;
  lanes: TimelineLane[];
  /** Everything in scope, and what of it has no time and so no place on the axis. */
  total: number;
  untimed: number;
}

export interface PremiseRow {
  source: string;
  cite: Cite;
  basis: Basis;
  counted: boolean;
  /** One cell a column; several figures are one source's several values ("4, 6, 9"). */
  cells: { figures: Figure[]; join: 'then' | 'plus'; missing: string | null }[];
}
export interface PremiseCard extends CardBase {
  type: 'premise';
  columns: { label: string; unit: Unit }[];
  rows: PremiseRow[];
  counted: Inline[];
}

export interface NoteCard extends CardBase {
  type: 'note';
  body: Paragraph[];
  cites: { id: string; cite: Cite }[];
  /** Stable code when this note stands for a failure or a card left out. */
  code: string | null;
  /** Questions that can be asked instead. */
  suggestions: string[];
}

/** No such data was read, or it was measured as none: it says which, and what to do. */
export interface EmptyCard extends CardBase {
  type: 'empty';
  why: 'not_ingested' | 'none';
  says: string;
  next: string;
}

export interface SkeletonCard extends CardBase {
  type: 'skeleton';
  /** The component that will stand here. */
  becomes: string;
}

export type CardData =
  | StatCard
  | ChartCard
  | TableCard
  | ConflictCard
  | AttemptsCard
  | LedgerCard
  | LogCard
  | TimelineCard
  | PremiseCard
  | NoteCard
  | EmptyCard
  | SkeletonCard;
export type CardType = CardData['type'];

/** Content of `/layout`: the column span of each card, and a slot held open for a card not yet known. */
export interface Layout {
  spans: Record<string, 5 | 6 | 7 | 12>;
  /** Span of the dashed slot after the last card, 0 for none. */
  slot: 0 | 5 | 7 | 12;
}
