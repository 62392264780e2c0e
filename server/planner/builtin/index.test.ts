import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../shared/plan.ts';
import type { EvidenceItem, PlannerRequest, Turn } from '../../answer/types.ts';
import { expectSoundPlan } from '../plan-checks.ts';
import { testProfile } from '../test-profile.ts';
import { builtinPlanner, planFor } from './index.ts';
import { FAMILIES } from './intent.ts';
import { EVENT_QUESTIONS, QUESTIONS, suggestions } from './questions.ts';

const signal = new AbortController().signal;
const ask = (question: string, more: Partial<PlannerRequest> = {}): PlannerRequest => ({
  question,
  turns: [],
  profile: testProfile,
  evidence: [],
  premises: [],
  signal,
  ...more,
});
const item = (id: string, source: string, text: string): EvidenceItem => ({
  id,
  cite: { source, label: source, line: 1, basis: 'measured' },
  feature: '28',
  text,
});
const evidence = [
  item('E1', 'p', '=== Feature #28 PASSED (score: 9/10, 1 attempts, 415s) ==='),
  item('E2', 'g', 'feat(#28): skeletons'),
  item('E3', 'm', 'iteration 1, score 4'),
  item('E4', 'p', 'pending: #28 partial, only loading text'),
];
const ids = evidence.map(({ id }) => id);
const sound = (request: PlannerRequest): Plan =>
  expectSoundPlan(JSON.stringify(planFor(request).plan), request.profile, request);
const turn = (question: string): Turn => {
  const { plan } = planFor(ask(question));
  const chart = plan.blocks.find((block) => block.type === 'chart');
  return {
    question,
    about: plan.about,
    measures: chart?.measures.map(({ measure }) => measure) ?? [],
    by: chart?.by ?? null,
    titles: plan.blocks.map(({ title }) => title),
  };
};
const requestsOf = (plan: Plan): string[] => [
  ...plan.followUps,
  ...plan.blocks.flatMap(({ actions }) => actions.map(({ request }) => request)),
];

