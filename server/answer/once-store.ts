import type { QueryResult, SqlValue, Store } from '../record/store.ts';

/** Different statements of one reading that are remembered; more are run each time they are asked. */
const MOST = 1_000;

/**
 * A store for one reading of a record: equal statements are run once, whoever asks them. Premises, evidence and cards often
 * rest on the same rows. It is thrown away with the reading, so that nothing of one is taken for the next.
 * @param store closed by `close`, as if it were asked itself
 */
export function onceStore(store: Store): Store {
  const asked = new Map<string, Promise<QueryResult>>();
  return {
    query(sql, params = [], limits = {}) {
      const key = keyOf(sql, params, limits);
      const known = asked.get(key);
      if (known !== undefined) return known;
      const made = store.query(sql, params, limits);
      if (asked.size < MOST) asked.set(key, made);
      return made;
    },
    connect: () => store.connect(),
    fingerprint: () => store.fingerprint(),
    close: () => store.close(),
  };
}

/**
 * A store for several readings at once: a statement that runs is run for all who ask the same while it does, so that open
 * views which follow one change of the record ask it once. Nothing is kept once it has run, and nothing that began before a
 * change is given to who asks after it.
 * @param onChange calls back after each change of the record
 */
export function sharedStore(store: Store, onChange: (listener: () => void) => unknown): Store {
  const running = new Map<string, Promise<QueryResult>>();
  onChange(() => running.clear());
  return {
    query(sql, params = [], limits = {}) {
      const key = keyOf(sql, params, limits);
      const known = running.get(key);
      if (known !== undefined) return known;
      const made = store.query(sql, params, limits);
      running.set(key, made);
      const over = (): void => {
        if (running.get(key) === made) running.delete(key);
      };
      made.then(over, over);
      return made;
    },
    connect: () => store.connect(),
    fingerprint: () => store.fingerprint(),
    close: () => store.close(),
  };
}

const keyOf = (sql: string, params: readonly SqlValue[], limits: { rows?: number; ms?: number }): string =>
  JSON.stringify([sql, params, limits.rows ?? null, limits.ms ?? null]);
