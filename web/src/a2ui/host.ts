import type { ReactComponentImplementation } from '@a2ui/react/v0_9';
import {
  type A2uiClientAction,
  type Catalog,
  MessageProcessor,
  type SurfaceModel,
} from '@a2ui/web_core/v0_9';
import { ROOT_ID } from '../../../shared/catalog.ts';
import { nextFrame, type Schedule } from '../lib/frame.ts';
import { admit, type Refusal } from './admit.ts';
import { titleOf } from './card-meta.ts';

/** Messages that may wait for one frame; beyond it they are processed at once. */
const QUEUE = 500;
const SKELETON = 'CardSkeleton';

export type CardSurface = SurfaceModel<ReactComponentImplementation>;

/** What a host tells the page. */
export interface HostListener {
  onAction(action: A2uiClientAction): void;
  onRefusal(surfaceId: string, refusal: Refusal): void;
  /** A card stands where there was none or a skeleton; `n` counts from 1. */
  onCard(card: { id: string; title: string | null; n: number }): void;
}

/** The A2UI side of one answer: takes messages as they arrive and keeps one surface. */
export interface Host {
  /** Different for every host of a page. */
  readonly serial: number;
  /** Queues one message as it arrived; it is checked and processed with the others of its frame. */
  push(message: unknown): void;
  /** Processes what waits, now. */
  flush(): void;
  subscribe(listener: () => void): () => void;
  surface(): CardSurface | null;
  /** Changes with every frame that brought something; for who waits for new data. */
  revision(): number;
  dispose(): void;
}

let made = 0;

/**
 * @param catalog components a surface may use
 * @param listener see `HostListener`
 * @param schedule when to process; one frame unless told otherwise
 */
export function createHost(
  catalog: Catalog<ReactComponentImplementation>,
  listener: HostListener,
  schedule: Schedule = nextFrame,
): Host {
  const processor = new MessageProcessor<ReactComponentImplementation>(
    [catalog],
    (action) => listener.onAction(action),
    { version: 'v0.9' },
  );
  const listeners = new Set<() => void>();
  const finished = new Set<string>();
  let queue: unknown[] = [];
  let cancel: (() => void) | null = null;
  let surface: CardSurface | null = null;
  let revision = 0;
  let disposed = false;
  made += 1;
  const serial = made;

  const subscription = processor.onSurfaceCreated((created) => {
    surface = created;
    created.onError.subscribe((error) => {
      listener.onRefusal(created.id, { code: error.code, message: error.message });
    });
  });

  const noteCards = (): void => {
    if (surface === null) return;
    const root = surface.componentsModel.get(ROOT_ID);
    const children = Array.isArray(root?.properties.children) ? root.properties.children : [];
    for (const id of children) {
      const type = typeof id === 'string' ? surface.componentsModel.get(id)?.type : undefined;
      if (type === undefined || type === SKELETON || finished.has(id)) continue;
      finished.add(id);
      listener.onCard({ id, title: titleOf(surface.dataModel.get(`/cards/${id}`)), n: finished.size });
    }
  };

  const process = (value: unknown): void => {
    const { message, refusals } = admit(value, catalog, {
      id: surface?.id ?? null,
      componentIds: () => (surface === null ? [] : [...surface.componentsModel.entries].map(([id]) => id)),
    });
    for (const refusal of refusals) listener.onRefusal(surface?.id ?? '', refusal);
    if (message === null) return;
    try {
      processor.processMessages([message]);
    } catch {
      listener.onRefusal(surface?.id ?? '', {
        code: 'MESSAGE_REFUSED',
        message: 'The renderer did not accept this message.',
      });
    }
  };

  const flush = (): void => {
    cancel?.();
    cancel = null;
    if (disposed || queue.length === 0) return;
    const messages = queue;
    queue = [];
    for (const message of messages) process(message);
    revision += 1;
    noteCards();
    for (const notify of [...listeners]) notify();
  };

  return {
    serial,
    push(message) {
      if (disposed) return;
      queue.push(message);
      if (queue.length >= QUEUE) flush();
      else cancel ??= schedule(flush);
    },
    flush,
    subscribe(notify) {
      listeners.add(notify);
      return () => listeners.delete(notify);
    },
    surface: () => surface,
    revision: () => revision,
    dispose() {
      disposed = true;
      cancel?.();
      queue = [];
      listeners.clear();
      subscription.unsubscribe();
      processor.model.dispose();
    },
  };
}
