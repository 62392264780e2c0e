import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barDomain, lineDomain, niceTicks } from './ticks.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

describe('barDomain', () => {
  it('starts at zero', () => {
    expect(barDomain([415, 369])).toEqual({ low: 0, high: 415 });
    expect(barDomain([-420, 320])).toEqual({ low: -420, high: 320 });
    expect(barDomain([-5])).toEqual({ low: -5, high: 0 });
  });
  it('has a reach for nothing and for zeros', () => {
    expect(barDomain([])).toEqual({ low: 0, high: 1 });
    expect(barDomain([0, 0])).toEqual({ low: 0, high: 1 });
  });
});

describe('lineDomain', () => {
  it('starts at zero when the values come near it', () => {
    expect(lineDomain([82, 415]).low).toBe(0);
  });
  it('stays near values that are far from zero', () => {
    const { low, high } = lineDomain([9, 10]);
    expect(low).toBeGreaterThan(8);
    expect(high).toBeLessThan(11);
  });
  it('always has a reach that holds every value', () => {
    fc.assert(
      fc.property(fc.array(finite, { maxLength: 8 }), (values) => {
        const { low, high } = lineDomain(values);
        expect(high).toBeGreaterThanOrEqual(low);
        expect(Number.isFinite(high - low)).toBe(true);
      }),
    );
  });
});

describe('niceTicks', () => {
  it('is round', () => {
    expect(niceTicks({ low: 0, high: 415 }, 5)).toEqual([0, 100, 200, 300, 400]);
    expect(niceTicks({ low: 0, high: 21 }, 5)).toEqual([0, 5, 10, 15, 20]);
  });
  it('is whole for what is counted', () => {
    expect(niceTicks({ low: 0, high: 1 }, 5, 1, true)).toEqual([0, 1]);
  });
  it('is round in the unit that is written', () => {
    expect(niceTicks({ low: 0, high: 1_900 }, 5, 60)).toEqual([0, 600, 1_200, 1_800]);
  });
  it('never gives too many, nor one outside', () => {
    fc.assert(
      fc.property(finite, finite, fc.integer({ min: 2, max: 8 }), fc.boolean(), (a, b, most, whole) => {
        const [low, high] = [Math.min(a, b) / 4, Math.max(a, b) / 4];
        const ticks = niceTicks({ low, high }, most, 1, whole);
        const slack = (high - low) * 1e-6;
        expect(ticks.length).toBeGreaterThan(0);
        expect(ticks.length).toBeLessThanOrEqual(most);
        expect(new Set(ticks).size).toBe(ticks.length);
        for (const tick of ticks) {
          expect(tick).toBeGreaterThanOrEqual(low - slack);
          expect(tick).toBeLessThanOrEqual(high + slack);
        }
      }),
    );
  });
});