describe('the built-in planner', () => {
  it('answers "why did feature 28 take three attempts?" as a good analyst', () => {
    const question = 'why did feature 28 take three attempts?';
    const plan = sound(
      ask(question, {
        evidence,
        premises: [
          {
            feature: '28',
            measure: 'attempts',
            claimed: { text: 'three attempts', value: 3 },
            verdict: 'false',
          },
        ],
      }),
    );
    expect(plan.about.feature).toBe('28');
    expect(plan.blocks.map(({ type }) => type)).toEqual(['attempts', 'stat', 'chart', 'note']);
    expect(plan.blocks[1]?.title).toBe('How feature 28 compares');
    expect(plan.premises).toMatchObject([{ type: 'figure', fact: 'attempts', claimed: 'three attempts' }]);
    const note = plan.blocks[3];
    const body = note?.type === 'note' ? note.body.map(({ says }) => says).join(' ') : '';
    for (const id of ids.slice(0, 3)) expect(body).toContain(`[${id}]`);
    expect(body).toContain('{quote:E4}');
  });

  it('yields the text in several pieces and stops when told to', async () => {
    const pieces: string[] = [];
    for await (const piece of builtinPlanner().plan(ask('How did the run go?'))) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(3);
    expectSoundPlan(pieces.join(''), testProfile);

    const own = new AbortController();
    const some: string[] = [];
    for await (const piece of builtinPlanner().plan(ask('How did the run go?', { signal: own.signal }))) {
      some.push(piece);
      own.abort();
    }
    expect(some).toHaveLength(1);
  });

  it('gives the same plan for the same request', () => {
    for (const question of Object.values(QUESTIONS))
      expect(planFor(ask(question)).plan).toEqual(planFor(ask(question)).plan);
  });

  it('says so when it does not understand, and what it recognised', () => {
    const part = planFor(ask('purple elephants of the scaffold sing tokens on some Tuesday'));
    expect(part.family).toBe('not_understood');
    expect(JSON.stringify(part.plan)).toContain('Recognised: scaffold, tokens.');
    const lost = sound(ask('please fetch me a coffee'));
    expect(lost.blocks.map(({ type }) => type)).toEqual(['note']);
    expect(lost.blocks[0]?.actions).toHaveLength(2);
    expect(lost.followUps).toHaveLength(3);
  });

  it('never offers a question it does not understand itself', () => {
    const seen = new Set<string>();
    const checked = new Set<string>();
    const waiting = [
      ...Object.values(QUESTIONS),
      ...suggestions(testProfile),
      ...testProfile.features.flatMap(({ id }) => [
        `why did feature ${id} take so long?`,
        `how long did feature ${id} take?`,
        `what did feature ${id} cost?`,
        `how many lines did feature ${id} add?`,
        `compare feature ${id} and feature 1 and feature 30`,
      ]),
      ...testProfile.categories.flatMap((category) => [
        `compare the category ${category} with the category polish`,
        `which features in the category ${category} have the lowest score?`,
        `build time over the run in category ${category}`,
      ]),
      'tool calls?',
      'did the tests pass?',
      'waiting for a human?',
      'whose fault was it?',
      'idle time',
      'tokens per model',
      'what does first try mean?',
      'nonsense words here',
    ];
    while (waiting.length > 0 && seen.size < 3_000) {
      const question = waiting.pop() ?? '';
      if (seen.has(question)) continue;
      seen.add(question);
      for (const request of requestsOf(sound(ask(question, { evidence })))) {
        if (seen.has(request) || checked.has(request)) continue;
        checked.add(request);
        const { family } = planFor(ask(request));
        expect(family, `"${request}", offered for "${question}"`).not.toBe('not_understood');
        expect(family, `"${request}", offered for "${question}"`).not.toBe('unrecorded');
        waiting.push(request);
      }
    }
    expect(waiting).toEqual([]);
    expect(seen.size).toBeGreaterThan(200);
  }, 60_000);

  it('reaches every family with the questions it knows', () => {
    const questions = [
      'what does acceptance rate mean?',
      'tool calls',
      'compare 1 and 2',
      'feature 5',
      'what failed',
      ...Object.values(QUESTIONS),
    ];
    const reached = new Set(questions.map((question) => planFor(ask(question)).family));
    const counts = {
      ...testProfile.counts,
      gate_events: 9,
      requirements: 9,
      test_results: 9,
      sessions: 2,
      llm_requests: 9,
      tool_calls: 9,
    };
    const profile = { ...testProfile, counts, statuses: ['accepted', 'blocked'] };
    for (const question of Object.values(EVENT_QUESTIONS))
      reached.add(planFor(ask(question, { profile })).family);
    for (const family of FAMILIES) expect(reached).toContain(family);
  });

  it('makes a sound plan of any text', () => {
    const words = fc.constantFrom(
      ...'feature 28 #3 slowest fastest by category score over the run compare with without scaffold polish git tokens why when how many attempts three more than skipped disputed commits cost median share top 5 all it and what about {x} [E1] __proto__ lines'.split(
        ' ',
      ),
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2_500 }),
      fc.array(words, { maxLength: 12 }).map((list) => list.join(' ')),
    );
    fc.assert(
      fc.property(text, text, (before, question) => {
        const turns = before === '' ? [] : [turn(before)];
        sound(ask(question, { turns, evidence }));
      }),
      { numRuns: 300 },
    );
  }, 60_000);

  it('makes sound plans for records with odd names', () => {
    const features = ['auth-login', '07', 'Ü', '{x}', '2'].map((id, at) => ({
      id,
      title: ['{evil} [E1] <img onerror=x>', '**bold**', '', '`code`', 'a'.repeat(500)][at] ?? '',
      description: '',
      category: ['one {two}', ''][at % 2] ?? '',
      status: 'accepted',
    }));
    const profile = { ...testProfile, features, categories: ['one {two}', ''], statuses: ['accepted'] };
    for (const question of [
      ...Object.values(QUESTIONS),
      'feature 7',
      'auth-login?',
      'compare 7 and 2',
      'lost',
    ])
      sound(ask(question, { profile }));
  });
});

describe('a question that continues the one before', () => {
  const following = (before: string[], question: string) =>
    planFor(ask(question, { turns: before.map(turn) }));

  it.each<[before: string, question: string, family: string]>([
    ['Which features were the slowest?', 'and by category?', 'ranking'],
    ['What is the build time by category?', 'and over the run?', 'trend'],
    ['What happened to feature 28?', 'what about 5?', 'feature'],
    ['How long did feature 12 take?', 'and 13?', 'figure'],
    ['What happened to feature 28?', 'why?', 'feature'],
    ['What happened to feature 28?', 'how long did it take?', 'figure'],
    ['Which features were the slowest?', 'and without scaffold?', 'ranking'],
    ['Which features were the slowest?', 'and the fastest?', 'ranking'],
    ['What is the build time by category?', 'and lines?', 'distribution'],
  ])('%s %s -> %s', (before, question, family) => {
    const answer = following([before], question);
    expect(answer.family).toBe(family);
    sound(ask(question, { turns: [turn(before)] }));
  });

  it('does not repeat itself when it recognises nothing', () => {
    expect(following(['Which features were the slowest?'], 'what about the weather?').family).toBe(
      'not_understood',
    );
  });

  it('keeps what was asked about', () => {
    expect(following(['What happened to feature 28?'], 'why?').plan.about.feature).toBe('28');
    expect(following(['What happened to feature 28?'], 'what about 5?').plan.about.feature).toBe('5');
    const narrowed = following(['Which features were the slowest?'], 'and without scaffold?').plan;
    expect(narrowed.about.scope).toEqual([{ type: 'in', dim: 'category', not: true, any_of: ['scaffold'] }]);
    const grouped = following(['Which features have the lowest score?'], 'and by category?').plan;
    expect(grouped.blocks[0]).toMatchObject({ type: 'chart', by: 'category' });
  });
});
