import { LIMITS } from '../../../../shared/limits.ts';
import type { RowOf } from '../../tables.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import { kindOfTool as kindOfClaudeTool } from '../claude-code/tool-outcome.ts';
import { kindOfTool, type ToolKind } from '../codex/tools.ts';
import { Attributes } from './attributes.ts';
import type { Kept, KeptLog } from './kept.ts';

/** One record at its line, and where its rows go. */
export interface Place<R extends Kept = Kept> {
  source: SourceInput;
  out: RowSink;
  no: number;
  record: R;
  attrs: Attributes;
  session: string | null;
}

export const SESSION = [
  'session.id',
  'gen_ai.conversation.id',
  'conversation.id',
  'langfuse.session.id',
] as const;

export const placeOf = <R extends Kept>(
  source: SourceInput,
  out: RowSink,
  no: number,
  record: R,
): Place<R> => {
  const attrs = new Attributes(record.attrs);
  return { source, out, no, record, attrs, session: attrs.text(...SESSION) };
};

export const idAt = ({ source, no }: Place): string => `${source.id}.l${no}`;
export const toldAt = ({ source, no }: Place) => ({
  source_id: source.id,
  source_kind: source.kind,
  source_line: no,
});
export const cut = (text: string, most: number = LIMITS.sourceText): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;

/** When an event happened: its own time, else the one it carries as text. */
export const timeOf = ({ record, attrs }: Place<KeptLog>): number | null =>
  record.time ?? attrs.time('event.timestamp');

/** When something that took so long began; null where one of both is missing. */
export const begunAt = (endMs: number | null, tookMs: number | null): number | null =>
  endMs === null || tookMs === null || tookMs > endMs ? null : endMs - tookMs;

/** US dollars as whole micro-dollars; null for what is no amount. */
export const microDollars = (dollars: number | null): number | null => {
  const value = dollars === null ? Number.NaN : Math.round(dollars * 1_000_000);
  return Number.isSafeInteger(value) && value >= 0 ? value : null;
};

/** What a tool of either harness does. */
export function toolKind(name: string): ToolKind {
  const kind = kindOfClaudeTool(name);
  return kind === 'other' ? kindOfTool(name) : kind;
}

/** Severity numbers of OpenTelemetry: 9 to 12 information, 13 warnings, 17 errors. */
export const levelOf = (severity: number | undefined): 'info' | 'warning' | 'error' =>
  severity === undefined || severity < 13 ? 'info' : severity < 17 ? 'warning' : 'error';

/** Attributes every event of a session carries; they say nothing of the event itself. */
const STANDARD = [
  ...SESSION,
  'event.name',
  'event.timestamp',
  'event.sequence',
  'app.version',
  'terminal.type',
  'looplight.project',
  'auth_mode',
  'originator',
  'slug',
];

export function addEvent(
  place: Place<KeptLog>,
  kind: string,
  message: string,
  more: Partial<RowOf<'log_events'>> = {},
): void {
  const { record, attrs, session, out } = place;
  out.add('log_events', {
    event_id: idAt(place),
    at_ms: timeOf(place),
    zone: timeOf(place) === null ? null : '+00:00',
    level: levelOf(record.severity),
    kind,
    message: cut(message),
    data: attrs.rest(STANDARD, LIMITS.sourceText),
    session_id: session,
    ...toldAt(place),
    ...more,
  });
}
