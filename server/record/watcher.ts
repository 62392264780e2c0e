/** Pause between two looks at the folder. */
const PAUSE_MS = 1_000;

/**
 * Reads a folder again about once a second, one reading after the other. Looking at the state of files is what works
 * everywhere (network drives, containers, editors that replace a file), and costs less than a millisecond a hundred files.
 */
export class Watcher {
  readonly #read: () => Promise<unknown>;
  readonly #failed: (error: unknown) => void;
  #timer: NodeJS.Timeout | null = null;
  #running = false;

  /**
   * @param read reads what changed
   * @param failed told of a reading that failed; watching goes on
   */
  constructor(read: () => Promise<unknown>, failed: (error: unknown) => void) {
    this.#read = read;
    this.#failed = failed;
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#next();
  }

  stop(): void {
    this.#running = false;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #next(): void {
    if (!this.#running) return;
    this.#timer = setTimeout(() => {
      this.#read()
        .catch(this.#failed)
        .finally(() => this.#next());
    }, PAUSE_MS);
    this.#timer.unref();
  }
}
