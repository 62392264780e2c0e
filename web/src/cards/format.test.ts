import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UNITS, type Unit } from '../../../shared/cards.ts';
import {
  columnScaleOf,
  figureParts,
  formatFigure,
  formatMoment,
  formatNumber,
  formatOn,
  formatOnWithUnit,
  formatTime,
  scaleOf,
  titled,
  zoneName,
  zoneOffset,
} from './format.ts';

const text = (value: number | null, unit: Unit) => formatFigure({ value, unit }).replaceAll('\u00a0', ' ');

describe('formatFigure', () => {
  it.each([
    [415, 's', '415 s'],
    [128.5, 's', '128.5 s'],
    [599, 's', '599 s'],
    [4_927, 's', '82 min'],
    [36_000, 's', '10 h'],
    [9, 'points', '9/10'],
    [9.69, 'points', '9.7/10'],
    [1, 'attempts', '1 attempt'],
    [3, 'attempts', '3 attempts'],
    [4_011, 'lines', '4,011 lines'],
    [3.217, 'times', '3.2×'],
    [1.04, 'times', '1.0×'],
    [12, 'times', '12×'],
    [29 / 30, 'ratio', '96.7 %'],
    [0.95, 'usd', '$0.95'],
    [0.0031, 'usd', '$0.0031'],
    [-2.5, 'usd', '−$2.50'],
    [123_456_789, 'tokens', '123M tokens'],
    [0, 's', '0 s'],
    [0.003, 's', '3 ms'],
    [0.5, 's', '0.5 s'],
    [259_200, 's', '72 h'],
    [5, 'requirements', '5 requirements'],
    [1, 'gates', '1 gate run'],
    [-0, 'lines', '0 lines'],
    [-420, 'lines', '−420 lines'],
    [Number.MAX_VALUE, 'ratio', '1.8E308 %'],
    [-Number.MAX_VALUE, 'ratio', '−1.8E308 %'],
    [5e-324, 'usd', '$5E−324'],
    [null, 's', '—'],
  ] as const)('writes %s %s as %s', (value, unit, expected) => {
    expect(text(value, unit)).toBe(expected);
  });

  it('keeps the exact value for the title', () => {
    expect(figureParts({ value: 4_927.25, unit: 's' })).toMatchObject({
      value: '82',
      unit: 'min',
      exact: '4,927.25\u00a0s',
    });
  });

  it('writes any number of any unit briefly and never as a bare dash or NaN', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom(...UNITS),
        (value, unit) => {
          const written = formatFigure({ value, unit });
          expect(written).toMatch(/\d/);
          expect(written).not.toMatch(/NaN|undefined|Infinity|∞/);
          expect(written.length).toBeLessThan(40);
        },
      ),
    );
  });
});

describe('formatNumber', () => {
  it('shortens the huge and the tiny', () => {
    expect(formatNumber(1e300)).toBe('1E300');
    expect(formatNumber(1.5e-9)).toBe('1.5E−9');
    expect(formatNumber(Number.NaN)).toBe('—');
  });
});

describe('columnScaleOf', () => {
  it('follows the middle value, not the largest one', () => {
    expect(columnScaleOf('s', [180, 360, 25_200]).short).toBe('s');
    expect(columnScaleOf('s', [36_000, 40_000, 90_000]).short).toBe('h');
    expect(columnScaleOf('s', [4_000, 5_000]).short).toBe('min');
  });
  it('stays in seconds where another unit would leave a value without digits', () => {
    expect(columnScaleOf('s', [180, 25_200, 36_000]).short).toBe('s');
    expect(columnScaleOf('s', []).short).toBe('s');
  });
});

describe('scaleOf', () => {
  it('tells all values of an axis in one unit', () => {
    expect(scaleOf('s', [83, 415]).word).toBe('seconds');
    const minutes = scaleOf('s', [600, 4_275]);
    expect(minutes.word).toBe('minutes');
    expect(formatOn(minutes, 600)).toBe('10');
    expect(formatOnWithUnit(minutes, 4_275)).toBe('71.3\u00a0min');
    expect(scaleOf('s', [90_000]).short).toBe('h');
  });
  it('keeps a value a number on every scale', () => {
    expect(formatOn(scaleOf('ratio', []), Number.MAX_VALUE)).toMatch(/\d/);
  });
  it('writes shares in per cent', () => {
    expect(formatOnWithUnit(scaleOf('ratio', [0.5]), 0.25)).toBe('25\u00a0%');
  });
});

describe('titled', () => {
  it('adds the unit once', () => {
    expect(titled('build time', 'seconds')).toBe('build time, seconds');
    expect(titled('accepted features', 'features')).toBe('accepted features');
    expect(titled('gate failures', 'gate runs')).toBe('gate failures');
    expect(titled('share of it', 'of 10')).toBe('share of it, of 10');
    expect(titled('value', '')).toBe('value');
    expect(titled('', 'seconds')).toBe('seconds');
  });
});

describe('formatTime', () => {
  const at = Date.UTC(2026, 2, 28, 13, 10);
  it.each([
    ['+01:00', '28 Mar, 14:10'],
    ['-0700', '28 Mar, 06:10'],
    ['UTC', '28 Mar, 13:10'],
    ['Europe/Berlin', '28 Mar, 14:10'],
    ['no such zone', '28 Mar, 13:10'],
    ['', '28 Mar, 13:10'],
  ])('in %s', (zone, expected) => {
    expect(formatTime(at, zone)?.text).toBe(expected);
  });
  it('has no text for a moment there is none', () => {
    expect(formatTime(8.7e15, 'UTC')).toBeNull();
    expect(formatTime(8.64e15, '+14:00')).toBeNull();
    expect(formatTime(Number.NaN, 'UTC')).toBeNull();
  });
  it('never throws', () => {
    fc.assert(
      fc.property(fc.double(), fc.string(), (ms, zone) => {
        const time = formatTime(ms, zone);
        expect(time === null || time.text.length > 0).toBe(true);
      }),
    );
  });
});

describe('moments', () => {
  const at = Date.UTC(2026, 7, 29, 23, 48, 2, 424);
  it('are told as closely as is asked, in their zone', () => {
    expect(formatMoment(at, '+00:00', 'minute')).toBe('23:48');
    expect(formatMoment(at, '+05:30', 'second')).toBe('05:18:02');
    expect(formatMoment(at, '-07:00', 'millisecond')).toBe('16:48:02.424');
    expect(formatMoment(at, '+05:30', 'day')).toBe('30 Aug');
    expect(formatMoment(at, 'Europe/Berlin', 'minute')).toBe('01:48');
    expect(formatMoment(at, 'nowhere', 'minute')).toBe('23:48');
    expect(formatMoment(Number.NaN, '+00:00', 'day')).toBe('—');
  });
  it('have a zone with a name and an offset', () => {
    expect([zoneName('+00:00'), zoneName('Z'), zoneName('-07:00'), zoneName('Europe/Berlin')]).toEqual([
      'UTC',
      'UTC',
      'UTC−07:00',
      'Europe/Berlin',
    ]);
    expect(zoneOffset(at, 'Europe/Berlin')).toBe(2 * 3_600_000);
    expect(zoneOffset(at, 'nowhere')).toBe(0);
  });
});
