import { describe, expect, it } from 'vitest';
import { layoutStrip } from './strip-layout.ts';

describe('layoutStrip', () => {
  it('places values along the line and says what is marked', () => {
    const strip = {
      values: [80, 129, 415],
      at: 129,
      subject: { value: 415, label: '28' },
      unit: 's',
    } as const;
    const layout = layoutStrip({ ...strip, values: [...strip.values] }, 'Median build time');
    expect(layout.ticks[0]).toBe(8);
    expect(layout.ticks[2]).toBe(92);
    expect(layout.subject).toEqual({ x: 92, label: '28', end: false });
    expect(layout.atLabel).toBe('median');
    expect(layout.says.replaceAll('\u00a0', ' ')).toBe(
      '3 values from 80 s to 415 s. Median build time at 129 s; 28 at 415 s.',
    );
  });
  it('does not write the figure beside it a second time', () => {
    const strip = { values: [9, 10], at: 9.5, subject: null, unit: 'points' as const };
    expect(layoutStrip(strip, 'Mean score').atLabel).toBe('mean');
    expect(layoutStrip(strip, 'Over all groups').atLabel).toBeNull();
  });
  it('ends long words with the drawing', () => {
    const subject = { value: 9, label: 'feature 28' };
    const layout = layoutStrip({ values: [1, 9], at: 1, subject, unit: 's' }, 'Median');
    expect(layout.subject?.end).toBe(true);
  });
  it('stands in the middle when all values are the same', () => {
    const layout = layoutStrip({ values: [5, 5], at: 5, subject: null, unit: 'lines' }, 'Lines');
    expect(layout.ticks).toEqual([50, 50]);
  });
  it('drops the word of the median when it would run into the subject', () => {
    const strip = { values: [1, 2, 100], at: 90, subject: { value: 100, label: '28' }, unit: 's' as const };
    expect(layoutStrip(strip, 'Median').close).toBe(true);
  });
});
