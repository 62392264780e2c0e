import { LIMITS } from '../../../../shared/limits.ts';
import { KINDS } from '../../source-kinds.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import type { PackFacts } from './evidence-pack.ts';
import { featureId, HARNESS, RANKS, RUN } from './names.ts';
import { insideOf, testName } from './paths.ts';
import type { RequirementBook } from './requirement-book.ts';
import type { Tracker, TrackerTask } from './tracker.ts';

const cut = (text: string | null): string | null => text?.slice(0, LIMITS.sourceText) ?? null;

/** What other documents know and the tracker's rows need. */
export interface Around {
  root: string | null;
  book: RequirementBook;
  /** Packs that were read, by file name. */
  packs: ReadonlyMap<string, PackFacts>;
}

/** How the run stands, by its tasks. */
function runStatus(tasks: readonly TrackerTask[]): { status: string; end_reason: string | null } {
  const waiting = tasks.filter(({ status }) => status === 'blocked');
  if (tasks.length > 0 && tasks.every(({ status }) => status === 'accepted'))
    return { status: 'succeeded', end_reason: null };
  if (waiting.length === 0) return { status: 'unknown', end_reason: null };
  const names = waiting
    .slice(0, 6)
    .map(({ id }) => id)
    .join(', ');
  return { status: 'stopped', end_reason: cut(`Waits for a human: ${names}`) };
}

/** Makes the book know which criteria and tests belong to which task; before any other document is read. */
export function introduce(tracker: Tracker, book: RequirementBook): void {
  for (const task of tracker.tasks) {
    for (const { text } of task.tests) book.tests(testName(text), task.id);
    for (const { id } of task.verdict?.criteria ?? []) book.holds(id, task.id, task.lastRun?.atMs ?? null);
  }
}

/** Every path the tracker writes. */
export const pathsOf = (tracker: Tracker): string[] =>
  tracker.tasks.flatMap((task) => [
    ...task.files.map(({ text }) => text),
    ...task.touches.map(({ text }) => text),
    ...task.tests.map(({ text }) => text),
    ...(task.verdict?.evidence ?? []).flatMap(({ file, pack }) => (pack === null ? [file] : [file, pack])),
  ]);

export function trackerRows(source: SourceInput, tracker: Tracker, around: Around, out: RowSink): void {
  out.add('runs_told', {
    run_id: RUN,
    harness: HARNESS,
    ...runStatus(tracker.tasks),
    rank: RANKS.tracker,
    source_id: source.id,
    source_line: tracker.tasks[0]?.line ?? null,
  });
  for (const [index, task] of tracker.tasks.entries()) {
    out.add('features_told', {
      feature_id: featureId(task.id),
      run_id: RUN,
      ext_id: task.id,
      ord: index + 1,
      title: task.title,
      category: task.phase === null ? null : (tracker.phases.get(task.phase) ?? task.phase),
      depends_on: task.dependsOn.length === 0 ? null : cut(task.dependsOn.join(' ')),
      rank: RANKS.tracker,
      source_id: source.id,
      source_line: task.line,
    });
    words(source, task, out);
    files(source, task, around, out);
    verdictRows(source, task, around, out);
  }
}

function words(source: SourceInput, task: TrackerTask, out: RowSink): void {
  const about = {
    run_id: RUN,
    feature_id: featureId(task.id),
    basis: KINDS.task_tracker.basis,
    source_id: source.id,
    source_kind: source.kind,
  };
  if (task.status !== null) {
    out.add('observations_told', {
      ...about,
      observation_id: `${source.id}.${task.id}.status`,
      fact: 'status',
      text_value: task.status,
      how: `state: ${task.state}`,
      source_line: task.lines.state,
    });
  }
  if (task.strikes !== null) {
    out.add('observations_told', {
      ...about,
      observation_id: `${source.id}.${task.id}.strikes`,
      fact: 'strikes',
      value: task.strikes,
      how: 'as written',
      source_line: task.lines.strikes,
    });
  }
}

