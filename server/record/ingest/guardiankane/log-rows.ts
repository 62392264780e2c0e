import { LIMITS } from '../../../../shared/limits.ts';
import type { RowOf } from '../../tables.ts';
import type { SourceInput } from '../adapter.ts';
import type { LogEntry } from './log-entries.ts';
import { batchOf, type Said, testsOf } from './log-grammar.ts';
import { featureId, RANKS, RUN } from './names.ts';
import type { GateOutcome, Round, RoundEnd } from './verifier-rounds.ts';

/** What one line is and where: the rest of every row made of it. */
export interface Place {
  source: SourceInput;
  entry: LogEntry;
  task: string | null;
  atMs: number | null;
  zone: string | null;
}

const told = ({ source }: Place, line: number) => ({
  source_id: source.id,
  source_kind: source.kind,
  source_line: line,
});
const cut = (text: string): string => text.slice(0, LIMITS.sourceText);

/** Levels of shapes; what is not named is information. */
const LEVELS: Readonly<Record<string, string>> = {
  test_fail: 'error',
  sweep_fail: 'error',
  secret_fail: 'error',
  evidence_fail: 'error',
  tampering: 'error',
  blocked: 'error',
  infra: 'warning',
  check_error: 'warning',
  stale: 'warning',
  server_down: 'warning',
  regression: 'warning',
  no_url: 'warning',
  graph_fail: 'warning',
  raw: 'warning',
};

/** Parts of a message that are figures or lists, for filters; the message holds the rest. */
function dataOf(said: Said | null): string | null {
  if (said === null) return null;
  const { tests, summary, n, cap, ...rest } = said.parts;
  const batch = summary === undefined ? null : batchOf(summary);
  const data = {
    ...Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [key, value === undefined ? value : cut(value)]),
    ),
    ...(tests === undefined ? {} : { tests: testsOf(tests).slice(0, LIMITS.series * 10) }),
    ...(summary === undefined ? {} : { summary: cut(summary) }),
    ...(batch ? { cases_passed: batch.passed, cases_run: batch.run } : {}),
    ...(n === undefined ? {} : { attempt: Number(n) }),
    ...(cap === undefined ? {} : { cap: Number(cap) }),
  };
  return Object.keys(data).length === 0 ? null : JSON.stringify(data);
}

export const eventRow = (place: Place, said: Said | null): RowOf<'log_events'> => {
  const kind = said?.shape ?? 'raw';
  return {
    event_id: `${place.source.id}.l${place.entry.no}`,
    run_id: RUN,
    feature_id: place.task === null ? null : featureId(place.task),
    at_ms: place.atMs,
    zone: place.zone,
    level: Object.hasOwn(LEVELS, kind) ? LEVELS[kind] : 'info',
    kind,
    message: cut(place.entry.message),
    data: dataOf(said),
    ...told(place, place.entry.no),
    last_line: place.entry.lastLine,
  };
};

export const runRow = (place: Place): RowOf<'runs_told'> => ({
  run_id: RUN,
  harness: 'guardiankane',
  started_at_ms: place.atMs,
  zone: place.zone,
  rank: RANKS.log,
  source_id: place.source.id,
  source_line: place.entry.no,
});

export const featureRow = (place: Place, task: string, title: string | null): RowOf<'features_told'> => ({
  feature_id: featureId(task),
  run_id: RUN,
  ext_id: task,
  title,
  rank: RANKS.log,
  source_id: place.source.id,
  source_line: place.entry.no,
});

/** Milliseconds between two times; none where one is missing or the clock went back. */
const between = (from: number | null, to: number | null): number | null =>
  from === null || to === null || to < from ? null : to - from;

/** A gate that came to an outcome stands at the line of the outcome, one that was given up at the line of its start. */
export function gateRow(
  place: Place,
  task: string,
  what: GateOutcome,
  round: Round | null,
  index: number,
): RowOf<'gate_events'> {
  const line = what.ended ? place.entry.no : (round?.line ?? place.entry.no);
  return {
    gate_event_id: what.ended
      ? `${place.source.id}.g${line}.${index}`
      : `${place.source.id}.s${line}.${what.gate}`,
    run_id: RUN,
    feature_id: featureId(task),
    attempt_n: round?.n ?? null,
    attempt_cap: what.cap,
    gate: what.gate,
    verdict: what.verdict,
    enforced: what.verdict === 'block' || what.verdict === 'pass' ? true : null,
    exit_code: what.exit,
    cases_run: what.batch?.run ?? null,
    cases_passed: what.batch?.passed ?? null,
    attribution: what.fault.attribution,
    attribution_basis: what.fault.basis,
    reason: what.reason === null ? null : cut(what.reason),
    started_at_ms: what.startedAtMs,
    ended_at_ms: what.ended ? place.atMs : null,
    duration_ms: what.ended ? between(what.startedAtMs, place.atMs) : null,
    ...told(place, line),
    last_line: what.ended ? place.entry.lastLine : line,
  };
}

/** One round of the verifier is one attempt at the task, cited by the line that started it. */
export function attemptRow(
  place: Place,
  task: string,
  { round, verdict, fault, ended, feedback }: RoundEnd,
): RowOf<'attempts'> {
  const took = ended ? between(round.atMs, place.atMs) : null;
  return {
    attempt_id: `${place.source.id}.a${task}.${round.n}`,
    run_id: RUN,
    feature_id: featureId(task),
    n: round.n,
    started_at_ms: round.atMs,
    ended_at_ms: ended ? place.atMs : null,
    duration_s: took === null ? null : took / 1000,
    verdict,
    passed: verdict === 'pass' ? true : verdict === 'block' ? false : null,
    feedback: feedback === null ? null : cut(feedback),
    attribution: fault.attribution,
    attribution_basis: fault.basis,
    link_method: 'explicit',
    basis: 'measured',
    ...told(place, round.line),
  };
}
