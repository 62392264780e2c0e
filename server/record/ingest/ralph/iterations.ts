import type { Adapter, RowSink, SourceInput, SourceLine } from '../adapter.ts';
import type { Fields, FieldTime } from '../json-fields.ts';
import { jsonLines } from '../json-lines.ts';
import { plainText } from '../json-plain.ts';
import { carryOf, carryText } from './carry.ts';
import { outcomeOf } from './outcome.ts';
import { at, event, featureId, rawEvent, slug, told } from './rows.ts';

/** Names loops give to the same thing, the first that is there counts. */
const NAMES = {
  n: ['iteration', 'iteration_number', 'n', 'loop'],
  start: ['start', 'started_at', 'start_time', 'started'],
  end: ['end', 'ended_at', 'finished_at', 'completed_at', 'end_time', 'ended', 'timestamp', 'ts', 'time'],
  seconds: ['duration_seconds', 'duration_s', 'duration_sec', 'elapsed_seconds', 'duration'],
  millis: ['duration_ms', 'elapsed_ms'],
  outcome: ['outcome', 'status', 'result', 'verdict'],
  reason: ['exit_reason', 'end_reason', 'reason', 'error', 'error_message'],
  feature: ['story_id', 'story', 'task_id', 'feature_id', 'feature', 'task'],
  passed: ['passed', 'test_passed', 'tests_passed'],
} as const satisfies Record<string, readonly string[]>;

const first = <T>(names: readonly string[], get: (name: string) => T | null): T | null => {
  for (const name of names) {
    const value = get(name);
    if (value !== null) return value;
  }
  return null;
};
/** Only members of the wanted type are asked for, because a loop may use one name for several things. */
const textOf = (fields: Fields, names: readonly string[]): string | null =>
  first(names, (name) => (fields.node.members.get(name)?.kind === 'string' ? fields.text(name) : null));
const numberOf = (fields: Fields, names: readonly string[], most: number): number | null =>
  first(names, (name) =>
    fields.node.members.get(name)?.kind === 'number' ? fields.number(name, 0, most) : null,
  );
const timeOf = (fields: Fields, names: readonly string[]): FieldTime | null =>
  first(names, (name) => (fields.node.members.get(name)?.kind === 'string' ? fields.time(name) : null));

interface Place {
  source: SourceInput;
  runId: string;
  line: number;
}

/** External id of the feature a line names; a sentence is none. */
const featureOf = (fields: Fields): string | null => {
  const text = textOf(fields, NAMES.feature);
  return text !== null && /^[\w.-]{1,40}$/.test(text) ? text : null;
};

/** Adds one turn; its number, or null when the line tells of none. */
function addTurn({ source, runId, line }: Place, fields: Fields, out: RowSink): number | null {
  const n = numberOf(fields, NAMES.n, 1e9);
  if (n === null || !Number.isInteger(n)) return null;
  const [start, end] = [timeOf(fields, NAMES.start), timeOf(fields, NAMES.end)];
  const millis = numberOf(fields, NAMES.millis, 1e12);
  const between = start !== null && end !== null && end.ms >= start.ms ? (end.ms - start.ms) / 1000 : null;
  const seconds = numberOf(fields, NAMES.seconds, 1e9) ?? (millis === null ? between : millis / 1000);
  const [word, reason] = [textOf(fields, NAMES.outcome), textOf(fields, NAMES.reason)];
  const exit = fields.node.members.get('exit_code');
  const exitCode = exit?.kind === 'number' ? exit.value : null;
  const passed = first(NAMES.passed, (name) =>
    fields.node.members.get(name)?.kind === 'boolean' ? fields.flag(name) : null,
  );
  const success = fields.node.members.get('success')?.kind === 'boolean' ? fields.flag('success') : null;
  const said = outcomeOf([word, reason].filter((part) => part !== null).join(' '));
  const failed = success === false || (exitCode !== null && exitCode !== 0);
  const feature = featureOf(fields);
  if (feature !== null) {
    out.add('features_told', {
      feature_id: featureId(runId, feature),
      run_id: runId,
      ext_id: feature,
      rank: 9,
      ...at(source, line),
    });
  }
  out.add('attempts', {
    attempt_id: `${source.id}.a${line}`,
    run_id: runId,
    feature_id: feature === null ? null : featureId(runId, feature),
    n,
    started_at_ms: start?.ms ?? null,
    ended_at_ms: end?.ms ?? null,
    duration_s: seconds,
    verdict:
      said.verdict ?? (failed ? 'error' : passed === true ? 'pass' : passed === false ? 'block' : null),
    passed: passed ?? said.passed,
    feedback: reason,
    attribution: 'unknown',
    link_method: feature === null ? null : 'explicit',
    basis: 'measured',
    ...told(source, line),
  });
  event(out, source, line, {
    run_id: runId,
    feature_id: feature === null ? null : featureId(runId, feature),
    time: end ?? start,
    level: failed || said.verdict === 'error' || said.verdict === 'timeout' ? 'warning' : 'info',
    kind: 'iteration',
    message: [`Iteration ${n}`, seconds === null ? null : `${seconds} s`, word, reason]
      .filter((part) => part !== null)
      .join(', '),
    // Every field stays, those with a meaning of the loop's own as well.
    data: plainText(fields.node),
  });
  return n;
}

const COUNTED = `SELECT min(event_id) || '.iterations' AS observation_id, run_id, NULL AS feature_id, 'iterations' AS fact,
 count(*)::DOUBLE AS value, NULL AS text_value, 'derived' AS basis, 'counted lines' AS how, source_id, min(source_kind) AS source_kind, NULL::BIGINT AS source_line
 FROM log_events WHERE source_kind = 'iterations' AND kind = 'iteration' GROUP BY run_id, source_id`;

/** `iterations.jsonl` as several loops write it, one line a turn, with names that differ. */
export const iterations: Adapter = {
  id: 'ralph/iterations',
  version: 1,
  label: 'Loop iterations',
  sources: [
    {
      kind: 'iterations',
      paths: ['iterations.jsonl', '{.ralph,ralph,scripts/ralph,logs,.ralph/logs}/iterations.jsonl'],
    },
  ],
  unit: 'each',
  appendable: true,
  derives: [COUNTED],
  async read(unit, out) {
    const source = unit.sources[0];
    if (!source) return;
    const runId = `iterations.${slug(source.path)}`;
    const carried = carryOf(unit.carried);
    // What stands on no line of the file stays written when reading goes on.
    if (carried === null)
      out.add('runs_told', {
        run_id: runId,
        harness: 'ralph',
        name: source.path,
        rank: 5,
        ...at(source, null),
      });
    let last: Pick<SourceLine, 'no' | 'offset'> | null = null;
    for await (const line of jsonLines(source)) {
      last = line;
      const n = line.fields === null ? null : addTurn({ source, runId, line: line.no }, line.fields, out);
      if (line.no > (carried?.counted ?? 0)) source.count(n === null ? 0 : 1, n === null ? 1 : 0);
      if (n === null) rawEvent(out, source, runId, line);
      if (line.no % 1000 === 0) await out.flush();
    }
    if (last) out.resumeAt(last, carryText({ before: null, counted: last.no }));
  },
};
