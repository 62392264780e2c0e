import { beforeEach, describe, expect, it } from 'vitest';
import { testProfile } from '../planner/test-profile.ts';
import { runAnswer } from './pipeline.ts';
import type { Remade, Settled } from './ports.ts';
import { asked, planText, ports, sink, type World, world, writing } from './test-ports.ts';

let about: World;
/** Fingerprint of the record as it is now. */
let record: string;
let planned: number;

beforeEach(() => {
  about = world();
  record = 'a'.repeat(16);
  planned = 0;
  about.fingerprint = () => record;
  about.values = new Map([
    ['Build', 1],
    ['Score', 2],
  ]);
  about.profile = { ...testProfile, fingerprint: record };
});

const move = (fingerprint: string): void => {
  record = fingerprint.repeat(16);
  about.profile = { ...testProfile, fingerprint: record };
};

async function answered(
  text = planText(['Build', 'Score']),
): Promise<{ settled: Settled; sent: () => number }> {
  const from = writing(text);
  const page = sink();
  await runAnswer(
    asked({
      ...from,
      plan: (request) => {
        planned += 1;
        return from.plan(request);
      },
    }),
    ports(about),
    page.sink,
  );
  const settled = page.settled();
  if (settled === null) throw new Error('it cannot follow the record');
  return { settled, sent: () => page.events.length };
}
const again = (settled: Settled): Promise<Remade> => settled.again(new AbortController().signal);
const values = (made: Remade): unknown[] =>
  made.ok
    ? made.shown.cards.map((card) => (card.type === 'stat' ? card.figures[0]?.figure.value : card.type))
    : [made.code];

describe('an answer after its end', () => {
  it('is made again from its plan, checked, and sends nothing by itself', async () => {
    const { settled, sent } = await answered();
    const before = sent();
    about.values.set('Score', 20);
    move('b');
    const made = await again(settled);
    expect(values(made)).toEqual([1, 20]);
    expect(made.ok && made.shown.report).toMatchObject({ ok: true, record: 'b'.repeat(12) });
    expect(made.ok && made.shown.cards.map(({ mark }) => mark.state)).toEqual(['verified', 'verified']);
    expect(planned).toBe(1);
    expect(sent()).toBe(before);
  });

  it('is not made again while the record is the same', async () => {
    const { settled } = await answered();
    const steps = about.log.length;
    expect(await again(settled)).toEqual({ ok: true, shown: settled.shown });
    expect(about.log).toHaveLength(steps);
  });

  it('tells of no difference between two records that nobody has seen', async () => {
    const { settled } = await answered();
    move('b');
    about.values.set('Score', 20);
    // While it is read for the first time, the record moves on; the check sees the next one.
    let moves = 1;
    about.onSecond = () => {
      if (moves === 0) return;
      moves -= 1;
      move('c');
      about.values.set('Score', 21);
    };
    const made = await again(settled);
    expect(values(made)).toEqual([1, 21]);
    expect(made.ok && made.shown.report).toMatchObject({ changed: 0, record: 'c'.repeat(12) });
  });

  it('has no new state when the record never rests, or cannot be read', async () => {
    const { settled } = await answered();
    let n = 0;
    about.onSecond = () => {
      n += 1;
      record = `${n}`.padStart(16, 'd');
    };
    move('b');
    expect(await again(settled)).toEqual({ ok: false, code: 'record_moved' });
    about.onSecond = () => undefined;
    move('e');
    about.profile = { ...about.profile, features: [], sources: [] };
    expect(await again(settled)).toEqual({ ok: false, code: 'record_empty' });
  });

  it('cannot follow when it was stopped or has no plan', async () => {
    const page = sink();
    page.end('stopped');
    await runAnswer(asked(writing(planText(['Build']))), ports(about), page.sink);
    expect(page.settled()).toBeNull();
  });
});

describe('a card changed by hand', () => {
  const chart = (title: string) => ({
    type: 'chart' as const,
    title,
    measures: [{ measure: 'build_time', source: 'counted' }],
    by: 'feature',
    split: null,
    draw: 'bar' as const,
    order: 'largest' as const,
    size: 'some' as const,
    scope: 'about' as const,
    where: [],
    actions: [],
  });
  const text = JSON.stringify({
    ...JSON.parse(planText(['Score'])),
    blocks: [JSON.parse(planText(['Score'])).blocks[0], chart('Build')],
  });
  const changed = (made: Remade): unknown[] => (made.ok ? made.shown.cards.map((card) => card.changed) : []);

  it('is made again alone in the plan, says what was changed, and is put back', async () => {
    about.values.set('Build time by category', 3);
    const { settled } = await answered(text);
    const heard: string[] = [];
    settled.onChange(() => heard.push('change'));
    expect(await settled.change(1, { control: 'by', value: 'category' })).toBeNull();
    expect(heard).toEqual(['change']);
    const blocks = JSON.parse(settled.plan).blocks;
    expect(blocks[1]).toEqual({ ...chart('Build'), by: 'category', title: 'Build time by category' });
    const made = await again(settled);
    expect(changed(made)).toEqual([undefined, 'By: Category, was Feature']);
    // It stays so while nothing moves, without being made once more.
    if (made.ok) settled.shown = made.shown;
    expect(await again(settled)).toEqual(made);

    expect(await settled.change(1, { control: 'size', value: 'all' })).toBeNull();
    expect(changed(await again(settled))).toEqual([
      undefined,
      'By: Category, was Feature; How many: All, was Some',
    ]);
    expect(await settled.change(1, null)).toBeNull();
    expect(settled.plan).toBe(text);
    expect(changed(await again(settled))).toEqual([undefined, undefined]);
  });

  it('is refused where there is nothing to change', async () => {
    const { settled } = await answered(text);
    expect(await settled.change(9, { control: 'by', value: 'category' })).toBe('not_found');
    expect(await settled.change(0, { control: 'measure', value: 'mean_score' })).toBe('not_found');
    expect(await settled.change(1, null)).toBe('not_found');
    expect(settled.plan).toBe(text);
  });
});
