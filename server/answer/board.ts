import type { CardData } from '../../shared/cards.ts';
import type { AnswerSink } from './answers.ts';
import { byPlace } from './placing.ts';
import type { Envelope, Surface } from './ports.ts';

/** The cards of one answer as the page has them: what was sent last for each id, and where each stands. */
export class Board {
  readonly #surface: Surface;
  readonly #sink: AnswerSink;
  readonly #cards = new Map<string, CardData>();
  readonly #drafts = new Set<string>();
  /** Cards that stand for a failure: nothing in them needs a check. */
  readonly kept = new Set<string>();

  constructor(surface: Surface, sink: AnswerSink) {
    this.#surface = surface;
    this.#sink = sink;
  }

  open(): void {
    this.#send(this.#surface.open());
  }

  /** Holds a place; a second draft of the same card, or one of a card that is there, changes nothing. */
  draft(id: string, type: string, title: string): void {
    if (this.#cards.has(id) || this.#drafts.has(id)) return;
    this.#drafts.add(id);
    this.#send(this.#surface.draft(id, type, title));
  }

  /** @param kept the card stands for a failure */
  show(card: CardData, kept = false): void {
    this.#cards.set(card.id, card);
    if (kept) this.kept.add(card.id);
    this.#send(this.#surface.card(card));
  }

  /** No card will be added; what is left is the check. */
  end(): void {
    this.#drafts.clear();
    this.#send(this.#surface.end());
  }

  final(cards: readonly CardData[]): void {
    this.#cards.clear();
    this.#drafts.clear();
    for (const card of cards) this.#cards.set(card.id, card);
    this.#send(this.#surface.final(cards));
  }

  /** Cards sent so far, in order of place; places only held are not among them. */
  cards(): CardData[] {
    return this.order().flatMap((id) => this.#cards.get(id) ?? []);
  }

  get(id: string): CardData | undefined {
    return this.#cards.get(id);
  }

  /** Ids of the cards sent so far, in order of place. */
  order(): string[] {
    return [...this.#cards.keys()].sort(byPlace);
  }

  streamed(): ReadonlyMap<string, CardData> {
    return this.#cards;
  }

  get ready(): number {
    return this.#cards.size;
  }

  /** Cards there and cards to come, as far as known. */
  get known(): number {
    return new Set([...this.#cards.keys(), ...this.#drafts]).size;
  }

  #send(envelopes: readonly Envelope[]): void {
    for (const data of envelopes) this.#sink.emit({ event: 'a2ui', data });
  }
}
