import type { SourceKind } from '../source-kinds.ts';
import type { FactTable, RowOf } from '../tables.ts';
import type { IssueCode, Severity } from './issue.ts';

/** Files one adapter looks for. */
export interface SourcePattern {
  kind: SourceKind;
  /** Paths inside the folder, as globs (picomatch), `/` between folders: `public/metrics.json`, `.ralph/*.jsonl`. */
  paths: readonly string[];
  /** At most one file of this kind is read: the first that matches, in the order of `paths`. Its source id is then the kind. */
  single?: boolean;
  /**
   * `git`: the path is a repository (`.git`) or its exported log; lines are one JSON object a commit (git/read-git.ts).
   * `ledger`: paths name ledgers whose history the folder's repository holds; lines are one JSON object a change of an entry.
   */
  from?: 'git' | 'ledger';
  /** Looks at the first LIMITS.sniffBytes of a file whose name alone does not tell what it is. */
  sniff?(head: string): boolean;
}

/** One line of a source. */
export interface SourceLine {
  /** Counts from 1. */
  no: number;
  /** Without its line break; empty when the line was too long to read (which is reported). */
  text: string;
  /** Byte at which the line begins. */
  offset: number;
  /** False only for a last line that no line break ends: it may still be being written. */
  ended: boolean;
}

/** One source as an adapter sees it. Nothing here throws for what a file holds: trouble is reported as an issue. */
export interface SourceInput {
  /** Stable within a project and safe in an address; the start of row ids. */
  id: string;
  kind: SourceKind;
  /** What people call it. */
  label: string;
  /** Path inside the folder. */
  path: string;
  /** The whole file as text, at most LIMITS.fileBytes; null when it cannot be read (reported already). */
  text(): Promise<string | null>;
  /** The whole file as bytes, for archives; null as above. */
  bytes(): Promise<Uint8Array | null>;
  /** Lines one by one in bounded memory, from where the last reading stopped in an appendable unit, else from the start. */
  lines(): AsyncIterable<SourceLine>;
  /** Says what is wrong; `line` null is the whole file. */
  issue(code: IssueCode, severity: Severity, line: number | null, detail: string): void;
  /** Counts lines (logs) or entries (documents) that were understood, and those that were not. */
  count(ok: number, bad: number): void;
}

/** What is read together. */
export interface UnitInput {
  project: { id: string; name: string };
  sources: readonly SourceInput[];
  /** The sources of one kind, in the order of their paths. */
  of(kind: SourceKind): readonly SourceInput[];
  /** What `resumeAt` left at the last reading; null when reading from the start. */
  carried: string | null;
}

/** Takes the rows of a unit as they are read; they are written in batches, so an adapter need not keep them. */
export interface RowSink {
  add<T extends FactTable>(table: T, row: RowOf<T>): void;
  /** To be awaited now and then by adapters of long files: writes what has gathered. */
  flush(): Promise<void>;
  /**
   * In an appendable unit: where the next reading starts when the file has only grown. Rows from this line on are then removed
   * and read again, so an entry that is still growing is simply named as the place to start. `carry`: what must be known
   * of the lines before, at most LIMITS.carryBytes, parsed by the adapter itself next time.
   */
  resumeAt(line: Pick<SourceLine, 'no' | 'offset'>, carry: string): void;
  /** A better name for the project than its folder's. */
  projectName(name: string): void;
}

/**
 * Reads one format. Pure but for the rows it hands over: the same files give the same rows with the same ids.
 * An adapter is one file (or folder) with one such object and its tests; index.ts lists them all.
 */
export interface Adapter {
  /** `guardiankane/activity-log`: also the unit's name and the parser noted with each source. */
  id: string;
  /** Raise when the same file is read differently than before. */
  version: number;
  /** What people call it, for the table of what was found. */
  label: string;
  sources: readonly SourcePattern[];
  /** Used only where a file of one of these kinds is found; else the other files are left to other adapters. */
  needs?: readonly SourceKind[];
  /** `together`: all files in one unit; `each`: one unit a file; or a function from path to the unit's name. */
  unit: 'together' | 'each' | ((path: string) => string);
  /** A log of one file that grows at its end: reading goes on at `resumeAt`. Needs unit `each`. */
  appendable?: boolean;
  read(unit: UnitInput, out: RowSink): Promise<void>;
  /**
   * SELECTs over base tables that give further words on facts, for what follows from many rows of a log: columns
   * observation_id, run_id, feature_id, fact, value, text_value, basis, how, source_id, source_kind, source_line.
   */
  derives?: readonly string[];
  /**
   * UPDATEs of rows of its own sources, for what another source says of them (whose fault a failure was). They run after every
   * reading, before anything is derived, and give the same however often they run.
   */
  settles?: readonly string[];
}
