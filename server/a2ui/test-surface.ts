import {
  Catalog,
  type ComponentApi,
  childList,
  DataBindingSchema,
  MessageProcessor,
  NodeResolver,
  peekValue,
} from '@a2ui/web_core/v0_9';
import { z } from 'zod';
import { CARD_COMPONENTS, CATALOG_ID, ROOT_COMPONENT } from '../../shared/catalog.ts';
import type { Envelope } from './envelope.ts';

/** A bound object, as the page declares it: a bare binding would arrive unresolved. */
const bound = z.union([z.record(z.unknown()), DataBindingSchema]);

const dashboard: ComponentApi = {
  name: ROOT_COMPONENT,
  schema: z.object({ children: childList(), layout: bound }).strict(),
};
const cards: ComponentApi[] = CARD_COMPONENTS.map((name) => ({
  name,
  schema: z.object({ spec: bound }).strict(),
}));

export interface Shown {
  component: string;
  spec: unknown;
}

/**
 * The library's own processor with a catalog of our component names: what a page would show after each message.
 * Takes messages as text, so that nothing is shared with the sender.
 */
export class TestSurface {
  readonly #processor = new MessageProcessor([
    new Catalog<ComponentApi>(CATALOG_ID, [dashboard, ...cards], []),
  ]);
  #resolver: NodeResolver | null = null;
  readonly errors: string[] = [];

  process(envelopes: readonly Envelope[]): void {
    for (const envelope of envelopes) {
      const text = JSON.stringify(envelope);
      this.#processor.processMessages([JSON.parse(text)]);
      if (this.#resolver) continue;
      for (const surface of this.#processor.model.surfacesMap.values()) {
        surface.onError.subscribe((error) => {
          this.errors.push(String(error.code));
        });
        this.#resolver = new NodeResolver(surface, surface.catalog);
      }
    }
  }

  #tree(): Record<string, unknown> {
    const root = this.#resolver ? peekValue(this.#resolver.rootNode) : undefined;
    return root?.toJSON() ?? {};
  }

  /** The root as the library resolves it, for a look at everything. */
  json(): string {
    return JSON.stringify(this.#tree());
  }

  layout(): unknown {
    return this.#tree().layout;
  }

  /** Cards in the order of the root's children, by what draws them and what they are given. */
  shown(): Shown[] {
    const { children } = this.#tree();
    if (!Array.isArray(children)) return [];
    return children.map((child: unknown) => ({
      component: String(Reflect.get(Object(child), 'type')),
      spec: Reflect.get(Object(child), 'spec'),
    }));
  }
}
