import { LIMITS } from '../../../../shared/limits.ts';
import type { Adapter, RowSink, SourceInput, UnitInput } from '../adapter.ts';
import type { Fields } from '../json-fields.ts';
import { type JsonLine, jsonLines } from '../json-lines.ts';
import { restText } from '../json-plain.ts';
import type { JsonNode } from '../json-tree.ts';
import { endingOf } from './ending.ts';
import { at, event, featureId, observe, rawEvent, slug } from './rows.ts';
import { Turns } from './turns.ts';

/** What one run came to, over all files that tell of it. */
interface Run {
  id: string;
  name: string | null;
  issue: string | null;
  startedMs: number | null;
  ended: { ms: number; reason: string | null; completed: boolean } | null;
  zone: string | null;
  /** The latest word on the steps of the issue: name, whether it is done, and where that stands. */
  steps: { atMs: number; source: SourceInput; flags: [name: string, done: boolean, line: number][] } | null;
  source: SourceInput;
  line: number;
  turns: number;
}

interface State {
  runs: Map<string, Run>;
  turns: Turns;
  /** Lines already read: the same event may stand in the file of a run and in that of all runs. */
  seen: Set<string>;
}

const SECONDS = 366 * 86_400;

function flagsOf(node: JsonNode | undefined): [string, boolean, number][] {
  if (node?.kind !== 'object') return [];
  return [...node.members].flatMap(([name, value]): [string, boolean, number][] =>
    value.kind === 'boolean' && /^\w{1,40}$/.test(name) ? [[name, value.value, value.line]] : [],
  );
}

/** The issue a run works on, and its steps at this moment. */
function addIssue(run: Run, fields: Fields, source: SourceInput, ms: number | null): void {
  const node = fields.object('issue');
  if (node === null) return;
  const number = node.members.get('number');
  if (number?.kind === 'number' && Number.isSafeInteger(number.value)) run.issue = String(number.value);
  const flags = flagsOf(node.members.get('status'));
  if (flags.length > 0 && ms !== null && ms >= (run.steps?.atMs ?? ms))
    run.steps = { atMs: ms, source, flags };
}

/** Takes in one event; false when it is of no known type. */
function addEvent(state: State, source: SourceInput, line: JsonLine, fields: Fields, out: RowSink): boolean {
  const [kind, ext] = [fields.text('event'), fields.text('runId')];
  if (kind === null || ext === null || !/^(?:run|iteration)_\w{1,30}$/.test(kind)) return false;
  const n = fields.number('iteration', 0, 1e9);
  const time = fields.time('ts');
  const key = [kind, ext, n, time?.ms, fields.text('phase')].join(' ');
  if (state.seen.has(key)) {
    source.issue(
      'duplicate_id',
      'info',
      line.no,
      'Another file tells of the same event; it is counted once.',
    );
    return true;
  }
  if (state.seen.size < LIMITS.walkEntries) state.seen.add(key);
  const id = `jeeves.${slug(ext)}`;
  let run = state.runs.get(id);
  if (run === undefined) {
    run = {
      id,
      name: null,
      issue: null,
      startedMs: null,
      ended: null,
      zone: null,
      steps: null,
      source,
      line: line.no,
      turns: 0,
    };
    state.runs.set(id, run);
  }
  run.name ??= fields.text('branchName');
  run.zone ??= time?.zone ?? null;
  addIssue(run, fields, source, time?.ms ?? null);
  const completed = fields.flag('completed');
  const reason = fields.text('completionReason') ?? (kind === 'run_end' ? fields.text('reason') : null);
  if (kind === 'run_start') {
    run.startedMs = time?.ms ?? null;
    [run.source, run.line] = [source, line.no];
  } else if (time !== null && (kind === 'run_end' || completed === true))
    run.ended = { ms: time.ms, reason, completed: completed === true };
  const turn = n === null ? null : state.turns.of(id, n, source, line.no);
  if (turn && kind === 'iteration_start') turn.startedMs = time?.ms ?? null;
  else if (turn && kind === 'iteration_end') {
    [turn.source, turn.line] = [source, line.no];
    turn.endedMs = time?.ms ?? null;
    turn.seconds = fields.number('duration_s', 0, SECONDS);
    turn.passed = completed === true ? true : null;
    turn.verdict = completed === null ? null : completed ? 'pass' : 'no_verdict';
    run.turns += 1;
  }
  event(out, source, line.no, {
    run_id: id,
    time,
    kind,
    level: 'info',
    message: [
      n === null
        ? kind.replaceAll('_', ' ')
        : `Iteration ${n} ${kind === 'iteration_end' ? 'ended' : kind === 'iteration_start' ? 'started' : kind}`,
      fields.text('phase'),
      turn && kind === 'iteration_end' && turn.seconds !== null ? `${turn.seconds} s` : null,
    ]
      .filter((part) => part !== null)
      .join(', '),
    data: restText(fields.node, ['event', 'ts', 'runId', 'iteration', 'phase']),
  });
  return true;
}

