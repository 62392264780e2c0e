import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Width } from './components.ts';
import { layout } from './layout.ts';

const place = (widths: readonly Width[]) => widths.map((width, n) => ({ id: `c${n}`, width }));
const spans = (widths: readonly Width[], ended = true): number[] =>
  Object.values(layout(place(widths), ended).spans);

describe('layout', () => {
  it('gives wide cards a row, and pairs halves', () => {
    expect(spans(['full', 'major', 'minor', 'full'])).toEqual([12, 7, 5, 12]);
    expect(spans(['minor', 'major'])).toEqual([5, 7]);
    expect(spans(['major', 'major', 'minor', 'minor'])).toEqual([7, 5, 5, 7]);
  });

  it('gives a half without a partner the row', () => {
    expect(spans(['major', 'full'])).toEqual([12, 12]);
    expect(spans(['major', 'minor', 'minor'])).toEqual([7, 5, 12]);
    expect(spans(['minor'])).toEqual([12]);
  });

  it('holds the rest of an open row, or the next row, while more may come', () => {
    expect(layout(place([]), false)).toEqual({ spans: {}, slot: 12 });
    expect(layout(place(['major']), false)).toEqual({ spans: { c0: 7 }, slot: 5 });
    expect(layout(place(['minor']), false)).toEqual({ spans: { c0: 5 }, slot: 7 });
    expect(layout(place(['minor', 'minor']), false).slot).toBe(12);
    expect(layout(place(['minor']), true)).toEqual({ spans: { c0: 12 }, slot: 0 });
  });

  it('fills every row, and changes nothing but the last open half when a card is added', () => {
    const widths = fc.array(fc.constantFrom<Width>('full', 'major', 'minor'), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(widths, (all) => {
        const total = spans(all).reduce((sum, span) => sum + span, 0);
        expect(total % 12).toBe(0);
        const before = layout(place(all.slice(0, -1)), false);
        const after = layout(place(all), false);
        for (const [id, span] of Object.entries(before.spans)) {
          const wasOpen = id === `c${all.length - 2}` && before.slot !== 12;
          if (!wasOpen || all.at(-1) !== 'full') expect(after.spans[id]).toBe(span);
        }
      }),
    );
  });
});
