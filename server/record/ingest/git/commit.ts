import { z } from 'zod/v4';
import { LIMITS } from '../../../../shared/limits.ts';
import type { SourceLine } from '../adapter.ts';
import type { Issues } from '../issue.ts';
import { readTime } from '../time.ts';
import { visibleText } from '../visible.ts';
import { readMessage } from './message.ts';

/** A path a commit changes; the counts are null for a binary file. */
export interface PathChange {
  path: string;
  insertions: number | null;
  deletions: number | null;
}

/** One commit as a line of a git log tells it; what it does not tell is null. */
export interface Commit {
  sha: string;
  /** Null when the time cannot be read or has no zone. */
  atMs: number | null;
  zone: string | null;
  author: string | null;
  subject: string;
  trailers: readonly (readonly [key: string, value: string])[];
  /** Name of the commit it takes back, as its message gives it. */
  reverts: string | null;
  files: number | null;
  insertions: number | null;
  deletions: number | null;
  paths: PathChange[];
  /** Paths that were left out of the list. */
  pathsLeft: number;
  line: number;
}

const SUBJECT = 1_000;
const NAME = 200;
/** So that all paths of a commit still fit into one line. */
const PATH = 500;
const TRAILERS = 20;

const Sha = z.string().regex(/^[0-9a-f]{7,64}$/i);
const CommitLine = z.looseObject({ sha: Sha, subject: z.string() });
const Count = z.number().int().min(0).max(1_000_000_000).nullish();
const Pair = z.tuple([z.string(), z.string()]);
const Path = z.tuple([z.string().min(1), Count, Count]);
const Note = z.object({
  note: z.enum(['older_left', 'shallow', 'not_counted']),
  commits: z.number().int().min(0),
});

/** What a line about the log as a whole says, for people. */
const NOTES = {
  older_left: (n: number) => `${n} older commits were not read.`,
  shallow: (n: number) =>
    `The repository is a shallow copy: what lies before ${n === 1 ? 'one commit' : `${n} commits`} is not in it, so ${n === 1 ? 'that one has' : 'those have'} no counts.`,
  not_counted: (n: number) => `Counting changed lines took git too long; ${n} commits have no counts.`,
} as const;

/** A commit's short name, as people write it. */
export const shortSha = (sha: string): string => sha.slice(0, 7);

/**
 * Reads the lines of a git log, one JSON object a commit in any order:
 * `{sha, committed_at, subject, files, insertions, deletions, author?, trailers?, reverts?, body?, paths?: [[path, ins, del]]}`.
 * One reader for one log: it knows the commits it has seen.
 */
export class CommitReader {
  readonly #seen = new Set<string>();
  #left = 0;
  ok = 0;
  bad = 0;

  constructor(readonly issues: Issues) {}

  /** The commit of a line, or null when it has none that is read. */
  read(line: SourceLine | Omit<SourceLine, 'offset'>): Commit | null {
    if (line.text.trim() === '') return null;
    if (this.ok >= LIMITS.sourceEntries) {
      this.#left += 1;
      return null;
    }
    let value: unknown;
    try {
      value = JSON.parse(line.text);
    } catch {
      this.bad += 1;
      if (line.ended)
        this.issues.add('json_invalid', 'warning', line.no, 'This line is not JSON, so it was not read.');
      else this.issues.add('line_cut', 'warning', line.no, 'The last line breaks off, so it was not read.');
      return null;
    }
    const note = Note.safeParse(value);
    if (note.success) {
      const severity = note.data.note === 'shallow' ? 'info' : 'warning';
      this.issues.add('too_many_entries', severity, null, NOTES[note.data.note](note.data.commits));
      return null;
    }
    const commit = this.#commit(value, line.no);
    if (commit === null) {
      this.bad += 1;
      return null;
    }
    if (this.#seen.has(commit.sha)) {
      const detail = `Commit ${shortSha(commit.sha)} is listed twice; the first one was read.`;
      this.issues.add('duplicate_id', 'warning', line.no, detail);
      return null;
    }
    this.#seen.add(commit.sha);
    this.ok += 1;
    return commit;
  }

