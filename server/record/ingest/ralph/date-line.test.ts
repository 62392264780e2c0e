import { describe, expect, it } from 'vitest';
import { readPrinted } from './date-line.ts';

describe('readPrinted', () => {
  it.each([
    ['Fri Mar 27 07:42:26 AM UTC 2026', '2026-03-27T07:42:26.000Z', '+00:00'],
    ['Fri Mar 27 12:00:00 AM UTC 2026', '2026-03-27T00:00:00.000Z', '+00:00'],
    ['Fri Mar  6 07:42:26 PM GMT 2026', '2026-03-06T19:42:26.000Z', '+00:00'],
    ['Fri Mar 27 07:42:26 +0200 2026', '2026-03-27T05:42:26.000Z', '+02:00'],
    ['2026-03-27T07:42:26Z', '2026-03-27T07:42:26.000Z', '+00:00'],
    // Letters other than UTC stand for different zones in different countries.
    ['Fri Mar 27 07:42:26 CST 2026', '2026-03-27T07:42:26.000Z', null],
    ['Fri Mar 27 07:42:26 2026', '2026-03-27T07:42:26.000Z', null],
  ])('reads %s', (text, iso, zone) => {
    const time = readPrinted(text);
    expect(time === null ? null : new Date(time.ms).toISOString()).toBe(iso);
    expect(time?.zone).toBe(zone);
  });

  it.each([
    '2026-03-27',
    'yesterday',
    'Fri Foo 27 07:42:26 UTC 2026',
    'Fri Mar 27 13:42:26 PM UTC 2026',
    'Mon Feb 30 07:42:26 UTC 2026',
  ])('does not read %s', (text) => {
    expect(readPrinted(text)).toBeNull();
  });
});