function files(source: SourceInput, task: TrackerTask, { root }: Around, out: RowSink): void {
  const row = (text: string, line: number, op: string, index: number, atMs: number | null): void =>
    out.add('file_touches', {
      touch_id: `${source.id}.${task.id}.${op}.${index}`,
      run_id: RUN,
      feature_id: featureId(task.id),
      path: insideOf(root, text),
      raw_path: text,
      op,
      at_ms: atMs,
      source_id: source.id,
      source_kind: source.kind,
      source_line: line,
    });
  for (const [index, { text, line }] of task.files.entries()) row(text, line, 'listed', index, null);
  for (const [index, { text, line, atMs }] of task.touches.entries()) row(text, line, 'touch', index, atMs);
}

/** Name of a pack's file, wherever on the machine it lay. */
export const packName = (path: string): string => path.replaceAll('\\', '/').split('/').at(-1) ?? path;

function verdictRows(source: SourceInput, task: TrackerTask, { book, packs }: Around, out: RowSink): void {
  const { verdict, lastRun } = task;
  const about = {
    run_id: RUN,
    feature_id: featureId(task.id),
    source_id: source.id,
    source_kind: source.kind,
  };
  const decision = `${source.id}.${task.id}.verdict`;
  if (verdict !== null) {
    const said = [verdict.summary, verdict.reason].filter((text) => text !== null && text !== '').join(' — ');
    out.add('log_events', {
      ...about,
      event_id: decision,
      at_ms: lastRun?.atMs ?? null,
      zone: lastRun?.zone ?? null,
      level: verdict.passed === false ? 'error' : 'info',
      kind: 'tracker_verdict',
      message: (said === '' ? 'no summary' : said).slice(0, LIMITS.sourceText),
      data: JSON.stringify({
        passed: verdict.passed,
        duration_s: verdict.durationS,
        credits: verdict.credits,
        tests: verdict.evidence.length,
        criteria: verdict.criteria.length,
        stopped_by: verdict.stoppedBy,
        typed_in: lastRun?.words ?? null,
      }),
      source_line: verdict.line,
    });
  }
  if (task.confirmed) {
    out.add('log_events', {
      ...about,
      event_id: `${source.id}.${task.id}.confirmed`,
      level: 'warning',
      kind: 'manual_override',
      message: cut(task.note) ?? 'manual_confirmed: true',
      source_line: task.lines.confirmed,
    });
  }
  const accepted = task.status === 'accepted' || task.confirmed;
  for (const { id, line } of verdict?.criteria ?? []) {
    book.tell({
      id,
      task: task.id,
      text: task.title === null ? null : `${id} of ${task.title}`,
      kind: 'criterion',
      claimed: accepted,
      parent: namedCase(task.prdRef),
      rank: 4,
      source,
      line,
    });
    if (verdict?.passed !== true) continue;
    book.prove({
      id,
      task: task.id,
      kind: 'gate',
      ref: decision,
      polarity: 'supports',
      // The verdict is on all tests of the task together; which test is about which criterion it does not say.
      link: 'inferred',
      atMs: lastRun?.atMs ?? null,
      says: verdict.summary ?? 'passed',
      source,
      line,
      key: task.id,
    });
  }
  for (const [index, { file, pack, line }] of (verdict?.evidence ?? []).entries()) {
    const facts = pack === null ? undefined : packs.get(packName(pack));
    if (facts === undefined || pack === null) continue;
    out.add('log_events', {
      ...about,
      event_id: `${source.id}.${task.id}.cites.${index}`,
      at_ms: facts.startedAtMs,
      zone: facts.zone,
      level: 'info',
      kind: 'evidence_cited',
      message: `${testName(file)}: ${packName(pack)}`.slice(0, LIMITS.sourceText),
      data: JSON.stringify({ decision, source_id: facts.sourceId, ended_at_ms: facts.endedAtMs }),
      source_line: line,
    });
  }
}

/** "PRD.md#UC-1" names the use case UC-1; a range of lines names none. */
const namedCase = (prdRef: string | null): string | null =>
  /#(UC-[\w.-]{1,40})$/i.exec(prdRef ?? '')?.[1] ?? null;
