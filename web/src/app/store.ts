import { type Action, reduce, type State } from './state.ts';

/** The page's state, and who is told when it is another one. */
export interface Store {
  state(): State;
  dispatch(action: Action): void;
  /** Calls back after every change, in the order of subscribing. Returns the way to stop it. */
  subscribe(listener: () => void): () => void;
}

export function createStore(initial: State): Store {
  const listeners = new Set<() => void>();
  let state = initial;
  return {
    state: () => state,
    dispatch(action) {
      const next = reduce(state, action);
      if (next === state) return;
      state = next;
      for (const notify of [...listeners]) notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
