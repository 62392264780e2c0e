import { describe, expect, it } from 'vitest';
import { builds, crowded, entries, gates, threeHundred } from '../fixtures/events.ts';
import { nearest, placeLanes, spanOf } from './lanes.ts';
import { isStrip, layoutStrip, rowsFor } from './strip.ts';
import { type Span, timeScale } from './time-scale.ts';

const spans = (card: typeof gates): Span[] =>
  card.lanes.flatMap((lane) =>
    lane.marks.flatMap((mark) => (spanOf(mark) === null ? [] : [spanOf(mark) ?? [0, 0]])),
  );
const placed = (card: typeof gates, width: number) => placeLanes(card.lanes, timeScale(spans(card), width));

describe('lanes', () => {
  it('put the head where the outcome came, and the bar back to the start', () => {
    const lane = placed(gates, 900)[1];
    const failed = lane?.marks.find(({ mark }) => mark.id === 'b2');
    expect((failed?.x ?? 0) - (failed?.from ?? 0)).toBeGreaterThan(5);
    const given = lane?.marks.find(({ mark }) => mark.id === 'b1');
    expect(given?.x).toBe(given?.from);
  });
  it('let no mark cover another while there are rows', () => {
    const [lane] = placed(crowded, 900);
    expect(lane?.rows).toBe(6);
    expect(lane?.marks.slice(0, 6).map(({ row }) => row)).toEqual([0, 1, 2, 3, 4, 5]);
    for (const { marks, rows } of placed(threeHundred, 1_200).filter((one) => one.rows < 6))
      for (let row = 0; row < rows; row++)
        for (const [at, one] of marks.filter((mark) => mark.row === row).entries()) {
          const before = marks.filter((mark) => mark.row === row)[at - 1];
          if (before !== undefined)
            expect(Math.min(one.from, one.x - 9)).toBeGreaterThanOrEqual(before.x + 9 - 1e-6);
        }
  });
  it('find the nearest mark of another lane', () => {
    const lanes = placed(gates, 900);
    expect(nearest(lanes[2], 0)?.mark.id).toBe('c1');
    expect(nearest(undefined, 0)).toBeNull();
  });
});

describe('a strip', () => {
  it('is made of builds one after another, and of nothing else', () => {
    expect(isStrip(builds)).toBe(true);
    expect(isStrip(gates)).toBe(false);
    expect(isStrip(entries)).toBe(false);
    const [first, second, ...rest] = builds.lanes;
    const late =
      second === undefined
        ? []
        : second.marks.map((mark) => ({ ...mark, startMs: (mark.startMs ?? 0) - 200_000 }));
    expect(
      first === undefined ||
        second === undefined ||
        isStrip({ ...builds, lanes: [first, { ...second, marks: late }, ...rest] }),
    ).toBe(false);
  });
  it('gives each build the width of its time, in one row where there is room', () => {
    const [row, ...more] = layoutStrip(builds, 1_100);
    expect(more).toEqual([]);
    expect(row?.segments).toHaveLength(29);
    const [one, two] = row?.segments ?? [];
    expect((one?.width ?? 0) / (two?.width ?? 1)).toBeCloseTo(369 / 100, 6);
    expect(row?.rings[0]?.x).toBeCloseTo((two?.x ?? 0) + (two?.width ?? 0), 6);
    expect(row?.passes).toHaveLength(1);
  });
  it('breaks into rows of one scale on a phone, and never inside a build', () => {
    expect(rowsFor(30, 320)).toBe(3);
    const rows = layoutStrip(builds, 320);
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(rows.flatMap((row) => row.segments)).toHaveLength(29);
    const scales = rows.flatMap((row) =>
      row.segments.map(({ width, mark }) => width / (mark.duration.value ?? 1)),
    );
    for (const scale of scales) expect(scale).toBeCloseTo(scales[0] ?? 0, 6);
    for (const row of rows)
      for (const { x, width } of row.segments) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(320 + 1);
      }
  });
});
