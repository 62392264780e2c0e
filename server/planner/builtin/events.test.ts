import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Plan } from '../../../shared/plan.ts';
import { gateRecord } from '../../metrics/test-gates.ts';
import type { TestStore } from '../../metrics/test-record.ts';
import { openRecord } from '../../record/index.ts';
import { profileOf } from '../../record/profile.ts';
import type { RecordHandle } from '../../record/store.ts';
import { startPlan, startTitle } from '../start.ts';
import { EVENT_QUESTIONS, logOf, proofOf, storyOf, suggestions, timelineOf } from './questions.ts';
import { answer, resolvePlan } from './test-answers.ts';

/** What the built-in planner makes of records with gates, requirements and logs, and of those without. */

const handle = async (store: TestStore): Promise<RecordHandle> => {
  const profile = await profileOf(store, 'f');
  return {
    store,
    profile: async () => profile,
    rawLines: async () => null,
    reload: async () => false,
    summary: () => Promise.reject(new Error('not asked for')),
    onChange: () => () => undefined,
    watch: () => undefined,
    close: () => store.close(),
  };
};

let gated: RecordHandle;
let bare: RecordHandle;
beforeAll(async () => {
  gated = await handle(await gateRecord());
  bare = await handle(
    await gateRecord(['gate_events', 'log_events', 'requirements_told', 'attempts', 'test_results']),
  );
}, 60_000);
afterAll(async () => {
  await gated.close();
  await bare.close();
});

const types = ({ cards }: Awaited<ReturnType<typeof answer>>): string[] => cards.map(({ type }) => type);

