import type { LiveEvent } from '../../../shared/wire.ts';
import { nextFrame, type Schedule } from '../lib/frame.ts';
import { readSse } from '../lib/sse.ts';
import { isRecord } from '../lib/unknown.ts';
import { readLiveEvent } from './read-live.ts';

/** The answer that is followed: our name for it, the server's id, and the short fingerprint of its record. */
export interface Following {
  key: string;
  id: string;
  record: string;
}

/** What came in one frame: messages for the surface, and of everything else the newest word. */
export interface LiveFrame {
  messages: Record<string, unknown>[];
  chat: Extract<LiveEvent, { event: 'chat' }>['data'] | null;
  state: Extract<LiveEvent, { event: 'updated' | 'stale' }> | null;
  /** The record is another one. */
  record: boolean;
  /** Boards may be other ones: one was changed, or nobody listened for a while. */
  boards: boolean;
}

/** Whether the page can be seen: one that cannot need not follow anything. */
export interface Visibility {
  visible(): boolean;
  onChange(listener: () => void): void;
}

export interface LiveOptions {
  /** Called at most once a frame. */
  onFrame(key: string, frame: LiveFrame): void;
  /** The server does not know the answer any more. */
  onGone(key: string): void;
  visibility: Visibility;
  schedule?: Schedule;
}

/** The page's end of the change feed: one connection, for the answer that is on the page. */
export interface Live {
  /** Follows this answer from now on, or none. The same one again changes nothing. */
  follow(answer: Following | null): void;
}

/** Wait before a lost feed is taken up again, doubled each time up to the longest; in milliseconds. */
const AGAIN = 1_000;
const AGAIN_MOST = 30_000;
/** Messages gathered in one frame; past them they are handed on without waiting for it. */
const GATHERED = 400;

/** Path of a message that sets a whole value, which a later one for the same path replaces. */
function pathOf(message: Record<string, unknown>): string | null {
  const { updateDataModel } = message;
  return isRecord(updateDataModel) && typeof updateDataModel.path === 'string' ? updateDataModel.path : null;
}

const EMPTY = (): LiveFrame => ({ messages: [], chat: null, state: null, record: false, boards: false });

/** Gathers events and hands them on once a frame. */
function gatherer(schedule: Schedule, hand: (frame: LiveFrame) => void) {
  let frame = EMPTY();
  let places = new Map<string, number>();
  let cancel: (() => void) | null = null;
  const flush = (): void => {
    cancel?.();
    cancel = null;
    const full = frame;
    frame = EMPTY();
    places = new Map();
    hand(full);
  };
  return {
    take(event: LiveEvent): void {
      if (event.event === 'a2ui') {
        const path = pathOf(event.data);
        const known = path === null ? undefined : places.get(path);
        if (known !== undefined) frame.messages[known] = event.data;
        else {
          if (path !== null) places.set(path, frame.messages.length);
          frame.messages.push(event.data);
        }
      } else if (event.event === 'chat') frame.chat = event.data;
      else if (event.event === 'record') frame.record = true;
      else if (event.event === 'ready' || event.event === 'boards') frame.boards = true;
      else frame.state = event;
      if (frame.messages.length >= GATHERED) flush();
      else cancel ??= schedule(flush);
    },
    drop(): void {
      cancel?.();
      cancel = null;
      frame = EMPTY();
      places = new Map();
    },
  };
}

export function createLive({ onFrame, onGone, visibility, schedule = nextFrame }: LiveOptions): Live {
  let following: Following | null = null;
  let running: AbortController | null = null;

  const stop = (): void => {
    running?.abort();
    running = null;
  };

  async function listen(answer: Following, signal: AbortSignal): Promise<void> {
    const gathered = gatherer(schedule, (frame) => {
      if (signal.aborted) return;
      if (frame.state?.event === 'updated') answer.record = frame.state.data.report?.record ?? '';
      onFrame(answer.key, frame);
    });
    signal.addEventListener('abort', () => gathered.drop());
    for (let wait = AGAIN; !signal.aborted; wait = Math.min(AGAIN_MOST, wait * 2)) {
      const query = new URLSearchParams({ answer: answer.id, record: answer.record });
      const response = await fetch(`/api/live?${query}`, {
        headers: { accept: 'text/event-stream' },
        signal,
      }).catch(() => null);
      if (signal.aborted) return;
      if (response !== null && response.status === 404) {
        onGone(answer.key);
        return;
      }
      if (response?.ok && response.body !== null)
        await readSse(response.body, {
          more: () => !signal.aborted,
          onTooLong: () => undefined,
          onMessage(name, _id, data) {
            const event = readLiveEvent(name, data);
            if (event === null || signal.aborted) return;
            wait = AGAIN / 2;
            gathered.take(event);
          },
        });
      else await response?.body?.cancel().catch(() => undefined);
      if (signal.aborted) return;
      await new Promise((resolve) => setTimeout(resolve, Math.max(AGAIN, wait)));
    }
  }

  const run = (): void => {
    stop();
    if (following === null || !visibility.visible()) return;
    const controller = new AbortController();
    running = controller;
    void listen(following, controller.signal);
  };
  visibility.onChange(run);

  return {
    follow(answer) {
      if (answer?.key === following?.key && answer?.id === following?.id) return;
      following = answer === null ? null : { ...answer };
      run();
    },
  };
}

/** The visibility of a document. */
export const visibilityOf = (page: Document): Visibility => ({
  visible: () => page.visibilityState !== 'hidden',
  onChange: (listener) => page.addEventListener('visibilitychange', listener),
});
