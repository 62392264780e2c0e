import { lstat, realpath } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { SOURCE_KINDS, type SourceKind } from '../store.ts';
import type { Issue } from './issue.ts';

/** Where a source of a folder is: a file, or the folder's own git repository. `issue` when it is there but must not be read. */
export interface FoundSource {
  /** Stable within a project, safe in an address. */
  id: string;
  kind: SourceKind;
  /** What people call it. */
  label: string;
  /** Path inside the folder, as people write it. */
  path: string;
  at: { type: 'file'; file: string } | { type: 'git'; dir: string } | { type: 'refused'; issue: Issue };
}

/** Names looked for, the first one found is taken; the harness writes its metrics under `public/`. */
const NAMES: Readonly<Record<SourceKind, readonly string[]>> = {
  metrics: ['metrics.json', 'public/metrics.json'],
  feature_list: ['feature_list.json'],
  progress_log: ['claude-progress.txt'],
  git: ['git-log.jsonl'],
};

const refused = (code: Issue['code'], detail: string): FoundSource['at'] => ({
  type: 'refused',
  issue: { code, severity: 'error', line: null, detail },
});

/** Follows links only as far as they stay inside the folder. */
async function locate(
  root: string,
  path: string,
  wanted: 'file' | 'directory',
): Promise<string | FoundSource['at'] | null> {
  const candidate = join(root, path);
  let entry: Awaited<ReturnType<typeof lstat>>;
  try {
    entry = await lstat(candidate);
  } catch {
    return null;
  }
  try {
    const real = await realpath(candidate);
    const inside = relative(root, real);
    if (inside === '..' || inside.startsWith(`..${sep}`) || inside === '') {
      return refused('outside_folder', 'This is a link to a place outside the folder, so it was not read.');
    }
    if (entry.isSymbolicLink()) entry = await lstat(real);
    if (wanted === 'file' ? entry.isFile() : entry.isDirectory()) return real;
    return wanted === 'file'
      ? refused('not_readable', 'This is not a plain file, so it was not read.')
      : null;
  } catch {
    return refused('not_readable', 'This leads to nothing that can be read.');
  }
}

/**
 * Finds the sources of one run in a folder.
 * @param root the folder; one that does not exist has no sources
 */
export async function discover(root: string): Promise<FoundSource[]> {
  let real: string;
  try {
    real = await realpath(root);
  } catch {
    return [];
  }
  const found: FoundSource[] = [];
  for (const kind of SOURCE_KINDS) {
    for (const path of NAMES[kind]) {
      const at = await locate(real, path, 'file');
      if (at === null) continue;
      const label = kind === 'git' ? 'git log' : basename(path);
      found.push({
        id: kind,
        kind,
        label,
        path,
        at: typeof at === 'string' ? { type: 'file', file: at } : at,
      });
      break;
    }
  }
  if (!found.some((source) => source.kind === 'git')) {
    const dir = await locate(real, '.git', 'directory');
    if (dir !== null) {
      const at = typeof dir === 'string' ? ({ type: 'git', dir } as const) : dir;
      found.push({ id: 'git', kind: 'git', label: 'git log', path: '.git', at });
    }
  }
  return found;
}
