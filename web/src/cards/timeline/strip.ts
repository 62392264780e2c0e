import type { TimelineCard, TimelineLane, TimelineMark } from '../../../../shared/cards.ts';
import { type Cut, type Tick, ticksOf, timeScale } from './time-scale.ts';

/** Builds one after another are one strip: the width of each is its time. */

export interface Segment {
  lane: TimelineLane;
  mark: TimelineMark;
  x: number;
  width: number;
}
/** A feature without a time, at its place in the order of the record. */
export interface Ring {
  lane: TimelineLane;
  mark: TimelineMark;
  x: number;
}
export interface StripRow {
  segments: Segment[];
  rings: Ring[];
  passes: { mark: TimelineMark; lane: TimelineLane; x: number }[];
  cuts: Cut[];
  ticks: Tick[];
}

/** Least width a segment should have on average, so that its number can be read. */
const WANTED = 22;
const MOST_ROWS = 8;

const isPass = ({ id }: TimelineLane): boolean => id === null;
const timed = (mark: TimelineMark | undefined): mark is TimelineMark & { startMs: number; endMs: number } =>
  mark !== undefined && mark.startMs !== null && mark.endMs !== null;

/** Whether the builds of a card lie one after another, each alone in its lane. */
export function isStrip({ of, lanes }: Pick<TimelineCard, 'of' | 'lanes'>): boolean {
  const builds = lanes.filter((lane) => !isPass(lane));
  if (of !== 'builds' || builds.some(({ marks }) => marks.length !== 1)) return false;
  const spans = builds.flatMap(({ marks }) => marks.filter(timed)).toSorted((a, b) => a.startMs - b.startMs);
  if (spans.length < 2) return false;
  // Clocks are written in whole seconds, so neighbours may touch by as much.
  return spans.every(({ startMs }, at) => at === 0 || startMs >= (spans[at - 1]?.endMs ?? 0) - 2_000);
}

/** How many rows of one scale the strip takes. */
export const rowsFor = (builds: number, width: number): number =>
  Math.min(MOST_ROWS, Math.max(1, Math.ceil((builds * WANTED) / Math.max(1, width))));

/**
 * Breaks the strip into rows of one scale; a build never breaks.
 * @param width pixels of one row
 */
export function layoutStrip(card: Pick<TimelineCard, 'lanes' | 'zone'>, width: number): StripRow[] {
  const builds = card.lanes.filter((lane) => !isPass(lane));
  const spans = builds.flatMap(({ marks }) =>
    marks.filter(timed).map(({ startMs, endMs }) => [startMs, endMs] as const),
  );
  const wanted = rowsFor(builds.length, width);
  const scale = timeScale(spans, wanted === 1 ? width : width * wanted * 0.94);
  const segments: Segment[] = [];
  const rings: Ring[] = [];
  let reached = 0;
  for (const lane of builds)
    for (const mark of lane.marks) {
      if (timed(mark)) {
        const x = scale.at(mark.startMs);
        reached = scale.at(mark.endMs);
        segments.push({ lane, mark, x, width: reached - x });
      } else rings.push({ lane, mark, x: reached });
    }
  segments.sort((a, b) => a.x - b.x);
  const passes = card.lanes
    .filter(isPass)
    .flatMap((lane) =>
      lane.marks.flatMap((mark) =>
        mark.startMs === null ? [] : [{ mark, lane, x: scale.at(mark.startMs) }],
      ),
    );
  const starts = [0];
  if (wanted > 1)
    for (const segment of segments) {
      const from = starts.at(-1) ?? 0;
      if (segment.x + segment.width - from > width && segment.x > from) starts.push(segment.x);
    }
  const ticks = ticksOf(scale, card.zone);
  return starts.map((from, at): StripRow => {
    const to = starts[at + 1] ?? Number.POSITIVE_INFINITY;
    const here = <T extends { x: number }>(things: readonly T[]): T[] =>
      things.filter(({ x }) => x >= from && x < to).map((thing) => ({ ...thing, x: thing.x - from }));
    return {
      segments: here(segments),
      rings: here(rings),
      passes: here(passes),
      cuts: here(scale.cuts),
      ticks: here(ticks).filter(({ x }) => x <= width),
    };
  });
}
