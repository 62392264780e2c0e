import { z } from 'zod/v4';
import { LIMITS } from '../../../../shared/limits.ts';
import { type Entry, emptyReading, type Reading, type ToldCommit, told, toldStatus } from '../facts.ts';
import { Issues } from '../issue.ts';
import { linesOf } from '../lines.ts';
import { readTime, usualZone } from '../time.ts';
import { visibleText } from '../visible.ts';
import { reportZones } from '../zones.ts';
import { readSubject, startsRun } from './subject.ts';
import { SCORE_MAX } from './thresholds.ts';

/** One line of `git-log.jsonl`: a commit with what `git log --numstat` counts. */
const CommitLine = z.looseObject({ sha: z.string().regex(/^[0-9a-f]{7,64}$/i), subject: z.string() });
const Count = z.number().int().min(0).max(1_000_000_000).nullish();
const SUBJECT = 1_000;

/** A commit's short name, as people write it. */
export const shortSha = (sha: string): string => sha.slice(0, 7);

function commitOf(value: unknown, line: number, issues: Issues): ToldCommit | null {
  const parsed = CommitLine.safeParse(value);
  if (!parsed.success) {
    issues.add('missing_field', 'warning', line, 'This line has no sha or no subject, so it was not read.');
    return null;
  }
  const { sha } = parsed.data;
  const count = (key: string): number | null => {
    const read = Count.safeParse(parsed.data[key]);
    if (read.success) return read.data ?? null;
    issues.add(
      'wrong_type',
      'warning',
      line,
      `commit ${shortSha(sha)}: ${key} is not a count, so it was not read.`,
    );
    return null;
  };
  const written = parsed.data.committed_at;
  const time = typeof written === 'string' ? readTime(written) : null;
  if (time === null) {
    issues.add('time_invalid', 'warning', line, `commit ${shortSha(sha)} has no time that can be read.`);
  } else if (time.zone === null) {
    issues.add(
      'time_without_zone',
      'warning',
      line,
      `commit ${shortSha(sha)}: the time has no zone, so it was not used.`,
    );
  }
  const subject = visibleText(parsed.data.subject).slice(0, SUBJECT);
  const says = readSubject(subject);
  return {
    sha: sha.toLowerCase(),
    atMs: time && time.zone !== null ? time.ms : null,
    zone: time?.zone ?? null,
    subject,
    kind: says.kind,
    feature: says.kind === 'other' ? null : says.feature,
    files: count('files'),
    insertions: count('insertions'),
    deletions: count('deletions'),
    line,
  };
}

/** Oldest first. Git itself lists the newest first, and times repeat; so a list that runs backwards is turned round before sorting. */
function inOrder(commits: readonly ToldCommit[]): ToldCommit[] {
  const timed = commits.filter((commit) => commit.atMs !== null);
  const backwards = (timed[0]?.atMs ?? 0) > (timed.at(-1)?.atMs ?? 0);
  return (backwards ? timed.reverse() : timed).sort((a, b) => (a.atMs ?? 0) - (b.atMs ?? 0));
}

function entryOf(commit: ToldCommit, before: ToldCommit | undefined, issues: Issues): Entry | null {
  const says = readSubject(commit.subject);
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

/**
 * Reads `git-log.jsonl`, one commit a line in any order:
 * `{sha, committed_at, subject, files, insertions, deletions}`. The same lines are made from a folder's own `.git`.
 * @param text the decoded file
 */
export function readGitLog(text: string): Reading {
  const issues = new Issues();
  const reading = emptyReading();
  const seen = new Set<string>();
  let left = 0;
  for (const line of linesOf(text, issues)) {
    if (line.text.trim() === '') continue;
    if (reading.ok >= LIMITS.sourceEntries) {
      left += 1;
      continue;
    }
    let value: unknown;
    try {
      value = JSON.parse(line.text);
    } catch {
      reading.bad += 1;
      if (line.ended)
        issues.add('json_invalid', 'warning', line.no, 'This line is not JSON, so it was not read.');
      else issues.add('line_cut', 'warning', line.no, 'The last line breaks off, so it was not read.');
      continue;
    }
    const commit = commitOf(value, line.no, issues);
    if (commit === null) {
      reading.bad += 1;
      continue;
    }
    if (seen.has(commit.sha)) {
      issues.add(
        'duplicate_id',
        'warning',
        line.no,
        `Commit ${shortSha(commit.sha)} is listed twice; the first one was read.`,
      );
      continue;
    }
    seen.add(commit.sha);
    reading.commits.push(commit);
    reading.ok += 1;
  }
  if (left > 0) {
    issues.add(
      'too_many_entries',
      'warning',
      null,
      `${left} commits beyond the first ${LIMITS.sourceEntries} were not read.`,
    );
  }
  const ordered = inOrder(reading.commits);
  for (const [i, commit] of ordered.entries()) {
    if (startsRun(commit.subject)) {
      reading.markers.push({
        kind: 'commit',
        atMs: commit.atMs,
        zone: commit.zone,
        name: null,
        line: commit.line,
      });
    }
    const entry = entryOf(commit, ordered[i - 1], issues);
    if (entry) reading.entries.push(entry);
  }
  // What has no time has no neighbours either, but still says how a feature ended.
  for (const commit of reading.commits) {
    if (commit.atMs !== null) continue;
    const entry = entryOf(commit, undefined, issues);
    if (entry) reading.entries.push(entry);
  }
  const zones = reading.commits.map((commit) => commit.zone);
  reportZones(zones, issues);
  reading.zone = usualZone(zones);
  return { ...reading, issues: issues.list() };
}
