/** Why a model call was ended from this side. */
export type Ended = 'stopped' | 'too_slow';

/** The clock of one model call: ends it when the person stops, when the first piece or the whole takes too long. */
export interface TimeLimits {
  signal: AbortSignal;
  /** Null while nothing has ended the call. */
  ended(): Ended | null;
  /** The first piece has come: from now on only the whole is timed. */
  begun(): void;
  /** The call is all but over: at most this much longer. Being ended by this is no failure. */
  closing(ms: number): void;
  /** Ends whatever is still running and frees the timers. */
  dispose(): void;
}

/** @param firstMs wait for the first piece, @param totalMs for everything; both in milliseconds from now */
export function timeLimits(outer: AbortSignal, firstMs: number, totalMs: number): TimeLimits {
  const controller = new AbortController();
  let reason: Ended | null = null;
  const end = (why: Ended | null): void => {
    if (controller.signal.aborted) return;
    reason = why;
    controller.abort();
  };
  const stop = (): void => end('stopped');
  if (outer.aborted) stop();
  else outer.addEventListener('abort', stop, { once: true });
  const first = setTimeout(() => end('too_slow'), firstMs);
  let total = setTimeout(() => end('too_slow'), totalMs);
  return {
    signal: controller.signal,
    ended: () => reason,
    begun: () => clearTimeout(first),
    closing(ms) {
      clearTimeout(first);
      clearTimeout(total);
      total = setTimeout(() => end(null), ms);
    },
    dispose() {
      clearTimeout(first);
      clearTimeout(total);
      outer.removeEventListener('abort', stop);
      end(null);
    },
  };
}
