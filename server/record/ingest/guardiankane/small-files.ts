import { LIMITS } from '../../../../shared/limits.ts';
import type { RowOf } from '../../tables.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import type { Fields } from '../json-fields.ts';
import type { JsonNode } from '../json-tree.ts';
import { fieldsOf, jsonOf, textIn } from './document.ts';
import { featureId, RUN } from './names.ts';
import { insideOf } from './paths.ts';

/** The files of one value or a short list that the harness keeps beside its log. Each reader takes one kind. */

const event = (
  source: SourceInput,
  key: string,
  line: number,
  more: Partial<RowOf<'log_events'>> & { kind: string; message: string },
): RowOf<'log_events'> => ({
  event_id: `${source.id}.${key}`,
  level: 'info',
  source_id: source.id,
  source_kind: source.kind,
  source_line: line,
  ...more,
  message: more.message.slice(0, LIMITS.sourceText),
});

/** `scope-status.json` and `lock-status.json`: the last file a task was stopped at, if it was. */
export async function readFlag(source: SourceInput, root: string | null, out: RowSink): Promise<void> {
  const status = fieldsOf(await jsonOf(source), 'The status', source);
  if (status === null) return;
  source.count(1, 0);
  const flag = status.object('flag');
  const at = status.time('checkedAt');
  if (flag === null) return;
  const fields = fieldsOf(flag, 'flag', source);
  if (fields === null) return;
  const task = fields.id('taskId');
  const file = insideOf(root, fields.text('file') ?? '');
  const lock = fields.object('lockedBy');
  const holder = lock ? textIn(lock, 'id') : null;
  const phases = fields.node.members.get('conflictingPhases');
  out.add(
    'log_events',
    event(source, 'flag', flag.line, {
      run_id: RUN,
      feature_id: task === null ? null : featureId(task),
      at_ms: at?.ms ?? null,
      zone: at?.zone ?? null,
      level: 'warning',
      kind: source.kind === 'lock_status' ? 'file_locked' : 'out_of_scope',
      message: holder === null ? `${file} belongs to another phase` : `${file} is held by ${holder}`,
      data: JSON.stringify({
        file,
        locked_by: holder,
        locked_by_state: lock ? textIn(lock, 'state') : null,
        conflicting_phases:
          phases?.kind === 'array'
            ? phases.items.flatMap((item) => (item.kind === 'string' ? [item.value] : []))
            : null,
      }),
    }),
  );
}

/** `trace.json`: each tool the agent used, for which task, on which file. */
export async function readTrace(source: SourceInput, root: string | null, out: RowSink): Promise<void> {
  for (const [index, call] of (await listOf(source)).entries()) {
    const task = call.id('taskId');
    const at = call.time('ts');
    const tool = call.text('tool') ?? 'unknown';
    const bucket = call.text('bucket');
    const detail = call.text('detail');
    const about = {
      run_id: RUN,
      feature_id: task === null ? null : featureId(task),
      source_id: source.id,
      source_kind: source.kind,
      source_line: call.node.line,
    };
    const id = `${source.id}.c${index + 1}`;
    out.add('tool_calls_told', {
      ...about,
      tool_call_id: id,
      name: tool,
      kind: bucket,
      target: detail === null ? null : insideOf(root, detail),
      started_at_ms: at?.ms ?? null,
    });
    if (detail === null || /\s/.test(detail)) continue;
    out.add('file_touches', {
      ...about,
      touch_id: id,
      tool_call_id: id,
      path: insideOf(root, detail),
      raw_path: detail,
      op: bucket === 'changed' ? 'edit' : 'read',
      at_ms: at?.ms ?? null,
    });
  }
}

/** `chat-log.json`: what a person and the agent said to each other about the graph. */
export async function readChat(source: SourceInput, out: RowSink): Promise<void> {
  for (const [index, entry] of (await listOf(source)).entries()) {
    const at = entry.time('ts');
    const role = entry.text('role') ?? 'unknown';
    out.add(
      'log_events',
      event(source, `m${index + 1}`, entry.node.line, {
        at_ms: at?.ms ?? null,
        zone: at?.zone ?? null,
        kind: 'chat',
        message: `${role}: ${entry.text('text') ?? ''}`,
      }),
    );
  }
}

