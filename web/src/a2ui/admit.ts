import type { ReactComponentImplementation } from '@a2ui/react/v0_9';
import { type A2uiMessage, A2uiMessageSchema, type Catalog } from '@a2ui/web_core/v0_9';
import { ROOT_COMPONENT, ROOT_ID } from '../../../shared/catalog.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { isRecord } from '../lib/unknown.ts';
import { safeClone } from './safe-clone.ts';

/** A message, or a part of one, that was not processed: an A2UI client error for the server. */
export interface Refusal {
  code: string;
  path?: string;
  message: string;
}
export interface Admitted {
  message: A2uiMessage | null;
  refusals: Refusal[];
}

/** What is on the surface already. */
export interface SurfaceView {
  id: string | null;
  componentIds(): Iterable<string>;
}

/** The paths our cards are bound to. Writing below one of them would not be seen by the renderer. */
const DATA_PATH = /^\/(?:|layout|cards|cards\/[\w-]{1,80})$/;
const ID = /^[\w-]{1,80}$/;

const refused = (code: string, message: string, path?: string): Admitted => ({
  message: null,
  refusals: [{ code, message, ...(path === undefined ? {} : { path }) }],
});

/**
 * The gate before the renderer. The library applies a wrong envelope, draws a notice for a component it does not
 * know, and loses the rest of a batch to one bad message; so a message is checked here first, and of an update
 * only what the catalog knows goes on.
 * @param value one message as it arrived
 * @param catalog components that exist
 * @param surface what is there
 * @returns a copy that shares nothing with `value`, or null, and what was refused of it
 */
export function admit(
  value: unknown,
  catalog: Catalog<ReactComponentImplementation>,
  surface: SurfaceView,
): Admitted {
  const parsed = A2uiMessageSchema.safeParse(safeClone(value));
  if (!parsed.success) return refused('VALIDATION_FAILED', 'Not an A2UI v0.9 message.', '/');
  const message = parsed.data;

  if ('createSurface' in message) {
    const { surfaceId, catalogId } = message.createSurface;
    if (surface.id === surfaceId) return { message: null, refusals: [] };
    if (surface.id !== null) return refused('SURFACE_UNEXPECTED', 'An answer has one surface.');
    if (catalogId !== catalog.id) return refused('CATALOG_UNKNOWN', 'This catalog is not known here.');
    return { message, refusals: [] };
  }
  if ('deleteSurface' in message) return refused('NOT_SUPPORTED', 'A surface lives as long as its answer.');
  if ('updateDataModel' in message) {
    const { surfaceId, path = '/' } = message.updateDataModel;
    if (surfaceId !== surface.id) return refused('SURFACE_UNKNOWN', 'There is no such surface.');
    if (!DATA_PATH.test(path)) return refused('VALIDATION_FAILED', 'Nothing is bound to this path.', path);
    if (path === '/' && !isRecord(message.updateDataModel.value)) {
      return refused('VALIDATION_FAILED', 'The data of a surface is an object.', path);
    }
    return { message, refusals: [] };
  }
  return admitComponents(message, catalog, surface);
}

type ComponentsMessage = Extract<A2uiMessage, { updateComponents: unknown }>;

function admitComponents(
  message: ComponentsMessage,
  catalog: Catalog<ReactComponentImplementation>,
  surface: SurfaceView,
): Admitted {
  const { surfaceId, components } = message.updateComponents;
  if (surfaceId !== surface.id) return refused('SURFACE_UNKNOWN', 'There is no such surface.');
  const refusals: Refusal[] = [];
  const known = new Set(surface.componentIds());
  const kept: typeof components = [];
  for (const component of components) {
    const { id, component: name } = component;
    const path = `/components/${(id ?? '').slice(0, 80)}`;
    if (id === undefined || !ID.test(id)) {
      refusals.push({ code: 'VALIDATION_FAILED', path, message: 'A component needs a plain id.' });
    } else if (!catalog.components.has(name)) {
      refusals.push({ code: 'UNKNOWN_COMPONENT_TYPE', path, message: `No component ${name.slice(0, 60)}.` });
    } else if ((id === ROOT_ID) !== (name === ROOT_COMPONENT)) {
      refusals.push({ code: 'VALIDATION_FAILED', path, message: 'Only the root is a container.' });
    } else if (!known.has(id) && known.size >= LIMITS.components) {
      refusals.push({ code: 'TOO_MANY_COMPONENTS', path, message: 'The surface is full.' });
    } else {
      known.add(id);
      kept.push(component);
    }
  }
  // A child that is not there would be drawn as the library's own placeholder.
  for (const component of kept) {
    if (component.id !== ROOT_ID || !Array.isArray(component.children)) continue;
    component.children = component.children.filter(
      (child: unknown) => typeof child === 'string' && child !== ROOT_ID && known.has(child),
    );
  }
  if (kept.length === 0) return { message: null, refusals };
  return { message: { ...message, updateComponents: { surfaceId, components: kept } }, refusals };
}
