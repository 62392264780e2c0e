import type { Adapter, RowSink, SourceInput, SourceLine } from '../adapter.ts';
import { readTime } from '../time.ts';
import { type Carry, carryOf, carryText } from './carry.ts';
import { headOf, type LogHead, shapeOf } from './loop-log-grammar.ts';
import { addLoopRun, LOOP_RUN } from './loop-run.ts';
import { at, event, featureId, observe, rawEvent, told } from './rows.ts';

export const CODEHARNESS_RUN = 'codeharness';

/** One turn while its lines are read. */
interface OpenTurn {
  n: number;
  line: SourceLine;
  startedMs: number;
  endedMs: number;
  story: string | null;
  verdict: string | null;
  passed: boolean | null;
  why: string | null;
  attribution: { whose: 'provider'; basis: string } | null;
}

interface Log {
  source: SourceInput;
  runId: string;
  out: RowSink;
  turn: OpenTurn | null;
  /** Number of the turn before the one that is open. */
  before: number | null;
}

function closeTurn(log: Log): void {
  const { turn, source, runId, out } = log;
  if (turn === null) return;
  log.before = turn.n;
  log.turn = null;
  out.add('attempts', {
    attempt_id: `${source.id}.a${turn.line.no}`,
    run_id: runId,
    feature_id: turn.story === null ? null : featureId(runId, turn.story),
    n: turn.n,
    started_at_ms: turn.startedMs,
    ended_at_ms: turn.endedMs,
    duration_s: (turn.endedMs - turn.startedMs) / 1000,
    verdict: turn.verdict,
    passed: turn.passed,
    feedback: turn.why,
    attribution: turn.attribution?.whose ?? 'unknown',
    attribution_basis: turn.attribution?.basis ?? null,
    link_method: turn.story === null ? null : 'explicit',
    basis: 'measured',
    ...told(source, turn.line.no),
  });
}

function addStory(log: Log, story: string, line: number): void {
  const { runId, source, out } = log;
  out.add('features_told', {
    feature_id: featureId(runId, story),
    run_id: runId,
    ext_id: story,
    rank: 5,
    ...at(source, line),
  });
}

/** What a line says about the turn that is open. */
function tell(
  turn: OpenTurn,
  shape: string,
  parts: Readonly<Record<string, string | undefined>>,
  message: string,
): void {
  if (shape === 'story_done') {
    turn.story = parts.story ?? null;
    turn.verdict = 'pass';
    turn.passed = true;
  } else if (shape === 'iteration_timeout') turn.verdict = 'timeout';
  else if (shape === 'execution_failed') turn.verdict ??= 'error';
  else if (shape === 'usage_limit') {
    turn.verdict = 'error';
    turn.attribution = { whose: 'provider', basis: 'the log says that the usage limit was reached' };
  } else if ((shape === 'retry' || shape === 'timeout_retry') && turn.passed !== true) {
    // After a success a retry is written for the next story, which has not been tried; and "timeout retry" is also written for
    // a process that ended badly, so neither says more than which story this turn was about.
    turn.story ??= parts.story ?? null;
  } else return;
  if (shape !== 'story_done') turn.why ??= message;
}

function addLine(log: Log, line: SourceLine, head: LogHead, ms: number): void {
  const found = shapeOf(head.message);
  const { source, runId, out } = log;
  const story = found?.parts.story ?? null;
  if (found?.shape === 'iteration_start') {
    closeTurn(log);
    const n = Number(found.parts.n);
    if (log.before !== null && n <= log.before) {
      event(out, source, line.no, {
        run_id: runId,
        time: { ms, zone: null },
        kind: 'loop_start',
        level: 'info',
        message: `The loop starts again at ${n}.`,
        part: 'start',
      });
    }
    log.turn = {
      n,
      line,
      startedMs: ms,
      endedMs: ms,
      story: null,
      verdict: null,
      passed: null,
      why: null,
      attribution: null,
    };
  } else if (log.turn) {
    // A clock put back gives no negative time.
    log.turn.endedMs = Math.max(log.turn.endedMs, ms);
    if (found) tell(log.turn, found.shape, found.parts, head.message);
  }
  if (story !== null) addStory(log, story, line.no);
  if (story !== null && found?.shape === 'story_done') {
    const about = { source, runId, feature: featureId(runId, story), line: line.no };
    observe(out, about, 'status', 'accepted', 'claimed', 'DONE');
  }
  event(out, source, line.no, {
    run_id: runId,
    feature_id: story === null ? null : featureId(runId, story),
    time: { ms, zone: null },
    kind: found?.shape ?? 'log',
    level: head.level,
    message: head.message,
  });
  if (found?.shape === 'loop_end') closeTurn(log);
}

async function read(source: SourceInput, carried: Carry | null, out: RowSink): Promise<void> {
  const runId = source.path.startsWith('.ralph/') ? LOOP_RUN : CODEHARNESS_RUN;
  // What stands on no line of the file stays written when reading goes on.
  if (carried === null && runId === LOOP_RUN) addLoopRun(out, source, null, 5);
  else if (carried === null)
    out.add('runs_told', {
      run_id: runId,
      harness: 'codeharness',
      name: 'the loop',
      rank: 5,
      ...at(source, null),
    });
  const log: Log = { source, runId, out, turn: null, before: carried?.before ?? null };
  let last: SourceLine | null = null;
  let zoneless = false;
  for await (const line of source.lines()) {
    if (line.text.trim() === '') continue;
    const head = headOf(line.text);
    const time = head === null ? null : readTime(head.at);
    const fresh = line.no > (carried?.counted ?? 0);
    if (head !== null && time !== null) {
      zoneless = true;
      addLine(log, line, head, time.ms);
      if (fresh) source.count(1, 0);
    } else if (line.ended) {
      rawEvent(out, source, runId, line);
      if (fresh) source.count(0, 1);
    } else {
      source.issue('line_cut', 'warning', line.no, 'The last line breaks off, so it was not read.');
      break;
    }
    last = line;
    if (line.no % 1000 === 0) await out.flush();
  }
  if (zoneless)
    source.issue(
      'time_without_zone',
      'warning',
      null,
      'The times of this log have no zone; they were read as UTC.',
    );
  if (last === null) return;
  // A turn that is open is read again as a whole when more of it is there.
  const resume = log.turn?.line ?? last;
  const { before } = log;
  closeTurn(log);
  out.resumeAt(resume, carryText({ before, counted: last.no }));
}

const COUNTED = `SELECT source_id || '.iterations' AS observation_id, run_id, NULL AS feature_id, 'iterations' AS fact,
 count(*)::DOUBLE AS value, NULL AS text_value, 'derived' AS basis, 'counted starts of iterations' AS how, source_id, min(source_kind) AS source_kind, NULL::BIGINT AS source_line
 FROM log_events WHERE source_kind = 'loop_log' AND kind = 'iteration_start' AND run_id = '${CODEHARNESS_RUN}' GROUP BY run_id, source_id`;

/** The log of a loop's own script. */
export const loopLog: Adapter = {
  id: 'ralph/loop-log',
  version: 1,
  label: 'Ralph loop log',
  sources: [
    {
      kind: 'loop_log',
      paths: ['ralph.log', '{ralph,.ralph,logs}/ralph.log', '{ralph,.ralph}/logs/ralph.log'],
      sniff: (head) => /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] \[[A-Z]+\] /m.test(head),
    },
  ],
  unit: 'each',
  appendable: true,
  derives: [COUNTED],
  async read(unit, out) {
    for (const source of unit.sources) await read(source, carryOf(unit.carried), out);
  },
};
