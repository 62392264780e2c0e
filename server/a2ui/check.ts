import { CATALOG_ID, ROOT_ID } from '../../shared/catalog.ts';
import type { Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import { cardPath, type Envelope, LAYOUT_PATH } from './envelope.ts';
import { unsafeJson } from './json-safe.ts';
import { messageValidator } from './schema.ts';
import { brokenTree } from './topology.ts';

export type Guarded = { ok: true } | { ok: false; code: Code; why: string };

/** The check every message passes before it leaves, with the state of the one surface it is about. */
export interface Guard {
  /** Checks a message against the surface as it is after the accepted ones; accepts it when it is in order. Never throws. */
  check(envelope: Envelope): Guarded;
}

/** Ids of cards: safe in a data path, never a number (the library would make an array of it) nor a prototype's name. */
const CARD_ID = /^(?!constructor$|prototype$)[A-Za-z][A-Za-z0-9_-]{0,63}$/;
export const isCardId = (id: string): boolean => CARD_ID.test(id) && id !== ROOT_ID;

const OK: Guarded = { ok: true };
const no = (why: string): Guarded => ({ ok: false, code: 'envelope_invalid', why });

class SurfaceGuard implements Guard {
  #open = false;
  #tree = new Map<string, readonly string[]>();
  readonly #surfaceId: string;

  constructor(surfaceId: string) {
    this.#surfaceId = surfaceId;
  }

  check(envelope: Envelope): Guarded {
    // Before anything that walks the value by itself.
    const unsafe = unsafeJson(envelope);
    if (unsafe) return no(unsafe);
    const validate = messageValidator();
    if (!validate(envelope)) {
      const [error] = validate.errors ?? [];
      return no(`schema: ${error?.instancePath ?? ''} ${error?.message ?? ''}`);
    }
    if (Buffer.byteLength(JSON.stringify(envelope)) > LIMITS.envelopeBytes) return no('too many bytes');
    if ('createSurface' in envelope) return this.#create(envelope.createSurface);
    if (!this.#open) return no('no surface');
    return 'updateDataModel' in envelope
      ? this.#data(envelope.updateDataModel)
      : this.#components(envelope.updateComponents);
  }

  #create({ surfaceId, catalogId }: { surfaceId: string; catalogId: string }): Guarded {
    if (this.#open) return no('the surface is there already');
    if (surfaceId !== this.#surfaceId) return no('another surface');
    if (catalogId !== CATALOG_ID) return no('another catalog');
    this.#open = true;
    return OK;
  }

  /** Data goes to a bound path as a whole value: never below one, never to the root, never a deletion. */
  #data(update: { surfaceId: string; path: string; value: unknown }): Guarded {
    if (update.surfaceId !== this.#surfaceId) return no('another surface');
    if (update.value === undefined || update.value === null) return no('a deletion');
    const id = update.path.slice(cardPath('').length);
    const bound = update.path === LAYOUT_PATH || (isCardId(id) && update.path === cardPath(id));
    return bound ? OK : no('not a path that is bound');
  }

  #components(update: Extract<Envelope, { updateComponents: unknown }>['updateComponents']): Guarded {
    if (update.surfaceId !== this.#surfaceId) return no('another surface');
    const tree = new Map(this.#tree);
    const added = new Set<string>();
    for (const component of update.components) {
      const { id } = component;
      if (added.has(id)) return no(`${id} comes twice`);
      added.add(id);
      if ('children' in component) {
        if (id !== ROOT_ID) return no('a container that is not the root');
        if (component.layout.path !== LAYOUT_PATH) return no('the root binds another path');
        tree.set(id, component.children);
      } else {
        if (!isCardId(id)) return no('not a card id');
        if (component.spec.path !== cardPath(id)) return no(`${id} binds another path`);
        tree.set(id, []);
      }
    }
    const broken = brokenTree(tree, ROOT_ID, added, {
      components: LIMITS.components,
      depth: LIMITS.componentDepth,
    });
    if (broken) return no(broken);
    this.#tree = tree;
    return OK;
  }
}

/**
 * A guard for one surface.
 * @param surfaceId the only surface its messages may be about
 */
export const createGuard = (surfaceId: string): Guard => new SurfaceGuard(surfaceId);
