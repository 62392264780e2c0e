import { createHash } from 'node:crypto';
import { lstat, realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import picomatch from 'picomatch';
import { LIMITS } from '../../../shared/limits.ts';
import type { SourceKind } from '../source-kinds.ts';
import type { Adapter, SourcePattern } from './adapter.ts';
import type { Issue } from './issue.ts';
import { readHead } from './read-file.ts';
import { KINDS_OF_HOME } from './session-homes.ts';
import { type FoundSessions, NO_SESSIONS } from './session-look.ts';
import { type Walk, type WalkedFile, walk } from './walk.ts';

/** Where a source is: a file, the folder's own repository, a ledger in its history, or a place that must not be read. */
export type Place =
  | { type: 'file'; file: string }
  | { type: 'git'; dir: string }
  | { type: 'ledger'; dir: string; ledger: string }
  | { type: 'refused'; issue: Issue };

export interface FoundSource {
  /** Stable within a project, safe in an address. */
  id: string;
  kind: SourceKind;
  /** What people call it. */
  label: string;
  /** Path inside the folder, as people write it. */
  path: string;
  at: Place;
}

/** What is read together, and by which adapter. */
export interface FoundUnit {
  key: string;
  adapter: Adapter;
  sources: FoundSource[];
}

export interface Found {
  units: FoundUnit[];
  /** What was seen and left out, in words. */
  left: string[];
}

const OPTIONS = { dot: true } as const;
/** One expression for many globs: most files of a project match none of them. */
const anyOf = (globs: readonly string[]): RegExp =>
  new RegExp(globs.map((glob) => `(?:${picomatch.makeRe(glob, OPTIONS).source})`).join('|'));
const expressions = new Map<string, RegExp>();
const expressionOf = (globs: readonly string[]): RegExp => {
  const key = globs.join('\n');
  const known = expressions.get(key);
  if (known) return known;
  const made = anyOf(globs);
  expressions.set(key, made);
  return made;
};

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** The name of a file alone where there is only one of its kind, else with the folder it stands in. */
function labelOf(path: string, single: boolean): string {
  const parts = path.split('/');
  return single ? basename(path) : parts.slice(-2).join('/');
}

function sourceOf(pattern: SourcePattern, path: string, at: Place): FoundSource {
  const single = pattern.single === true;
  const id = single ? pattern.kind : `${pattern.kind}-${shortHash(path)}`;
  if (pattern.from === 'git') return { id, kind: pattern.kind, label: 'git log', path, at };
  if (pattern.from === 'ledger')
    return { id, kind: pattern.kind, label: `history of ${basename(path)}`, path: `.git of ${path}`, at };
  return { id, kind: pattern.kind, label: labelOf(path, single), path, at };
}

/** What looking into files came to, by pattern, file and state; the oldest go first. */
const looked = new Map<string, boolean>();

/** Whether what a file begins with is what a pattern looks for; remembered while the file stays as it is. */
async function sniffed(pattern: SourcePattern, file: WalkedFile): Promise<boolean> {
  if (!pattern.sniff) return true;
  try {
    const { size, mtimeMs, ctimeMs, ino } = await lstat(file.real);
    const key = [pattern.kind, pattern.paths[0], file.real, size, mtimeMs, ctimeMs, ino].join('\n');
    const known = looked.get(key);
    if (known !== undefined) return known;
    const head = (await readHead(file.real, LIMITS.sniffBytes)).toString('utf8').replace(/^\uFEFF/, '');
    const wanted = pattern.sniff(head);
    looked.set(key, wanted);
    const oldest = looked.size > LIMITS.foundSources ? looked.keys().next().value : undefined;
    if (oldest !== undefined) looked.delete(oldest);
    return wanted;
  } catch {
    // It is read later, and said to be unreadable then.
    return true;
  }
}

/** A folder where a file is looked for. */
const NO_FILE: Place = {
  type: 'refused',
  issue: {
    code: 'not_readable',
    severity: 'error',
    line: null,
    detail: 'This is not a plain file, so it was not read.',
  },
};

interface Candidates {
  files: WalkedFile[];
  folders: Walk['folders'];
  refused: Walk['refused'];
  git: string | null;
}

/** Whether a pattern may have a file: those in homes of harnesses are for the readers of sessions alone. */
const offered = ({ kind, single, from }: SourcePattern, { harness }: WalkedFile): boolean =>
  harness === undefined || (single !== true && from === undefined && KINDS_OF_HOME[harness].includes(kind));

/** Files of one pattern that are still free, in the order of its globs and then by path. */
async function matching(pattern: SourcePattern, all: Candidates, taken: Set<string>): Promise<FoundSource[]> {
  const found: FoundSource[] = [];
  for (const glob of pattern.paths) {
    if (pattern.single && found.length > 0) break;
    const expression = expressionOf([glob]);
    if (pattern.from === 'git' && glob === '.git') {
      const { git } = all;
      const refused = all.refused.find(({ path }) => path === '.git');
      if (git !== null && !taken.has(git)) found.push(sourceOf(pattern, '.git', { type: 'git', dir: git }));
      else if (refused && !taken.has(refused.path))
        found.push(sourceOf(pattern, '.git', { type: 'refused', issue: refused.issue }));
      continue;
    }
    if (pattern.single && all.folders.has(glob) && !taken.has(glob))
      found.push(sourceOf(pattern, glob, NO_FILE));
    for (const file of all.files) {
      if (pattern.single && found.length > 0) break;
      if (!expression.test(file.path) || !offered(pattern, file)) continue;
      if (pattern.from === 'ledger') {
        if (all.git !== null)
          found.push(sourceOf(pattern, file.path, { type: 'ledger', dir: all.git, ledger: file.path }));
      } else if (!taken.has(file.real) && (await sniffed(pattern, file))) {
        if (!found.some((one) => one.at.type === 'file' && one.at.file === file.real))
          found.push(sourceOf(pattern, file.path, { type: 'file', file: file.real }));
      }
    }
    for (const { path, issue } of pattern.from === 'ledger' ? [] : all.refused) {
      if (pattern.single && found.length > 0) break;
      if (!taken.has(path) && expression.test(path))
        found.push(sourceOf(pattern, path, { type: 'refused', issue }));
    }
  }
  return found;
}

/** What a source takes up, so that no other adapter reads it too. */
const takes = ({ at, path }: FoundSource): string | null => {
  if (at.type === 'file') return at.file;
  if (at.type === 'git') return at.dir;
  return at.type === 'refused' ? path : null;
};

/** An id no other source has: two adapters may each take one file of a kind, and the rows of one must never pass for the other's. */
function freeId({ id, kind, path }: FoundSource, used: ReadonlySet<string>): string {
  if (!used.has(id)) return id;
  for (let n = 0; n <= used.size; n += 1) {
    const other = `${kind}-${shortHash(n === 0 ? path : `${path}\n${n}`)}`;
    if (!used.has(other)) return other;
  }
  return id;
}

const unitKey = (adapter: Adapter, path: string): string => {
  if (adapter.unit === 'together') return adapter.id;
  return `${adapter.id}:${adapter.unit === 'each' ? path : adapter.unit(path)}`;
};

/**
 * Finds the sources in a folder, each for the first adapter that wants it, and puts together what is read together.
 * @param root the folder; one that does not exist has no sources
 * @param sessions what the homes of harnesses hold of it
 */
export async function discover(
  root: string,
  adapters: readonly Adapter[],
  sessions: FoundSessions = NO_SESSIONS,
): Promise<Found> {
  let real: string;
  try {
    real = await realpath(root);
  } catch {
    return { units: [], left: [] };
  }
  const walked = await walk(real);
  const wanted = expressionOf(adapters.flatMap(({ sources }) => sources.flatMap(({ paths }) => paths)));
  const all: Candidates = {
    git: walked.git,
    folders: walked.folders,
    files: [
      ...walked.files,
      ...sessions.files.map(({ path, real, home }) => ({ path, real, harness: home.harness })),
    ]
      .filter(({ path }) => wanted.test(path))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    refused: walked.refused.filter(({ path, issue }) => wanted.test(path) || issue.code === 'link_loop'),
  };
  const left = [...walked.left, ...sessions.left];
  for (const { path, issue } of all.refused) if (!wanted.test(path)) left.push(`${path}: ${issue.detail}`);
  const taken = new Set<string>();
  const units = new Map<string, FoundUnit>();
  const ids = new Set<string>();
  let count = 0;
  for (const adapter of adapters) {
    const found: FoundSource[] = [];
    const mine = new Set(taken);
    for (const pattern of adapter.sources) {
      for (const source of await matching(pattern, all, mine)) {
        const place = takes(source);
        if (place !== null) mine.add(place);
        found.push(source);
      }
    }
    if (adapter.needs && !found.some(({ kind }) => adapter.needs?.includes(kind))) continue;
    for (const source of found) {
      const place = takes(source);
      if (place !== null) taken.add(place);
      count += 1;
      if (count > LIMITS.foundSources) continue;
      const key = unitKey(adapter, source.path);
      const unit = units.get(key) ?? { key, adapter, sources: [] };
      const id = freeId(source, ids);
      ids.add(id);
      unit.sources.push({ ...source, id });
      units.set(key, unit);
    }
  }
  if (count > LIMITS.foundSources)
    left.push(`${count - LIMITS.foundSources} more files of known formats were not read.`);
  return { units: [...units.values()], left };
}
