import type { Basis } from '../../../../shared/cards.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import type { FactName } from '../facts.ts';
import { RUN } from './contract.ts';

/** Where a row of a run stands, and what it is about. */
export interface Place {
  source: Pick<SourceInput, 'id' | 'kind' | 'issue'>;
  /** Id of the feature; null for the project. */
  featureId: string | null;
}

const cut = (text: string): string =>
  text.length <= LIMITS.sourceText ? text : `${text.slice(0, LIMITS.sourceText - 1)}…`;

/** The run as one source of it tells of it: every artifact belongs to the same one. */
export function addRun(out: RowSink, source: Place['source']): void {
  out.add('runs_told', {
    run_id: RUN,
    harness: RUN,
    ord: 1,
    name: 'agent loop',
    // The profile is of the project, as the run is.
    rank: source.kind === 'loop_profile' ? 0 : 1,
    source_id: source.id,
    source_line: null,
  });
}

export interface Event {
  kind: string;
  message: string;
  line: number | null;
  lastLine?: number;
  level?: 'info' | 'warning' | 'error';
  data?: unknown;
}

/** An event without a time: the artifacts hold none. */
export function addEvent(out: RowSink, { source, featureId }: Place, event: Event): void {
  out.add('log_events', {
    event_id: `${source.id}.${event.kind}.${event.line ?? 0}`,
    run_id: RUN,
    feature_id: featureId,
    level: event.level ?? 'info',
    kind: event.kind,
    message: cut(event.message),
    data: event.data === undefined ? null : JSON.stringify(event.data),
    source_id: source.id,
    source_kind: source.kind,
    source_line: event.line,
    last_line: event.lastLine ?? event.line,
  });
}

export interface Fact {
  fact: FactName;
  value?: number;
  text?: string;
  basis: Basis;
  how: string;
  line: number | null;
}

export function addFact(out: RowSink, { source, featureId }: Place, fact: Fact): void {
  out.add('observations_told', {
    observation_id: `${featureId ?? RUN}.${fact.fact}.${source.kind}`,
    run_id: RUN,
    feature_id: featureId,
    fact: fact.fact,
    value: fact.value ?? null,
    text_value: fact.text ?? null,
    basis: fact.basis,
    how: fact.how,
    source_id: source.id,
    source_kind: source.kind,
    source_line: fact.line,
  });
}
