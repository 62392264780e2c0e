import { afterEach, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import { emptyProfile, testProfile } from '../planner/test-profile.ts';
import { QueryError } from '../record/store.ts';
import { runAnswer } from './pipeline.ts';
import { asked, block, planner, planText, ports, sink, type World, world, writing } from './test-ports.ts';
import { type NamedPlanner, PlannerError } from './types.ts';

function about(titles: readonly string[]): World {
  const given = world();
  for (const [index, title] of titles.entries()) given.values.set(title, index + 1);
  return given;
}

const run = async (given: World, from: NamedPlanner, page = sink()) => {
  await runAnswer(asked(from), ports(given), page.sink);
  return page;
};
const states = (page: ReturnType<typeof sink>) =>
  page.cards().map(({ id, data }) => {
    const { mark } = data;
    return [id, typeof mark === 'object' && mark !== null && 'state' in mark ? mark.state : null];
  });
const codesOf = (page: ReturnType<typeof sink>) =>
  page.cards().flatMap(({ data }) => (typeof data.code === 'string' ? [data.code] : []));

/** Lets everything that is ready happen. */
const settle = () => vi.advanceTimersByTimeAsync(1);

afterEach(() => vi.useRealTimers());

describe('an answer', () => {
  it('goes from open to done, each card in the order of the plan, verified', async () => {
    const page = await run(about(['a', 'b']), writing(planText(['a', 'b'])));
    expect(page.events[0]?.event).toBe('open');
    expect(states(page)).toEqual([
      ['c0', 'verified'],
      ['c1', 'verified'],
    ]);
    expect(page.done()).toMatchObject({ events: page.events.length, cards: 2, ok: true, code: null });
    expect(page.done().took).toEqual({
      firstTextMs: expect.any(Number),
      firstCardMs: expect.any(Number),
      tokens: null,
    });
    expect(page.report()).toMatchObject({ ok: true, cards: 2, figures: 2, changed: 0, passes: 1 });
    expect(page.events.filter(({ event }) => event === 'suggestions')).toHaveLength(1);
  });

  it('holds no place open once the plan has ended: what is left is the check', async () => {
    const page = await run(about(['a']), writing(planText(['a'])));
    const check = page.events.findIndex(({ event, data }) => event === 'progress' && data.step === 'verify');
    const slots = page.events.slice(0, check).flatMap(({ event, data }) => {
      const slot =
        event === 'a2ui' ? /"path":"\/layout".*"slot":(\d+)/.exec(JSON.stringify(data))?.[1] : undefined;
      return slot === undefined ? [] : [Number(slot)];
    });
    expect(slots[0]).toBeGreaterThan(0);
    expect(slots.at(-1)).toBe(0);
  });

  it('holds a place for a card as soon as its title is known', async () => {
    vi.useFakeTimers();
    const given = about(['a']);
    let goOn = (): void => undefined;
    const page = sink();
    const text = planText(['a']);
    const cut = text.indexOf('"body"');
    const ended = run(
      given,
      planner(async function* () {
        yield text.slice(0, cut);
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        yield text.slice(cut);
      }),
      page,
    );
    await settle();
    expect(page.cards().map(({ id, data }) => [id, data.type, data.title])).toEqual([
      ['c0', 'skeleton', 'a'],
    ]);
    goOn();
    await ended;
    expect(page.cards()[0]?.data.type).toBe('stat');
  });

  it('shows each card when it is ready, and in its place', async () => {
    vi.useFakeTimers();
    const given = about(['slow', 'fast']);
    let goOn = (): void => undefined;
    given.waits.set(
      'slow',
      new Promise<void>((resolve) => {
        goOn = resolve;
      }),
    );
    const page = sink();
    const ended = run(given, writing(planText(['slow', 'fast'])), page);
    await settle();
    expect(page.cards().map(({ id, data }) => [id, data.type])).toEqual([
      ['c0', 'skeleton'],
      ['c1', 'stat'],
    ]);
    goOn();
    await ended;
    expect(page.cards().map(({ data }) => data.type)).toEqual(['stat', 'stat']);
  });

  it('shows the premise card before the planner has written anything, in front', async () => {
    vi.useFakeTimers();
    const given = about(['a']);
    given.premises = [
      { feature: '28', measure: 'attempts', claimed: { text: 'three', value: 3 }, verdict: 'false' },
      { feature: '28', measure: 'score', claimed: { text: 'nine', value: 9 }, verdict: 'true' },
    ];
    let goOn = (): void => undefined;
    const page = sink();
    const ended = run(
      given,
      planner(async function* () {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        yield planText(['a']);
      }),
      page,
    );
    await settle();
    expect(page.cards().map(({ id }) => id)).toEqual(['premise']);
    goOn();
    await ended;
    expect(states(page)).toEqual([
      ['premise', 'verified'],
      ['c0', 'verified'],
    ]);
  });

  it('corrects in place what was streamed wrong, and says so', async () => {
    const given = about(['a', 'b']);
    given.wrong.set('a', 99);
    const page = await run(given, writing(planText(['a', 'b'])));
    expect(states(page)).toEqual([
      ['c0', 'corrected'],
      ['c1', 'verified'],
    ]);
    expect(page.report()?.verdicts[0]).toEqual({
      card: 'c0',
      state: 'corrected',
      reasons: ['99 s was shown; it is 1 s'],
    });
    expect(page.report()?.changed).toBe(1);
  });

  it('remembers what it was about', async () => {
    const remember = vi.fn();
    const page = sink();
    await runAnswer(asked(writing(planText(['a', 'b'])), { remember }), ports(about(['a', 'b'])), page.sink);
    expect(remember).toHaveBeenCalledOnce();
    expect(remember.mock.calls[0]?.[0]).toMatchObject({
      question: 'how long did it take?',
      titles: ['a', 'b'],
    });
  });
});

describe('a plan with faults', () => {
  const faulty = JSON.stringify({
    ...JSON.parse(planText([])),
    blocks: [block('a'), { type: 'hologram', title: 'x' }, block('c')],
  });
  /** A planner whose plan has faults, and which then writes this one. */
  const repairing = (given: string, then: string): NamedPlanner & { told: string[] } => {
    const told: string[] = [];
    return {
      ...writing(given),
      told,
      async *repair(_request, { text, problems }) {
        told.push(text, ...problems);
        yield then;
      },
    };
  };

  it('is put right once by its writer: what was missing comes, what stands stays', async () => {
    const from = repairing(faulty, planText(['a', 'b', 'c']));
    const page = await run(about(['a', 'b', 'c']), from);
    expect(from.told).toEqual([faulty, 'block 1: shape']);
    expect(states(page)).toEqual([
      ['c0', 'verified'],
      ['c1', 'verified'],
      ['c2', 'verified'],
    ]);
    expect(codesOf(page)).toEqual([]);
    expect(page.done()).toMatchObject({ ok: true, code: null });
    // Nothing that stood was taken away meanwhile: c0 was sent when it came, and for its verdict.
    const sent = page.events.filter(({ data }) => JSON.stringify(data).includes('"path":"/c0"'));
    expect(sent.length).toBeLessThanOrEqual(2);
  });

  it('is left as it is where the second one is no better', async () => {
    const page = await run(about(['a', 'c']), repairing(faulty, 'no plan at all'));
    expect(codesOf(page)).toEqual(['block_invalid']);
    expect(states(page).map(([, state]) => state)).toEqual(['verified', 'none', 'verified']);
  });

  it('that is no document at all is written again as a whole', async () => {
    const page = await run(about(['a']), repairing('{"about": nonsense}', planText(['a'])));
    expect(states(page)).toEqual([['c0', 'verified']]);
    expect(page.done()).toMatchObject({ ok: true, code: null });
  });
});

describe('a planner that fails', () => {
  const failed = (text: string): NamedPlanner =>
    planner(async function* () {
      yield text;
      throw new PlannerError('model_timeout', 'slow');
    });

  it('is replaced by the one to fall back on, which is said', async () => {
    const page = await run(about(['a']), { ...failed(''), fallback: writing(planText(['a'])) });
    expect(states(page)).toEqual([
      ['c0', 'verified'],
      ['end', 'none'],
    ]);
    expect(codesOf(page)).toEqual(['model_timeout']);
    expect(page.cards().find(({ id }) => id === 'end')?.data.title).toBe('Answered by the built-in planner');
    expect(page.done()).toMatchObject({ ok: true, code: null });
    expect(page.report()).toMatchObject({ ok: true, cards: 1 });
  });

  it('keeps what it has given: nothing takes its place then', async () => {
    const text = planText(['a', 'b']);
    const half = text.slice(0, text.indexOf('"b"'));
    const page = await run(about(['a', 'b']), { ...failed(half), fallback: writing(planText(['b'])) });
    expect(states(page)[0]).toEqual(['c0', 'unverified']);
    expect(codesOf(page)).toEqual(['model_timeout']);
  });

  it('is told as it is where the other one fails too', async () => {
    const page = await run(about(['a']), { ...failed(''), fallback: failed('') });
    expect(codesOf(page)).toEqual(['model_timeout']);
    expect(page.done()).toMatchObject({ ok: false, code: 'model_timeout' });
  });
});

describe('what goes wrong with one card', () => {
  it('costs that card', async () => {
    const text = JSON.stringify({
      ...JSON.parse(planText([])),
      blocks: [block('a'), { type: 'hologram', title: 'x' }, { type: 'note' }, block('broken'), block('b')],
    });
    const page = await run(about(['a', 'b']), writing(text));
    expect(page.cards().map(({ id }) => id)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
    expect(codesOf(page)).toEqual(['block_invalid', 'block_invalid', 'query_failed']);
    expect(page.done().cards).toBe(5);
  });

  it('is told when it takes too long', async () => {
    vi.useFakeTimers();
    const given = about(['a', 'slow']);
    given.waits.set('slow', new Promise<void>(() => undefined));
    const page = sink();
    const ended = run(given, writing(planText(['a', 'slow'])), page);
    await vi.advanceTimersByTimeAsync(LIMITS.resolveMs + LIMITS.verifyMs + 10);
    await ended;
    expect(codesOf(page)).toEqual(['query_timeout']);
    expect(page.report()).toMatchObject({ ok: false, code: 'verify_failed' });
    expect(states(page)).toEqual([
      ['c0', 'unverified'],
      ['c1', 'none'],
    ]);
  });

  it('says when there are more cards than fit', async () => {
    const titles = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const page = await run(about(titles), writing(planText(titles)));
    expect(page.cards().map(({ id }) => id)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'end']);
    expect(codesOf(page)).toEqual(['too_many_cards']);
    expect(page.done().ok).toBe(true);
  });
});

describe('what goes wrong with the planner', () => {
  const failing = (code: ConstructorParameters<typeof PlannerError>[0], before = '') =>
    planner(async function* () {
      if (before !== '') yield before;
      throw new PlannerError(code, 'secret detail sk-1234');
    });

  it.each([
    'model_unreachable',
    'model_auth',
    'model_rate_limited',
    'model_refused',
    'not_understood',
  ] as const)('becomes a card: %s', async (code) => {
    const page = await run(about([]), failing(code));
    expect(codesOf(page)).toEqual([code]);
    expect(page.done()).toMatchObject({ ok: false, code, cards: 1 });
    expect(JSON.stringify(page.events)).not.toContain('sk-1234');
  });

  it('keeps the cards that are there, unverified', async () => {
    const text = planText(['a', 'b']);
    const page = await run(about(['a', 'b']), failing('connection_lost', text.slice(0, text.indexOf('"b"'))));
    expect(states(page)).toEqual([
      ['c0', 'unverified'],
      ['end', 'none'],
    ]);
    expect(codesOf(page)).toEqual(['connection_lost']);
    expect(page.report()).toMatchObject({ ok: false, code: 'connection_lost' });
  });

  it('still verifies a premise card, which needs no plan', async () => {
    const given = about([]);
    given.premises = [
      { feature: '28', measure: 'attempts', claimed: { text: 'three', value: 3 }, verdict: 'disputed' },
    ];
    const page = await run(given, failing('model_unreachable'));
    expect(states(page)).toEqual([
      ['premise', 'verified'],
      ['end', 'none'],
    ]);
  });

  it.each([
    ['', 'plan_empty'],
    ['I am sorry, but no.', 'plan_invalid'],
    [planText([]), 'plan_empty'],
    [`${planText(['a']).slice(0, -40)}`, 'cut_short'],
    [`{"about":"${'x'.repeat(LIMITS.planBytes)}`, 'plan_too_large'],
  ])('has a code for every odd text: %#', async (text, code) => {
    const page = await run(about(['a']), writing(text));
    expect(codesOf(page)).toContain(code);
    expect(page.done()).toMatchObject({ ok: false, code });
  });

  it('ends a planner that hangs', async () => {
    vi.useFakeTimers();
    let told: AbortSignal | undefined;
    const hanging: NamedPlanner = {
      ...writing(''),
      plan: ({ signal }) => {
        told = signal;
        return (async function* () {
          await new Promise<void>(() => undefined);
          yield '';
        })();
      },
    };
    const page = sink();
    const ended = run(about([]), hanging, page);
    await vi.advanceTimersByTimeAsync(LIMITS.plannerFirstMs + 10);
    await ended;
    expect(page.done()).toMatchObject({ code: 'model_timeout', cards: 1 });
    expect(told?.aborted).toBe(true);
  });

  it('gives a planner longer once its first block is there', async () => {
    vi.useFakeTimers();
    const text = planText(['a', 'b']);
    const cut = text.indexOf('"b"');
    const slow = planner(async function* () {
      yield text.slice(0, cut);
      await new Promise((resolve) => setTimeout(resolve, LIMITS.plannerFirstMs * 2));
      yield text.slice(cut);
    });
    const page = sink();
    const ended = run(about(['a', 'b']), slow, page);
    await vi.advanceTimersByTimeAsync(LIMITS.plannerFirstMs * 2 + 10);
    await ended;
    expect(page.done()).toMatchObject({ ok: true, cards: 2 });
  });
});

describe('an answer that is ended', () => {
  const endless = (text: string) =>
    planner(async function* () {
      yield text;
      await new Promise<void>(() => undefined);
    });

  it.each(['stopped', 'abandoned'] as const)(
    'keeps its cards, marked, and is not checked: %s',
    async (by) => {
      vi.useFakeTimers();
      const given = about(['a', 'b']);
      const second = vi.fn();
      given.onSecond = second;
      const page = sink();
      const text = planText(['a', 'b']);
      // The second block is named but not finished: its place goes.
      const ended = run(given, endless(text.slice(0, text.lastIndexOf('"body"'))), page);
      await settle();
      expect(page.cards().map(({ data }) => data.type)).toEqual(['stat', 'skeleton']);
      page.end(by);
      await ended;
      expect(states(page)).toEqual([['c0', 'unverified']]);
      expect(page.done()).toMatchObject({ ok: false, code: by, cards: 1 });
      expect(page.report()).toBeUndefined();
      expect(second).not.toHaveBeenCalled();
    },
  );

  it('says so on a card when there is none yet', async () => {
    vi.useFakeTimers();
    const page = sink();
    const ended = run(about([]), endless(' '), page);
    await settle();
    page.end();
    await ended;
    expect(codesOf(page)).toEqual(['stopped']);
  });

  it('can be ended while it is being checked', async () => {
    const given = about(['a']);
    const page = sink();
    given.onSecond = () => page.end();
    await run(given, writing(planText(['a'])), page);
    expect(states(page)).toEqual([['c0', 'unverified']]);
    expect(page.done().code).toBe('stopped');
  });
});

describe('the record', () => {
  it('that is empty is told on a card, without asking a planner', async () => {
    const given = world();
    given.profile = emptyProfile;
    const plan = vi.fn();
    const page = await run(given, { ...writing(''), plan });
    expect(codesOf(page)).toEqual(['record_empty']);
    expect(plan).not.toHaveBeenCalled();
  });

  it('that has sources and nothing usable in them is asked about like any other', async () => {
    const given = about(['a']);
    given.profile = { ...emptyProfile, sources: testProfile.sources };
    const page = await run(given, writing(planText(['a'])));
    expect(page.done()).toMatchObject({ ok: true, cards: 1 });
  });

  it('that is too slow is told as slow, and one that cannot be read as failed', async () => {
    for (const code of ['query_timeout', 'query_failed'] as const) {
      const page = sink();
      const slow = { ...ports(world()), profile: () => Promise.reject(new QueryError(code, 'no')) };
      await runAnswer(asked(writing(planText(['a']))), slow, page.sink);
      expect(page.done()).toMatchObject({ ok: false, code });
      expect(codesOf(page)).toEqual([code]);
    }
  });

  it('that moves while it is checked is checked again', async () => {
    const given = about(['a']);
    let moved = 0;
    given.fingerprint = () => `f${moved}`;
    given.onSecond = () => {
      moved = Math.min(2, moved + 1);
    };
    const page = await run(given, writing(planText(['a'])));
    expect(page.report()).toMatchObject({ ok: true, passes: 3, record: 'f2' });
    expect(states(page)).toEqual([['c0', 'verified']]);
  });

  it('that keeps moving leaves the answer without a verdict', async () => {
    const given = about(['a']);
    let moved = 0;
    given.fingerprint = () => `f${moved}`;
    given.onSecond = () => {
      moved += 1;
    };
    const page = await run(given, writing(planText(['a'])));
    expect(page.report()).toMatchObject({ ok: false, code: 'record_moved', passes: LIMITS.verifyPasses });
    expect(states(page)).toEqual([['c0', 'unverified']]);
    expect(page.done().ok).toBe(true);
  });
});
