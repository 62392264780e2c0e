import { LIMITS } from '../../../shared/limits.ts';
import type { LiveEvent } from '../../../shared/wire.ts';
import { readReport } from '../lib/events.ts';
import { readParagraphs } from '../lib/figures.ts';
import { count, isRecord, list, parseJson, text } from '../lib/unknown.ts';

/**
 * Parses one event of the change feed.
 * @param name the event's name
 * @param data its JSON text
 * @returns null when it is not one of ours; such an event has no effect
 */
export function readLiveEvent(name: string, data: string): LiveEvent | null {
  const value = parseJson(data);
  if (!isRecord(value)) return null;
  switch (name) {
    case 'ready':
      return { event: 'ready', data: { answerId: text(value.answerId) } };
    case 'record':
      return { event: 'record', data: {} };
    case 'boards':
      return { event: 'boards', data: {} };
    case 'a2ui':
      return { event: 'a2ui', data: value };
    case 'chat':
      return { event: 'chat', data: { paragraphs: readParagraphs(value.paragraphs) } };
    case 'updated':
      return {
        event: 'updated',
        data: {
          answerId: text(value.answerId) ?? '',
          title: text(value.title),
          cards: count(value.cards),
          changed: list(value.changed, text, LIMITS.components),
          all: value.all === true,
          report: isRecord(value.report) ? readReport(value.report) : null,
          at: Math.min(8.64e15, count(value.at)),
        },
      };
    case 'stale':
      return {
        event: 'stale',
        data: { answerId: text(value.answerId) ?? '', code: text(value.code) ?? '' },
      };
    default:
      return null;
  }
}
