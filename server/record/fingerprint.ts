import { textAt } from './cells.ts';
import type { FoundSource } from './ingest/discover.ts';
import { contentSha, sha256, sourceState } from './ingest/read-source.ts';
import type { Store } from './store.ts';

interface Watched {
  found: FoundSource;
  /** State and content hash last seen together. */
  state: string;
  sha: string | null;
}

/**
 * The files behind a record, as they are now. A verifier that compares a fingerprint before and after its work must also
 * notice a file that changed on disk without having been read again: the record in the database would look still while what
 * it speaks of has moved. Content is what counts, so a file is hashed again only when its state changed, and touching a file
 * without changing it changes nothing.
 */
export class LiveSources {
  #watched: Watched[] = [];

  /** @param sources each with the state before it was read, and the content that was read */
  watch(sources: readonly { found: FoundSource; state: string; sha: string | null }[]): void {
    this.#watched = sources.map((source) => ({ ...source }));
  }

  /** Hex digest over the present content of all sources. */
  async digest(): Promise<string> {
    const parts: string[] = [];
    for (const source of this.#watched) {
      const state = await sourceState(source.found);
      if (source.found.at.type !== 'file') {
        parts.push(`${source.found.id}:${state}`);
        continue;
      }
      if (state !== source.state) {
        source.state = state;
        // A file too large to be read as a whole is told by its state.
        source.sha = (await contentSha(source.found)) ?? state;
      }
      parts.push(`${source.found.id}:${source.sha ?? 'none'}`);
    }
    return sha256(parts.join('\n'));
  }
}

/** Digest of everything that was written at the last ingest: rows and findings. */
export async function writtenDigest(store: Store): Promise<string> {
  const { rows } = await store.query("SELECT value FROM meta WHERE key = 'digest'");
  return (rows[0] && textAt(rows[0], 'value')) ?? '';
}
