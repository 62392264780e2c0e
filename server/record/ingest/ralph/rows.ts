import { createHash } from 'node:crypto';
import type { Basis } from '../../../../shared/cards.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import type { RowOf } from '../../tables.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import type { FactName } from '../facts.ts';
import type { FieldTime } from '../json-fields.ts';

/** A name as part of an id: small letters, digits and hyphens. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, LIMITS.label) || 'unnamed';

/** Id of a feature within its run. */
export const featureId = (runId: string, extId: string): string => `${runId}.f${extId}`;

/** External id of an entry of a list that gives none: its place and its text, so that both stay told apart when one changes. */
export const listedId = (index: number, text: string): string =>
  `${index + 1}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;

export const cut = (text: string, to: number = LIMITS.sourceText): string =>
  text.length <= to ? text : `${text.slice(0, to - 1)}…`;

/** Row of where something stands, with the kind of its source. */
export const told = (
  source: SourceInput,
  line: number | null,
): { source_id: string; source_kind: string; source_line: number | null } => ({
  source_id: source.id,
  source_kind: source.kind,
  source_line: line,
});
export const at = (
  source: SourceInput,
  line: number | null,
): { source_id: string; source_line: number | null } => ({ source_id: source.id, source_line: line });

interface About {
  source: SourceInput;
  runId: string;
  /** Internal id of the feature; null is about the run. */
  feature: string | null;
  line: number | null;
}

/** Adds one word on one fact. `said`: a number, or a state as text; null says nothing and adds nothing. */
export function observe(
  out: RowSink,
  { source, runId, feature, line }: About,
  fact: FactName,
  said: number | string | null,
  basis: Basis,
  how = 'as written',
): void {
  if (said === null) return;
  out.add('observations_told', {
    observation_id: `${source.id}.${feature ?? runId}.${fact}.${line ?? 0}`,
    run_id: runId,
    feature_id: feature,
    fact,
    value: typeof said === 'number' ? said : null,
    text_value: typeof said === 'string' ? said : null,
    basis,
    how,
    ...told(source, line),
  });
}

/** Adds an event of a log; its id is its place. `part` tells events of one line apart. */
export function event(
  out: RowSink,
  source: SourceInput,
  line: number | null,
  row: Omit<
    RowOf<'log_events'>,
    'event_id' | 'source_id' | 'source_kind' | 'source_line' | 'at_ms' | 'zone'
  > & {
    time?: Pick<FieldTime, 'ms' | 'zone'> | null;
    part?: string;
  },
): void {
  const { time, part, message, ...rest } = row;
  out.add('log_events', {
    event_id: `${source.id}.e${line ?? 0}${part === undefined ? '' : `.${part}`}`,
    at_ms: time?.ms ?? null,
    zone: time?.zone ?? null,
    message: cut(message),
    ...rest,
    ...told(source, line),
  });
}

/** An entry that no known type fits is kept as it stands. */
export function rawEvent(
  out: RowSink,
  source: SourceInput,
  runId: string | null,
  line: { no: number; text: string },
  time: Pick<FieldTime, 'ms' | 'zone'> | null = null,
): void {
  event(out, source, line.no, { run_id: runId, kind: 'raw', message: line.text, time });
}
