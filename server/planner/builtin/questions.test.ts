import { expect, it } from 'vitest';
import { testProfile } from '../test-profile.ts';
import { suggestions, whyAttempts } from './questions.ts';

const withAttempts = (told: Record<string, number>) => ({
  ...testProfile,
  features: testProfile.features.map((feature) => {
    const attempts = told[feature.id];
    return attempts === undefined ? feature : { ...feature, disputedAttempts: attempts };
  }),
});

it('suggests the question about the most disputed attempts first', () => {
  const ids = testProfile.features.map(({ id }) => id);
  const [first = '', second = ''] = ids;
  expect(suggestions(withAttempts({ [first]: 2, [second]: 3 }))[0]).toBe(whyAttempts(second, 3));
  expect(suggestions(withAttempts({ [first]: 12 }))[0]).toContain('12 attempts');
});

it('suggests no such question where nothing is disputed, and always three', () => {
  expect(suggestions(testProfile).join(' ')).not.toMatch(/attempts/i);
  expect(suggestions(testProfile)).toHaveLength(3);
  expect(suggestions(withAttempts({ [testProfile.features[0]?.id ?? '']: 1 })).join(' ')).not.toMatch(
    /attempts/i,
  );
});
