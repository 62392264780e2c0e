import type { ReactComponentImplementation } from '@a2ui/react/v0_9';
import type { A2uiClientAction, Catalog } from '@a2ui/web_core/v0_9';
import { createHost, type Host } from '../a2ui/host.ts';
import type { Reporter } from '../lib/api.ts';
import { answerOf } from './state.ts';
import type { Store } from './store.ts';

/** Answers whose cards are kept in the tab; older ones are fetched again when they are opened. */
const HOSTS = 12;

/** What the page holds of an answer beside its state. */
export interface Held {
  host: Host;
  /** Id of the last event seen. */
  last: number;
}

/** The cards of the answers in this tab. */
export interface Hosts {
  get(key: string): Held | undefined;
  /** Begins an answer's cards, anew if it had some; the oldest make room for them. */
  hold(key: string): Held;
  /** Lets an answer's cards go. */
  release(key: string): void;
}

export interface HostsOptions {
  store: Store;
  catalog: Catalog<ReactComponentImplementation>;
  report: Reporter;
  /** A button of a card was pressed. */
  onAction(action: A2uiClientAction): void;
}

export function createHosts({ store, catalog, report, onAction }: HostsOptions): Hosts {
  const held = new Map<string, Held>();

  function release(key: string): void {
    held.get(key)?.host.dispose();
    held.delete(key);
    const answer = answerOf(store.state(), key);
    // What has an address can be fetched again; the turn in the chat keeps its words.
    if (answer !== null && answer.id === null) store.dispatch({ type: 'forgotten', key });
  }

  return {
    get: (key) => held.get(key),
    hold(key) {
      const host = createHost(catalog, {
        onAction,
        onRefusal: (surfaceId, refusal) => report({ surfaceId, ...refusal }),
        onCard: (card) => store.dispatch({ type: 'card', key, title: card.title, n: card.n }),
      });
      const made = { host, last: 0 };
      held.get(key)?.host.dispose();
      held.set(key, made);
      for (const old of [...held.keys()].slice(0, Math.max(0, held.size - HOSTS))) {
        const { current, canvas } = store.state();
        if (old !== current && old !== canvas && old !== key) release(old);
      }
      return made;
    },
    release,
  };
}
