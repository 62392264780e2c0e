import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Span, ticksOf, timeScale } from './time-scale.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('a time scale', () => {
  it('gives the whole width to one stretch of time', () => {
    const scale = timeScale([[0, 100 * MINUTE]], 520);
    expect(scale.cuts).toEqual([]);
    // A margin of two hundredths on both sides.
    expect(scale.at(0)).toBeCloseTo(10, 6);
    expect(scale.at(100 * MINUTE)).toBeCloseTo(510, 6);
    expect(scale.at(50 * MINUTE)).toBeCloseTo(260, 6);
  });
  it('leaves long idle times out, and keeps one scale on both sides', () => {
    const scale = timeScale(
      [
        [0, 10 * MINUTE],
        [10 * HOUR, 10 * HOUR + 30 * MINUTE],
      ],
      1_000,
    );
    expect(scale.cuts).toHaveLength(1);
    const [first, second] = scale.pieces;
    const widths = [first, second].map((piece) =>
      piece === undefined ? 0 : (piece.x1 - piece.x0) / (piece.to - piece.from),
    );
    expect(widths[0]).toBeCloseTo(widths[1] ?? 0, 12);
    expect(scale.at(10 * MINUTE) - scale.at(0)).toBeCloseTo(
      (scale.at(10 * HOUR + 30 * MINUTE) - scale.at(10 * HOUR)) / 3,
      6,
    );
    expect(second?.x1).toBeCloseTo(1_000, 6);
  });
  it('never cuts what something happens in', () => {
    const scale = timeScale(
      [
        [0, 72 * HOUR],
        [0, 3],
        [71 * HOUR, 71 * HOUR + 3],
      ],
      500,
    );
    expect(scale.cuts).toEqual([]);
  });
  it('holds a lone moment, and nothing at all', () => {
    expect(timeScale([[5, 5]], 100).at(5)).toBeCloseTo(50, 6);
    expect(timeScale([], 100).at(7)).toBe(0);
    expect(ticksOf(timeScale([], 100), '+00:00')).toEqual([]);
  });
  it('keeps every moment inside the width and in order, whatever it is given', () => {
    const spans = fc.array(
      fc
        .tuple(fc.integer({ min: -1e12, max: 4e12 }), fc.integer({ min: 0, max: 3e8 }))
        .map(([from, length]): Span => [from, from + length]),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(spans, fc.integer({ min: 240, max: 2_000 }), (given, width) => {
        const scale = timeScale(given, width);
        expect(scale.cuts.length).toBeLessThanOrEqual(6);
        const moments = given.flat().toSorted((a, b) => a - b);
        let before = -1e-6;
        for (const ms of moments) {
          const x = scale.at(ms);
          expect(x).toBeGreaterThanOrEqual(before - 1e-6);
          expect(x).toBeLessThanOrEqual(width + 1e-6);
          before = x;
        }
        const ticks = ticksOf(scale, '+05:30');
        expect(ticks.length).toBeLessThanOrEqual(7 * 40);
        for (const tick of ticks) {
          expect(tick.x).toBeGreaterThanOrEqual(0);
          expect(tick.x).toBeLessThanOrEqual(width + 1e-6);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('ticks', () => {
  const at = Date.UTC(2026, 7, 29, 14, 45);
  it('stand at round clock times of the zone, with the day where it changes', () => {
    const scale = timeScale([[at, at + 3 * HOUR]], 600);
    expect(ticksOf(scale, '+00:00').map(({ text, day }) => [text, day])).toEqual([
      ['15:00', '29 Aug'],
      ['15:30', null],
      ['16:00', null],
      ['16:30', null],
      ['17:00', null],
      ['17:30', null],
    ]);
    expect(ticksOf(scale, '+05:30')[0]?.text).toBe('20:30');
  });
  it('tell milliseconds on a run of some of them', () => {
    const ticks = ticksOf(timeScale([[at, at + 300]], 600), '+00:00');
    expect(ticks[0]?.text).toBe('14:45:00.000');
  });
  it('say when a piece is that is too short for a round time', () => {
    const scale = timeScale(
      [
        [at, at + 5 * MINUTE],
        [at + 20 * HOUR + 7 * MINUTE, at + 20 * HOUR + 7 * MINUTE + 1],
      ],
      300,
    );
    const last = ticksOf(scale, '+00:00').at(-1);
    expect(last?.day).toBe('30 Aug');
  });
});
