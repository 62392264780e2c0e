import { LIMITS } from '../../../../shared/limits.ts';
import type { FactTable, RowOf } from '../../tables.ts';
import type { Adapter, RowSink, SourceInput } from '../adapter.ts';
import { readTime } from '../time.ts';
import { entriesOf, type LogEntry } from './log-entries.ts';
import { classify, type Said } from './log-grammar.ts';
import { attemptRow, eventRow, featureRow, gateRow, type Place, runRow } from './log-rows.ts';
import {
  type Counts,
  carried,
  carryOf,
  type LogState,
  openRounds,
  roundsOf,
  START,
  withTask,
} from './log-state.ts';
import { LOG_WORDS } from './log-words.ts';
import { taskOf } from './names.ts';
import { SETTLED_FAMILIES } from './settled-families.ts';
import { givenUp, NO_ROUNDS, type Round, turn } from './verifier-rounds.ts';

/** Entries between two writings of what has gathered. */
const FLUSH = 1_000;

/** Lines between two looks for rounds that have been open for too long. */
const SWEEP = 1_000;

/** A place reading may start from again, and what is known there. */
interface Mark {
  no: number;
  offset: number;
  state: LogState;
}

/** Reads the log from where it was left: entry by entry, from state to state. */
class LogReader {
  #state: LogState;
  /** Rows of lines before this one were written by an earlier reading. */
  readonly #from: number;
  /** What earlier readings counted. */
  readonly #told: Counts;
  /** Where each open round began, and those the last entry closed. */
  #marks = new Map<number, Mark>();
  #lastEntry: Mark | null = null;
  #lastPlace: Place | null = null;
  #closedByLast: number[] = [];

  constructor(
    readonly source: SourceInput,
    readonly out: RowSink,
    carry: string | null,
  ) {
    const known = carried(carry);
    this.#state = known?.state ?? START;
    this.#from = known?.from ?? 0;
    this.#told = known?.told ?? START;
  }

