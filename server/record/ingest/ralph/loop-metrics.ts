import type { Adapter, RowSink, SourceInput, SourceLine } from '../adapter.ts';
import type { Fields } from '../json-fields.ts';
import { jsonLines } from '../json-lines.ts';
import { restText } from '../json-plain.ts';
import { carryOf, carryText } from './carry.ts';
import { addLoopRun, LOOP_RUN } from './loop-run.ts';
import { event, rawEvent, told } from './rows.ts';

const MOST_SECONDS = 366 * 86_400;

/** Adds one turn of the loop; the number of the turn, or null when the line tells of none. */
function addTurn(
  source: SourceInput,
  fields: Fields,
  line: number,
  before: number | null,
  out: RowSink,
): number | null {
  const loop = fields.number('loop', 0, 1e9);
  if (loop === null || !Number.isInteger(loop)) return null;
  const time = fields.time('timestamp');
  const seconds = fields.number('duration', 0, MOST_SECONDS);
  const success = fields.flag('success');
  if (before !== null && loop <= before) {
    event(out, source, line, {
      run_id: LOOP_RUN,
      time,
      level: 'info',
      kind: 'loop_start',
      message: `The loop starts again at ${loop}.`,
      part: 'start',
    });
  }
  out.add('attempts', {
    attempt_id: `${source.id}.a${line}`,
    run_id: LOOP_RUN,
    feature_id: null,
    n: loop,
    // The line is written when the turn is over.
    started_at_ms: time !== null && seconds !== null ? time.ms - Math.round(seconds * 1000) : null,
    ended_at_ms: time?.ms ?? null,
    duration_s: seconds,
    // That the agent's process ended well is no verdict on its work; that it failed is no word on whose fault it was.
    verdict: success === false ? 'error' : null,
    attribution: 'unknown',
    basis: 'measured',
    ...told(source, line),
  });
  event(out, source, line, {
    run_id: LOOP_RUN,
    time,
    level: success === false ? 'warning' : 'info',
    kind: 'iteration',
    message: [
      `Loop ${loop}`,
      seconds === null ? null : `${seconds} s`,
      success === null ? null : success ? 'ended well' : 'failed',
    ]
      .filter((part) => part !== null)
      .join(', '),
    data: restText(fields.node, ['timestamp']),
  });
  return loop;
}

/** Counted over the rows, because reading goes on where it stopped and has not seen the earlier lines. */
const COUNTED = `SELECT min(event_id) || '.iterations' AS observation_id, run_id, NULL AS feature_id, 'iterations' AS fact,
 count(*)::DOUBLE AS value, NULL AS text_value, 'derived' AS basis, 'counted lines' AS how, source_id, min(source_kind) AS source_kind, NULL::BIGINT AS source_line
 FROM log_events WHERE source_kind = 'loop_metrics' AND kind = 'iteration' GROUP BY run_id, source_id`;

/**
 * `.ralph/logs/metrics.jsonl`: one line a turn, `{timestamp, loop, duration (s), success, calls}`. `calls` counts against an
 * hourly budget and says nothing about tokens; it stays in `data`. Numbers begin anew at each start of the loop.
 */
export const loopMetrics: Adapter = {
  id: 'ralph/loop-metrics',
  version: 1,
  label: 'Ralph loop metrics',
  sources: [{ kind: 'loop_metrics', paths: ['.ralph/logs/metrics.jsonl'] }],
  unit: 'each',
  appendable: true,
  derives: [COUNTED],
  async read(unit, out) {
    const source = unit.sources[0];
    if (!source) return;
    const carried = carryOf(unit.carried);
    let before = carried?.before ?? null;
    let last: Pick<SourceLine, 'no' | 'offset'> | null = null;
    let beforeLast = before;
    // What stands on no line of the file stays written when reading goes on.
    if (carried === null) addLoopRun(out, source, null, 5);
    for await (const line of jsonLines(source)) {
      last = line;
      beforeLast = before;
      const loop = line.fields === null ? null : addTurn(source, line.fields, line.no, before, out);
      if (line.no > (carried?.counted ?? 0)) source.count(loop === null ? 0 : 1, loop === null ? 1 : 0);
      if (loop === null) rawEvent(out, source, LOOP_RUN, line);
      else before = loop;
      if (line.no % 1000 === 0) await out.flush();
    }
    if (last) out.resumeAt(last, carryText({ before: beforeLast, counted: last.no }));
  },
};
