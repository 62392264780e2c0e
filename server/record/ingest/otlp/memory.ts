import { z } from 'zod/v4';
import { LIMITS } from '../../../../shared/limits.ts';
import type { Convention } from './usage.ts';

/** What is remembered of the records before a line, bounded; the oldest of what is remembered is forgotten first. */

const State = z.object({
  scopes: z.array(z.tuple([z.string(), z.enum(['total', 'exclusive'])])),
  sessions: z.array(z.string()),
  /** Spans inside which a call was counted. */
  spans: z.array(z.string()),
  /** Whether the run of evaluations was named, and what the record said last counted for. */
  run: z.boolean(),
  last: z.enum(['ok', 'bad', 'none']),
});

const add = <T>(into: Set<T>, value: T, most: number): void => {
  into.add(value);
  const oldest = into.size > most ? into.values().next() : null;
  if (oldest !== null && oldest.done !== true) into.delete(oldest.value);
};

export class Memory {
  readonly #scopes: Map<string, Convention>;
  readonly #sessions: Set<string>;
  readonly #spans: Set<string>;
  run: boolean;
  /** How the last line of the reading before was counted: it is read again. */
  readonly before: 'ok' | 'bad' | 'none';

  constructor(carried: string | null) {
    let known: z.infer<typeof State> = { scopes: [], sessions: [], spans: [], run: false, last: 'none' };
    try {
      if (carried !== null) known = State.parse(JSON.parse(carried));
    } catch {
      // Written by an earlier version: it is read as if nothing were known.
    }
    this.#scopes = new Map(known.scopes);
    this.#sessions = new Set(known.sessions);
    this.#spans = new Set(known.spans);
    this.run = known.run;
    this.before = known.last;
  }

  convention(scope: string): Convention | null {
    return this.#scopes.get(scope.slice(0, LIMITS.otlpKey)) ?? null;
  }

  learn(scope: string, shown: Convention): void {
    const name = scope.slice(0, LIMITS.otlpKey);
    if (this.#scopes.has(name) || this.#scopes.size < LIMITS.otlpScopes) this.#scopes.set(name, shown);
  }

  /** Whether it is met for the first time. */
  meets(session: string): boolean {
    if (this.#sessions.has(session)) return false;
    add(this.#sessions, session, LIMITS.otlpSessions);
    return true;
  }

  count(trace: string | undefined, span: string | undefined): void {
    if (span !== undefined) add(this.#spans, `${trace?.slice(0, 8) ?? ''}${span}`, LIMITS.otlpSpans);
  }

  counted(trace: string | undefined, span: string | undefined): boolean {
    return span !== undefined && this.#spans.has(`${trace?.slice(0, 8) ?? ''}${span}`);
  }

  /** As text, to go on from here. */
  carry(last: 'ok' | 'bad' | 'none'): string {
    return JSON.stringify({
      scopes: [...this.#scopes],
      sessions: [...this.#sessions],
      spans: [...this.#spans],
      run: this.run,
      last,
    } satisfies z.infer<typeof State>);
  }
}
