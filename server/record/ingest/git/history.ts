import type { Adapter, RowSink, SourceInput, UnitInput } from '../adapter.ts';
import { SourceIssues } from '../source-issues.ts';
import { reportZones } from '../zones.ts';
import { type Commit, CommitReader, reportPathsLeft } from './commit.ts';
import { addCommit, meaningOf } from './commit-rows.ts';
import { revertsOf } from './reverts.ts';

/** Commits between two writings of what has gathered. */
const BATCH = 500;

/** All commits of one log, and what was wrong with it said to the source. */
async function readCommits(source: SourceInput): Promise<Commit[]> {
  const reader = new CommitReader(new SourceIssues(source));
  const commits: Commit[] = [];
  for await (const line of source.lines()) {
    const commit = reader.read(line);
    if (commit) commits.push(commit);
  }
  reader.end();
  source.count(reader.ok, reader.bad);
  reportPathsLeft(commits, reader.issues);
  reportZones(
    commits.map(({ zone }) => zone),
    reader.issues,
  );
  return commits;
}

async function read(unit: UnitInput, out: RowSink): Promise<void> {
  for (const source of unit.sources) {
    const commits = await readCommits(source);
    const reverts = revertsOf(commits);
    for (const [i, commit] of commits.entries()) {
      const meaning = meaningOf(commit);
      addCommit(out, source, commit, meaning, {
        runId: null,
        featureId: null,
        reverts: reverts.get(commit.sha) ?? null,
      });
      out.add('log_events', {
        event_id: `${source.id}.e${commit.line}`,
        run_id: null,
        at_ms: commit.atMs,
        zone: commit.zone,
        level: meaning.kind === 'revert' ? 'warning' : 'info',
        kind: meaning.kind === 'revert' ? 'revert' : 'commit',
        message: commit.subject,
        data: JSON.stringify({ sha: commit.sha, feature: meaning.named?.ref ?? null }),
        source_id: source.id,
        source_kind: source.kind,
        source_line: commit.line,
      });
      if (i % BATCH === BATCH - 1) await out.flush();
    }
  }
}

/** The folder's own history, where no other reader has taken it: commits, the paths they change, and what they are for. */
export const git: Adapter = {
  id: 'git',
  version: 1,
  label: 'Git history',
  sources: [
    {
      kind: 'git',
      paths: ['git-log.jsonl', '.git', 'git-log*.jsonl', '*/git-log*.jsonl'],
      single: true,
      from: 'git',
    },
  ],
  unit: 'each',
  read,
};
