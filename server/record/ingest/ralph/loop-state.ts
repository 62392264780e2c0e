import type { RowSink, SourceInput } from '../adapter.ts';
import { Fields, reportDocument } from '../json-fields.ts';
import { restText } from '../json-plain.ts';
import { readJson } from '../json-tree.ts';
import { SourceIssues } from '../source-issues.ts';
import { addLoopRun, LOOP_RUN, type RunStatus } from './loop-run.ts';
import { event } from './rows.ts';

const MOST_LOOPS = 1e9;

/** The one object of a small state file; null, and reported, when it is not one. */
export async function stateOf(source: SourceInput): Promise<Fields | null> {
  const text = await source.text();
  if (text === null) return null;
  const issues = new SourceIssues(source);
  const document = readJson(text);
  const root = document.root;
  if (root?.kind !== 'object') {
    issues.add('unknown_shape', 'error', root?.line ?? null, 'The file is not one JSON object.');
    source.count(0, 1);
    return null;
  }
  reportDocument(document, 'features', 0, issues);
  source.count(1, 0);
  return new Fields(root, 'the file', issues);
}

/** What the words of a status mean; the first that fits counts. */
const STATES: readonly (readonly [RegExp, RunStatus])[] = [
  [/fail|error|crash/i, 'failed'],
  [/halt|stop|pause|interrupt|limit|abort|cancel/i, 'stopped'],
  [/complet|success|done|finish/i, 'succeeded'],
  [/run|execut|start|initial|wait|active|progress/i, 'running'],
];
export const runStatus = (word: string): RunStatus =>
  STATES.find(([pattern]) => pattern.test(word))?.[1] ?? 'unknown';

/** `status.json`: how the loop stands. `calls_made_this_hour` is a budget counter and no figure of the run, so it stays in `data`. */
export async function addStatus(source: SourceInput, out: RowSink): Promise<void> {
  const fields = await stateOf(source);
  if (fields === null) return;
  const status = fields.text('status');
  const reason = fields.text('exit_reason')?.trim() || null;
  const line = fields.line('status');
  addLoopRun(out, source, line, 0, {
    status: status === null ? null : runStatus(status),
    end_reason: reason,
  });
  event(out, source, line, {
    run_id: LOOP_RUN,
    time: fields.time('timestamp'),
    kind: 'loop_status',
    level: reason === null ? 'info' : 'warning',
    message: [status ?? 'no status', fields.text('last_action'), reason]
      .filter((part) => part !== null)
      .join(', '),
    data: restText(fields.node, ['timestamp', 'status', 'last_action', 'exit_reason']),
  });
}

/** `progress.json`: what the loop is doing at this moment, with a time of its own machine and no zone. */
export async function addProgressState(source: SourceInput, out: RowSink): Promise<void> {
  const fields = await stateOf(source);
  if (fields === null) return;
  addLoopRun(out, source, null, 5);
  const elapsed = fields.number('elapsed_seconds', 0, MOST_LOOPS);
  event(out, source, fields.line('status'), {
    run_id: LOOP_RUN,
    time: fields.time('timestamp'),
    kind: 'loop_progress',
    level: 'info',
    message: [
      fields.text('status') ?? 'no status',
      elapsed === null ? null : `${elapsed} s so far`,
      fields.text('last_output'),
    ]
      .filter((part) => part !== null && part !== '')
      .join(', '),
    data: restText(fields.node, ['timestamp', 'status', 'last_output']),
  });
}

/** Levels of a circuit breaker's states. */
const LEVELS: Readonly<Record<string, 'info' | 'warning' | 'error'>> = {
  CLOSED: 'info',
  HALF_OPEN: 'warning',
  OPEN: 'error',
};

function circuit(
  source: SourceInput,
  fields: Fields,
  state: 'state' | 'to_state',
  time: string,
  out: RowSink,
): boolean {
  const to = fields.text(state);
  if (to === null || !Object.hasOwn(LEVELS, to)) {
    fields.issues.add(
      'unknown_status',
      'warning',
      fields.line(state),
      'This is no state a circuit breaker has.',
    );
    return false;
  }
  const reason = fields.text('reason')?.trim() || null;
  event(out, source, fields.line(state), {
    run_id: LOOP_RUN,
    time: fields.time(time),
    kind: `circuit_${to.toLowerCase()}`,
    level: LEVELS[to] ?? 'info',
    message: reason ?? `The circuit breaker is ${to}.`,
    data: restText(fields.node, ['reason', time]),
  });
  return true;
}

/** `.circuit_breaker_state`: the state now. A breaker that is open stops the loop. */
export async function addCircuitState(source: SourceInput, out: RowSink): Promise<void> {
  const fields = await stateOf(source);
  if (fields === null) return;
  addLoopRun(out, source, null, 5);
  circuit(source, fields, 'state', 'last_change', out);
}

/** `.circuit_breaker_history`: a list of changes `{timestamp, loop, from_state, to_state, reason}`. */
export async function addCircuitHistory(source: SourceInput, out: RowSink): Promise<void> {
  const text = await source.text();
  if (text === null) return;
  const issues = new SourceIssues(source);
  const document = readJson(text);
  if (document.root?.kind !== 'array') {
    issues.add('unknown_shape', 'error', document.root?.line ?? null, 'The file is not a list of changes.');
    return source.count(0, 1);
  }
  let [ok, bad] = [0, 0];
  for (const node of document.root.items) {
    const read =
      node.kind === 'object' &&
      node.complete &&
      circuit(source, new Fields(node, 'this change', issues), 'to_state', 'timestamp', out);
    if (read) ok += 1;
    else bad += 1;
  }
  reportDocument(document, 'features', ok, issues);
  source.count(ok, bad);
  addLoopRun(out, source, null, 5);
}

/** `.response_analysis`: what the loop's own analysis made of the agent's last answer. */
export async function addAnalysis(source: SourceInput, out: RowSink): Promise<void> {
  const fields = await stateOf(source);
  if (fields === null) return;
  addLoopRun(out, source, null, 5);
  const node = fields.object('analysis');
  const analysis = node === null ? null : new Fields(node, 'the analysis', fields.issues);
  const stuck = analysis?.flag('is_stuck') === true;
  const loop = fields.number('loop_number', 0, MOST_LOOPS);
  event(out, source, node?.line ?? fields.node.line, {
    run_id: LOOP_RUN,
    time: fields.time('timestamp'),
    kind: 'response_analysis',
    level: stuck ? 'warning' : 'info',
    message: [
      loop === null ? 'Analysis' : `Analysis of loop ${loop}`,
      stuck ? 'stuck' : null,
      analysis?.flag('has_completion_signal') === true ? 'says it is complete' : null,
      analysis?.text('work_summary'),
    ]
      .filter((part) => part !== null && part !== undefined && part !== '')
      .join(', '),
    data: restText(fields.node, ['timestamp']),
  });
}

const SIGNALS = [
  ['test_only_loops', 'of tests only'],
  ['done_signals', 'with a done signal'],
  ['completion_indicators', 'with a sign of completion'],
] as const;

/** `.exit_signals`: lists of the loops that gave a reason to stop. */
export async function addExitSignals(source: SourceInput, out: RowSink): Promise<void> {
  const fields = await stateOf(source);
  if (fields === null) return;
  addLoopRun(out, source, null, 5);
  event(out, source, fields.node.line, {
    run_id: LOOP_RUN,
    kind: 'exit_signals',
    level: 'info',
    message: `Loops ${SIGNALS.map(([key, words]) => `${words}: ${fields.list(key)?.length ?? 0}`).join(', ')}`,
    data: restText(fields.node, []),
  });
}
