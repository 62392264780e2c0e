import type { SourceKind } from '../../store.ts';
import type { Entry, ToldFact } from '../facts.ts';
import type { Issues } from '../issue.ts';
import { clockText } from '../time.ts';
import { currentSegment, type Readings, type Segment, segmentAt, segmentsOf } from './segments.ts';

/** Sources from the strongest to the weakest word on when things happened. */
const KINDS: readonly SourceKind[] = ['progress_log', 'git', 'metrics', 'feature_list'];

/** What one source tells, with which source it is. */
export interface Placed {
  kind: SourceKind;
  entry: Entry;
}

/** One run with what is told of it. */
export interface Run {
  id: string;
  segment: Segment;
  current: boolean;
  /** By feature, then by source: what each source says last about it in this run. */
  features: Map<string, Map<SourceKind, Entry>>;
  whole: Placed[];
}

/**
 * Puts every entry into its run. Where one source speaks of a feature twice in one run, the later word stands, and the
 * earlier one is reported with the source.
 */
export function placeEntries(
  readings: Readings,
  issues: ReadonlyMap<SourceKind, Issues>,
  further: boolean,
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
  if (further || readings.get('progress_log')?.markers.length) runOf(current);
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

/** When a run began and ended, as far as that is known, and the zone its sources write in. */
export interface Span {
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

/** The span of each run by its id. A run without a marked start begins with its first commit. */
export function spansOf(
  runs: readonly Run[],
  runAt: (ms: number | null) => Run | undefined,
  readings: Readings,
): Map<string, Span> {
  const firstCommits = new Map<string, number>();
  for (const { atMs } of readings.get('git')?.commits ?? []) {
    const id = atMs === null ? undefined : runAt(atMs)?.id;
    if (atMs !== null && id !== undefined) {
      firstCommits.set(id, Math.min(atMs, firstCommits.get(id) ?? atMs));
    }
  }
  return new Map(runs.map((run) => [run.id, spanOf(run, readings, firstCommits.get(run.id) ?? null)]));
}

/** How long the run took by its own marks: from the commit or title that starts it to its last feature. */
export function elapsedFact(run: Run, span: Span): { kind: SourceKind; fact: ToldFact } | null {
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
