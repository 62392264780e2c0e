import type { RowSink, SourceInput } from '../adapter.ts';
import type { Status } from '../facts.ts';
import type { Fields } from '../json-fields.ts';
import { jsonLines } from '../json-lines.ts';
import { at, featureId, observe, rawEvent } from './rows.ts';
import { dependsOn } from './stories.ts';

const STATES: ReadonlyMap<string, Status> = new Map([
  ['open', 'pending'],
  ['in_progress', 'in_progress'],
  ['closed', 'accepted'],
  ['failed', 'failed'],
]);

interface Task {
  fields: Fields;
  line: number;
  id: string;
}

function addTask(source: SourceInput, { fields, line, id }: Task, runId: string, out: RowSink): void {
  const feature = featureId(runId, id);
  out.add('features_told', {
    feature_id: feature,
    run_id: runId,
    ext_id: id,
    title: fields.text('title'),
    description: fields.text('description'),
    depends_on: dependsOn(fields, 'blocked_by'),
    rank: 0,
    ...at(source, line),
  });
  const word = fields.text('status');
  const status = word === null ? undefined : STATES.get(word);
  if (status === undefined)
    fields.issues.add('unknown_status', 'warning', line, `task ${id} has a status that is not known.`);
  // The agent closes its tasks itself.
  else observe(out, { source, runId, feature, line }, 'status', status, 'claimed', `status: ${word}`);
  const closed = fields.time('closed');
  // The time is that of the command which closes it.
  if (closed !== null && closed.zone !== null && status === 'accepted') {
    observe(out, { source, runId, feature, line }, 'completed_at', closed.ms, 'measured', 'closed');
  }
}

/**
 * `tasks.jsonl`: one task a line, `{id, title, status, blocked_by, loop_id, created, started, closed}`. Of a task that stands
 * twice the later line counts.
 * @param runOf the run a task belongs to, by the loop it names
 */
export async function addTasks(
  source: SourceInput,
  runOf: (loop: string | null) => string,
  out: RowSink,
): Promise<void> {
  const tasks = new Map<string, Task>();
  for await (const line of jsonLines(source)) {
    const id = line.fields?.id('id') ?? null;
    if (line.fields === null || id === null) {
      source.count(0, 1);
      rawEvent(out, source, null, line);
      continue;
    }
    const before = tasks.get(id);
    if (before)
      source.issue(
        'superseded',
        'info',
        before.line,
        `The task ${id} stands again on line ${line.no}, which counts.`,
      );
    tasks.set(id, { fields: line.fields, line: line.no, id });
    source.count(1, 0);
  }
  for (const task of tasks.values()) addTask(source, task, runOf(task.fields.text('loop_id')), out);
}
