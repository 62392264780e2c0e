import { isDeepStrictEqual } from 'node:util';
import type { CardData } from '../../shared/cards.ts';
import { CODES, type Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { LiveEvent } from '../../shared/wire.ts';
import { within } from '../answer/deadline.ts';
import type { Remade, Settled, Shown, StepLog } from '../answer/ports.ts';
import { unchecked } from '../answer/reconcile.ts';
import type { LiveReader } from './reader.ts';
import { createThrottle, type Throttle } from './throttle.ts';

export interface LiveTimes {
  liveEveryMs: number;
  liveMs: number;
  liveRetryMs: number;
  liveRetryMostMs: number;
}

/** Failed looks in a row after which the page is told; one alone may have met a file that was just being written. */
const TELL_AFTER = 2;

/** The mark of a card tells how sure it is; what the card says is everything else. */
const contentOf = ({ mark: _mark, ...content }: CardData): unknown => content;

/** Ids of the cards that say something else than before, or are new. */
export function changedCards(before: readonly CardData[], after: readonly CardData[]): string[] {
  const old = new Map(before.map((card) => [card.id, card]));
  return after
    .filter((card) => {
      const was = old.get(card.id);
      return was === undefined || !isDeepStrictEqual(contentOf(was), contentOf(card));
    })
    .map(({ id }) => id);
}

/**
 * One answer that follows the record for whoever reads it. When the record changes it is made again from its plan and
 * checked; only cards that differ from what is shown send messages, on the same surface. Looks are made at most once in
 * `liveEveryMs`, whatever the number of changes and of readers.
 */
export class LiveView {
  readonly id: string;
  readonly #settled: Settled;
  readonly #log: StepLog;
  readonly #times: LiveTimes;
  readonly #readers = new Set<LiveReader>();
  readonly #throttle: Throttle;
  readonly #controller = new AbortController();
  readonly #unlisten: () => void;
  #failures = 0;
  /** The code the page was told, while what is shown is not of the record of now. */
  #stale: Code | null = null;

  constructor(id: string, settled: Settled, log: StepLog, times: LiveTimes = LIMITS) {
    this.id = id;
    this.#settled = settled;
    this.#log = log;
    this.#times = times;
    this.#throttle = createThrottle(() => this.#look(), times.liveEveryMs);
    this.#unlisten = settled.onChange(() => this.#throttle.trigger());
  }

  get readers(): number {
    return this.#readers.size;
  }

  /**
   * @param record short fingerprint the reader's figures were checked on; with another one than here it gets everything
   */
  join(reader: LiveReader, record: string): void {
    this.#readers.add(reader);
    reader.catchUp = () => this.#everything();
    const here = this.#settled.shown.report?.record ?? '';
    reader.send([{ event: 'ready', data: { answerId: this.id } }]);
    if (record !== here) reader.send(this.#everything());
    else if (this.#stale !== null) reader.send([this.#staleEvent(this.#stale)]);
    // The record may have changed since, before anyone listened.
    this.#throttle.trigger();
  }

  leave(reader: LiveReader): void {
    this.#readers.delete(reader);
  }

  close(): void {
    this.#unlisten();
    this.#throttle.stop();
    this.#controller.abort();
    for (const reader of this.#readers) reader.finish();
    this.#readers.clear();
  }

  async #look(): Promise<void> {
    const remade = await this.#again();
    if (this.#controller.signal.aborted) return;
    if (remade.ok) this.#show(remade.shown);
    else this.#fail(remade.code);
  }

  async #again(): Promise<Remade> {
    const { signal } = this.#controller;
    const own = new AbortController();
    try {
      const work = this.#settled.again(AbortSignal.any([signal, own.signal]));
      return await within(work, this.#times.liveMs, 'live', signal);
    } catch (error) {
      if (!signal.aborted)
        this.#log.warn({ err: error, answer: this.id }, 'an answer could not follow the record');
      return { ok: false, code: 'query_failed' };
    } finally {
      own.abort();
    }
  }

  #show(next: Shown): void {
    const before = this.#settled.shown;
    this.#settled.shown = next;
    const wasStale = this.#stale !== null;
    this.#failures = 0;
    this.#stale = null;
    const same = !wasStale && before.report?.record === next.report?.record;
    const events: LiveEvent[] = this.#settled.surface
      .final(next.cards)
      .map((data) => ({ event: 'a2ui', data }));
    const changed = changedCards(before.cards, next.cards);
    if (same && events.length === 0 && changed.length === 0) return;
    if (!isDeepStrictEqual(before.chat, next.chat))
      events.push({ event: 'chat', data: { paragraphs: [...next.chat] } });
    events.push(this.#updated(changed, false));
    this.#tell(events);
  }

  /** What is shown stays; when it goes on, it is marked as not checked on the record of now. */
  #fail(code: Code): void {
    this.#failures += 1;
    const wait = Math.min(this.#times.liveRetryMostMs, this.#times.liveRetryMs * 2 ** (this.#failures - 1));
    this.#throttle.after(wait);
    if (this.#failures < TELL_AFTER || this.#stale === code) return;
    this.#stale = code;
    const { shown, surface } = this.#settled;
    const marked = unchecked(shown.cards, new Set(), `The record has changed since. ${CODES[code].says}`);
    const events: LiveEvent[] = surface.final(marked.cards).map((data) => ({ event: 'a2ui', data }));
    this.#tell([...events, this.#staleEvent(code)]);
  }

  #updated(changed: string[], all: boolean): LiveEvent {
    const { title, cards, report } = this.#settled.shown;
    return {
      event: 'updated',
      data: { answerId: this.id, title, cards: cards.length, changed, all, report, at: Date.now() },
    };
  }

  #staleEvent = (code: Code): LiveEvent => ({ event: 'stale', data: { answerId: this.id, code } });

  /** For a page that has an earlier state, or an unknown one. */
  #everything(): LiveEvent[] {
    const { surface, shown } = this.#settled;
    return [
      ...surface.all().map((data): LiveEvent => ({ event: 'a2ui', data })),
      { event: 'chat', data: { paragraphs: [...shown.chat] } },
      this.#updated([], true),
      ...(this.#stale === null ? [] : [this.#staleEvent(this.#stale)]),
    ];
  }

  #tell(events: readonly LiveEvent[]): void {
    for (const reader of this.#readers) reader.send(events);
  }
}
