import type { Basis } from '../../shared/cards.ts';
import type { SourceKind } from './source-kinds.ts';

export { SOURCE_KINDS, type SourceKind } from './source-kinds.ts';

/** What a parameter or a cell of a query can be. Integers beyond 2^53 do not occur in the record. */
export type SqlValue = string | number | boolean | null;
export type Row = Record<string, SqlValue>;

export interface QueryResult {
  rows: Row[];
  /** More rows existed than the cap let through. */
  truncated: boolean;
  ms: number;
}

/** Raised when a query fails or runs out of time. The message is for the log, never for a page. */
export class QueryError extends Error {
  constructor(
    readonly code: 'query_failed' | 'query_timeout',
    message: string,
  ) {
    super(message);
    this.name = 'QueryError';
  }
}

/**
 * The record behind one interface: read by parameterised SQL, identified by a fingerprint.
 * An implementation must make sure that SQL can reach neither files nor the network.
 */
export interface Store {
  /** Runs one statement with `$1…` parameters, at most `rows` rows (default LIMITS.queryRows) in at most `ms`. Throws QueryError. */
  query(
    sql: string,
    params?: readonly SqlValue[],
    limits?: { rows?: number; ms?: number },
  ): Promise<QueryResult>;
  /** A second, independent connection to the same record (the verifier has its own). Close it after use. */
  connect(): Promise<Store>;
  /** Hex digest over the content of all loaded sources and findings; changes when the record changes. */
  fingerprint(): Promise<string>;
  close(): Promise<void>;
}

/** A loaded source as people know it. */
export interface SourceInfo {
  id: string;
  kind: SourceKind;
  label: string;
  basis: Basis;
}

/** Lines around one line of a loaded source, read from the file as it is now. */
export interface RawLines {
  source: string;
  sourceId: string;
  lines: { line: number; text: string; cited: boolean }[];
}

/** One source in the table of what was found. */
export interface SourceSummary {
  id: string;
  kind: SourceKind;
  label: string;
  path: string;
  /** The format's name for people ("GuardianKane activity log"). */
  format: string;
  bytes: number | null;
  /** Entries or lines that were understood, and those that were not; null when it could not be read. */
  ok: number | null;
  bad: number | null;
  /** The first problems (not mere notes), and how many there are. */
  problems: { line: number | null; detail: string }[];
  problemCount: number;
}

/** What reading a folder came to. */
export interface ReadSummary {
  project: { id: string; name: string };
  /** Null when there is no folder. */
  root: string | null;
  sources: SourceSummary[];
  /** Rows the record holds, by table, without empty tables. */
  rows: Record<string, number>;
  findings: number;
  /** What was seen and left out, in words ("300 more files were not looked at"). */
  left: string[];
}

/** How far reading is, for a progress bar. */
export interface ReadProgress {
  /** Bytes read and to be read in all (those that are known). */
  bytes: number;
  totalBytes: number;
  /** The source being read. */
  path: string;
}

/** A record: the store, and what can be asked of its sources beyond SQL. */
export interface RecordHandle {
  store: Store;
  /** Names in the record that questions and plans may use. Re-read after each ingest. */
  profile(): Promise<RecordProfile>;
  /**
   * Raw lines by source id and line; only loaded sources, never a path from outside.
   * Returns null when the source is not loaded or the line does not exist.
   */
  rawLines(sourceId: string, line: number, around?: number): Promise<RawLines | null>;
  /** Reads what changed in the folder and says whether the record is another one than before. */
  reload(): Promise<boolean>;
  /** What was found in the folder, as it was read last. */
  summary(): Promise<ReadSummary>;
  /** Calls back after each reading that changed the record; the result ends that. */
  onChange(listener: () => void): () => void;
  /** Looks at the folder about once a second from now on and reads what changed, until the record is closed. */
  watch(): void;
  close(): Promise<void>;
}

export const COUNTED_ROWS = [
  'attempts',
  'commits',
  'gate_events',
  'requirements',
  'test_results',
  'log_events',
  'evaluations',
  'sessions',
  'llm_requests',
  'tool_calls',
] as const;
export type CountedRows = (typeof COUNTED_ROWS)[number];

/** Of a record without rows. */
export const NO_COUNTS: Readonly<Record<CountedRows, number>> = {
  attempts: 0,
  commits: 0,
  gate_events: 0,
  requirements: 0,
  test_results: 0,
  log_events: 0,
  evaluations: 0,
  sessions: 0,
  llm_requests: 0,
  tool_calls: 0,
};

/** What the record holds, bounded: for prompts, schemas, entity matching and the starting view. */
export interface RecordProfile {
  project: string;
  /** What else people call the project. */
  called?: readonly string[];
  run: {
    id: string;
    name: string;
    startedAtMs: number | null;
    endedAtMs: number | null;
    zone: string;
    harness: string | null;
  } | null;
  /** Rows of the current run (and of no run), by what they are: what can be asked about at all. */
  counts: Readonly<Record<CountedRows, number>>;
  features: {
    id: string;
    title: string;
    description: string;
    category: string;
    status: string;
    /** The most attempts a source tells, where sources disagree about them. */
    disputedAttempts?: number;
  }[];
  categories: string[];
  statuses: string[];
  /** Gates that ran, and kinds of entries the logs have, the most frequent first; bounded. */
  gates?: string[];
  entryKinds?: string[];
  /** Facts that some source tells about features of the current run, or about the run itself. */
  facts?: string[];
  /** How many have a clock time and so a place on a time axis. */
  timed?: Readonly<Record<'builds' | 'attempts' | 'gates' | 'entries', number>>;
  sources: {
    id: string;
    kind: SourceKind;
    label: string;
    basis: Basis;
    /** How many facts of the current run it tells, and which. */
    facts: number;
    tells?: string[];
    disputed: boolean;
    issues: number;
  }[];
  findings: number;
  issues: number;
  fingerprint: string;
}
