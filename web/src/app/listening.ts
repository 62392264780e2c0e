import { isCode } from '../../../shared/codes.ts';
import type { StreamEvent } from '../../../shared/wire.ts';
import { postStop } from '../lib/api.ts';
import { readStream, type StreamEnd } from '../lib/stream.ts';
import type { Hosts } from './hosts.ts';
import { answerOf, isLive } from './state.ts';
import type { Store } from './store.ts';

/** Pause before a broken stream is taken up again by itself, and the wait for a stop to be heard, in milliseconds. */
const RESUME_AFTER = 400;
const STOP_WAIT = 3_000;
/** Status with which a server refuses to go on in the middle of an answer that it would have to make again. */
const BEGIN_AGAIN = 410;

/** A stream as it is asked for: with a body it is posted. */
export interface StreamRequest {
  url: string;
  body?: unknown;
}

/** Told of each event of the answer, after the state has it. */
export type OnEvent = (event: StreamEvent) => void;

/** The stream that is read: one at most. A broken one is taken up again by itself once. */
export interface Listening {
  /** Key of the answer that is read, or null. */
  key(): string | null;
  /** Reads an answer from its request on; the one read before is left. */
  run(key: string, request: StreamRequest, onEvent?: OnEvent): void;
  /** Ends the reading; the answer goes on at the server for a while. */
  leave(): void;
  /** Asks the server to end the answer that is read, and ends the reading when that is not heard. */
  stop(): void;
}

/** Where an answer's events are read from their beginning, or from the last one seen. */
export const eventsUrl = (id: string): string => `/api/answers/${encodeURIComponent(id)}/events`;

export function createListening(store: Store, hosts: Hosts): Listening {
  let running: { key: string; controller: AbortController } | null = null;
  const answer = (key: string) => answerOf(store.state(), key);

  function leave(): void {
    if (running === null) return;
    const { key, controller } = running;
    running = null;
    controller.abort();
    if (isLive(answer(key))) store.dispatch({ type: 'phase', key, phase: 'left' });
  }

  async function run(key: string, first: StreamRequest, onEvent: OnEvent | undefined): Promise<void> {
    leave();
    const controller = new AbortController();
    running = { key, controller };
    let request = first;
    /** The answer as the stream named it before its first event. */
    let told: string | null = null;
    const onAnswer = (id: string): void => {
      told = id;
    };
    for (let attempt = 0; ; attempt += 1) {
      const end = await read(key, request, controller.signal, onEvent, onAnswer);
      if (running?.controller !== controller) return;
      const now = answer(key);
      const stopping = now?.phase === 'stopping';
      const id = stopping ? null : (now?.id ?? told);
      if (end.how === 'refused' && end.status === BEGIN_AGAIN && id !== null && hosts.get(key)?.last !== 0) {
        // The server has made itself anew since: its answer is another stream, and has to be read from its beginning.
        hosts.hold(key);
        store.dispatch({ type: 'restarted', key });
        request = { url: eventsUrl(id) };
        continue;
      }
      const lost = end.how === 'broken' || (end.how === 'unreachable' && id === null);
      if (!lost || attempt > 0 || stopping) {
        running = null;
        finish(key, end);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, RESUME_AFTER));
      if (controller.signal.aborted) return;
      // Without a word of which answer it is, none was begun that anybody could know of: it is asked for once more.
      if (id !== null) request = { url: eventsUrl(id) };
    }
  }

  function read(
    key: string,
    request: StreamRequest,
    signal: AbortSignal,
    onEvent: OnEvent | undefined,
    onAnswer: (id: string) => void,
  ): Promise<StreamEnd> {
    const mine = hosts.get(key) ?? hosts.hold(key);
    return readStream({
      ...request,
      after: mine.last,
      signal,
      onAnswer,
      onEvent(event, id) {
        if (signal.aborted) return;
        mine.last = id;
        if (event.event === 'a2ui') {
          mine.host.push(event.data);
          return;
        }
        // The last words come after the cards they speak of.
        if (event.event === 'done' || event.event === 'report') mine.host.flush();
        store.dispatch({ type: 'event', key, event });
        onEvent?.(event);
      },
    });
  }

  function finish(key: string, end: StreamEnd): void {
    hosts.get(key)?.host.flush();
    if (end.how === 'done' || end.how === 'aborted') return;
    const ended = answer(key);
    if (ended === null) return;
    if (ended.phase === 'stopping') {
      store.dispatch({ type: 'phase', key, phase: 'interrupted', code: 'stopped' });
    } else if (end.how === 'refused') {
      const gone = end.status === 404 || end.status === 410;
      const code = isCode(end.code) ? end.code : gone ? 'not_found' : 'bad_request';
      store.dispatch({ type: 'phase', key, phase: 'lost', code });
    } else {
      store.dispatch({ type: 'phase', key, phase: ended.id === null ? 'lost' : 'interrupted', code: null });
    }
  }

  return {
    key: () => running?.key ?? null,
    run: (key, request, onEvent) => void run(key, request, onEvent),
    leave,
    stop() {
      const read = running === null ? null : answer(running.key);
      if (running === null || read === null || read.phase === 'stopping') return;
      const { key, controller } = running;
      store.dispatch({ type: 'phase', key, phase: 'stopping' });
      const giveUp = () => {
        if (running?.controller !== controller) return;
        running = null;
        controller.abort();
        finish(key, { how: 'broken' });
      };
      if (read.id === null) giveUp();
      else {
        postStop(read.id);
        setTimeout(giveUp, STOP_WAIT);
      }
    },
  };
}
