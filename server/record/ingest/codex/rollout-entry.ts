import { createHash } from 'node:crypto';
import type { FactTable, RowOf } from '../../tables.ts';
import type { SourceInput } from '../adapter.ts';
import type { JsonObject } from '../json-fields.ts';
import { textIn } from '../json-quiet.ts';
import { visibleText } from '../visible.ts';
import type { RolloutState } from './rollout-state.ts';
import { shortText } from './tools.ts';

/** One line of a rollout while it is read. */
export interface Entry {
  source: SourceInput;
  no: number;
  ms: number | null;
  zone: string | null;
  /** What the line carries. */
  payload: JsonObject;
  /** The session the line belongs to, whether or not the file names it. */
  session: string;
  state: RolloutState;
  add<T extends FactTable>(table: T, row: RowOf<T>): void;
}

/** What is known after an entry: what changed of it. */
export type Change = Partial<RolloutState>;
export type Handler = (entry: Entry) => Change;

export const UNCHANGED: Change = {};

/** Longest id that is taken for one. */
const ID = 200;

/** An id as it is written; one too long for any is none. */
export function idIn(node: JsonObject | null, key: string): string | null {
  const id = textIn(node, key);
  return id === null || id === '' || id.length > ID ? null : visibleText(id);
}

/** Where a row stands. */
export const at = ({
  source,
  no,
}: Entry): { source_id: string; source_kind: string; source_line: number } => ({
  source_id: source.id,
  source_kind: source.kind,
  source_line: no,
});

/**
 * What an entry is, wherever it is copied to: a session that begins with the history of another repeats its turns under their
 * ids; a file kept twice repeats everything.
 */
export function copyKey({ state, session, ms, no }: Entry, kind: string, text: string): string {
  const sha = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const { id } = state.turn;
  return id === null ? `codex:${session}:${ms ?? no}:${kind}:${sha}` : `codex:${id}:${kind}:${sha}`;
}

/** A log event at an entry. */
export function event(
  entry: Entry,
  kind: string,
  message: string,
  more: { level?: 'info' | 'warning' | 'error'; data?: string | null; part?: number } = {},
): void {
  const { source, no, ms, zone, session } = entry;
  entry.add('log_events', {
    event_id: more.part === undefined ? `${source.id}.${no}` : `${source.id}.${no}.${more.part}`,
    at_ms: ms,
    zone,
    level: more.level ?? null,
    kind,
    message: visibleText(shortText(message)),
    data: more.data ?? null,
    session_id: session,
    copy_key: copyKey(entry, `${kind}${more.part ?? ''}`, message),
    ...at(entry),
  });
}
