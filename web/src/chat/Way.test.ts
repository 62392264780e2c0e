import { expect, it } from 'vitest';
import { tookWords } from './Way.tsx';

it('says what came when, and what a model took', () => {
  expect(tookWords({ firstTextMs: 12, firstCardMs: 95, tokens: null })).toBe(
    'plan began after 12 ms, first card after 95 ms',
  );
  expect(tookWords({ firstTextMs: 1800, firstCardMs: null, tokens: { in: 5400, out: 1 } })).toBe(
    'plan began after 1.8 s, 5400 tokens read and 1 token written by the model',
  );
});