describe('a record with gates, requirements and a log', { timeout: 60_000 }, () => {
  it.each<[question: string, family: string, first: string, facts: Record<string, string | number>]>([
    [
      'what is proven and what is only claimed?',
      'proof',
      'ledger',
      { all: 6, proven: 1, claimed: 1, refuted: 1 },
    ],
    ['which requirements are refuted?', 'proof', 'ledger', { refuted: 1 }],
    ['is T1 proven?', 'proof', 'ledger', { all: 5, proven: 1 }],
    ['show me the log of T1', 'log', 'log', { entries: 7, errors: 3 }],
    ['show the log around the first failure', 'log', 'log', { entries: 9 }],
    ['show the log between 14:00 and 14:03', 'log', 'log', { entries: 3 }],
    ['timeline of the run', 'timeline', 'timeline', { runs: 6, failures: 3, own: 1, open: 1 }],
    ['show the timeline of T2', 'timeline', 'timeline', { runs: 1, failures: 0 }],
    [
      "was any failure the verifier's own fault?",
      'gates',
      'stat',
      { failures: 3, own: 1, agent: 0, unsaid: 1 },
    ],
    ['which starts have no outcome', 'open_starts', 'log', { open: 1, starts: 5 }],
    ['which gates failed?', 'gates', 'timeline', { runs: 6, failures: 3, worst: 'scripted test' }],
    ['how long did the gates take', 'gates', 'stat', { median: 60 }],
    ['which tests failed?', 'tests', 'stat', { all: 5, failed: 2, flaky: 1, rate: 0.5 }],
    ['what happened to T1?', 'feature', 'timeline', { runs: 5, failures: 3, wanted: 5 }],
    ['How did the run go?', 'overview', 'stat', { all: 2, runs: 6 }],
  ])('%s', async (question, family, first, wanted) => {
    const found = await answer(gated, question);
    expect([question, found.family]).toEqual([question, family]);
    expect(types(found)[0]).toBe(first);
    for (const [name, value] of Object.entries(wanted))
      expect([name, found.facts[name]]).toEqual([name, value]);
    for (const card of found.cards) if (card.type === 'note') expect(card.code).toBeNull();
    expect(found.text).not.toContain('not recorded');
  });

  it('filters the ledger by a state that is named alone', async () => {
    const { cards } = await answer(gated, 'which requirements are refuted?');
    const [card] = cards;
    expect(card?.type === 'ledger' && card.groups.flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual([
      'ac-5',
    ]);
  });
  it('lists the starts themselves', async () => {
    const { cards } = await answer(gated, 'which starts have no outcome');
    const [card] = cards;
    expect(card?.type === 'log' && card.entries.map(({ cite, openStart }) => [cite.line, openStart])).toEqual(
      [[1, true]],
    );
  });
  it('says whose fault on evidence, in a table with what it rests on', async () => {
    const { cards } = await answer(gated, "was any failure the verifier's own fault?");
    const table = cards.find((card) => card.type === 'table');
    expect(table?.type === 'table' && table.total).toBe(2);
    expect(JSON.stringify(table)).toContain('the failure says all members passed');
  });
  it('knows features by ids of letters, and says when there is none', async () => {
    expect((await answer(gated, 'what happened to t2')).plan.about.feature).toBe('T2');
    const { cards } = await answer(gated, 'what happened to T9?');
    expect(cards[0]).toMatchObject({ type: 'note', title: 'There is no feature T9' });
  });
  it('starts with what it has rows for', async () => {
    const profile = await gated.profile();
    const plan = Plan.parse(JSON.parse(startPlan(profile)));
    const { cards } = await resolvePlan(gated, plan, null, []);
    expect(cards.map(({ type }) => type)).toEqual(['stat', 'timeline', 'chart', 'chart', 'ledger']);
    expect(await startTitle(profile, gated.store)).toBe('0 accepted, 2 not finished.');
    expect(suggestions(profile)).toContain(EVENT_QUESTIONS.fault);
  });
});

describe('a record without such rows', { timeout: 60_000 }, () => {
  it.each([
    ['what is proven and what is only claimed?', 'requirements', 'test reports'],
    ['show me the log of T1', 'log', 'kane-activity.log'],
    ['show the log around the first failure', 'log', 'kane-activity.log'],
    ['timeline of the run', 'finished', 'log of the run'],
    ["was any failure the verifier's own fault?", 'gate', 'Add the log of the gate'],
    ['which starts have no outcome', 'log', 'kane-activity.log'],
    ['which gates failed?', 'gate', 'Add the log of the gate'],
    ['did the tests pass?', 'test results', 'JUnit XML'],
  ])('%s is answered by what to load', async (question, says, next) => {
    const { cards } = await answer(bare, question);
    const [card] = cards;
    expect(card?.type).toBe('empty');
    if (card?.type !== 'empty') return;
    expect(card.why).toBe('not_ingested');
    expect(card.says).toContain(says);
    expect(card.next).toContain(next);
  });
  it('shows no empty figures at the start', async () => {
    const plan = Plan.parse(JSON.parse(startPlan(await bare.profile())));
    const { cards } = await resolvePlan(bare, plan, null, []);
    for (const card of cards) {
      expect(card.type).not.toBe('empty');
      if (card.type === 'stat') for (const { figure } of card.figures) expect(figure.value).not.toBeNull();
    }
  });
});

describe.each([
  ['data/guardiankane', 'B3', ['stat', 'timeline', 'ledger']],
  // Its gates have no clock times, so there is no timeline to begin with.
  ['data/agent-loop', '2026-05-15-shopping-list', ['stat', 'ledger']],
])('the demo record %s', (root, id, shown) => {
  let record: RecordHandle;
  beforeAll(async () => {
    record = await openRecord({ root, database: ':memory:' });
  }, 120_000);
  afterAll(() => record.close());

  it('has a starting view without empty cards or figures', async () => {
    const profile = await record.profile();
    const { cards } = await resolvePlan(record, Plan.parse(JSON.parse(startPlan(profile))), null, []);
    expect(cards.map(({ type }) => type)).toEqual(expect.arrayContaining(shown));
    for (const card of cards) {
      expect([card.title, card.type]).not.toEqual([card.title, 'empty']);
      if (card.type === 'note') expect(card.code).toBeNull();
      if (card.type === 'stat')
        for (const { label, figure } of card.figures) expect([label, figure.missing]).toEqual([label, null]);
    }
  }, 120_000);

  it('answers every question it can be asked, about a feature as well', async () => {
    for (const question of [
      ...Object.values(EVENT_QUESTIONS),
      logOf(id),
      timelineOf(id),
      proofOf(id),
      storyOf(id),
    ]) {
      const { cards, family } = await answer(record, question);
      expect([question, family]).not.toEqual([question, 'not_understood']);
      for (const card of cards)
        if (card.type === 'note')
          expect([question, card.title, card.code]).toEqual([question, card.title, null]);
    }
  }, 240_000);
});
