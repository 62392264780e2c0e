import type { TimelineLane, TimelineMark } from '../../../../shared/cards.ts';
import type { Span, TimeScale } from './time-scale.ts';

/** A mark in its place: pixels from the left, and which row of its lane it stands in. */
export interface PlacedMark {
  mark: TimelineMark;
  /** Where the head stands: at the end of a span, at the moment of what has no other end. */
  x: number;
  /** Where the span begins; equal to x where only one end is known. */
  from: number;
  row: number;
}
export interface PlacedLane {
  lane: TimelineLane;
  marks: PlacedMark[];
  rows: number;
  /** Marks without any time: they have no place on the axis. */
  untimed: TimelineMark[];
}

/** Width a head takes, with the space around it. */
export const HEAD = 18;
const MOST_ROWS = 6;

/** The time a mark takes up on the axis; null when it has none. */
export function spanOf(mark: TimelineMark): Span | null {
  const { startMs, endMs } = mark;
  if (startMs === null) return endMs === null ? null : [endMs, endMs];
  return [startMs, endMs ?? startMs];
}

/** Marks of one lane, each in the first row where it covers no other; beyond the rows there are they may. */
function stacked(marks: readonly Omit<PlacedMark, 'row'>[]): { marks: PlacedMark[]; rows: number } {
  const ends: number[] = [];
  const placed = marks.map((one): PlacedMark => {
    const left = Math.min(one.from, one.x - HEAD / 2);
    let row = ends.findIndex((end) => left >= end);
    if (row < 0) row = ends.length < MOST_ROWS ? ends.length : ends.indexOf(Math.min(...ends));
    ends[row] = one.x + HEAD / 2;
    return { ...one, row };
  });
  return { marks: placed, rows: Math.max(1, ends.length) };
}

/** Every lane with its marks in place. */
export function placeLanes(lanes: readonly TimelineLane[], scale: TimeScale): PlacedLane[] {
  return lanes.map((lane) => {
    const timed = lane.marks.flatMap((mark) => {
      const span = spanOf(mark);
      return span === null ? [] : [{ mark, from: scale.at(span[0]), x: scale.at(span[1]) }];
    });
    const { marks, rows } = stacked(timed.toSorted((a, b) => a.from - b.from || a.x - b.x));
    return { lane, marks, rows, untimed: lane.marks.filter((mark) => spanOf(mark) === null) };
  });
}

/** The mark of a lane nearest to a place, or null where it has none. */
export function nearest(lane: PlacedLane | undefined, x: number): PlacedMark | null {
  let best: PlacedMark | null = null;
  for (const one of lane?.marks ?? [])
    if (best === null || Math.abs(one.x - x) < Math.abs(best.x - x)) best = one;
  return best;
}
