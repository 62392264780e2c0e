import { LIMITS } from '../../../../shared/limits.ts';
import type { SourceKind } from '../../store.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import type { Entry, ToldAttempt, ToldFact } from '../facts.ts';
import { addCommit } from '../git/commit-rows.ts';
import { revertsOf } from '../git/reverts.ts';
import { Issues } from '../issue.ts';
import { minuteText } from '../time.ts';
import { titleOf } from '../title.ts';
import { elapsedFact, placeEntries, type Run, spansOf } from './place.ts';
import { addRequirements } from './requirements.ts';
import type { Readings } from './segments.ts';
import { skippedByCount } from './skipped.ts';

/** Order in which sources are asked for the words of a feature: the plan has them whole, the others cut them short. */
const WORDS: readonly SourceKind[] = ['feature_list', 'metrics', 'git', 'progress_log'];
/** Numbers by size, names after them by letter. */
function compareIds(a: string, b: string): number {
  const [x, y] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (x && y) return Number(a) - Number(b);
  if (x !== y) return x ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

type Out = Pick<RowSink, 'add'>;
type Source = Pick<SourceInput, 'id' | 'kind' | 'issue'>;

/**
 * Makes the rows of one AgentForge folder from what its sources say, and reports with each source what its reading met.
 * Pure, and the same for the same input: ids are made of run, feature, fact and source, so reading a folder twice gives the
 * same rows.
 * @param further whether files without times are read too: they are of a run even where nothing else tells of one
 * @returns the run the record is about, if there is one
 */
export function assemble(
  sources: readonly Source[],
  readings: Readings,
  out: Out,
  further = false,
): Run | undefined {
  const issues = new Map<SourceKind, Issues>();
  const ids = new Map<SourceKind, string>();
  for (const source of sources) {
    const collected = new Issues();
    collected.addAll(readings.get(source.kind)?.issues ?? []);
    issues.set(source.kind, collected);
    ids.set(source.kind, source.id);
  }
  const sourceId = (kind: SourceKind): string => ids.get(kind) ?? kind;
  const { runs, runAt } = placeEntries(readings, issues, further);
  const spans = spansOf(runs, runAt, readings);
  const plan = planOf(readings);
  const teller = sources.find(({ kind }) => readings.has(kind))?.id ?? sources[0]?.id ?? '';

  runs.forEach((run, i) => {
    const span = spans.get(run.id) ?? { startMs: null, endMs: null, zone: '+00:00' };
    // Where the run begins; a title near that place only names it.
    const from = run.segment.marker ?? run.segment.title;
    const name =
      run.segment.title?.marker.name ??
      (span.startMs === null ? `run ${i + 1}` : `run of ${minuteText(span.startMs, span.zone)}`);
    out.add('runs_told', {
      run_id: run.id,
      harness: 'agentforge',
      ord: i + 1,
      name: name.slice(0, LIMITS.title),
      started_at_ms: span.startMs,
      ended_at_ms: span.endMs,
      zone: span.zone,
      is_current: run.current,
      rank: 0,
      source_id: from ? sourceId(from.kind) : teller,
      source_line: from?.marker.line ?? null,
    });
    addFeatures(out, run, plan, sourceId);
    addRequirements(out, run, sourceId);
    for (const { kind, entry } of run.whole) addFacts(out, run.id, null, kind, sourceId(kind), entry.facts);
    const passes = (readings.get('progress_log')?.passes ?? []).filter(({ atMs }) => runAt(atMs) === run);
    const skipped = skippedByCount(run, passes);
    for (const id of skipped?.features ?? [])
      if (skipped)
        addFacts(out, run.id, `${run.id}.f${id}`, 'progress_log', sourceId('progress_log'), [skipped.fact]);
    const elapsed = elapsedFact(run, span);
    if (elapsed) addFacts(out, run.id, null, elapsed.kind, sourceId(elapsed.kind), [elapsed.fact]);
  });

  addCommits(
    out,
    sources.find(({ kind }) => kind === 'git'),
    readings,
    runAt,
  );
  addEvents(out, readings, runAt, sourceId);
  for (const source of sources)
    for (const issue of issues.get(source.kind)?.list() ?? [])
      source.issue(issue.code, issue.severity, issue.line, issue.detail);
  return runs.find((run) => run.current);
}

/** The plan's own order and words by feature, for runs whose other sources do not give them. */
function planOf(readings: Readings): Map<string, { entry: Entry; order: number }> {
  const plan = new Map<string, { entry: Entry; order: number }>();
  for (const [order, entry] of (readings.get('feature_list')?.entries ?? []).entries()) {
    if (entry.feature !== null) plan.set(entry.feature, { entry, order });
  }
  return plan;
}

function addFeatures(
  out: Out,
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
    out.add('features_told', {
      feature_id: featureId,
      run_id: run.id,
      ext_id: id,
      ord: i + 1,
      title: (description === null ? null : titleOf(description)) ?? `Feature ${id}`,
      description,
      category: category === null ? null : category.slice(0, LIMITS.label),
      rank: 0,
      source_id: sourceId(from ?? 'metrics'),
      source_line: (from ? told.get(from)?.line : null) ?? null,
    });
    for (const [kind, entry] of told) {
      addFacts(out, run.id, featureId, kind, sourceId(kind), entry.facts);
      addAttempts(out, run.id, featureId, kind, sourceId(kind), entry.attempts);
    }
  }
}

