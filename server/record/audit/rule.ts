import type { Severity } from '../ingest/issue.ts';
import type { Row, SqlValue } from '../store.ts';

/** What a finding rests on: a line of a source, and the id of the observation or attempt there, if it is one. */
export interface FindingRow {
  sourceId: string;
  line: number | null;
  ref: string | null;
}

export interface Finding {
  /** Made of the rule and what it is about, so that the same record gives the same ids. */
  id: string;
  runId: string | null;
  /** Internal id of the feature, null when the finding is about the run. */
  featureId: string | null;
  severity: Severity;
  fact: string | null;
  /** One sentence for people. */
  says: string;
  rows: FindingRow[];
}

export type AuditQuery = (sql: string, params?: readonly SqlValue[]) => Promise<Row[]>;

/** A rule over the record. It reads tables and views, and writes nothing. */
export interface Rule {
  id: string;
  /** What the rule looks for, in a sentence. */
  sentence: string;
  find(query: AuditQuery): Promise<Finding[]>;
}
