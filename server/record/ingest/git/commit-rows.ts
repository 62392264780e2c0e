import type { RowOf } from '../../tables.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import type { Commit } from './commit.ts';
import { type NamedFeature, namedFeature } from './named-feature.ts';
import { isRevert } from './reverts.ts';

/** What a commit does for a feature, and which one it names. */
export interface CommitMeaning {
  kind: 'accept' | 'skip' | 'revert' | 'other';
  named: NamedFeature | null;
}

/**
 * What any commit means, whichever harness wrote it: a `feat` commit that names a feature hands that feature in, one that says
 * `skip` gives it up, a revert takes a commit back.
 */
export function meaningOf(commit: Commit): CommitMeaning {
  if (isRevert(commit)) return { kind: 'revert', named: namedFeature('', commit.trailers) };
  const named = namedFeature(commit.subject, commit.trailers);
  if (named === null) return { kind: 'other', named };
  if (/^feat(?:ure)?(?:\([^()]{0,60}\))?!?:/i.test(commit.subject)) return { kind: 'accept', named };
  return { kind: /^skip(?:\([^()]{0,60}\))?!?:/i.test(commit.subject) ? 'skip' : 'other', named };
}

/** Where a commit belongs, as far as the reader knows; what is null is found from all sources together later. */
export interface CommitPlace {
  runId: string | null;
  featureId: string | null;
  /** Full name of the commit it takes back. */
  reverts: string | null;
}

type Told = Pick<SourceInput, 'id' | 'kind'>;

/** Adds a commit, and one touch for each path it changes. */
export function addCommit(
  out: Pick<RowSink, 'add'>,
  source: Told,
  commit: Commit,
  meaning: CommitMeaning,
  place: CommitPlace,
): void {
  const about = { run_id: place.runId, feature_id: place.featureId };
  out.add('commits_told', {
    sha: commit.sha,
    ...about,
    feature_ref: meaning.named?.ref ?? null,
    link_method: meaning.named?.method ?? null,
    at_ms: commit.atMs,
    zone: commit.zone,
    author: commit.author,
    subject: commit.subject,
    kind: meaning.kind,
    reverts_sha: place.reverts,
    files: commit.files,
    insertions: commit.insertions,
    deletions: commit.deletions,
    source_id: source.id,
    source_line: commit.line,
  } satisfies RowOf<'commits_told'>);
  for (const [i, { path, insertions, deletions }] of commit.paths.entries()) {
    out.add('file_touches', {
      touch_id: `${commit.sha}.t${i + 1}`,
      ...about,
      commit_sha: commit.sha,
      path: spelled(path),
      raw_path: path,
      // Git counts lines and does not say here whether the file is new or gone.
      op: 'edit',
      lines_added: insertions,
      lines_removed: deletions,
      at_ms: commit.atMs,
      source_id: source.id,
      source_kind: source.kind,
      source_line: commit.line,
    });
  }
}

/** Git writes paths from the top of the repository; `./` and doubled slashes come from exports made by hand. */
const spelled = (path: string): string => path.replace(/^(?:\.\/)+/, '').replace(/\/{2,}/g, '/');
