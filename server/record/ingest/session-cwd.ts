import { lstat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { LIMITS } from '../../../shared/limits.ts';
import type { JsonNode } from './json-tree.ts';
import { readJson } from './json-tree.ts';
import { readHead } from './read-file.ts';

const textOf = (node: JsonNode | undefined): string | null => (node?.kind === 'string' ? node.value : null);

/** The folder one record says it was written in: at its top (transcripts), or in what it carries (rollouts). */
function cwdOf(root: JsonNode | null): string | null {
  if (root?.kind !== 'object') return null;
  const own = textOf(root.members.get('cwd'));
  if (own !== null) return own;
  const payload = root.members.get('payload');
  const type = textOf(root.members.get('type'));
  return payload?.kind === 'object' && (type === 'session_meta' || type === 'turn_context')
    ? textOf(payload.members.get('cwd'))
    : null;
}

/**
 * The folder the first record that names one was written in. The name of the folder a transcript stands in tells it only with
 * losses, so records decide.
 * @param head how a session begins; its last line may be cut
 */
export function cwdOfHead(head: string): string | null {
  for (const line of head.replace(/^\uFEFF/, '').split('\n')) {
    if (!line.includes('"cwd"')) continue;
    const cwd = cwdOf(readJson(line).root);
    if (cwd !== null && isAbsolute(cwd) && cwd.length <= LIMITS.sourceText) return cwd;
  }
  return null;
}

interface Looked {
  ino: number;
  size: number;
  cwd: string | null;
}

/** Looks at the heads of sessions, each again only while it has not told its folder, or when it is another file than before. */
export class SessionCwds {
  readonly #looked = new Map<string, Looked>();

  /** The folder a session named when it was looked at last; null when it named none, or was not looked at. */
  known(file: string): string | null {
    return this.#looked.get(file)?.cwd ?? null;
  }

  /** The folder a session was begun in; null when its head names none, or it cannot be read. */
  async of(file: string): Promise<string | null> {
    const known = this.#looked.get(file);
    try {
      const { ino, size } = await lstat(file);
      if (known !== undefined && known.ino === ino && size >= known.size) {
        // Nothing new can be in the head of a file that has not grown, or was longer than the head already.
        if (known.cwd !== null || size === known.size || known.size >= LIMITS.sessionHeadBytes)
          return known.cwd;
      }
      let cwd: string | null = null;
      for (const bytes of [LIMITS.sniffBytes, LIMITS.sessionHeadBytes]) {
        cwd = cwdOfHead((await readHead(file, bytes)).toString('utf8'));
        if (cwd !== null || size <= bytes) break;
      }
      this.#looked.set(file, { ino, size, cwd });
      return cwd;
    } catch {
      this.#looked.delete(file);
      return null;
    }
  }

  /** Forgets files that are not there any more. */
  keep(files: ReadonlySet<string>): void {
    for (const file of this.#looked.keys()) if (!files.has(file)) this.#looked.delete(file);
  }
}
