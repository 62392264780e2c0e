import { randomBytes } from 'node:crypto';
import { LIMITS } from '../../shared/limits.ts';
import type { StreamEvent } from '../../shared/wire.ts';
import type { Settled } from './ports.ts';
import { frame } from './sse.ts';
import { AnswerTrace, type Tracer } from './trace.ts';

/** Why an answer is ended before its time. */
export type EndedBy = 'stopped' | 'abandoned';

/** What an answer's work gets: a place for its events, and a signal. */
export interface AnswerSink {
  readonly id: string;
  /** Aborted by an explicit stop, or when nobody has listened for a while; the reason is an EndedBy. */
  readonly signal: AbortSignal;
  emit(event: StreamEvent): void;
  /** Events so far. */
  count(): number;
  /** Told what the steps did, for whoever asks how the answer was made. */
  readonly trace: Tracer;
  /** Called at most once, before the work ends: the answer can follow the record from now on. */
  settle(settled: Settled): void;
}

/** One answer: its events as sent, kept for readers that come late or come back. */
export interface Answer {
  readonly id: string;
  /** Event `n` stands at index `n - 1`. */
  readonly frames: readonly string[];
  /** The last event has been written. */
  readonly ended: boolean;
  readonly readers: number;
  /** Calls back whenever there is something new; gives the way to stop listening. */
  subscribe(listener: () => void): () => void;
  stop(): void;
  /** How it was made; not there for an answer that was not made by this process. */
  readonly trace?: AnswerTrace;
  /** What it can follow the record with; null while it is being made, and when it cannot. */
  readonly settled: Settled | null;
  /** Settles when the work has ended; never rejects. */
  readonly finished: Promise<void>;
}

export interface AnswerLimits {
  answersKept: number;
  eventsKept: number;
  answerChars: number;
  answersChars: number;
  orphanMs: number;
}

/** Reads an EndedBy off a signal. */
export const endedBy = (signal: AbortSignal): EndedBy | null =>
  !signal.aborted ? null : signal.reason === 'abandoned' ? 'abandoned' : 'stopped';

class KeptAnswer implements Answer {
  readonly id: string;
  readonly frames: string[] = [];
  readonly trace: AnswerTrace;
  readonly #controller = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #limits: AnswerLimits;
  #orphan: NodeJS.Timeout | null = null;
  chars = 0;
  ended = false;
  settled: Settled | null = null;
  finished: Promise<void> = Promise.resolve();

  constructor(limits: AnswerLimits, id: string) {
    this.#limits = limits;
    this.id = id;
    this.trace = new AnswerTrace(id);
  }

  get readers(): number {
    return this.#listeners.size;
  }
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Past the bounds only the last event is taken, so that the end is always told. */
  emit(event: StreamEvent): void {
    if (this.ended) return;
    const last = event.event === 'done';
    const full = this.frames.length >= this.#limits.eventsKept - 1 || this.chars >= this.#limits.answerChars;
    if (full && !last) return;
    const id = this.frames.length + 1;
    const text = frame(id, last ? { ...event, data: { ...event.data, events: id } } : event);
    this.frames.push(text);
    this.chars += text.length;
    this.trace.frame(id, event, Buffer.byteLength(text));
    if (last) this.end();
    else this.#tell();
  }

  end(): void {
    this.ended = true;
    this.#clearOrphan();
    this.#tell();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#clearOrphan();
    return () => {
      if (!this.#listeners.delete(listener)) return;
      if (this.#listeners.size === 0) this.watchOrphan();
    };
  }

  /** A lost connection is no stop: only when nobody has come back for a while does the work end. */
  watchOrphan(): void {
    if (this.ended || this.#orphan !== null) return;
    this.#orphan = setTimeout(() => this.#controller.abort('abandoned'), this.#limits.orphanMs);
    this.#orphan.unref();
  }

  stop(): void {
    if (!this.ended) this.#controller.abort('stopped');
  }

  #clearOrphan(): void {
    if (this.#orphan !== null) clearTimeout(this.#orphan);
    this.#orphan = null;
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

export interface Answers {
  /**
   * Begins an answer. Its work writes events into the sink and ends with `done`; should it fail without one, or leave it
   * out, `broken` is called to write it.
   * @param id of an answer that is made again; it takes the place of the one that is kept under it. A new one when left out
   */
  start(
    work: (sink: AnswerSink) => Promise<void>,
    broken: (sink: AnswerSink, error: unknown) => void,
    id?: string,
  ): Answer;
  /** Null when there never was such an answer, or it is no longer kept. */
  get(id: string): Answer | null;
  /** Ends an answer and forgets it; false when there was none. */
  drop(id: string): boolean;
  /** Ends all answers and waits until their work has. */
  close(): Promise<void>;
}

/** The answers of this process, kept in memory within bounds; the oldest go first, finished ones before running ones. */
export function createAnswers(limits: AnswerLimits = LIMITS): Answers {
  const kept = new Map<string, KeptAnswer>();

  function drop(id: string): boolean {
    kept.get(id)?.stop();
    return kept.delete(id);
  }

  function makeRoom(): void {
    let chars = 0;
    for (const answer of kept.values()) chars += answer.chars;
    while (kept.size >= limits.answersKept || (chars > limits.answersChars && kept.size > 0)) {
      const oldest = [...kept.values()].find((answer) => answer.ended && answer.readers === 0);
      const leaving = oldest ?? kept.values().next().value;
      if (leaving === undefined) return;
      leaving.stop();
      kept.delete(leaving.id);
      chars -= leaving.chars;
    }
  }

  return {
    start(work, broken, id = randomBytes(12).toString('base64url')) {
      drop(id);
      makeRoom();
      const answer = new KeptAnswer(limits, id);
      kept.set(answer.id, answer);
      const sink: AnswerSink = {
        id: answer.id,
        signal: answer.signal,
        emit: (event) => answer.emit(event),
        count: () => answer.frames.length,
        trace: answer.trace,
        settle: (settled) => {
          answer.settled = settled;
        },
      };
      answer.watchOrphan();
      answer.finished = work(sink)
        .then(
          () => (answer.ended ? undefined : broken(sink, new Error('the answer ended without done'))),
          (error: unknown) => broken(sink, error),
        )
        .catch(() => undefined)
        .finally(() => {
          if (!answer.ended) answer.end();
        });
      return answer;
    },
    get: (id) => kept.get(id) ?? null,
    drop,
    async close() {
      const all = [...kept.values()];
      for (const answer of all) answer.stop();
      await Promise.all(all.map((answer) => answer.finished));
      kept.clear();
    },
  };
}
