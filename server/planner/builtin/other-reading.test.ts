import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRecord } from '../../record/index.ts';
import type { RecordHandle, RecordProfile } from '../../record/store.ts';
import { understand } from './conversation.ts';
import { planFor } from './index.ts';

let record: RecordHandle;
let profile: RecordProfile;
beforeAll(async () => {
  record = await openRecord({ root: 'data/agentforge', database: ':memory:' });
  profile = await record.profile();
}, 60_000);
afterAll(() => record.close());

describe('a question that can be read in two ways', () => {
  it.each([
    ['do the sources agree about feature 28?', 'sources', 'What happened to feature 28?', 'feature'],
    ['which features needed retries?', 'ranking', 'List all features', 'list'],
  ])('%s is answered as the likelier, and the other is offered', (question, family, offered, other) => {
    const signal = new AbortController().signal;
    const planned = planFor({ question, turns: [], profile, evidence: [], premises: [], signal });
    expect(planned.family).toBe(family);
    expect(planned.plan.followUps[0]).toBe(offered);
    // What is offered is read as what it stands for.
    expect(understand(offered, [], profile).intent.family).toBe(other);
  });

  it('nothing is offered where one reading stands out', () => {
    expect(understand('why did feature 28 take three attempts?', [], profile).intent.other).toBeUndefined();
  });
});
