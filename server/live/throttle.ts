export interface Throttle {
  /** Something changed: the task runs soon. However often this is called, it runs once for all calls before it starts. */
  trigger(): void;
  /** Runs the task after this wait instead, unless it is due earlier. */
  after(ms: number): void;
  /** No further run; a running one is not waited for. */
  stop(): void;
}

/**
 * Runs a task at most once in so many milliseconds, never twice at a time, and rests after a run at least as long as the
 * run took, so that it never takes more than half of the time there is.
 * @param task must not reject; a rejection is taken as its end
 * @param everyMs shortest time from one start to the next
 */
export function createThrottle(task: () => Promise<void>, everyMs: number, now = Date.now): Throttle {
  let timer: NodeJS.Timeout | null = null;
  let due = Number.POSITIVE_INFINITY;
  let running = false;
  let again = false;
  let stopped = false;
  /** Earliest next start. */
  let free = Number.NEGATIVE_INFINITY;

  const run = async (): Promise<void> => {
    timer = null;
    due = Number.POSITIVE_INFINITY;
    running = true;
    again = false;
    const started = now();
    try {
      await task();
    } catch {
      // The task tells of its failures itself.
    }
    running = false;
    free = Math.max(started + everyMs, now() + (now() - started));
    if (again) schedule(free);
  };
  const schedule = (at: number): void => {
    const when = Math.max(at, free);
    if (stopped || when >= due) return;
    if (timer !== null) clearTimeout(timer);
    due = when;
    timer = setTimeout(() => void run(), Math.max(0, when - now()));
    timer.unref();
  };

  return {
    trigger() {
      if (running) again = true;
      else schedule(now());
    },
    after: (ms) => schedule(now() + ms),
    stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
