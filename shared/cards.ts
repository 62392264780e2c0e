/**
 * Card data: the resolved content of one card, written by the server, read by the card readers in the browser.
 * Every value is computed from the record. Missing is `null` with a reason, never 0.
 */

/** Where a number comes from, strongest first (design 4.3). */
export const BASES = ['measured', 'derived', 'claimed', 'estimated', 'unknown'] as const;
export type Basis = (typeof BASES)[number];

/** Units of figures. `gates` runs of a gate, `entries` entries of a log, `s` seconds, `points` a score out of ten, `usd` US dollars, `ratio` a share 0..1, `times` a quotient. */
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
  /** For a donut: how many groups "other" gathers; 0 if none. */
  other: number;
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
  attribution: 'agent' | 'verifier' | 'infra' | 'provider' | 'spec' | 'unknown';
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
