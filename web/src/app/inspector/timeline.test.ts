import { describe, expect, it } from 'vitest';
import { prettyPlan } from './Plan.tsx';
import { readTrace } from './read-trace.ts';
import { fileName, readSaved } from './saved.ts';
import { leftOut } from './Trimmed.tsx';
import { card, trace } from './test-trace.ts';
import { timelineOf } from './timeline.ts';

describe('the timeline', () => {
  it('has every step on one axis, cards in the order they began', () => {
    const { rows, total } = timelineOf(trace);
    expect(total).toBe(100);
    expect(rows.map(({ key }) => key)).toEqual([
      'step-premise',
      'step-plan',
      'premise',
      'c0',
      'c1',
      'step-verify',
      'done',
    ]);
    expect(rows.find(({ key }) => key === 'c0')).toMatchObject({
      bars: [
        { from: 20, to: 30, kind: 'waiting' },
        { from: 30, to: 50, kind: 'work' },
      ],
      says: 'draft to ready in 30 ms',
    });
    expect(rows.find(({ key }) => key === 'c1')).toMatchObject({
      bars: [],
      dots: [{ at: 35, kind: 'left-out' }],
      says: 'left out',
    });
    expect(rows.at(-1)?.dots).toEqual([{ at: 100, kind: 'end' }]);
  });

  it('stays on its axis for times that make no sense', () => {
    const odd = readTrace({
      ...trace,
      cards: [card({ draftMs: 50, readMs: 10, readyMs: 5 }), card({ card: 'c9' }), 3, null],
      steps: [{ step: 'plan', from: 40, to: 2 }, { step: 'verify', from: 'x' }, {}],
    });
    const { rows, total } = timelineOf(odd);
    for (const row of rows) {
      for (const bar of row.bars) {
        expect(bar.from).toBeGreaterThanOrEqual(0);
        expect(bar.to).toBeGreaterThanOrEqual(bar.from);
        expect(bar.to).toBeLessThanOrEqual(total);
      }
    }
    expect(rows.map(({ key }) => key)).not.toContain('c9');
  });
});

describe('what comes from the server', () => {
  it('is read as it is, and never fails', () => {
    expect(readTrace(JSON.parse(JSON.stringify(trace)))).toEqual(trace);
    for (const value of [undefined, null, 3, 'x', [], { cards: 7, plan: [], frames: [{}], steps: [null] }]) {
      expect(readTrace(value).frames).toEqual([]);
      expect(timelineOf(readTrace(value)).total).toBeGreaterThan(0);
    }
  });

  it('is a file only when it is one', () => {
    for (const text of ['', '{}', '[]', '{"format":"looplight-answer"}', '{"format":"x","frames":[]}'])
      expect(readSaved(text)).toBeNull();
    const text = '{"format":"looplight-answer","frames":[{"id":2,"data":{"a":1}},null,{"id":"3"}]}';
    expect([...(readSaved(text)?.frames ?? [])]).toEqual([[2, { a: 1 }]]);
    expect(fileName('a/../b')).toBe('looplight-answer-ab.json');
  });
});

it('a plan is set out when it is JSON, and left alone when it is not', () => {
  expect(prettyPlan('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(prettyPlan('{"a":[1')).toBe('{"a":[1');
});

it('what was trimmed or refused is told with its reason', () => {
  expect(leftOut(trace)).toEqual([
    {
      name: 'c1',
      did: 'refused',
      why: 'A card was left out. The planner asked for a kind of card that does not exist.',
      details: ['type: hologram'],
    },
    { name: 'premise · Premise', did: 'trimmed', why: '', details: ['4 of 6 figures shown'] },
  ]);
  const broken = { ...trace, cards: [], plan: { ...trace.plan, code: 'cut_short' } };
  expect(leftOut(broken)).toMatchObject([{ name: 'The plan', did: 'refused' }]);
});
