import { LIMITS } from '../../../../shared/limits.ts';
import { type Entry, emptyReading, type Reading, told, toldStatus } from '../facts.ts';
import { Issues } from '../issue.ts';
import { type Line, linesOf } from '../lines.ts';
import { readTime, usualZone } from '../time.ts';
import { reportZones } from '../zones.ts';
import { planningEvents, type Stamp, skippedCount } from './planning.ts';
import { SCORE_MAX } from './thresholds.ts';

/**
 * `claude-progress.txt`, the log AgentForge's harness appends to itself, so what it says is measured:
 * a title with the start of the run, a line for each accepted feature, and planning passes, whose text a model wrote.
 */
const TITLE = /^# (.{1,200})$/;
const TITLE_TIME = /(\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?)\s*$/;
const PASSED =
  /^=== Feature #(\d{1,9}) PASSED \(score: (\d{1,3}(?:\.\d{1,6})?)\/10, (\d{1,6}) attempts?, (\d{1,8})s\) [—–-] (\S{1,40}) ===\s*$/;
const PLANNING = /^=== PLANNING PASS \[([^\]]{1,40})\] ===\s*$/;
const HEADING = '===';

/** A time of the log; one without a zone is reported and not used. */
function stampOf(text: string, line: number, issues: Issues): Stamp {
  const time = readTime(text);
  if (time === null) {
    issues.add('time_invalid', 'warning', line, 'The time of this line cannot be read.');
    return { ms: null, zone: null };
  }
  if (time.zone !== null) return time;
  issues.add('time_without_zone', 'warning', line, 'The time of this line has no zone, so it was not used.');
  return { ms: null, zone: null };
}

function acceptedEntry(match: RegExpExecArray, at: Stamp, line: number, issues: Issues): Entry | null {
  const [, id, score, attempts, seconds] = match;
  if (id === undefined) return null;
  const entry: Entry = {
    feature: id,
    atMs: at.ms,
    line,
    description: null,
    category: null,
    facts: [toldStatus('accepted', 'measured', line)],
    attempts: [],
  };
  const points = Number(score);
  const inRange = points <= SCORE_MAX;
  if (inRange) entry.facts.push(told('score', points, 'measured', line));
  else
    issues.add(
      'out_of_range',
      'warning',
      line,
      `feature ${id}: the score ${score} is above 10, so it was not read.`,
    );
  entry.facts.push(told('attempts', Number(attempts), 'measured', line));
  entry.facts.push(told('build_time', Number(seconds), 'measured', line));
  if (at.ms !== null) entry.facts.push(told('completed_at', at.ms, 'measured', line));
  // With a single attempt, what is said of the feature is said of that attempt.
  if (Number(attempts) === 1) {
    entry.attempts.push({
      n: 1,
      score: inRange ? points : null,
      durationS: Number(seconds),
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
 * Reads `claude-progress.txt`. Lines it does not know inside a planning pass are its text; a heading it does not know is
 * reported, and a last line that breaks off is left out.
 * @param text the decoded file
 */
export function readProgressLog(text: string): Reading {
  const issues = new Issues();
  const reading = emptyReading();
  const zones: (string | null)[] = [];
  const titles: { line: number; text: string }[] = [];
  let pass: { at: Stamp; line: number; body: Line[] } | null = null;
  let notes = 0;
  const closePass = (): void => {
    if (pass) {
      const most = Math.min(LIMITS.passNotes, LIMITS.planningNotes - notes);
      const planned = planningEvents(pass.at, pass.line, pass.body, most);
      reading.events.push(planned.pass);
      for (const note of planned.notes) reading.events.push(note);
      notes += planned.notes.length;
      if (planned.cut) {
        issues.add(
          'too_many_entries',
          'warning',
          pass.line,
          `Notes about features beyond the first ${most} of this planning pass were not read.`,
        );
      }
      const count = skippedCount(pass.at, pass.body);
      if (count) reading.passes.push(count);
    }
    pass = null;
  };
  let left = 0;
  for (const line of linesOf(text, issues)) {
    const passed = PASSED.exec(line.text);
    const planning = PLANNING.exec(line.text);
    const heading = line.text.startsWith(HEADING);
    const title = pass ? null : TITLE.exec(line.text);
    if (passed || planning || heading) closePass();
    if ((passed || planning) && reading.ok >= LIMITS.sourceEntries) {
      left += 1;
    } else if (passed) {
      const at = stampOf(passed[5] ?? '', line.no, issues);
      const entry = acceptedEntry(passed, at, line.no, issues);
      if (!entry) continue;
      reading.entries.push(entry);
      reading.events.push({
        atMs: at.ms,
        zone: at.zone,
        kind: 'accepted',
        feature: entry.feature,
        message: line.text.replace(/^=+\s*|\s*=+\s*$/g, ''),
        line: line.no,
        lastLine: line.no,
      });
      zones.push(at.zone);
      reading.ok += 1;
    } else if (planning) {
      const at = stampOf(planning[1] ?? '', line.no, issues);
      zones.push(at.zone);
      pass = { at, line: line.no, body: [] };
      reading.ok += 1;
    } else if (heading) {
      reading.bad += 1;
      if (line.ended) {
        issues.add(
          'unknown_line',
          'warning',
          line.no,
          'This heading is not one the harness is known to write.',
        );
      } else issues.add('line_cut', 'warning', line.no, 'The last line breaks off, so it was not read.');
    } else if (title?.[1] !== undefined) titles.push({ line: line.no, text: title[1] });
    else pass?.body.push(line);
  }
  closePass();
  if (left > 0) {
    issues.add(
      'too_many_entries',
      'warning',
      null,
      `${left} entries beyond the first ${LIMITS.sourceEntries} were not read.`,
    );
  }
  reading.zone = usualZone(zones);
  for (const title of titles) {
    const written = TITLE_TIME.exec(title.text)?.[1];
    const time = written === undefined ? null : readTime(written, reading.zone ?? '+00:00');
    if (time && time.zone === null) {
      issues.add(
        'time_without_zone',
        'info',
        title.line,
        `The title gives a time without a zone; it was read in ${reading.zone ?? '+00:00'}, the zone of the other times.`,
      );
    }
    const name = title.text.split('—').at(-1)?.trim() ?? title.text;
    reading.markers.push({
      kind: 'title',
      atMs: time?.ms ?? null,
      zone: reading.zone,
      name,
      line: title.line,
    });
  }
  reportZones(zones, issues);
  return { ...reading, issues: issues.list() };
}