  /** To be called after the last line. */
  end(): void {
    if (this.#left === 0) return;
    const detail = `${this.#left} commits beyond the first ${LIMITS.sourceEntries} were not read.`;
    this.issues.add('too_many_entries', 'warning', null, detail);
  }

  #wrong(sha: string, key: string, wanted: string, line: number): null {
    const detail = `commit ${shortSha(sha)}: ${key} is not ${wanted}, so it was not read.`;
    this.issues.add('wrong_type', 'warning', line, detail);
    return null;
  }

  #time(sha: string, written: unknown, line: number): { ms: number | null; zone: string | null } {
    const time = typeof written === 'string' ? readTime(written) : null;
    if (time === null) {
      const detail = `commit ${shortSha(sha)} has no time that can be read.`;
      this.issues.add('time_invalid', 'warning', line, detail);
    } else if (time.zone === null) {
      const detail = `commit ${shortSha(sha)}: the time has no zone, so it was not used.`;
      this.issues.add('time_without_zone', 'warning', line, detail);
    }
    return { ms: time && time.zone !== null ? time.ms : null, zone: time?.zone ?? null };
  }

  #commit(value: unknown, line: number): Commit | null {
    const parsed = CommitLine.safeParse(value);
    if (!parsed.success) {
      const detail = 'This line has no sha or no subject, so it was not read.';
      this.issues.add('missing_field', 'warning', line, detail);
      return null;
    }
    const { sha } = parsed.data;
    const field = <T>(key: string, type: z.ZodType<T>, wanted: string): T | null => {
      const given = parsed.data[key];
      if (given === undefined || given === null) return null;
      const read = type.safeParse(given);
      return read.success ? read.data : this.#wrong(sha, key, wanted, line);
    };
    const count = (key: string): number | null => field(key, Count, 'a count') ?? null;
    const { ms, zone } = this.#time(sha, parsed.data.committed_at, line);
    const body = field('body', z.string(), 'text');
    const message = readMessage(body ?? '');
    const trailers = field('trailers', z.array(Pair), 'a list of names and values') ?? message.trailers;
    const paths = field('paths', z.array(Path), 'a list of paths with counts') ?? [];
    return {
      sha: sha.toLowerCase(),
      atMs: ms,
      zone,
      author: field('author', z.string(), 'text')?.slice(0, NAME) ?? null,
      subject: visibleText(parsed.data.subject).slice(0, SUBJECT),
      trailers: trailers.slice(0, TRAILERS).map(([key, text]) => [key.slice(0, NAME), text.slice(0, NAME)]),
      reverts: field('reverts', Sha, 'the name of a commit')?.toLowerCase() ?? message.reverts,
      files: count('files'),
      insertions: count('insertions'),
      deletions: count('deletions'),
      paths: paths.slice(0, LIMITS.commitPaths).map(([path, insertions, deletions]) => ({
        path: visibleText(path).slice(0, PATH),
        insertions: insertions ?? null,
        deletions: deletions ?? null,
      })),
      pathsLeft: Math.max(0, paths.length - LIMITS.commitPaths) + (count('paths_left') ?? 0),
      line,
    };
  }
}

/** Oldest first. Git itself lists the newest first, and times repeat; so a list that runs backwards is turned round before sorting. */
export function inOrder<T extends Pick<Commit, 'atMs'>>(commits: readonly T[]): T[] {
  const timed = commits.filter((commit) => commit.atMs !== null);
  const backwards = (timed[0]?.atMs ?? 0) > (timed.at(-1)?.atMs ?? 0);
  return (backwards ? timed.reverse() : timed).sort((a, b) => (a.atMs ?? 0) - (b.atMs ?? 0));
}

/** Says of a log how many paths its commits change beyond those that are listed. */
export function reportPathsLeft(commits: readonly Commit[], issues: Issues): void {
  const cut = commits.filter(({ pathsLeft }) => pathsLeft > 0);
  const left = cut.reduce((sum, { pathsLeft }) => sum + pathsLeft, 0);
  if (left === 0) return;
  const where = cut.length === 1 ? `of commit ${shortSha(cut[0]?.sha ?? '')}` : `of ${cut.length} commits`;
  const detail = `${left} paths ${where} are counted but not listed.`;
  issues.add('too_many_entries', 'info', cut[0]?.line ?? null, detail);
}
