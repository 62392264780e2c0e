import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import { openRecord } from '../record/index.ts';
import type { RecordHandle, RecordProfile } from '../record/store.ts';
import { collectEvidence } from './evidence.ts';
import { expectSoundPlan } from './plan-checks.ts';
import { startPlan, startTitle, suggestions } from './start.ts';

let record: RecordHandle;
let empty: RecordHandle;
let profile: RecordProfile;
beforeAll(async () => {
  record = await openRecord({ root: 'data/agentforge', database: ':memory:' });
  empty = await openRecord({ root: null, database: ':memory:' });
  profile = await record.profile();
}, 60_000);
afterAll(async () => {
  await record.close();
  await empty.close();
});

const collect = (question: string) => collectEvidence(question, profile, record.store);

describe('collectEvidence', { timeout: 30_000 }, () => {
  it('brings the lines of the feature a question is about, the measured ones first', async () => {
    const items = await collect('why did feature 28 take three attempts?');
    expect(items.map(({ id }) => id)).toEqual(items.map((_, at) => `E${at + 1}`));
    expect(items.slice(0, 2).map(({ cite }) => [cite.source, cite.basis])).toEqual([
      ['progress_log', 'measured'],
      ['git', 'measured'],
    ]);
    expect(items[0]?.text).toContain('415s');
    const claims = items.filter(({ cite }) => cite.basis === 'claimed');
    expect(claims.map(({ text }) => /score (\d+)/.exec(text)?.[1])).toEqual(['4', '6', '9']);
    expect(items.at(-1)?.text).toContain('partial');
    for (const { cite } of items) expect(await record.rawLines(cite.source, cite.line ?? 0)).not.toBeNull();
  });

  it('finds the feature by words of its title', async () => {
    expect(await collect('what about the skelton one')).toEqual(await collect('feature 28'));
  });

  it('takes turns when several features are named', async () => {
    const items = await collect('compare 28 with 1');
    expect(items[0]?.text).toContain('#28');
    expect(items[1]?.text).toContain('#1 ');
  });

  it('brings what is told of the skipped feature when asked what failed', async () => {
    const items = await collect('what failed?');
    expect(items.some(({ cite, text }) => cite.basis === 'claimed' && text.includes('score 0'))).toBe(true);
  });

  it('brings lines about the run otherwise, those with words of the question first', async () => {
    expect((await collect('what did it cost?'))[0]?.text).toContain('cost_usd: 0.95');
    expect((await collect('tell me everything')).length).toBeGreaterThan(3);
  });

  it('stays inside its limits for any question', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 200 }), async (question) => {
        const items = await collect(question);
        expect(items.length).toBeLessThanOrEqual(LIMITS.evidenceItems);
        expect(items.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(
          LIMITS.evidenceChars,
        );
      }),
      { numRuns: 20 },
    );
  });

  it('has nothing to bring when nothing was read', async () => {
    expect(await collectEvidence('feature 28', await empty.profile(), empty.store)).toEqual([]);
  });
});

describe('the starting view', () => {
  it('has a heading made of what the record counts', async () => {
    expect(await startTitle(profile, record.store)).toBe('29 accepted, 1 skipped, 11 disputed.');
    expect(await startTitle(await empty.profile(), empty.store)).toBe('There is no record yet');
  });

  it('is a sound plan of ordinary cards', () => {
    const plan = expectSoundPlan(startPlan(profile), profile);
    expect(plan.blocks.map(({ type }) => type)).toEqual(['stat', 'timeline', 'chart', 'chart', 'ledger']);
    expect(plan.blocks[0]?.title).toBe('State of the run');
    expect(plan.followUps).toEqual(suggestions(profile));
  });

  it('says so when nothing was read', async () => {
    const plan = JSON.parse(startPlan(await empty.profile()));
    expect(plan.blocks).toMatchObject([{ type: 'note', title: 'There is no record yet' }]);
  });
});
