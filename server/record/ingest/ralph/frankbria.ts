import { LIMITS } from '../../../../shared/limits.ts';
import type { Adapter, RowSink, SourceInput } from '../adapter.ts';
import { titleOf } from '../title.ts';
import { planTasks } from './fix-plan.ts';
import { addLoopRun, LOOP_RUN } from './loop-run.ts';
import {
  addAnalysis,
  addCircuitHistory,
  addCircuitState,
  addExitSignals,
  addProgressState,
  addStatus,
} from './loop-state.ts';
import { addQueue } from './queue.ts';
import { at, featureId, listedId, observe } from './rows.ts';

/** `fix_plan.md`: its checkboxes, which the agent ticks itself. */
async function addPlan(source: SourceInput, out: RowSink): Promise<void> {
  let count = 0;
  for await (const task of planTasks(source.lines())) {
    count += 1;
    if (count > LIMITS.sourceEntries) continue;
    const extId = listedId(count - 1, task.text);
    const feature = featureId(LOOP_RUN, extId);
    out.add('features_told', {
      feature_id: feature,
      run_id: LOOP_RUN,
      ext_id: extId,
      ord: count,
      title: titleOf(task.text),
      description: task.text,
      category: task.section,
      rank: 2,
      ...at(source, task.line),
    });
    observe(
      out,
      { source, runId: LOOP_RUN, feature, line: task.line },
      'status',
      task.status,
      'claimed',
      `[${task.mark}]`,
    );
  }
  if (count > LIMITS.sourceEntries) {
    source.issue(
      'too_many_entries',
      'warning',
      null,
      `${count - LIMITS.sourceEntries} more tasks were not read.`,
    );
  }
  source.count(Math.min(count, LIMITS.sourceEntries), 0);
  addLoopRun(out, source, null, 5);
}

/** How each file is read, by the end of its path. */
const READERS: readonly (readonly [string, (source: SourceInput, out: RowSink) => Promise<void>])[] = [
  ['fix_plan.md', addPlan],
  ['progress.json', addProgressState],
  ['status.json', addStatus],
  ['.circuit_breaker_state', addCircuitState],
  ['.circuit_breaker_history', addCircuitHistory],
  ['.response_analysis', addAnalysis],
  ['.exit_signals', addExitSignals],
  ['queue.json', addQueue],
];

/** The loop's own count, which begins anew at each start; where every turn has its line, the lines are counted instead. */
const COUNTED = `SELECT event_id || '.iterations' AS observation_id, run_id, NULL AS feature_id, 'iterations' AS fact,
 regexp_extract(data, '"loop_count":([0-9]{1,9})', 1)::DOUBLE AS value, NULL AS text_value, 'measured' AS basis, 'loop_count' AS how,
 source_id, source_kind, source_line FROM log_events
 WHERE kind = 'loop_status' AND regexp_matches(data, '"loop_count":[0-9]{1,9}') AND NOT EXISTS (FROM log_events WHERE source_kind = 'loop_metrics' AND kind = 'iteration')`;

/** State files of loops after frankbria's Ralph. All but the history are overwritten, so they tell of the end only. */
export const frankbria: Adapter = {
  id: 'ralph/loop-state',
  version: 1,
  label: 'Ralph loop state (.ralph)',
  sources: [
    {
      kind: 'fix_plan',
      paths: ['.ralph/fix_plan.md', '.ralph/@fix_plan.md', 'fix_plan.md', '@fix_plan.md'],
      single: true,
    },
    { kind: 'ralph_status', paths: ['.ralph/status.json', '.ralph/progress.json'] },
    { kind: 'circuit_breaker', paths: ['.ralph/.circuit_breaker_state', '.ralph/.circuit_breaker_history'] },
    { kind: 'response_analysis', paths: ['.ralph/.response_analysis', '.ralph/.exit_signals'] },
    { kind: 'work_queue', paths: ['.ralph/queue.json'], single: true },
  ],
  unit: 'each',
  derives: [COUNTED],
  async read(unit, out) {
    for (const source of unit.sources) {
      await READERS.find(([name]) => source.path.endsWith(name))?.[1](source, out);
    }
  },
};
