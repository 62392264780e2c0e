import { expect, it } from 'vitest';
import { ago } from './ago.ts';

it.each([
  [-5, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 minute ago'],
  [5 * 60_000 + 3, '5 minutes ago'],
  [3_600_000, '1 hour ago'],
  [47 * 3_600_000, '1 day ago'],
  [90 * 86_400_000, '90 days ago'],
])('%i ms is %s', (ms, words) => {
  expect(ago(ms)).toBe(words);
});