/** `quality.json`: how many planted faults the tests of each file found. */
export async function readQuality(source: SourceInput, root: string | null, out: RowSink): Promise<void> {
  const report = fieldsOf(await jsonOf(source), 'The mutation report', source);
  const files = report?.object('files');
  if (!report || !files) return;
  const at = report.time('generatedAt');
  for (const [index, [path, node]] of [...files.members].entries()) {
    const file = fieldsOf(node, path.slice(0, 80), source);
    if (file === null) continue;
    source.count(1, 0);
    const count = (key: string): number | null => file.number(key, 0, 1e9);
    const score = file.number('mutationScore', 0, 100);
    out.add('evaluations', {
      evaluation_id: `${source.id}.${index + 1}`,
      run_id: RUN,
      evaluator: 'mutation testing',
      dimension: `mutation score of ${insideOf(root, path)}`.slice(0, LIMITS.cellText),
      state: score === null ? 'unscored' : 'scored',
      score,
      score_min: 0,
      score_max: 100,
      rationale: `${count('killed') ?? 'unknown'} of ${count('total') ?? 'unknown'} killed, ${count('survived') ?? 'unknown'} survived, ${count('timeout') ?? 'unknown'} timed out, ${count('noCoverage') ?? 'unknown'} not covered`,
      at_ms: at?.ms ?? null,
      source_id: source.id,
      source_kind: source.kind,
      source_line: node.line,
    });
  }
}

/** `.internal/meta.json` of a test: its executions. */
export async function readExecutions(
  source: SourceInput,
  taskOfTest: (name: string) => string | null,
  out: RowSink,
): Promise<void> {
  const meta = fieldsOf(await jsonOf(source), 'The list of executions', source);
  if (meta === null) return;
  const name = meta.text('session_name') ?? '';
  const task = taskOfTest(name);
  for (const [index, node] of (meta.list('executions') ?? []).entries()) {
    const execution = fieldsOf(node, `execution ${index + 1}`, source);
    if (execution === null) continue;
    source.count(1, 0);
    const at = execution.time('at');
    const status = execution.text('status') ?? 'unknown';
    out.add(
      'log_events',
      event(source, `x${index + 1}`, node.line, {
        run_id: RUN,
        feature_id: task === null ? null : featureId(task),
        at_ms: at?.ms ?? null,
        zone: at?.zone ?? null,
        level: status === 'passed' ? 'info' : 'error',
        kind: 'execution',
        message: `${name}: ${status}`,
        data: JSON.stringify({
          execution_id: execution.text('execution_id'),
          run_kind: execution.text('run_kind'),
          valid: execution.flag('valid'),
        }),
      }),
    );
  }
}

/** Values of a file of variables may be passwords; only their names are taken. */
const VALUES = /(?:^|\/)variables[\w-]*\.json$/;

/** Any other state file: one event that names it and its plain fields. */
export async function readState(source: SourceInput, out: RowSink): Promise<void> {
  const root = await jsonOf(source);
  if (root === null) return;
  source.count(1, 0);
  const name =
    source.path
      .split('/')
      .at(-1)
      ?.replace(/\.json$/, '') ?? source.path;
  if (root.kind === 'array') {
    for (const [index, node] of root.items.slice(0, LIMITS.sourceEntries).entries()) {
      const ack = node.kind === 'object' ? fieldsOf(node, `entry ${index + 1}`, source) : null;
      if (ack === null) continue;
      const task = ack.has('taskId') ? ack.id('taskId') : null;
      const at = ack.has('ackedAt') ? ack.time('ackedAt') : null;
      out.add(
        'log_events',
        event(source, `l${index + 1}`, node.line, {
          run_id: RUN,
          feature_id: task === null ? null : featureId(task),
          at_ms: at?.ms ?? null,
          zone: at?.zone ?? null,
          kind: name.replaceAll('-', '_'),
          message: plain(ack.node),
        }),
      );
    }
    return;
  }
  const message =
    root.kind !== 'object'
      ? 'no fields'
      : VALUES.test(source.path)
        ? `${root.members.size === 1 ? '1 variable' : `${root.members.size} variables`}: ${[...root.members.keys()].join(', ')}`
        : plain(root);
  out.add(
    'log_events',
    event(source, 'state', root.line, {
      run_id: RUN,
      kind: VALUES.test(source.path) ? 'variables' : name.replaceAll('-', '_').replaceAll('.', '_'),
      message,
    }),
  );
}

/** "srcDir: ., appUrl: http://…": the plain fields of an object. */
function plain(node: Extract<JsonNode, { kind: 'object' }>): string {
  const parts = [...node.members].flatMap(([key, { ...value }]) =>
    value.kind === 'string' || value.kind === 'number' || value.kind === 'boolean'
      ? [`${key}: ${value.value}`]
      : [],
  );
  return parts.length === 0 ? 'no plain fields' : parts.join(', ');
}

/** Objects of a file that is a list. */
async function listOf(source: SourceInput): Promise<Fields[]> {
  const root = await jsonOf(source);
  if (root === null) return [];
  if (root.kind !== 'array') {
    source.issue('unknown_shape', 'error', root.line, 'The file is not a list, so nothing of it was read.');
    source.count(0, 1);
    return [];
  }
  return root.items.slice(0, LIMITS.sourceEntries).flatMap((node, index) => {
    const fields = fieldsOf(node, `entry ${index + 1}`, source);
    if (fields) source.count(1, 0);
    return fields ? [fields] : [];
  });
}
