import type { TableName } from '../schema.ts';
import type { SourceKind, SqlValue } from '../store.ts';
import type { Issue } from './issue.ts';

/** Rows of every table that ingest itself fills, in column order. Findings come from the audit, meta from the store. */
export type Rows = Record<Exclude<TableName, 'meta' | 'findings' | 'finding_rows'>, SqlValue[][]>;

export const emptyRows = (): Rows => ({
  projects: [],
  sources: [],
  ingest_issues: [],
  runs: [],
  features: [],
  observations: [],
  attempts: [],
  commits: [],
  log_events: [],
});

/** A source of the folder as it was read: which file, and what its bytes were. `sha` is null when they could not be read. */
export interface SourceFile {
  id: string;
  kind: SourceKind;
  label: string;
  /** Path inside the folder. */
  path: string;
  sha: string | null;
  bytes: number | null;
  /** What went wrong before its format mattered. */
  issues: Issue[];
}
