import { LIMITS } from '../../../../shared/limits.ts';
import { type Entry, emptyReading, type Reading, told, toldStatus } from '../facts.ts';
import { Issues } from '../issue.ts';
import type { Line } from '../lines.ts';
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

interface Pass {
  at: Stamp;
  line: number;
  body: Line[];
  /** Lines that were not kept. */
  more: number;
}

/**
 * Reads `claude-progress.txt` line by line, in memory bounded by what the log says and not by its size. Lines it does not know
 * inside a planning pass are its text; a heading it does not know is reported, and a last line that breaks off is left out.
 */
export class ProgressLogReader {
  readonly issues = new Issues();
  readonly #reading = emptyReading();
  readonly #zones: (string | null)[] = [];
  readonly #titles: { line: number; text: string }[] = [];
  #pass: Pass | null = null;
  #notes = 0;
  #left = 0;

  read(line: Line): void {
    const passed = PASSED.exec(line.text);
    const planning = PLANNING.exec(line.text);
    const heading = line.text.startsWith(HEADING);
    const title = this.#pass ? null : TITLE.exec(line.text);
    if (passed || planning || heading) this.#closePass();
    if ((passed || planning) && this.#reading.ok >= LIMITS.sourceEntries) this.#left += 1;
    else if (passed) this.#accepted(passed, line);
    else if (planning) {
      const at = stampOf(planning[1] ?? '', line.no, this.issues);
      this.#zones.push(at.zone);
      this.#pass = { at, line: line.no, body: [], more: 0 };
      this.#reading.ok += 1;
    } else if (heading) {
      this.#reading.bad += 1;
      if (line.ended) {
        const detail = 'This heading is not one the harness is known to write.';
        this.issues.add('unknown_line', 'warning', line.no, detail);
      } else this.issues.add('line_cut', 'warning', line.no, 'The last line breaks off, so it was not read.');
    } else if (title?.[1] !== undefined) {
      if (this.#titles.length < LIMITS.passNotes) this.#titles.push({ line: line.no, text: title[1] });
    } else if (this.#pass) {
      if (this.#pass.body.length < LIMITS.passLines)
        this.#pass.body.push({ ...line, text: line.text.slice(0, LIMITS.sourceText) });
      else if (line.text.trim() !== '') this.#pass.more += 1;
    }
  }

  #accepted(match: RegExpExecArray, line: Line): void {
    const at = stampOf(match[5] ?? '', line.no, this.issues);
    const entry = acceptedEntry(match, at, line.no, this.issues);
    if (!entry) return;
    this.#reading.entries.push(entry);
    this.#reading.events.push({
      atMs: at.ms,
      zone: at.zone,
      kind: 'accepted',
      feature: entry.feature,
      message: line.text.replace(/^=+\s*|\s*=+\s*$/g, ''),
      line: line.no,
      lastLine: line.no,
    });
    this.#zones.push(at.zone);
    this.#reading.ok += 1;
  }

  #closePass(): void {
    const pass = this.#pass;
    this.#pass = null;
    if (!pass) return;
    const most = Math.min(LIMITS.passNotes, LIMITS.planningNotes - this.#notes);
    const planned = planningEvents(pass.at, pass.line, pass.body, most);
    this.#reading.events.push(planned.pass, ...planned.notes);
    this.#notes += planned.notes.length;
    if (planned.cut) {
      const detail = `Notes about features beyond the first ${most} of this planning pass were not read.`;
      this.issues.add('too_many_entries', 'warning', pass.line, detail);
    }
    if (pass.more > 0) {
      const detail = `${pass.more} lines of this planning pass beyond the first ${LIMITS.passLines} were not read.`;
      this.issues.add('too_many_entries', 'warning', pass.line, detail);
    }
    const count = skippedCount(pass.at, pass.body);
    if (count) this.#reading.passes.push(count);
  }

  /** What the log says, after its last line. */
  end(): Reading {
    this.#closePass();
    if (this.#left > 0) {
      const detail = `${this.#left} entries beyond the first ${LIMITS.sourceEntries} were not read.`;
      this.issues.add('too_many_entries', 'warning', null, detail);
    }
    this.#reading.zone = usualZone(this.#zones);
    for (const title of this.#titles) this.#marker(title);
    reportZones(this.#zones, this.issues);
    return { ...this.#reading, issues: this.issues.list() };
  }

  /** The start of a run, out of a title such as `# Progress — Demo Run 2026-03-28 12:48`. */
  #marker(title: { line: number; text: string }): void {
    const { zone, markers } = this.#reading;
    const written = TITLE_TIME.exec(title.text)?.[1];
    const time = written === undefined ? null : readTime(written, zone ?? '+00:00');
    if (time && time.zone === null) {
      const detail = `The title gives a time without a zone; it was read in ${zone ?? '+00:00'}, the zone of the other times.`;
      this.issues.add('time_without_zone', 'info', title.line, detail);
    }
    const name = title.text.split('—').at(-1)?.trim() ?? title.text;
    markers.push({ kind: 'title', atMs: time?.ms ?? null, zone, name, line: title.line });
  }
}
