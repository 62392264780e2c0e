import { LIMITS } from '../../../../shared/limits.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import type { Status } from '../facts.ts';
import { Fields } from '../json-fields.ts';
import { restText } from '../json-plain.ts';
import { addLoopRun, LOOP_RUN } from './loop-run.ts';
import { stateOf } from './loop-state.ts';
import { at, event, featureId, observe, told } from './rows.ts';
import { dependsOn } from './stories.ts';

const STATES: ReadonlyMap<string, { status: Status; verdict: string | null }> = new Map([
  ['pending', { status: 'pending', verdict: null }],
  ['processing', { status: 'in_progress', verdict: null }],
  ['completed', { status: 'accepted', verdict: null }],
  ['failed', { status: 'failed', verdict: 'error' }],
  ['skipped', { status: 'skipped', verdict: null }],
]);

function addItem(source: SourceInput, fields: Fields, id: string, index: number, out: RowSink): void {
  const feature = featureId(LOOP_RUN, id);
  const { line } = fields.node;
  out.add('features_told', {
    feature_id: feature,
    run_id: LOOP_RUN,
    ext_id: id,
    ord: index + 1,
    title: fields.text('title'),
    category: fields.text('source'),
    depends_on: dependsOn(fields, 'dependencies'),
    rank: 0,
    ...at(source, line),
  });
  const about = { source, runId: LOOP_RUN, feature, line: fields.line('status') };
  const word = fields.text('status');
  const state = word === null ? undefined : STATES.get(word);
  if (state === undefined)
    fields.issues.add('unknown_status', 'warning', about.line, `item ${id} has a status that is not known.`);
  else observe(out, about, 'status', state.status, 'measured', `status: ${word}`);
  const [started, completed] = [fields.time('started_at'), fields.time('completed_at')];
  if (completed?.zone !== null) {
    observe(
      out,
      { ...about, line: completed?.line ?? null },
      'completed_at',
      completed?.ms ?? null,
      'measured',
    );
  }
  if (started === null) return;
  const ended = completed !== null && completed.ms >= started.ms ? completed.ms : null;
  out.add('attempts', {
    attempt_id: `${source.id}.a${id}`,
    run_id: LOOP_RUN,
    feature_id: feature,
    n: 1,
    started_at_ms: started.ms,
    ended_at_ms: ended,
    duration_s: ended === null ? null : (ended - started.ms) / 1000,
    verdict: state?.verdict ?? null,
    feedback: fields.text('error_message'),
    attribution: 'unknown',
    link_method: 'explicit',
    basis: 'measured',
    ...told(source, line),
  });
}

/** `queue.json`: `{queue: [{id, title, status, dependencies, started_at, completed_at, error_message, …}]}`, kept by the loop. */
export async function addQueue(source: SourceInput, out: RowSink): Promise<void> {
  const fields = await stateOf(source);
  if (fields === null) return;
  addLoopRun(out, source, null, 5);
  const list = fields.list('queue') ?? [];
  const seen = new Set<string>();
  for (const [index, node] of list.slice(0, LIMITS.sourceEntries).entries()) {
    const item =
      node.kind === 'object' && node.complete ? new Fields(node, `item ${index + 1}`, fields.issues) : null;
    const id = item?.id('id') ?? null;
    if (item === null || id === null || seen.has(id)) {
      fields.issues.add(
        'unknown_shape',
        'warning',
        node.line,
        `Item ${index + 1} of the queue has no id of its own, so it was not read.`,
      );
      source.count(0, 1);
      continue;
    }
    seen.add(id);
    source.count(1, 0);
    addItem(source, item, id, index, out);
    const error = item.text('error_message')?.trim() || null;
    if (error !== null) {
      event(out, source, item.line('error_message'), {
        run_id: LOOP_RUN,
        feature_id: featureId(LOOP_RUN, id),
        time: item.time('completed_at'),
        level: 'error',
        kind: 'queue_error',
        message: error,
        data: restText(item.node, ['error_message', 'title']),
      });
    }
  }
  if (list.length > LIMITS.sourceEntries) {
    fields.issues.add(
      'too_many_entries',
      'warning',
      null,
      `${list.length - LIMITS.sourceEntries} more items were not read.`,
    );
  }
}
