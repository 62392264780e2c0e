import { createHash } from 'node:crypto';
import { QueryError, type QueryResult, type Store } from '../../record/store.ts';

/**
 * The records of several projects side by side. Each stays a store of its own: no statement is run over all of them, so that
 * no row of one is ever counted with another's.
 */
export class JoinedStore implements Store {
  /** @param parts by project id, in the order they are compared in */
  constructor(readonly parts: ReadonlyMap<string, Store>) {}

  query(): Promise<QueryResult> {
    return Promise.reject(new QueryError('query_failed', 'several records have no statement in common'));
  }

  async connect(): Promise<JoinedStore> {
    const opened = new Map<string, Store>();
    try {
      for (const [id, store] of this.parts) opened.set(id, await store.connect());
    } catch (error) {
      await Promise.allSettled([...opened.values()].map((store) => store.close()));
      throw error;
    }
    return new JoinedStore(opened);
  }

  /** Changes when any of the records does. */
  async fingerprint(): Promise<string> {
    const hash = createHash('sha256');
    for (const [id, store] of this.parts) hash.update(`${id} ${await store.fingerprint()}\n`);
    return hash.digest('hex');
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.parts.values()].map((store) => store.close()));
  }
}
