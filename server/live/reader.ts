import { Readable } from 'node:stream';
import { LIMITS } from '../../shared/limits.ts';
import type { LiveEvent } from '../../shared/wire.ts';
import { frame, HEARTBEAT, type StreamTimes } from '../answer/sse.ts';

/**
 * One reader of the change feed. What it has not taken yet waits for it, up to a bound: past that the waiting messages are
 * let go, and it gets everything at once when it takes again. One that takes nothing for a while is let go itself.
 */
export class LiveReader extends Readable {
  readonly #beat: NodeJS.Timeout;
  readonly #most: number;
  #waiting: LiveEvent[] = [];
  #behind = false;
  #wanted = false;
  #wantedAt = Date.now();
  #sent = 0;
  /** Gives everything this reader should have now; called when it has fallen behind. */
  catchUp: () => readonly LiveEvent[] = () => [];

  constructor(times: StreamTimes = LIMITS, most: number = LIMITS.liveBacklog) {
    super({ encoding: 'utf8' });
    this.#most = most;
    this.#beat = setInterval(() => {
      if (this.#wanted) this.#wanted = this.push(HEARTBEAT);
      else if (Date.now() - this.#wantedAt > times.stallMs) this.destroy();
    }, times.heartbeatMs);
    this.#beat.unref();
  }

  /** Hands events over, together or not at all. */
  send(events: readonly LiveEvent[]): void {
    if (this.destroyed || this.#behind || events.length === 0) return;
    this.#waiting.push(...events);
    if (!this.#wanted && this.#waiting.length > this.#most) {
      this.#waiting = [];
      this.#behind = true;
    }
    this.#pump();
  }

  /** No more will come. */
  finish(): void {
    if (!this.destroyed) this.push(null);
  }

  override _read(): void {
    this.#wanted = true;
    this.#wantedAt = Date.now();
    if (this.#behind) {
      this.#behind = false;
      this.#waiting = [...this.catchUp(), { event: 'record', data: {} }, { event: 'boards', data: {} }];
    }
    this.#pump();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.#beat);
    this.#waiting = [];
    done(error);
  }

  #pump(): void {
    while (this.#wanted) {
      const event = this.#waiting.shift();
      if (event === undefined) return;
      this.#sent += 1;
      this.#wanted = this.push(frame(this.#sent, event));
    }
  }
}
