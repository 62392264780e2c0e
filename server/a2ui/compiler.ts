import { isDeepStrictEqual } from 'node:util';
import type { CardData, Layout, NoteCard, SkeletonCard } from '../../shared/cards.ts';
import { type CardComponent, ROOT_ID } from '../../shared/catalog.ts';
import { CODES, type Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import { createGuard, type Guard, type Guarded, isCardId } from './check.ts';
import { becomes, drawn, type Width } from './components.ts';
import {
  type Component,
  cardComponent,
  cardPath,
  createSurface,
  type Envelope,
  LAYOUT_PATH,
  rootComponent,
  updateComponents,
  updateData,
} from './envelope.ts';
import { unsafeJson } from './json-safe.ts';
import { layout } from './layout.ts';

/** A card that could not be sent as it was, for the log. */
export interface Refusal {
  card: string;
  code: Code;
  why: string;
}

export interface CompilerOptions {
  /** Called with each message as it is made; the same messages are returned. */
  emit?: (envelope: Envelope) => void;
  /** Order of cards on the surface while it grows; without it they stand in order of arrival. */
  order?: (a: string, b: string) => number;
  /** Told of each card that did not pass the check before sending. */
  refused?: (refusal: Refusal) => void;
}

/**
 * One surface, from its first message to its final state. Each method gives the messages to send, in order, all of which
 * have passed the check. Content that is on the surface already is not sent again. No method throws for bad content.
 */
export interface Compiler {
  readonly surfaceId: string;
  /** Creates the surface with its empty root. A second call gives nothing. */
  open(): Envelope[];
  /** A place for a card of this component and title; nothing when the id has a card or a place already. */
  skeleton(id: string, component: CardComponent, title: string): Envelope[];
  /** The same by the type of a drafted block; nothing for a type that is no block. */
  draft(id: string, blockType: string, title: string): Envelope[];
  /** A card, new, in the place of its skeleton, or instead of its earlier version. */
  card(card: CardData): Envelope[];
  /** The final state: exactly these cards in this order, the layout ended. */
  final(cards: readonly CardData[]): Envelope[];
  /** Ends the layout with the cards that are there; places without a card go. */
  end(): Envelope[];
  /** Everything that is on the surface, for a page that has an earlier state of it. Changes nothing. */
  all(): Envelope[];
}

interface Sent {
  component: CardComponent;
  /** Fixed when the card was first placed, so that no row changes when a skeleton turns out to be another card. */
  width: Width;
  /** Own copy, never sent. */
  data: unknown;
  skeleton: boolean;
}

/** A copy that shares nothing with the original, as it will be on the wire; null when it cannot be sent. */
function wireCopy(value: unknown): { json: string } | { why: string } {
  const why = unsafeJson(value);
  return why === null ? { json: JSON.stringify(value) } : { why };
}

/** The note that stands for a card which did not pass the check. */
function refusedCard(id: string): NoteCard {
  const words = CODES.envelope_invalid;
  return {
    type: 'note',
    id,
    title: words.title,
    sub: null,
    mark: { state: 'none', have: null, of: null, why: null },
    actions: [],
    evidence: [],
    trimmed: null,
    rule: { measured: 0, claimed: 0, missing: 1 },
    body: [{ kind: 'p', inlines: [{ kind: 'text', text: words.says }] }],
    cites: [],
    code: 'envelope_invalid',
    suggestions: [],
  };
}

const skeletonCard = (id: string, component: CardComponent, title: string): SkeletonCard => ({
  type: 'skeleton',
  id,
  title: title.slice(0, LIMITS.title),
  sub: null,
  mark: { state: 'checking', have: null, of: null, why: null },
  actions: [],
  evidence: [],
  trimmed: null,
  rule: { measured: 0, claimed: 0, missing: 1 },
  becomes: component,
});

class SurfaceCompiler implements Compiler {
  readonly surfaceId: string;
  readonly #options: CompilerOptions;
  readonly #guard: Guard;
  readonly #sent = new Map<string, Sent>();
  #children: string[] = [];
  #sentChildren: string[] = [];
  #sentLayout: Layout | null = null;
  #opened = false;
  #ended = false;
  #out: Envelope[] = [];

  constructor(surfaceId: string, options: CompilerOptions) {
    this.surfaceId = surfaceId;
    this.#options = options;
    this.#guard = createGuard(surfaceId);
  }

  open(): Envelope[] {
    this.#ensureOpen();
    return this.#flush();
  }

  skeleton(id: string, component: CardComponent, title: string): Envelope[] {
    this.#ensureOpen();
    if (!this.#ended && !this.#children.includes(id)) this.#place(skeletonCard(id, component, title));
    return this.#flush();
  }

  draft(id: string, blockType: string, title: string): Envelope[] {
    const component = becomes(blockType);
    return component === null ? [] : this.skeleton(id, component, title);
  }

  card(card: CardData): Envelope[] {
    this.#ensureOpen();
    this.#place(card);
    return this.#flush();
  }

  final(cards: readonly CardData[]): Envelope[] {
    this.#ensureOpen();
    this.#ended = true;
    const ids = [...new Set(cards.map((card) => card.id))];
    const last = new Map(cards.map((card) => [card.id, card]));
    this.#settle(
      ids,
      ids.flatMap((id) => last.get(id) ?? []),
    );
    return this.#flush();
  }

  end(): Envelope[] {
    this.#ensureOpen();
    this.#ended = true;
    this.#settle(
      this.#children.filter((id) => this.#sent.get(id)?.skeleton === false),
      [],
    );
    return this.#flush();
  }

  all(): Envelope[] {
    this.#ensureOpen();
    this.#flush();
    const shown = this.#children.flatMap((id): [string, Sent][] => {
      const sent = this.#sent.get(id);
      return sent ? [[id, sent]] : [];
    });
    for (const [id, { data }] of shown)
      this.#send(updateData(this.surfaceId, cardPath(id), structuredClone(data)));
    if (this.#sentLayout !== null)
      this.#send(updateData(this.surfaceId, LAYOUT_PATH, structuredClone(this.#sentLayout)));
    this.#send(
      updateComponents(this.surfaceId, [
        ...shown.map(([id, { component }]) => cardComponent(id, component)),
        rootComponent(this.#children),
      ]),
    );
    return this.#flush();
  }

  #ensureOpen(): void {
    if (this.#opened) return;
    this.#opened = true;
    this.#send(createSurface(this.surfaceId));
    this.#sendLayout();
    this.#send(updateComponents(this.surfaceId, [rootComponent([])]));
  }

  /** One card onto the surface: its data, then the layout, then the components that changed. */
  #place(card: CardData): void {
    const component = this.#sendData(card);
    if (component === null) return;
    if (!this.#children.includes(card.id)) {
      this.#children.push(card.id);
      if (this.#options.order) this.#children.sort(this.#options.order);
    }
    this.#sendLayout();
    this.#sendComponents(component);
  }

  #settle(ids: readonly string[], cards: readonly CardData[]): void {
    const changed = cards.flatMap((card) => this.#sendData(card) ?? []);
    this.#children = ids.filter((id) => this.#sent.has(id));
    this.#sendLayout();
    this.#sendComponents(changed);
  }

  /**
   * Sends the content of a card when it differs from what is there.
   * @returns the component to send (none when it is there already), or null when there is no room for the card
   */
  #sendData(card: CardData, instead = false): Component[] | null {
    const { id } = card;
    const before = this.#sent.get(id);
    if (!isCardId(id)) return this.#refuse(id, 'not a card id');
    // The root is one of them; the protocol cannot take a component away again.
    if (!before && this.#sent.size + 1 >= LIMITS.components) return this.#refuse(id, 'the surface is full');
    const copy = wireCopy(card);
    if ('why' in copy) return instead ? this.#refuse(id, copy.why) : this.#instead(id, copy.why);
    const data: unknown = JSON.parse(copy.json);
    if (!before || !isDeepStrictEqual(before.data, data)) {
      const sent = this.#send(updateData(this.surfaceId, cardPath(id), JSON.parse(copy.json)));
      if (!sent.ok) return instead ? this.#refuse(id, sent.why) : this.#instead(id, sent.why);
    }
    const { component, width } = drawn(card);
    this.#sent.set(id, {
      component,
      width: before?.width ?? width,
      data,
      skeleton: card.type === 'skeleton',
    });
    return before?.component === component ? [] : [cardComponent(id, component)];
  }

  /** A card that cannot be sent becomes a note that says so, in the same place. */
  #instead(id: string, why: string): Component[] | null {
    this.#refuse(id, why);
    return this.#sendData(refusedCard(id), true);
  }

  #refuse(card: string, why: string): null {
    this.#options.refused?.({ card: card.slice(0, LIMITS.label), code: 'envelope_invalid', why });
    return null;
  }

  #sendLayout(): void {
    const placed = this.#children.flatMap((id) => {
      const width = this.#sent.get(id)?.width;
      return width ? [{ id, width }] : [];
    });
    const next = layout(placed, this.#ended);
    if (isDeepStrictEqual(next, this.#sentLayout)) return;
    this.#sentLayout = next;
    this.#send(updateData(this.surfaceId, LAYOUT_PATH, structuredClone(next)));
  }

  #sendComponents(changed: readonly Component[]): void {
    const components = [...changed];
    if (!isDeepStrictEqual(this.#children, this.#sentChildren)) {
      this.#sentChildren = [...this.#children];
      components.push(rootComponent(this.#children));
    }
    if (components.length === 0) return;
    const shown = new Set(this.#children);
    const sent = this.#send(
      updateComponents(
        this.surfaceId,
        components.filter(({ id }) => shown.has(id) || id === ROOT_ID),
      ),
    );
    if (!sent.ok) this.#refuse(changed[0]?.id ?? ROOT_ID, sent.why);
  }

  #send(envelope: Envelope): Guarded {
    const guarded = this.#guard.check(envelope);
    if (guarded.ok) this.#out.push(envelope);
    return guarded;
  }

  #flush(): Envelope[] {
    const out = this.#out;
    this.#out = [];
    for (const envelope of out) this.#options.emit?.(envelope);
    return out;
  }
}

/**
 * A compiler for one surface.
 * @param surfaceId never used for another surface
 */
export const createCompiler = (surfaceId: string, options: CompilerOptions = {}): Compiler =>
  new SurfaceCompiler(surfaceId, options);
