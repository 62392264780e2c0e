import { formatMoment, zoneOffset } from '../format.ts';

/** A stretch of time: from, to; equal for a moment. Milliseconds. */
export type Span = readonly [from: number, to: number];

/** A stretch of the axis, on one scale with all others. */
export interface Piece {
  from: number;
  to: number;
  x0: number;
  x1: number;
}
/** Time that nothing happened in, left out of the axis and marked. */
export interface Cut {
  from: number;
  to: number;
  x: number;
}
export interface TimeScale {
  pieces: Piece[];
  cuts: Cut[];
  /** Milliseconds of one pixel. */
  perPixel: number;
  width: number;
  /** Place of a moment, in pixels from the left. */
  at(ms: number): number;
}

/** Width of the mark that stands for time left out. */
export const CUT = 30;
/** Idle time longer than this share of the whole is left out, when there is something on both sides of it. */
const IDLE = 0.08;
const MOST_CUTS = 6;
/** Idle time kept at the ends of each piece, as a share of what is drawn. */
const MARGIN = 0.02;
/** Drawn around a lone moment. */
const LONE = 1_000;

function clusters(spans: readonly Span[]): { from: number; to: number }[] {
  const sorted = spans.toSorted((a, b) => a[0] - b[0]);
  const first = sorted[0];
  if (first === undefined) return [];
  const end = sorted.reduce((most, [, to]) => Math.max(most, to), first[1]);
  const whole = end - first[0];
  const joined: { from: number; to: number }[] = [{ from: first[0], to: first[1] }];
  for (const [from, to] of sorted) {
    const last = joined.at(-1);
    if (last === undefined) continue;
    if (from - last.to <= whole * IDLE) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  // Only the longest idle times are left out: an axis of many pieces is none.
  while (joined.length > MOST_CUTS + 1) {
    let at = 1;
    for (let i = 1; i < joined.length; i++) if (idle(joined, i) < idle(joined, at)) at = i;
    const before = joined[at - 1];
    const here = joined[at];
    if (before === undefined || here === undefined) break;
    joined.splice(at - 1, 2, { from: before.from, to: Math.max(before.to, here.to) });
  }
  return joined;
}
const idle = (joined: readonly { from: number; to: number }[], at: number): number =>
  (joined[at]?.from ?? 0) - (joined[at - 1]?.to ?? 0);

/**
 * A time axis that gives its width to the time in which something happened. Every piece has the same scale; longer idle
 * times are cut out.
 * @param spans what has to find its place; none of it is ever cut
 * @param width pixels there are
 */
export function timeScale(spans: readonly Span[], width: number): TimeScale {
  const found = clusters(spans);
  const busy = found.reduce((sum, { from, to }) => sum + to - from, 0);
  const first = found[0]?.from ?? 0;
  const last = found.at(-1)?.to ?? 0;
  const margin = busy > 0 ? busy * MARGIN : Math.max(LONE, (last - first) * MARGIN);
  const padded = found.map(({ from, to }, at) => ({
    from: from - (at === 0 ? margin : Math.min(margin, idle(found, at) / 3)),
    to: to + (at === found.length - 1 ? margin : Math.min(margin, idle(found, at + 1) / 3)),
  }));
  const drawn = padded.reduce((sum, { from, to }) => sum + to - from, 0);
  const room = Math.max(1, width - CUT * Math.max(0, padded.length - 1));
  const perPixel = drawn > 0 ? drawn / room : 1;
  const pieces: Piece[] = [];
  const cuts: Cut[] = [];
  let x = 0;
  for (const { from, to } of padded) {
    const before = pieces.at(-1);
    if (before !== undefined) {
      cuts.push({ from: before.to, to: from, x: x + CUT / 2 });
      x += CUT;
    }
    const x1 = x + (to - from) / perPixel;
    pieces.push({ from, to, x0: x, x1 });
    x = x1;
  }
  return {
    pieces,
    cuts,
    perPixel,
    width,
    at(ms) {
      for (const piece of pieces) {
        if (ms < piece.from) return piece.x0;
        if (ms <= piece.to) return piece.x0 + (ms - piece.from) / perPixel;
      }
      return pieces.at(-1)?.x1 ?? 0;
    },
  };
}

export interface Tick {
  x: number;
  text: string;
  /** The day, where it is another one than at the tick before. */
  day: string | null;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365, 1_825, 18_250].map((n) => n * DAY),
];
const APART = 62;
const APART_LONG = 92;
const SPACE = 8;
/** Width of a label, nearly. */
const widthOf = (text: string): number => text.length * 6.6;
const MOST_TICKS = 40;

/** Distance of ticks on a scale, and how closely their labels have to tell the time. */
function stepOf(perPixel: number): { step: number; close: 'day' | 'minute' | 'second' | 'millisecond' } {
  const step =
    STEPS.find((candidate) => candidate / perPixel >= (candidate < SECOND ? APART_LONG : APART)) ??
    36_500 * DAY;
  const close = step < SECOND ? 'millisecond' : step < MINUTE ? 'second' : step < DAY ? 'minute' : 'day';
  return { step, close };
}

/** How far two labels have to stand from each other, with the days below them. */
const apart = (before: Tick, text: string, day: string): number =>
  Math.max(
    widthOf(text) + widthOf(before.text),
    day === '' || before.day === null ? 0 : widthOf(day) + widthOf(before.day),
  ) /
    2 +
  SPACE;

/** Ticks at round clock times of the zone; at most one label every so many pixels. */
export function ticksOf(scale: TimeScale, zone: string): Tick[] {
  const { step, close } = stepOf(scale.perPixel);
  const ticks: (Tick & { today: string })[] = [];
  const firsts = new Set<Tick>();
  let day: string | null = null;
  for (const piece of scale.pieces) {
    const offset = zoneOffset(piece.from, zone);
    const first = Math.ceil((piece.from + offset) / step) * step - offset;
    // A piece too short for a round time still says when it is.
    const moments =
      first > piece.to
        ? [Math.round((piece.from + piece.to) / 2)]
        : Array.from(
            { length: Math.min(MOST_TICKS, Math.floor((piece.to - first) / step) + 1) },
            (_, n) => first + n * step,
          );
    for (const [n, ms] of moments.entries()) {
      const x = scale.at(ms);
      const before = ticks.at(-1);
      const dayHere = close === 'day' ? '' : formatMoment(ms, zone, 'day');
      const text =
        first > piece.to && close === 'day' ? formatMoment(ms, zone, 'day') : formatMoment(ms, zone, close);
      if (before !== undefined && x - before.x < apart(before, text, dayHere === day ? '' : dayHere)) {
        // That a new piece begins is worth more than one more label on the piece before.
        if (n > 0 || ticks.length < 2 || firsts.has(before)) continue;
        ticks.pop();
        day = ticks.at(-1)?.today ?? null;
      }
      const today = formatMoment(ms, zone, 'day');
      const tick = {
        x,
        text,
        day: close !== 'day' && today !== day ? today : null,
        today,
      };
      if (n === 0) firsts.add(tick);
      ticks.push(tick);
      day = today;
    }
  }
  return ticks;
}
