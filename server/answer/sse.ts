import { Readable } from 'node:stream';
import { LIMITS } from '../../shared/limits.ts';
import type { LiveEvent, StreamEvent } from '../../shared/wire.ts';
import type { Answer } from './answers.ts';

/** Headers that make an event stream, and keep proxies from holding it back. */
export const SSE_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** Comment lines a reader ignores; they keep idle connections open and show that they are. */
export const HEARTBEAT = ': here\n\n';

/**
 * One event as the bytes of the event-stream format (WHATWG HTML, section 9.2). JSON escapes line feeds and carriage returns
 * inside strings, so the data is always one line whatever the record or a model wrote.
 */
export function frame(id: number, event: StreamEvent | LiveEvent): string {
  return `id: ${id}\nevent: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`;
}

/**
 * The id a reconnecting reader has seen last, from `Last-Event-ID` or `?from=`; 0 when it has seen none.
 * Anything but a plain number is taken as none.
 */
export function lastSeen(...given: unknown[]): number {
  for (const value of given) {
    if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value);
  }
  return 0;
}

export interface StreamTimes {
  heartbeatMs: number;
  stallMs: number;
}

/**
 * One reader of an answer: what it has not seen, then what comes, then the end. It takes events from the answer's own list at
 * the pace of the connection, so a slow reader costs no memory of its own; one that takes nothing for a while is let go.
 */
export class AnswerStream extends Readable {
  readonly #answer: Answer;
  readonly #unsubscribe: () => void;
  readonly #beat: NodeJS.Timeout;
  #next: number;
  #wanted = false;
  #wantedAt = Date.now();

  constructor(answer: Answer, after: number, times: StreamTimes = LIMITS) {
    super({ encoding: 'utf8' });
    this.#answer = answer;
    this.#next = Math.min(after, answer.frames.length);
    this.#unsubscribe = answer.subscribe(() => this.#pump());
    this.#beat = setInterval(() => {
      if (this.#wanted) this.#wanted = this.push(HEARTBEAT);
      else if (Date.now() - this.#wantedAt > times.stallMs) this.destroy();
    }, times.heartbeatMs);
    this.#beat.unref();
  }

  override _read(): void {
    this.#wanted = true;
    this.#wantedAt = Date.now();
    this.#pump();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.#beat);
    this.#unsubscribe();
    done(error);
  }

  #pump(): void {
    while (this.#wanted) {
      const text = this.#answer.frames[this.#next];
      if (text === undefined) {
        if (!this.#answer.ended) return;
        this.#wanted = false;
        this.push(null);
        return;
      }
      this.#next += 1;
      this.#wanted = this.push(text);
    }
  }
}
