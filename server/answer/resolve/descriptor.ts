import { createHash } from 'node:crypto';
import type { Query } from '../../metrics/query.ts';
import type { GroupKey } from '../../metrics/rows.ts';
import type { SourceKind } from '../../record/store.ts';

/** What a figure was computed from: enough to compute it again and to show the rows behind it. */
export type Descriptor =
  /** A query of one measure, at one of its groups (or at all). */
  | { kind: 'query'; query: Query; key: GroupKey }
  /** How many rows of a query have its figure. */
  | { kind: 'known'; query: Query }
  /** A part of a whole: the same measure twice, the part filtered further. */
  | { kind: 'share'; part: Query; whole: Query }
  /** One figure divided by another. */
  | { kind: 'quotient'; over: Descriptor; under: Descriptor }
  /** One entry of a source's list of attempts. */
  | { kind: 'attempt'; feature: string; source: SourceKind; n: number; field: AttemptField }
  /** A property of one commit. */
  | { kind: 'commit'; commit: string; field: CommitField }
  /** One row of the record by itself, with its lines. */
  | { kind: 'row'; table: RowTable; id: string };

export type AttemptField = 'score' | 'duration';
export type RowTable = 'gate_event' | 'attempt' | 'log_event' | 'requirement' | 'proof' | 'told';
export type CommitField = 'files' | 'insertions' | 'deletions';

/** JSON with sorted keys, so that equal things have one text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, entry]) => entry !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/**
 * Id of a descriptor: the same query at the same group has the same id in every resolution.
 * @param project whose record is asked; the same query on two records has two ids
 */
export const queryIdOf = (descriptor: Descriptor, project = ''): string =>
  `q${createHash('sha256')
    .update(`${project}\u0000${canonical(descriptor)}`)
    .digest('hex')
    .slice(0, 20)}`;
