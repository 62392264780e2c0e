import { UNITS } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { Reading, Report, Since, Stored, StreamEvent, Took, Verdict } from '../../../shared/wire.ts';
import { readProjectRefs } from '../projects/read.ts';
import { readParagraphs } from './figures.ts';
import { count, type Fields, isRecord, list, number, oneOf, parseJson, text } from './unknown.ts';

const STATES: readonly Verdict['state'][] = ['verified', 'corrected', 'dropped', 'unverified'];
const STEPS = ['premise', 'plan', 'cards', 'verify'] as const;

const readVerdict = (value: unknown): Verdict | null => {
  if (!isRecord(value)) return null;
  const card = text(value.card);
  if (card === null) return null;
  return {
    card,
    state: oneOf(value.state, STATES, 'unverified'),
    reasons: list(value.reasons, text, LIMITS.tableRows),
  };
};

const readReading = (value: unknown): Reading | null =>
  isRecord(value) ? { value: number(value.value), unit: oneOf(value.unit, UNITS, 'none') } : null;

const readSince = (value: unknown): Since | null =>
  isRecord(value)
    ? {
        changed: value.changed === true,
        gone: value.gone === true,
        figures: list(
          value.figures,
          (item) =>
            isRecord(item)
              ? {
                  card: (text(item.card) ?? '').slice(0, LIMITS.title),
                  label: (text(item.label) ?? '').slice(0, LIMITS.request),
                  was: readReading(item.was),
                  now: readReading(item.now),
                }
              : null,
          LIMITS.sinceFigures,
        ),
        total: count(value.total),
      }
    : null;

const readStored = (value: unknown): Stored | null =>
  isRecord(value)
    ? { askedAt: count(value.askedAt), ageMs: count(value.ageMs), older: value.older === true }
    : null;

export const readReport = (data: Fields): Report => ({
  ok: data.ok === true,
  code: text(data.code),
  cards: count(data.cards),
  figures: count(data.figures),
  rows: count(data.rows),
  sources: count(data.sources),
  record: text(data.record) ?? '',
  ms: count(data.ms),
  passes: count(data.passes),
  changed: count(data.changed),
  verdicts: list(data.verdicts, readVerdict, LIMITS.components),
  since: readSince(data.since),
});

/**
 * Parses one event of an answer stream.
 * @param name the event's name
 * @param data its JSON text
 * @returns null when it is not one of ours or cannot be used; such an event is counted but has no effect
 */
export function readEvent(name: string, data: string): StreamEvent | null {
  const value = parseJson(data);
  if (!isRecord(value)) return null;
  switch (name) {
    case 'open': {
      const answerId = text(value.answerId);
      const surfaceId = text(value.surfaceId);
      if (answerId === null || surfaceId === null || !/^[\w-]{1,100}$/.test(answerId)) return null;
      return {
        event: 'open',
        data: {
          answerId,
          surfaceId,
          question: text(value.question),
          planner: text(value.planner) ?? '',
          stored: readStored(value.stored),
          title: text(value.title),
          projects: readProjectRefs(value.projects),
          ...(text(value.replay) === null ? {} : { replay: text(value.replay) ?? '' }),
        },
      };
    }
    case 'a2ui':
      return { event: 'a2ui', data: value };
    case 'progress': {
      const step = STEPS.find((candidate) => candidate === value.step);
      if (step === undefined) return null;
      return {
        event: 'progress',
        data: {
          step,
          says: (text(value.says) ?? '').slice(0, LIMITS.request),
          done: value.done === true,
          ms: number(value.ms),
          n: number(value.n),
          of: number(value.of),
        },
      };
    }
    case 'chat':
      return {
        event: 'chat',
        data: { paragraphs: readParagraphs(value.paragraphs), final: value.final === true },
      };
    case 'report':
      return { event: 'report', data: readReport(value) };
    case 'suggestions':
      return {
        event: 'suggestions',
        data: {
          items: list(value.items, (item) => text(item)?.slice(0, LIMITS.request) ?? null, LIMITS.followUps),
        },
      };
    case 'done':
      return {
        event: 'done',
        data: {
          events: count(value.events),
          cards: count(value.cards),
          ok: value.ok === true,
          code: text(value.code),
          ms: count(value.ms),
          ...(isRecord(value.took) ? { took: readTook(value.took) } : {}),
        },
      };
    default:
      return null;
  }
}

function readTook(value: Fields): Took {
  const tokens = isRecord(value.tokens) ? value.tokens : null;
  return {
    firstTextMs: number(value.firstTextMs),
    firstCardMs: number(value.firstCardMs),
    tokens: tokens && { in: count(tokens.in), out: count(tokens.out) },
  };
}
