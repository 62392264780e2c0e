import { LIMITS } from '../../../../shared/limits.ts';
import type { SourceKind } from '../../store.ts';
import type { Entry, Reading, ToldAttempt, ToldFact } from '../facts.ts';
import { Issues } from '../issue.ts';
import { emptyRows, type Rows, type SourceFile } from '../rows.ts';
import { clockText, minuteText } from '../time.ts';
import { titleOf } from '../title.ts';
import { currentSegment, type Readings, type Segment, segmentAt, segmentsOf } from './segments.ts';

/** Raise when an adapter reads the same file differently than before. */
export const PARSER_VERSION = 1;
const PARSERS: Readonly<Record<SourceKind, string>> = {
  metrics: 'agentforge/metrics',
  progress_log: 'agentforge/progress-log',
  git: 'agentforge/git-log',
  feature_list: 'agentforge/feature-list',
};
/** Order in which sources are asked for the words of a feature: the plan has them whole, the others cut them short. */
const WORDS: readonly SourceKind[] = ['feature_list', 'metrics', 'git', 'progress_log'];
const KINDS: readonly SourceKind[] = ['progress_log', 'git', 'metrics', 'feature_list'];

interface Placed {
  kind: SourceKind;
  entry: Entry;
}

interface Run {
  id: string;
  segment: Segment;
  current: boolean;
  /** By feature, then by source: what each source says last about it in this run. */
  features: Map<string, Map<SourceKind, Entry>>;
  whole: Placed[];
}

/** Numbers by size, names after them by letter. */
function compareIds(a: string, b: string): number {
  const [x, y] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (x && y) return Number(a) - Number(b);
  if (x !== y) return x ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Puts every entry into its run. Where one source speaks of a feature twice in one run, the later word stands, and the
 * earlier one is reported with the source.
 */
function placeEntries(
  readings: Readings,
  issues: ReadonlyMap<SourceKind, Issues>,
): { runs: Run[]; runAt: (ms: number | null) => Run | undefined } {
  const segments = segmentsOf(readings);
  const current = currentSegment(segments, readings);
  const bySegment = new Map<number, Run>();
  const runOf = (index: number): Run => {
    const known = bySegment.get(index);
    if (known) return known;
    const run: Run = {
      id: '',
      segment: segments[index] ?? { startMs: null, marker: null, title: null },
      current: index === current,
      features: new Map(),
      whole: [],
    };
    bySegment.set(index, run);
    return run;
  };
  for (const kind of KINDS) {
    const entries = readings.get(kind)?.entries ?? [];
    const timed = entries.findLast((entry) => entry.atMs !== null)?.atMs ?? null;
    for (const entry of entries) {
      const at = entry.atMs ?? (entry.feature === null ? timed : null);
      const run = runOf(at === null ? current : segmentAt(segments, at));
      if (entry.feature === null) {
        run.whole.push({ kind, entry });
        continue;
      }
      const told = run.features.get(entry.feature) ?? new Map<SourceKind, Entry>();
      run.features.set(entry.feature, told);
      const earlier = told.get(kind);
      if (earlier) {
        const [code, severity] =
          kind === 'git' ? (['superseded', 'info'] as const) : (['duplicate_id', 'warning'] as const);
        issues
          .get(kind)
          ?.add(
            code,
            severity,
            earlier.line,
            `feature ${entry.feature} is told of again further on; the later word was read.`,
          );
      }
      told.set(kind, entry);
    }
  }
  // The log's own run is a run even before its first feature.
  if (readings.get('progress_log')?.markers.length) runOf(current);
  const runs = [...bySegment.entries()].sort(([a], [b]) => a - b).map(([, run]) => run);
  runs.forEach((run, i) => {
    run.id = `r${i + 1}`;
  });
  return {
    runs,
    runAt: (ms) => (ms === null ? runs.find((run) => run.current) : bySegment.get(segmentAt(segments, ms))),
  };
}

const maximum = (numbers: readonly (number | null)[]): number | null =>
  numbers.reduce<number | null>((max, n) => (n !== null && (max === null || n > max) ? n : max), null);
const minimum = (numbers: readonly (number | null)[]): number | null =>
  numbers.reduce<number | null>((min, n) => (n !== null && (min === null || n < min) ? n : min), null);

/** Last entry of the strongest source that has times in this run: it ends the run. */
function lastEntry(run: Run): Placed | null {
  for (const kind of KINDS) {
    const entries = [...run.features.values()].flatMap((told) => {
      const entry = told.get(kind);
      return entry && entry.atMs !== null ? [entry] : [];
    });
    const end = maximum(entries.map((entry) => entry.atMs));
    const entry = entries.find((candidate) => candidate.atMs === end);
    if (entry) return { kind, entry };
  }
  return null;
}

interface Span {
  startMs: number | null;
  endMs: number | null;
  zone: string;
}

function spanOf(run: Run, readings: Readings, firstCommitMs: number | null): Span {
  const zone =
    KINDS.map((kind) => readings.get(kind)?.zone ?? null).find((found) => found !== null) ?? '+00:00';
  const marked = run.segment.startMs ?? run.segment.marker?.marker.atMs ?? null;
  const first = minimum(
    [...run.features.values()].flatMap((told) => [...told.values()].map((entry) => entry.atMs)),
  );
  return {
    startMs: marked ?? minimum([first, firstCommitMs]),
    endMs: lastEntry(run)?.entry.atMs ?? null,
    zone,
  };
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
  const firstCommits = new Map<string, number>();
  for (const { atMs } of readings.get('git')?.commits ?? []) {
    const id = atMs === null ? undefined : runAt(atMs)?.id;
    if (atMs !== null && id !== undefined) {
      firstCommits.set(id, Math.min(atMs, firstCommits.get(id) ?? atMs));
    }
  }
  const spans = new Map(runs.map((run) => [run.id, spanOf(run, readings, firstCommits.get(run.id) ?? null)]));
  const plan = planOf(readings);

  rows.projects.push([project.id, project.name, project.root]);
  runs.forEach((run, i) => {
    const span = spans.get(run.id) ?? { startMs: null, endMs: null, zone: '+00:00' };
    const from = run.segment.title ?? run.segment.marker;
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

/** How long the run took by its own marks: from the commit or title that starts it to its last feature. */
function elapsedFact(run: Run, span: Span): { kind: SourceKind; fact: ToldFact } | null {
  const last = lastEntry(run);
  const start = run.segment.startMs;
  if (!last || last.kind === 'metrics' || last.entry.atMs === null || start === null) return null;
  const value = (last.entry.atMs - start) / 1000;
  if (value <= 0) return null;
  const how = `${clockText(start, span.zone)} to ${clockText(last.entry.atMs, span.zone)}`;
  return {
    kind: last.kind,
    fact: { fact: 'elapsed', value, text: null, basis: 'derived', line: last.entry.line, how },
  };
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
  for (const [kind, reading] of readings as ReadonlyMap<SourceKind, Reading>) {
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
