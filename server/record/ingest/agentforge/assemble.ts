import { LIMITS } from '../../../../shared/limits.ts';
import type { SourceKind } from '../../store.ts';
import type { Entry, ToldAttempt, ToldFact } from '../facts.ts';
import { Issues } from '../issue.ts';
import { emptyRows, type Rows, type SourceFile } from '../rows.ts';
import { minuteText } from '../time.ts';
import { titleOf } from '../title.ts';
import { elapsedFact, placeEntries, type Run, type Span, spansOf } from './place.ts';
import type { Readings } from './segments.ts';
import { skippedByCount } from './skipped.ts';

/** Raise when an adapter reads the same file differently than before. */
export const PARSER_VERSION = 2;
const PARSERS: Readonly<Record<SourceKind, string>> = {
  metrics: 'agentforge/metrics',
  progress_log: 'agentforge/progress-log',
  git: 'agentforge/git-log',
  feature_list: 'agentforge/feature-list',
};
/** Order in which sources are asked for the words of a feature: the plan has them whole, the others cut them short. */
const WORDS: readonly SourceKind[] = ['feature_list', 'metrics', 'git', 'progress_log'];
/** Numbers by size, names after them by letter. */
function compareIds(a: string, b: string): number {
  const [x, y] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (x && y) return Number(a) - Number(b);
  if (x !== y) return x ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Makes the rows of one AgentForge folder from what its sources say. Pure, and the same for the same input: ids are made of
 * run, feature, fact and source, so reading a folder twice gives the same rows.
 */
export function assemble(
  project: { id: string; name: string; root: string },
  files: readonly SourceFile[],
  readings: Readings,
): Rows {
  const rows = emptyRows();
  const issues = new Map<SourceKind, Issues>();
  const source = new Map<SourceKind, SourceFile>();
  for (const file of files) {
    const collected = new Issues();
    collected.addAll(file.issues);
    collected.addAll(readings.get(file.kind)?.issues ?? []);
    issues.set(file.kind, collected);
    source.set(file.kind, file);
  }
  const sourceId = (kind: SourceKind): string => source.get(kind)?.id ?? kind;
  const { runs, runAt } = placeEntries(readings, issues);
  const spans = spansOf(runs, runAt, readings);
  const plan = planOf(readings);

  rows.projects.push([project.id, project.name, project.root]);
  runs.forEach((run, i) => {
    const span = spans.get(run.id) ?? { startMs: null, endMs: null, zone: '+00:00' };
    // Where the run begins; a title near that place only names it.
    const from = run.segment.marker ?? run.segment.title;
    const name =
      run.segment.title?.marker.name ??
      (span.startMs === null ? `run ${i + 1}` : `run of ${minuteText(span.startMs, span.zone)}`);
    rows.runs.push([
      run.id,
      project.id,
      i + 1,
      name.slice(0, LIMITS.title),
      'agentforge',
      span.startMs,
      span.endMs,
      span.zone,
      run.current,
      from ? sourceId(from.kind) : null,
      from?.marker.line ?? null,
    ]);
    pushFeatures(rows, run, plan, sourceId);
    for (const { kind, entry } of run.whole) pushFacts(rows, run.id, null, kind, sourceId(kind), entry.facts);
    const passes = (readings.get('progress_log')?.passes ?? []).filter(({ atMs }) => runAt(atMs) === run);
    const skipped = skippedByCount(run, passes);
    for (const id of skipped?.features ?? [])
      if (skipped)
        pushFacts(rows, run.id, `${run.id}.f${id}`, 'progress_log', sourceId('progress_log'), [skipped.fact]);
    const elapsed = elapsedFact(run, span);
    if (elapsed) pushFacts(rows, run.id, null, elapsed.kind, sourceId(elapsed.kind), [elapsed.fact]);
  });
  const current = runs.find((run) => run.current);
  pushCommits(
    rows,
    project.id,
    sourceId('git'),
    readings,
    runAt,
    current ? spans.get(current.id) : undefined,
  );
  pushEvents(rows, readings, runAt, sourceId);

  for (const file of files) {
    const reading = readings.get(file.kind);
    rows.sources.push([
      file.id,
      project.id,
      file.kind,
      file.label,
      file.path,
      file.sha,
      file.bytes,
      reading?.ok ?? null,
      reading?.bad ?? null,
      PARSERS[file.kind],
      PARSER_VERSION,
    ]);
    (issues.get(file.kind)?.list() ?? []).forEach((issue, i) => {
      rows.ingest_issues.push([
        `${file.id}.i${i + 1}`,
        file.id,
        issue.line,
        issue.code,
        issue.severity,
        issue.detail,
      ]);
    });
  }
  return rows;
}

/** The plan's own order and words by feature, for runs whose other sources do not give them. */
function planOf(readings: Readings): Map<string, { entry: Entry; order: number }> {
  const plan = new Map<string, { entry: Entry; order: number }>();
  for (const [order, entry] of (readings.get('feature_list')?.entries ?? []).entries()) {
    if (entry.feature !== null) plan.set(entry.feature, { entry, order });
  }
  return plan;
}

function pushFeatures(
  rows: Rows,
  run: Run,
  plan: ReturnType<typeof planOf>,
  sourceId: (kind: SourceKind) => string,
): void {
  const order = (id: string): number => plan.get(id)?.order ?? Number.POSITIVE_INFINITY;
  const ids = [...run.features.keys()].sort((a, b) => {
    const [x, y] = [order(a), order(b)];
    return x === y ? compareIds(a, b) : x - y;
  });
  for (const [i, id] of ids.entries()) {
    const told = run.features.get(id);
    if (!told) continue;
    const featureId = `${run.id}.f${id}`;
    const words = WORDS.flatMap((kind) => told.get(kind)?.description ?? []);
    const description = words[0] ?? plan.get(id)?.entry.description ?? null;
    const category =
      WORDS.flatMap((kind) => told.get(kind)?.category ?? [])[0] ?? plan.get(id)?.entry.category ?? null;
    const from = WORDS.find((kind) => told.has(kind));
    rows.features.push([
      featureId,
      run.id,
      id,
      i + 1,
      (description === null ? null : titleOf(description)) ?? `Feature ${id}`,
      description,
      category === null ? null : category.slice(0, LIMITS.label),
      from ? sourceId(from) : null,
      (from ? told.get(from)?.line : null) ?? null,
    ]);
    for (const [kind, entry] of told) {
      pushFacts(rows, run.id, featureId, kind, sourceId(kind), entry.facts);
      pushAttempts(rows, run.id, featureId, kind, sourceId(kind), entry.attempts);
    }
  }
}

function pushFacts(
  rows: Rows,
  runId: string,
  featureId: string | null,
  kind: SourceKind,
  sourceId: string,
  facts: readonly ToldFact[],
): void {
  for (const fact of facts) {
    rows.observations.push([
      `${featureId ?? runId}.${fact.fact}.${kind}`,
      runId,
      featureId,
      fact.fact,
      fact.value,
      fact.text,
      fact.basis,
      sourceId,
      kind,
      fact.line,
      fact.how,
    ]);
  }
}

function pushAttempts(
  rows: Rows,
  runId: string,
  featureId: string,
  kind: SourceKind,
  sourceId: string,
  attempts: readonly ToldAttempt[],
): void {
  for (const attempt of attempts) {
    rows.attempts.push([
      `${featureId}.a${attempt.n}.${kind}`,
      runId,
      featureId,
      attempt.n,
      attempt.score,
      attempt.durationS,
      attempt.feedback,
      attempt.tokensCoder,
      attempt.tokensEvaluator,
      attempt.passed,
      // Nothing in these files says whose fault a low score was, and it is never taken to be the agent's.
      'unknown',
      attempt.basis,
      sourceId,
      kind,
      attempt.line,
    ]);
  }
}

function pushCommits(
  rows: Rows,
  projectId: string,
  sourceId: string,
  readings: Readings,
  runAt: (ms: number | null) => Run | undefined,
  span: Span | undefined,
): void {
  const phaseOf = (ms: number | null): string => {
    if (ms === null || !span || span.startMs === null) return 'unknown';
    if (ms < span.startMs) return 'before';
    return span.endMs !== null && ms > span.endMs ? 'after' : 'during';
  };
  for (const commit of readings.get('git')?.commits ?? []) {
    const run = commit.atMs === null && commit.feature === null ? undefined : runAt(commit.atMs);
    rows.commits.push([
      commit.sha,
      projectId,
      run?.id ?? null,
      run && commit.feature !== null && run.features.has(commit.feature)
        ? `${run.id}.f${commit.feature}`
        : null,
      commit.sha,
      commit.atMs,
      commit.zone,
      commit.subject,
      commit.kind,
      phaseOf(commit.atMs),
      commit.files,
      commit.insertions,
      commit.deletions,
      sourceId,
      commit.line,
    ]);
  }
}

function pushEvents(
  rows: Rows,
  readings: Readings,
  runAt: (ms: number | null) => Run | undefined,
  sourceId: (kind: SourceKind) => string,
): void {
  for (const [kind, reading] of readings) {
    reading.events.slice(0, LIMITS.sourceEntries).forEach((event, i) => {
      const run = runAt(event.atMs);
      const known = run && event.feature !== null && run.features.has(event.feature);
      rows.log_events.push([
        `${kind}.e${i + 1}`,
        run?.id ?? null,
        known ? `${run.id}.f${event.feature}` : null,
        event.atMs,
        event.zone,
        event.kind,
        event.message,
        sourceId(kind),
        kind,
        event.line,
        event.lastLine,
      ]);
    });
  }
}
