import type { SourceKind } from '../../store.ts';
import type { Entry, Reading, RunMarker } from '../facts.ts';

/** Readings of one folder by kind of source. */
export type Readings = ReadonlyMap<SourceKind, Reading>;

/** One stretch of time between two starts of a run. */
export interface Segment {
  /** Start, inclusive; null for the stretch before the first known start. */
  startMs: number | null;
  /** What marks the start, and the title of a log that goes with it; both null where none does. */
  marker: { kind: SourceKind; marker: RunMarker } | null;
  title: { kind: SourceKind; marker: RunMarker } | null;
}

/** A log's title gives minutes, the commit that resets the features comes at its own second: this near they mean one start. */
const SAME_START_MS = 120_000;

/**
 * Cuts time into stretches, one a run. A git log holds several runs one after the other, with the same features in each;
 * a run begins at a commit that resets the features, or at the title of the progress log where no such commit is near.
 * The start that metrics.json gives is taken only when nothing else marks one.
 */
export function segmentsOf(readings: Readings): Segment[] {
  const starts: Segment[] = [];
  for (const marker of readings.get('git')?.markers ?? []) {
    if (marker.atMs !== null)
      starts.push({ startMs: marker.atMs, marker: { kind: 'git', marker }, title: null });
  }
  for (const marker of readings.get('progress_log')?.markers ?? []) {
    const { atMs } = marker;
    if (atMs === null) continue;
    const title = { kind: 'progress_log', marker } as const;
    const near = starts.find((start) => Math.abs((start.startMs ?? 0) - atMs) <= SAME_START_MS);
    if (near) near.title = title;
    else starts.push({ startMs: atMs, marker: title, title });
  }
  if (starts.length === 0) {
    const marker = readings.get('metrics')?.markers[0];
    // Only a name for the start: entries may carry earlier times than the document's own start.
    return [{ startMs: null, marker: marker ? { kind: 'metrics', marker } : null, title: null }];
  }
  starts.sort((a, b) => (a.startMs ?? 0) - (b.startMs ?? 0));
  return [{ startMs: null, marker: null, title: null }, ...starts];
}

/** Position of the stretch a time falls into. */
export function segmentAt(segments: readonly Segment[], ms: number): number {
  let found = 0;
  for (const [i, segment] of segments.entries()) {
    if (segment.startMs !== null && segment.startMs <= ms) found = i;
  }
  return found;
}

const lastTimed = (entries: readonly Entry[]): number | null =>
  entries.reduce<number | null>(
    (latest, { atMs }) => (atMs !== null && (latest === null || atMs > latest) ? atMs : latest),
    null,
  );

/**
 * Position of the stretch the record is about: that of the progress log, else the last one in which a commit or the metrics
 * say something about a feature.
 */
export function currentSegment(segments: readonly Segment[], readings: Readings): number {
  const log = readings.get('progress_log');
  const logged =
    lastTimed(log?.entries ?? []) ?? log?.markers.findLast((marker) => marker.atMs !== null)?.atMs;
  if (logged != null) return segmentAt(segments, logged);
  for (const kind of ['git', 'metrics'] as const) {
    const last = lastTimed(readings.get(kind)?.entries ?? []);
    if (last !== null) return segmentAt(segments, last);
  }
  return segments.length - 1;
}
