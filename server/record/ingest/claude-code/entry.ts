import { LIMITS } from '../../../../shared/limits.ts';
import type { FactTable, RowOf } from '../../tables.ts';
import type { SourceInput } from '../adapter.ts';
import type { JsonObject } from '../json-fields.ts';
import { visibleText } from '../visible.ts';
import type { State } from './state.ts';

/** One line of a transcript while it is read. */
export interface Entry {
  source: SourceInput;
  no: number;
  ms: number | null;
  zone: string | null;
  node: JsonObject;
  uuid: string | null;
  /** The session the line belongs to; a subagent's is `<session>/agent-<id>`. */
  session: string;
  subagent: boolean;
  sidechain: boolean;
  state: State;
  add<T extends FactTable>(table: T, row: RowOf<T>): void;
}

/** What a line changes of what is known; null when it is none that is known. */
export type Change = Partial<State> | null;

/** Where a row stands. */
export const at = ({
  source,
  no,
}: Pick<Entry, 'source' | 'no'>): { source_id: string; source_kind: string; source_line: number } => ({
  source_id: source.id,
  source_kind: source.kind,
  source_line: no,
});

/** What a row is, wherever it is copied to: the id of its line, and its place among the rows of that line. */
export const copyKey = ({ uuid }: Entry, part = 0): string | null =>
  uuid === null ? null : part === 0 ? uuid : `${uuid}:${part}`;

/** Text of a row: at most so much, without characters that deceive. */
export function shown(text: string, most: number = LIMITS.cellText): string {
  const cut = text.slice(0, most * 2).trim();
  const clean = visibleText(cut);
  return clean.length <= most ? clean : `${clean.slice(0, most - 1)}…`;
}

/** A log event at a line. `part` where a line gives several. */
export function event(
  entry: Entry,
  kind: string,
  message: string,
  more: { level?: 'info' | 'warning' | 'error'; data?: object | null; part?: number } = {},
): void {
  const { source, no, ms, zone, session } = entry;
  const part = more.part ?? 0;
  entry.add('log_events', {
    event_id: part === 0 ? `${source.id}.${no}` : `${source.id}.${no}.${part}`,
    at_ms: ms,
    zone,
    level: more.level ?? null,
    kind,
    message: shown(message),
    data: more.data ? JSON.stringify(more.data) : null,
    session_id: session,
    copy_key: copyKey(entry, part),
    ...at(entry),
  });
}

/** A stretch of a session; one that would end before it begins is not told. */
export function span(entry: Entry, kind: string, startedMs: number | null, endedMs: number | null): void {
  if (startedMs === null || endedMs === null || endedMs < startedMs) return;
  entry.add('session_spans', {
    span_id: `${entry.source.id}.${entry.no}.${kind}`,
    session_id: entry.session,
    kind,
    started_at_ms: startedMs,
    ended_at_ms: endedMs,
    ...at(entry),
  });
}
