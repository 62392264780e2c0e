/** A stage took longer than it may. */
export class DeadlineError extends Error {
  constructor(readonly stage: string) {
    super(`deadline passed: ${stage}`);
    this.name = 'DeadlineError';
  }
}

/** The answer was ended from outside while something was waited for. */
export class AbortedError extends Error {
  constructor() {
    super('the answer was ended');
    this.name = 'AbortedError';
  }
}

/**
 * Waits for work, but no longer than `ms`, and not past an abort. The work itself is not ended by this: whoever started it
 * gives it a signal; here only the waiting ends. Throws DeadlineError, AbortedError, or what the work throws.
 */
export function within<T>(work: Promise<T>, ms: number, stage: string, signal?: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = (): void => finish(() => reject(new AbortedError()));
    const timer = setTimeout(() => finish(() => reject(new DeadlineError(stage))), Math.max(0, ms));
    signal?.addEventListener('abort', onAbort, { once: true });
    work.then(
      (value) => finish(() => resolve(value)),
      (error: unknown) => finish(() => reject(error)),
    );
    if (signal?.aborted) onAbort();
  });
}
