/** Names under which a report or its CI system writes the commit it was made at. */
const COMMIT = new Set([
  'commit',
  'commit_id',
  'commit_sha',
  'commithash',
  'git_commit',
  'git_sha',
  'git_commit_sha',
  'git_revision',
  'gitcommit',
  'sha',
  'revision',
  'revision_id',
  'vcs_revision',
  'build_vcs_number',
  'ci_commit',
  'ci_commit_sha',
  'github_sha',
  'buildkite_commit',
  'circle_sha1',
]);
const DIRTY = new Set(['dirty', 'git_dirty', 'vcs_modified']);

const key = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[\s.-]+/g, '_')
    .replace(/^env_/, '');

/** A commit's sha, 7 to 64 hexadecimal digits; null for anything else, such as the name of a branch. */
export const shaOf = (text: string): string | null => {
  const sha = text.trim().toLowerCase();
  return /^[0-9a-f]{7,64}$/.test(sha) ? sha : null;
};

/** The commit a property gives, if its name is one for that. */
export const commitOf = (name: string, value: string): string | null =>
  COMMIT.has(key(name)) ? shaOf(value) : null;

/** Whether a property says that files were changed since the commit; null when it is about something else. */
export const dirtyOf = (name: string, value: string): boolean | null =>
  DIRTY.has(key(name)) ? /^(?:true|1|yes)$/i.test(value.trim()) : null;
