import { LIMITS } from '../../../../shared/limits.ts';
import type { StreamEventName, Trace, TraceCard, Verdict } from '../../../../shared/wire.ts';
import { count, fields, isRecord, list, number, oneOf, text } from '../../lib/unknown.ts';

const EVENTS: readonly StreamEventName[] = [
  'open',
  'a2ui',
  'progress',
  'chat',
  'report',
  'suggestions',
  'done',
];
const STATES: readonly Verdict['state'][] = ['verified', 'corrected', 'dropped', 'unverified'];
const MOST = LIMITS.traceEntries;

const words = (value: unknown): string => text(value) ?? '';
const ms = (value: unknown): number => Math.max(0, number(value) ?? 0);
const when = (value: unknown): number | null => {
  const at = number(value);
  return at === null ? null : Math.max(0, at);
};
const texts = (value: unknown): string[] => list(value, text, MOST);

function readCard(value: unknown): TraceCard {
  const card = fields(value);
  return {
    card: words(card.card),
    type: text(card.type),
    title: text(card.title),
    draftMs: when(card.draftMs),
    readMs: when(card.readMs),
    readyMs: when(card.readyMs),
    resolveMs: when(card.resolveMs),
    notes: texts(card.notes),
    code: text(card.code),
    issues: texts(card.issues),
  };
}

/** Reads what `GET /api/answers/:id/trace` gave; whatever it is, the result can be drawn. */
export function readTrace(value: unknown): Trace {
  const trace = fields(value);
  const planner = fields(trace.planner);
  const plan = fields(trace.plan);
  const preamble = fields(trace.preamble);
  return {
    version: 1,
    answerId: words(trace.answerId),
    question: text(trace.question),
    planner: {
      kind: oneOf(planner.kind, ['builtin', 'model'], 'builtin'),
      name: words(planner.name),
      model: text(planner.model),
    },
    startedAt: words(trace.startedAt),
    ended: trace.ended === true,
    plan: {
      text: words(plan.text).slice(0, 2 * LIMITS.planBytes),
      pieces: list(
        plan.pieces,
        (item) => ({ ms: ms(fields(item).ms), chars: count(fields(item).chars) }),
        LIMITS.tracePieces,
      ),
      endMs: when(plan.endMs),
      code: text(plan.code),
    },
    premises: list(
      trace.premises,
      (item) => {
        const one = fields(item);
        return {
          feature: text(one.feature),
          measure: words(one.measure),
          claimed: words(one.claimed),
          verdict: words(one.verdict),
        };
      },
      MOST,
    ),
    evidence: list(
      trace.evidence,
      (item) => ({ id: words(fields(item).id), place: words(fields(item).place) }),
      MOST,
    ),
    scan: list(
      trace.scan,
      (item) => {
        const one = fields(item);
        return {
          ms: ms(one.ms),
          kind: oneOf(one.kind, ['section', 'draft', 'block', 'problem'], 'problem'),
          index: number(one.index),
          what: words(one.what),
        };
      },
      LIMITS.traceScans,
    ),
    preamble: { notes: texts(preamble.notes), code: text(preamble.code), issues: texts(preamble.issues) },
    cards: list(trace.cards, (item) => (isRecord(item) ? readCard(item) : null), LIMITS.traceCards),
    steps: list(
      trace.steps,
      (item) => {
        const one = fields(item);
        return { step: words(one.step), from: ms(one.from), to: when(one.to), says: words(one.says) };
      },
      MOST,
    ),
    verdicts: list(
      trace.verdicts,
      (item) => {
        const one = fields(item);
        return {
          card: words(one.card),
          state: oneOf(one.state, STATES, 'unverified'),
          reasons: texts(one.reasons),
        };
      },
      LIMITS.traceCards,
    ),
    frames: list(
      trace.frames,
      (item) => {
        const one = fields(item);
        const event = EVENTS.find((name) => name === one.event);
        if (event === undefined) return null;
        return {
          id: count(one.id),
          event,
          about: words(one.about),
          bytes: count(one.bytes),
          ms: ms(one.ms),
        };
      },
      LIMITS.eventsKept,
    ),
  };
}
