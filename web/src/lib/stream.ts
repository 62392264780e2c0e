import { LIMITS } from '../../../shared/limits.ts';
import { ANSWER_HEADER, type StreamEvent } from '../../../shared/wire.ts';
import { readEvent } from './events.ts';
import { readSse } from './sse.ts';
import { fields, text } from './unknown.ts';

/** How a stream came to its end. Everything but `done` and `aborted` leaves the answer interrupted. */
export type StreamEnd =
  | { how: 'done' }
  /** We ended it. */
  | { how: 'aborted' }
  /** It broke off: the connection, an event that is missing, or a stream that closed without `done`. */
  | { how: 'broken' }
  /** The server refused with a status; `code` is its stable code if it gave one. */
  | { how: 'refused'; status: number; code: string | null }
  /** No answer at all. */
  | { how: 'unreachable' };

export interface StreamRequest {
  url: string;
  /** Sent as JSON with POST; without it the request is a GET. */
  body?: unknown;
  /** Id of the last event that was seen; the server goes on after it. */
  after: number;
  signal: AbortSignal;
  /** The answer's id, told before its first event. */
  onAnswer?(id: string): void;
  /** One event and its id. Ids come in order, each once. */
  onEvent(event: StreamEvent, id: number): void;
}

/** Events a stream may carry before it is given up. */
const EVENTS = LIMITS.eventsKept;
const ANSWER_ID = /^[\w-]{1,64}$/;

/**
 * Reads one answer stream to its end. Never throws and never rejects.
 * An event with an id that was seen is skipped; a missing id ends the reading, so that a gap is never drawn over.
 */
export async function readStream(request: StreamRequest): Promise<StreamEnd> {
  const { signal } = request;
  const ended = (how: 'broken' | 'unreachable'): StreamEnd => ({ how: signal.aborted ? 'aborted' : how });

  let response: Response;
  try {
    response = await fetch(request.url, {
      method: request.body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'text/event-stream',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(request.after > 0 ? { 'last-event-id': String(request.after) } : {}),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      signal,
    });
  } catch {
    return ended('unreachable');
  }
  if (!response.ok) {
    const refusal: unknown = await response.json().catch(() => null);
    return { how: 'refused', status: response.status, code: text(fields(refusal).code) };
  }
  const id = response.headers.get(ANSWER_HEADER);
  if (id !== null && ANSWER_ID.test(id)) request.onAnswer?.(id);
  if (response.body === null) return ended('broken');

  const counter = createCounter(request.after, request.onEvent);
  await readSse(response.body, {
    onMessage: counter.take,
    onTooLong: counter.fail,
    more: () => counter.state() === 'open',
  });
  return counter.state() === 'done' ? { how: 'done' } : ended('broken');
}

/** Keeps the ids in order and tells whether the stream is complete. */
function createCounter(after: number, onEvent: StreamRequest['onEvent']) {
  let last = after;
  let state: 'open' | 'done' | 'broken' = 'open';
  return {
    state: () => state,
    fail: () => {
      state = 'broken';
    },
    take(name: string, rawId: string | undefined, data: string): void {
      const id = Number(rawId);
      if (state !== 'open' || !Number.isSafeInteger(id) || id <= last) return;
      const event = readEvent(name, data);
      if (id !== last + 1 || id > EVENTS || (event?.event === 'done' && event.data.events !== id)) {
        state = 'broken';
        return;
      }
      last = id;
      if (event?.event === 'done') state = 'done';
      if (event !== null) onEvent(event, id);
    },
  };
}
