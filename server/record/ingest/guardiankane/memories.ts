import { LIMITS } from '../../../../shared/limits.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import type { Fields } from '../json-fields.ts';
import { fieldsOf, jsonOf, textsIn } from './document.ts';
import { familyRow } from './families.ts';
import { featureId, RUN } from './names.ts';
import { insideOf } from './paths.ts';
import type { Tracker } from './tracker.ts';

/** `bug-memory.json`: failures the harness keeps, each with the family its triage gave it. */
export async function readBugMemory(source: SourceInput, out: RowSink): Promise<void> {
  const root = fieldsOf(await jsonOf(source), 'The bug memory', source);
  for (const [index, node] of (root?.list('entries') ?? []).entries()) {
    const entry = fieldsOf(node, `entry ${index + 1}`, source);
    if (entry === null) continue;
    source.count(1, 0);
    family(source, entry, entry.id('taskId'), `${index + 1}`, out);
  }
}

function family(source: SourceInput, entry: Fields, task: string | null, key: string, out: RowSink): void {
  const name = entry.text('family');
  if (name === null) return;
  const at = entry.time('timestamp');
  out.add(
    'log_events',
    familyRow(source, {
      key,
      task,
      atMs: at?.ms ?? null,
      zone: at?.zone ?? null,
      title: entry.text('bugTitle'),
      cause: entry.text('rootCause'),
      family: name,
      confidence: entry.number('confidence', 0, 1),
      line: entry.node.line,
    }),
  );
}

/** Texts of the knowledge memory that may be paths, to find the folder of the project. */
export async function memoryPaths(source: SourceInput): Promise<string[]> {
  const text = await source.text();
  if (text === null) return [];
  const paths: string[] = [];
  for (const [, path] of text.matchAll(/"([^"\\\s]{1,400})"/g)) {
    if (path !== undefined) paths.push(path);
    if (paths.length >= LIMITS.queryRows) break;
  }
  return paths;
}

/**
 * `knowledge-memory.json`: for each set of files, the runs of the verifier that were about them. The set is written as paths, so the
 * same files spelled otherwise are another set; which task a run was about follows from its objective (the task's section of
 * the requirements, or its title). How many runs it remembers of a task is one more word on the task's attempts.
 */
export async function readKnowledgeMemory(
  source: SourceInput,
  tracker: Tracker,
  root: string | null,
  out: RowSink,
): Promise<void> {
  const memory = fieldsOf(await jsonOf(source), 'The knowledge memory', source);
  const entries = memory?.object('entries');
  if (!entries) return;
  const tasks = new Map<string, string>();
  for (const { id, title, prdRef } of tracker.tasks) {
    if (prdRef !== null) tasks.set(prdRef, id);
    if (title !== null && !tasks.has(title)) tasks.set(title, id);
  }
  const remembered = new Map<string, { runs: number; sets: number; line: number }>();
  for (const [hash, node] of entries.members) {
    const entry = fieldsOf(node, `entry ${hash.slice(0, 12)}`, source);
    if (entry === null) continue;
    source.count(1, 0);
    const here = new Set<string>();
    for (const [index, item] of (entry.list('runs') ?? []).entries()) {
      const run = fieldsOf(item, `${entry.owner}: run ${index + 1}`, source);
      if (run === null) continue;
      const objective = run.text('objective');
      const task = objective === null ? null : (tasks.get(objective) ?? null);
      const at = run.time('timestamp');
      const status = run.text('status');
      const key = `${hash.slice(0, 40)}.${index}`;
      out.add('log_events', {
        event_id: `${source.id}.run.${key}`,
        run_id: RUN,
        feature_id: task === null ? null : featureId(task),
        at_ms: at?.ms ?? null,
        zone: at?.zone ?? null,
        level: status === 'pass' ? 'info' : 'error',
        kind: status === 'pass' ? 'remembered_pass' : status === 'fail' ? 'remembered_fail' : 'raw',
        message: `${objective ?? 'no objective'}: ${status ?? 'no status'}`,
        source_id: source.id,
        source_kind: source.kind,
        source_line: item.line,
      });
      family(source, run, task, key, out);
      if (task === null || status === null) continue;
      here.add(task);
      const so = remembered.get(task) ?? { runs: 0, sets: 0, line: item.line };
      remembered.set(task, { ...so, runs: so.runs + 1 });
    }
    for (const task of here) {
      const so = remembered.get(task);
      if (so) remembered.set(task, { ...so, sets: so.sets + 1 });
    }
    // One row a file of the set, under the task it was about.
    const only = here.size === 1 ? [...here][0] : undefined;
    fileRows(source, hash.slice(0, 40), textsIn(entry.list('nodeIds')), only ?? null, root, out);
  }
  for (const [task, { runs, sets, line }] of remembered) {
    out.add('observations_told', {
      observation_id: `${source.id}.${task}.attempts`,
      run_id: RUN,
      feature_id: featureId(task),
      fact: 'attempts',
      value: runs,
      // It keeps what the log tells, and not all of it: the log's own count speaks first.
      basis: 'derived',
      how: sets === 1 ? `${runs} runs remembered` : `${runs} runs remembered under ${sets} sets of files`,
      source_id: source.id,
      source_kind: source.kind,
      source_line: line,
    });
  }
}

function fileRows(
  source: SourceInput,
  key: string,
  files: readonly { text: string; line: number }[],
  task: string | null,
  root: string | null,
  out: RowSink,
): void {
  for (const [index, { text, line }] of files.slice(0, LIMITS.tableRows * 5).entries()) {
    out.add('file_touches', {
      touch_id: `${source.id}.${key}.${index}`,
      run_id: RUN,
      feature_id: task === null ? null : featureId(task),
      path: insideOf(root, text),
      raw_path: text,
      op: 'listed',
      source_id: source.id,
      source_kind: source.kind,
      source_line: line,
    });
  }
}
