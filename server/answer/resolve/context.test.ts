import { afterEach, expect, it, vi } from 'vitest';
import { testProfile } from '../../planner/test-profile.ts';
import { queryContext } from './context.ts';

afterEach(() => vi.unstubAllEnvs());

it('tells days of sessions by the clock of whoever reads, and times of a run by its own', () => {
  for (const own of ['Europe/Berlin', 'Asia/Tokyo']) {
    vi.stubEnv('TZ', own);
    const { zone, readerZone } = queryContext(testProfile);
    expect(readerZone).toBe(own);
    expect(zone).toBe(testProfile.run?.zone);
  }
});