/** Steps whose name says that something is missing are no steps to be done. */
const isStep = (name: string): boolean => !/needs/i.test(name);

function writeRun(run: Run, state: State, out: RowSink): void {
  const { source, line } = run;
  out.add('runs_told', {
    run_id: run.id,
    harness: 'jeeves',
    name: run.name,
    started_at_ms: run.startedMs,
    ended_at_ms: run.ended?.ms ?? null,
    zone: run.zone,
    status:
      run.ended === null
        ? null
        : run.ended.completed
          ? 'succeeded'
          : run.ended.reason === null
            ? 'unknown'
            : endingOf(run.ended.reason),
    end_reason: run.ended?.reason ?? null,
    rank: 0,
    ...at(source, line),
  });
  observe(
    out,
    { source, runId: run.id, feature: null, line },
    'iterations',
    run.turns,
    'derived',
    'counted ends of iterations',
  );
  if (run.issue === null) return;
  const feature = featureId(run.id, run.issue);
  out.add('features_told', {
    feature_id: feature,
    run_id: run.id,
    ext_id: run.issue,
    title: `Issue ${run.issue}`,
    description: run.name,
    rank: 0,
    ...at(source, line),
  });
  const about = { source, runId: run.id, feature, line };
  observe(
    out,
    about,
    'status',
    run.ended?.completed ? 'accepted' : 'in_progress',
    'measured',
    run.ended?.completed ? 'completed' : 'not completed',
  );
  observe(
    out,
    about,
    'attempts',
    run.turns === 0 ? null : run.turns,
    'derived',
    'counted ends of iterations',
  );
  for (const [name, done, at_line] of run.steps?.flags ?? []) {
    if (!isStep(name) || run.steps === null) continue;
    out.add('requirements_told', {
      requirement_id: `${feature}.r${name}`,
      run_id: run.id,
      feature_id: feature,
      ext_id: `${run.issue}.${name}`,
      text: name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase(),
      kind: 'step',
      claimed_pass: done,
      rank: 0,
      ...at(run.steps.source, at_line),
    });
  }
  for (const turn of state.turns.all()) if (turn.runId === run.id) turn.featureId = feature;
}

async function read(unit: UnitInput, out: RowSink): Promise<void> {
  const state: State = { runs: new Map(), turns: new Turns(), seen: new Set() };
  for (const source of unit.sources) {
    for await (const line of jsonLines(source)) {
      const known = line.fields !== null && addEvent(state, source, line, line.fields, out);
      source.count(known ? 1 : 0, known ? 0 : 1);
      if (!known) rawEvent(out, source, null, line);
      if (line.no % 1000 === 0) await out.flush();
    }
  }
  for (const run of state.runs.values()) writeRun(run, state, out);
  state.turns.write(out);
  if (state.turns.left > 0) {
    unit.sources[0]?.issue(
      'too_many_entries',
      'warning',
      null,
      `Lines of iterations beyond the first ${LIMITS.sourceEntries} iterations: ${state.turns.left}.`,
    );
  }
}

/**
 * Metrics of jeeves: `run_start`, `iteration_start`, `iteration_end`, each with the id of its run, because runs go on side by
 * side in one file. An event that stands in several files is one event.
 */
export const jeeves: Adapter = {
  id: 'ralph/run-metrics',
  version: 1,
  label: 'Run metrics (jeeves)',
  sources: [
    {
      kind: 'run_metrics',
      paths: ['*metrics.jsonl', '*/*metrics.jsonl', '{jeeves,.jeeves}/**/*metrics.jsonl'],
      sniff: (head) => /"runId"\s*:/.test(head) && /"event"\s*:/.test(head),
    },
  ],
  unit: 'together',
  read,
};