function addFacts(
  out: Out,
  runId: string,
  featureId: string | null,
  kind: SourceKind,
  sourceId: string,
  facts: readonly ToldFact[],
): void {
  for (const fact of facts) {
    out.add('observations_told', {
      observation_id: `${featureId ?? runId}.${fact.fact}.${kind}`,
      run_id: runId,
      feature_id: featureId,
      fact: fact.fact,
      value: fact.value,
      text_value: fact.text,
      basis: fact.basis,
      how: fact.how,
      source_id: sourceId,
      source_kind: kind,
      source_line: fact.line,
    });
  }
}

function addAttempts(
  out: Out,
  runId: string,
  featureId: string,
  kind: SourceKind,
  sourceId: string,
  attempts: readonly ToldAttempt[],
): void {
  for (const attempt of attempts) {
    out.add('attempts', {
      attempt_id: `${featureId}.a${attempt.n}.${kind}`,
      run_id: runId,
      feature_id: featureId,
      n: attempt.n,
      score: attempt.score,
      duration_s: attempt.durationS,
      feedback: attempt.feedback,
      tokens_coder: attempt.tokensCoder,
      tokens_evaluator: attempt.tokensEvaluator,
      passed: attempt.passed,
      // Nothing in these files says whose fault a low score was, and it is never taken to be the agent's.
      attribution: 'unknown',
      basis: attempt.basis,
      source_id: sourceId,
      source_kind: kind,
      source_line: attempt.line,
    });
  }
}

function addCommits(
  out: Out,
  source: Source | undefined,
  readings: Readings,
  runAt: (ms: number | null) => Run | undefined,
): void {
  const commits = readings.get('git')?.commits ?? [];
  if (!source) return;
  const reverts = revertsOf(commits);
  for (const commit of commits) {
    const ref = commit.meaning.named?.ref ?? null;
    const run = commit.atMs === null && ref === null ? undefined : runAt(commit.atMs);
    addCommit(out, source, commit, commit.meaning, {
      runId: run?.id ?? null,
      featureId: run && ref !== null && run.features.has(ref) ? `${run.id}.f${ref}` : null,
      reverts: reverts.get(commit.sha) ?? null,
    });
  }
}

function addEvents(
  out: Out,
  readings: Readings,
  runAt: (ms: number | null) => Run | undefined,
  sourceId: (kind: SourceKind) => string,
): void {
  for (const [kind, reading] of readings) {
    reading.events.slice(0, LIMITS.sourceEntries).forEach((event, i) => {
      const run = runAt(event.atMs);
      const known = run && event.feature !== null && run.features.has(event.feature);
      out.add('log_events', {
        event_id: `${kind}.e${i + 1}`,
        run_id: run?.id ?? null,
        feature_id: known ? `${run.id}.f${event.feature}` : null,
        at_ms: event.atMs,
        zone: event.zone,
        kind: event.kind,
        message: event.message,
        data: event.data ?? null,
        source_id: sourceId(kind),
        source_kind: kind,
        source_line: event.line,
        last_line: event.lastLine,
      });
    });
  }
}
