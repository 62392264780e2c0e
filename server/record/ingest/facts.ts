import type { Basis } from '../../../shared/cards.ts';
import type { ToldCommit } from './agentforge/git-log.ts';
import type { Issue } from './issue.ts';

/**
 * What an adapter reads out of one source, before anything is known about other sources. Adapters are pure: text in, this out.
 * Runs, ids and rows are made from all readings together (agentforge/assemble.ts).
 */
export const FACTS = [
  'attempts',
  'score',
  'build_time',
  'lines_added',
  'lines_removed',
  'files_changed',
  'tokens',
  'tokens_coder',
  'tokens_evaluator',
  'status',
  'started_at',
  'completed_at',
  'cost_usd',
  'elapsed',
  /** Runs of a gate that failed, and how many of them the verifier itself caused. */
  'gate_failures',
  /** Failed attempts a harness counts against its cap, as its counter stands. */
  'strikes',
  /** Share of requirements with a test, and share with a passing one, in percent as the source shows it; and the counts behind them. */
  'designed_percent',
  'proven_percent',
  'requirements_designed',
  'requirements_proven',
  'requirements_total',
  /** How often a loop turned, and how often without progress. */
  'iterations',
  'iterations_without_progress',
  /** agent-loop: how large a task was judged to be (S, M, L), how it was worked on (A, B), and the day in the name of its folder. */
  'tier',
  'mode',
  'run_date',
] as const;
export type FactName = (typeof FACTS)[number];

/** How a feature ended, in the words of the record. */
export type Status = 'accepted' | 'skipped' | 'pending' | 'in_progress' | 'blocked' | 'failed';

/** One fact as one source tells it. Numbers: seconds, points, counts, US dollars, epoch ms; `text` for a status. */
export interface ToldFact {
  fact: FactName;
  value: number | null;
  text: string | null;
  basis: Basis;
  line: number | null;
  /** How it was read: "as written", "as listed", "120 + 140 + 159". */
  how: string;
}

/** One attempt as listed by a source; what it does not list is null. */
export interface ToldAttempt {
  n: number;
  score: number | null;
  durationS: number | null;
  feedback: string | null;
  tokensCoder: number | null;
  tokensEvaluator: number | null;
  /** The harness's own word, or from score and threshold; null when neither is known. */
  passed: boolean | null;
  basis: Basis;
  line: number | null;
}

/** What one source tells at one place about one feature, or about the run as a whole (`feature` null). */
export interface Entry {
  feature: string | null;
  /** When it happened, to find the run it belongs to; null when not told. */
  atMs: number | null;
  line: number | null;
  description: string | null;
  category: string | null;
  facts: ToldFact[];
  attempts: ToldAttempt[];
  /** What must hold for the feature to be done, as the plan puts it. */
  verify?: { text: string; line: number } | null;
}

export interface ToldEvent {
  atMs: number | null;
  zone: string | null;
  /** `other_fields`: members of a document that no table has a place for, kept as they stand. */
  kind: 'accepted' | 'planning_pass' | 'planning_note' | 'other_fields';
  feature: string | null;
  message: string;
  /** Further fields as JSON text. */
  data?: string;
  line: number;
  lastLine: number;
}

/** A place that starts a run: a commit that resets everything, or the title of a log. */
export interface RunMarker {
  kind: 'commit' | 'title';
  atMs: number | null;
  zone: string | null;
  name: string | null;
  line: number | null;
}

/** How many features a planning pass counts as skipped, out of how many. */
export interface PassCount {
  atMs: number | null;
  skipped: number;
  of: number;
  line: number;
}

export interface Reading {
  /** Name of the project, if the source gives one. */
  project: string | null;
  markers: RunMarker[];
  entries: Entry[];
  commits: ToldCommit[];
  events: ToldEvent[];
  passes: PassCount[];
  zone: string | null;
  /** Entries (JSON) or lines that were read, and those that could not be. */
  ok: number;
  bad: number;
  issues: Issue[];
}

/** A reading with nothing in it, to start from. */
export const emptyReading = (): Reading => ({
  project: null,
  markers: [],
  entries: [],
  commits: [],
  events: [],
  passes: [],
  zone: null,
  ok: 0,
  bad: 0,
  issues: [],
});

/** A number as one source tells it. */
export const told = (
  fact: FactName,
  value: number,
  basis: Basis,
  line: number | null,
  how = 'as written',
): ToldFact => ({ fact, value, text: null, basis, line, how });

/** A state as one source tells it. */
export const toldStatus = (
  status: Status,
  basis: Basis,
  line: number | null,
  how = 'as written',
): ToldFact => ({
  fact: 'status',
  value: null,
  text: status,
  basis,
  line,
  how,
});
