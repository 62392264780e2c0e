import { type Entry, emptyReading, type Reading, told, toldStatus } from '../facts.ts';
import { type Commit, CommitReader, inOrder, reportPathsLeft, shortSha } from '../git/commit.ts';
import { type CommitMeaning, meaningOf } from '../git/commit-rows.ts';
import { Issues } from '../issue.ts';
import type { Line } from '../lines.ts';
import { usualZone } from '../time.ts';
import { reportZones } from '../zones.ts';
import { readSubject, type Subject, startsRun } from './subject.ts';
import { SCORE_MAX } from './thresholds.ts';

/** One commit, what it means for a feature, and the score and attempts its subject gives, if it is one of the harness's own. */
export interface ToldCommit extends Commit {
  meaning: CommitMeaning;
  says: Subject;
}

/**
 * What a commit means to this harness: its own subjects accept or skip a feature; any other commit may name one, but hands
 * nothing in.
 */
function toldOf(commit: Commit): ToldCommit {
  const says = readSubject(commit.subject);
  if (says.kind !== 'other')
    return { ...commit, says, meaning: { kind: says.kind, named: { ref: says.feature, method: 'subject' } } };
  const { kind, named } = meaningOf(commit);
  return { ...commit, says, meaning: { kind: kind === 'revert' ? kind : 'other', named } };
}

function entryOf(commit: ToldCommit, before: ToldCommit | undefined, issues: Issues): Entry | null {
  const { says } = commit;
  if (says.kind === 'other') return null;
  const line = commit.line;
  const accepted = says.kind === 'accept';
  const entry: Entry = {
    feature: says.feature,
    atMs: commit.atMs,
    line,
    description: says.title,
    category: null,
    facts: [
      toldStatus(accepted ? 'accepted' : 'skipped', 'measured', line),
      told('attempts', says.attempts, 'measured', line),
    ],
    attempts: [],
  };
  if (says.score <= SCORE_MAX) entry.facts.push(told('score', says.score, 'measured', line));
  else
    issues.add(
      'out_of_range',
      'warning',
      line,
      `commit ${shortSha(commit.sha)}: the score is above 10, so it was not read.`,
    );
  if (commit.atMs !== null) entry.facts.push(told('completed_at', commit.atMs, 'measured', line));
  if (!accepted) return entry;
  if (commit.insertions !== null) entry.facts.push(told('lines_added', commit.insertions, 'measured', line));
  if (commit.deletions !== null) entry.facts.push(told('lines_removed', commit.deletions, 'measured', line));
  if (commit.files !== null) entry.facts.push(told('files_changed', commit.files, 'measured', line));
  const spacing = commit.atMs !== null && before?.atMs != null ? (commit.atMs - before.atMs) / 1000 : 0;
  // Commits with the same time were replayed, not built one after the other: their spacing says nothing.
  if (before && spacing > 0) {
    const how = `${shortSha(before.sha)} to ${shortSha(commit.sha)}`;
    entry.facts.push(told('build_time', spacing, 'derived', line, how));
  }
  if (says.attempts === 1) {
    entry.attempts.push({
      n: 1,
      score: says.score <= SCORE_MAX ? says.score : null,
      durationS: null,
      feedback: null,
      tokensCoder: null,
      tokensEvaluator: null,
      passed: true,
      basis: 'measured',
      line,
    });
  }
  return entry;
}

/** Reads the commits of a git log (git/commit.ts) as this harness writes them, line by line. */
export class GitLogReader {
  readonly issues = new Issues();
  readonly #commits = new CommitReader(this.issues);
  readonly #reading = emptyReading();

  read(line: Line): void {
    const commit = this.#commits.read(line);
    if (commit) this.#reading.commits.push(toldOf(commit));
  }

  /** What the log says, after its last line. */
  end(): Reading {
    this.#commits.end();
    const { commits, markers, entries } = this.#reading;
    const ordered = inOrder(commits);
    for (const [i, commit] of ordered.entries()) {
      const { atMs, zone, line } = commit;
      if (startsRun(commit.subject)) markers.push({ kind: 'commit', atMs, zone, name: null, line });
      const entry = entryOf(commit, ordered[i - 1], this.issues);
      if (entry) entries.push(entry);
    }
    // What has no time has no neighbours either, but still says how a feature ended.
    for (const commit of commits) {
      const entry = commit.atMs === null ? entryOf(commit, undefined, this.issues) : null;
      if (entry) entries.push(entry);
    }
    const zones = commits.map((commit) => commit.zone);
    reportPathsLeft(commits, this.issues);
    reportZones(zones, this.issues);
    return {
      ...this.#reading,
      zone: usualZone(zones),
      ok: this.#commits.ok,
      bad: this.#commits.bad,
      issues: this.issues.list(),
    };
  }
}