  #count(ok: number, bad: number): void {
    this.#state = { ...this.#state, ok: this.#state.ok + ok, bad: this.#state.bad + bad };
  }

  #add<T extends FactTable>(table: T, row: RowOf<T>, line: number): void {
    if (line >= this.#from) this.out.add(table, row);
  }

  #place(entry: LogEntry): Place {
    const task = entry.who === null ? null : taskOf(entry.who);
    const none = { source: this.source, entry, task, atMs: null, zone: null };
    if (entry.at === null) return none;
    const time = readTime(entry.at);
    if (time === null) {
      this.source.issue(
        'time_invalid',
        'warning',
        entry.no,
        'The time of this entry is none the calendar has.',
      );
      return none;
    }
    if (time.zone === null) {
      this.source.issue(
        'time_without_zone',
        'warning',
        entry.no,
        'The time of this entry has no zone; it was read as UTC.',
      );
    }
    return { ...none, atMs: time.ms, zone: time.zone };
  }

  entry(entry: LogEntry): void {
    const mark = { no: entry.no, offset: entry.offset, state: this.#state };
    // A line that breaks off before it shows a head may turn out to carry the entry above on, which is then read again.
    if (this.#lastEntry === null || entry.who !== null || entry.ended) {
      for (const line of this.#closedByLast) this.#marks.delete(line);
      this.#closedByLast = [];
      this.#lastEntry = mark;
    }
    const lines = entry.lastLine - entry.no + 1;
    const place = this.#place(entry);
    this.#lastPlace = place;
    if (entry.no - this.#state.sweptLine >= SWEEP) this.#sweep(place);
    if (entry.who === null && entry.message.trim() === '') {
      this.#count(lines, 0);
      return;
    }
    const said = entry.who === null ? null : classify(entry.message);
    this.#count(said ? lines : 0, said ? 0 : lines);
    if (said === null) this.#unknown(entry);
    this.#add('log_events', eventRow(place, said), entry.no);
    if (entry.who === null) return;
    if (!this.#state.begun) {
      this.#state = { ...this.#state, begun: true };
      this.#add('runs_told', runRow(place), entry.no);
    }
    if (place.task !== null) this.#task(place, place.task, said, mark);
    if (said?.shape === 'next' && said.parts.task !== undefined) {
      const next = taskOf(said.parts.task);
      if (next !== null)
        this.#add('features_told', featureRow(place, next, said.parts.title ?? null), entry.no);
    }
  }

  /** Gives up what has been open for too long, so that reading on never starts far back. */
  #sweep(place: Place): void {
    const old = openRounds(this.#state).filter(
      ({ round }) => place.entry.no - round.line > LIMITS.logOpenLines,
    );
    for (const { task, round } of old) {
      this.#giveUp(place, task, round);
      this.#closedByLast.push(round.line);
      const { rounds, open } = roundsOf(this.#state, task);
      this.#state = withTask(this.#state, task, { rounds, open: open.filter((one) => one !== round) });
    }
    // What the list of tasks has forgotten is not waited for either.
    const waited = new Set(openRounds(this.#state).map(({ round }) => round.line));
    for (const line of this.#marks.keys()) {
      if (!waited.has(line) && !this.#closedByLast.includes(line)) this.#marks.delete(line);
    }
    this.#state = { ...this.#state, sweptLine: place.entry.no };
  }

  #giveUp(place: Place, task: string, round: Round): void {
    const { gate, end } = givenUp(round);
    if (gate) this.#add('gate_events', gateRow(place, task, gate, round, 0), round.line);
    this.#add('attempts', attemptRow(place, task, end), round.line);
  }

  #unknown(entry: LogEntry): void {
    if (entry.ended) {
      this.source.issue(
        'unknown_line',
        'warning',
        entry.no,
        'This entry has none of the shapes the log is known to have.',
      );
    } else {
      this.source.issue(
        'line_cut',
        'info',
        entry.no,
        'The last line breaks off; it may still be being written.',
      );
    }
  }

  #task(place: Place, task: string, said: Said | null, mark: Mark): void {
    const before = this.#state;
    if (!before.tasks.has(task)) {
      this.#add('features_told', featureRow(place, task, null), place.entry.no);
      this.#state = withTask(before, task, NO_ROUNDS);
    }
    if (said === null) return;
    const { state, started, gates, ends } = turn(roundsOf(before, task), said, place.entry.no, place.atMs);
    this.#state = withTask(this.#state, task, state);
    if (started) {
      this.#state = { ...this.#state, lastStartLine: started.line };
      this.#marks.set(started.line, mark);
    }
    for (const [index, { outcome, round }] of gates.entries()) {
      const row = gateRow(place, task, outcome, round, index);
      this.#add('gate_events', row, row.source_line ?? 0);
    }
    for (const end of ends) {
      this.#add('attempts', attemptRow(place, task, end), end.round.line);
      this.#closedByLast.push(end.round.line);
    }
  }

  /**
   * At the end of the file: a round after which another one has started is taken as given up, unless a later reading finds
   * its outcome; one that started last may still be running and is no outcome. Reading goes on at the first line that is not settled.
   */
  end(): void {
    const { ok, bad } = this.#state;
    this.source.count(ok - this.#told.ok, bad - this.#told.bad);
    const last = this.#lastEntry;
    const place = this.#lastPlace;
    if (last === null || place === null) return;
    const open = openRounds(this.#state);
    for (const { task, round } of open) {
      if (round.line < this.#state.lastStartLine) this.#giveUp(place, task, round);
    }
    const unsettled = [...open.map(({ round }) => round.line), ...this.#closedByLast];
    const mark = unsettled
      .flatMap((line) => this.#marks.get(line) ?? [])
      .reduce((first, one) => (one.no < first.no ? one : first), last);
    // Rows before the place of an earlier reading stay written, whatever is read again.
    this.out.resumeAt({ no: mark.no, offset: mark.offset }, carryOf(mark.state, mark.no, { ok, bad }));
  }
}

/** `.testmuai/kane-activity.log`: what the verifier did, line by line. */
export const activityLog: Adapter = {
  id: 'guardiankane/activity-log',
  version: 1,
  label: 'GuardianKane activity log',
  sources: [
    { kind: 'activity_log', paths: ['.testmuai/kane-activity.log', 'kane-activity.log'], single: true },
  ],
  unit: 'each',
  appendable: true,
  async read(unit, out) {
    for (const source of unit.sources) {
      const reader = new LogReader(source, out, unit.carried);
      let read = 0;
      for await (const entry of entriesOf(source)) {
        reader.entry(entry);
        read += 1;
        if (read % FLUSH === 0) await out.flush();
      }
      reader.end();
    }
  },
  derives: LOG_WORDS,
  settles: SETTLED_FAMILIES,
};
