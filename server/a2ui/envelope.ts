import { CATALOG_ID, type CardComponent, PROTOCOL, ROOT_COMPONENT, ROOT_ID } from '../../shared/catalog.ts';

/** A component as it travels: our catalog has cards with one binding, and the root. */
export type Component =
  | { id: string; component: CardComponent; spec: { path: string } }
  | { id: string; component: typeof ROOT_COMPONENT; children: string[]; layout: { path: string } };

/** One A2UI v0.9 message from server to client. */
export type Envelope =
  | { version: typeof PROTOCOL; createSurface: { surfaceId: string; catalogId: string } }
  | { version: typeof PROTOCOL; updateDataModel: { surfaceId: string; path: string; value: unknown } }
  | { version: typeof PROTOCOL; updateComponents: { surfaceId: string; components: Component[] } };

/** Where the layout and the cards' contents live in the data model. */
export const LAYOUT_PATH = '/layout';
export const cardPath = (id: string): string => `/cards/${id}`;

export const createSurface = (surfaceId: string): Envelope => ({
  version: PROTOCOL,
  createSurface: { surfaceId, catalogId: CATALOG_ID },
});

export const updateData = (surfaceId: string, path: string, value: unknown): Envelope => ({
  version: PROTOCOL,
  updateDataModel: { surfaceId, path, value },
});

export const updateComponents = (surfaceId: string, components: Component[]): Envelope => ({
  version: PROTOCOL,
  updateComponents: { surfaceId, components },
});

export const cardComponent = (id: string, component: CardComponent): Component => ({
  id,
  component,
  spec: { path: cardPath(id) },
});

export const rootComponent = (children: readonly string[]): Component => ({
  id: ROOT_ID,
  component: ROOT_COMPONENT,
  children: [...children],
  layout: { path: LAYOUT_PATH },
});
