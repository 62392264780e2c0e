import { expect, it } from 'vitest';
import { testProfile } from '../planner/test-profile.ts';
import type { Store } from '../record/store.ts';
import { knownProfile } from './known-profile.ts';

it('reads a profile again only when the record is another one, and after a failure', async () => {
  let fingerprint = 'a';
  let reads = 0;
  let fails = false;
  const store: Store = {
    query: () => Promise.reject(new Error('not asked')),
    connect: async () => store,
    fingerprint: async () => fingerprint,
    close: async () => undefined,
  };
  const profile = async () => {
    reads += 1;
    if (fails) throw new Error('no record');
    return { ...testProfile, fingerprint };
  };
  const known = knownProfile({ store, profile }, ['demo']);
  const [one, two] = [await known(), await known()];
  expect(two).toBe(one);
  expect(one.called).toEqual(['demo']);
  expect(reads).toBe(1);
  fingerprint = 'b';
  expect((await known()).fingerprint).toBe('b');
  expect(reads).toBe(2);
  fingerprint = 'c';
  fails = true;
  await expect(known()).rejects.toThrow('no record');
  fails = false;
  expect((await known()).fingerprint).toBe('c');
  expect(reads).toBe(4);
});
