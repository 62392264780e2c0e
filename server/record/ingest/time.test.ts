import { describe, expect, it } from 'vitest';
import { clockText, minuteText, readTime, usualZone } from './time.ts';

const utc = Date.UTC(2026, 2, 28, 21, 3, 26);

describe('readTime', () => {
  it.each([
    ['2026-03-28T14:03:26-07:00', '-07:00'],
    ['2026-03-28T14:03:26-0700', '-07:00'],
    ['2026-03-28 14:03:26 -0700', '-07:00'],
    ['2026-03-28T14:03:26-07', '-07:00'],
    ['2026-03-28T21:03:26Z', '+00:00'],
    ['2026-03-28T21:03:26+00:00', '+00:00'],
    ['2026-03-29T02:33:26+05:30', '+05:30'],
  ])('reads %s', (text, zone) => {
    expect(readTime(text)).toEqual({ ms: utc, zone });
  });

  it('reads a fraction down to the millisecond', () => {
    expect(readTime('2026-03-28T21:03:26.759310+00:00')?.ms).toBe(utc + 759);
  });

  it('says when no zone was written, and then takes the fallback', () => {
    expect(readTime('2026-03-28 14:03:26')).toEqual({ ms: utc - 7 * 3_600_000, zone: null });
    expect(readTime('2026-03-28 14:03:26', '-07:00')).toEqual({ ms: utc, zone: null });
  });

  it.each([
    '',
    'yesterday',
    '2026-03-28',
    '2026-02-30T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-03-28T24:01:00Z',
    '2026-03-28T10:61:00Z',
    '2026-03-28T10:00:00+25:00',
    '1774731806',
  ])('does not read %j', (text) => {
    expect(readTime(text)).toBeNull();
  });
});

describe('times in words', () => {
  it('writes a time in its zone', () => {
    expect(clockText(utc, '-07:00')).toBe('14:03:26');
    expect(minuteText(utc, '+05:30')).toBe('2026-03-29 02:33');
  });

  it('finds the zone most times are in', () => {
    expect(usualZone(['+00:00', '-07:00', null, '-07:00'])).toBe('-07:00');
    expect(usualZone([null])).toBeNull();
  });
});
