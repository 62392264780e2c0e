import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import { createRedactor } from '../redact.ts';
import { AnswerTrace } from './trace.ts';

const planner = { kind: 'model' as const, name: 'm', model: 'm-1', plan: async function* () {} };
const asIs = (text: string): string => text;
const long = 'x'.repeat(10 * LIMITS.traceText);

describe('the way of an answer', () => {
  it('keeps what the steps told, with times since the answer began', () => {
    let now = 1_000;
    const trace = new AnswerTrace('a1', () => now);
    trace.begin('why?', planner);
    now = 1_010;
    trace.text('{"blocks":');
    trace.scan({ kind: 'draft', index: 0, type: 'stat', title: 'Build time' });
    now = 1_020;
    trace.text('[]}');
    trace.scan({ kind: 'block', index: 0, value: {} });
    trace.read('c0', 'stat', { ok: true, value: {}, notes: ['4 of 6 figures shown'] });
    trace.read('c1', null, { ok: false, code: 'block_unknown', issues: ['type: pie'] });
    now = 1_035;
    trace.ready('c0', 'stat', 'Build time', 12.5);
    trace.planEnd(null);
    trace.frame(
      1,
      { event: 'a2ui', data: { version: 'v0.9', updateDataModel: { path: '/cards/c0', value: 1 } } },
      90,
    );
    const told = trace.trace(asIs);
    expect(told).toMatchObject({
      answerId: 'a1',
      question: 'why?',
      ended: false,
      planner: { kind: 'model', name: 'm', model: 'm-1' },
      plan: {
        text: '{"blocks":[]}',
        pieces: [
          { ms: 10, chars: 10 },
          { ms: 20, chars: 3 },
        ],
        endMs: 35,
        code: null,
      },
      frames: [{ id: 1, event: 'a2ui', about: 'updateDataModel /cards/c0', bytes: 90, ms: 35 }],
    });
    expect(told.cards).toMatchObject([
      { card: 'c0', draftMs: 10, readMs: 20, readyMs: 35, resolveMs: 12.5, notes: ['4 of 6 figures shown'] },
      { card: 'c1', readyMs: null, code: 'block_unknown', issues: ['type: pie'] },
    ]);
  });

  it('stays within its bounds whatever it is told', () => {
    const trace = new AnswerTrace('a1');
    trace.begin(long, { ...planner, name: long });
    for (let n = 0; n < 3 * LIMITS.tracePieces; n += 1) trace.text('y'.repeat(100));
    for (let n = 0; n < 500; n += 1) {
      trace.scan({ kind: 'draft', index: n, type: long, title: long });
      trace.read(`c${n}`, null, {
        ok: false,
        code: 'block_invalid',
        issues: Array.from({ length: 200 }, () => long),
      });
    }
    for (let n = 1; n <= LIMITS.eventsKept + 50; n += 1)
      trace.frame(n, { event: 'suggestions', data: { items: [] } }, 1);
    trace.found(
      Array.from({ length: 90 }, () => ({
        feature: null,
        measure: 'score',
        claimed: { text: long, value: null },
        verdict: 'false' as const,
      })),
      [],
    );
    const told = trace.trace(asIs);
    expect(told.plan.text).toHaveLength(LIMITS.planBytes);
    expect(told.plan.pieces).toHaveLength(LIMITS.tracePieces);
    expect(told.plan.pieces.reduce((sum, { chars }) => sum + chars, 0)).toBe(300 * LIMITS.tracePieces);
    expect(told.scan).toHaveLength(LIMITS.traceScans);
    expect(told.cards).toHaveLength(LIMITS.traceCards);
    expect(told.cards[0]?.issues).toHaveLength(LIMITS.traceEntries);
    expect(told.premises).toHaveLength(LIMITS.traceEntries);
    expect(told.frames).toHaveLength(LIMITS.eventsKept);
    expect(told.cards[0]?.issues[0]?.length).toBeLessThanOrEqual(LIMITS.traceText + 1);
    expect(told.planner.name.length).toBeLessThanOrEqual(LIMITS.traceText + 1);
  });

  it('tells no credential, configured or by its form, even when it came in pieces', () => {
    const secret = 'correct-horse-battery-staple';
    const trace = new AnswerTrace('a1');
    trace.begin(`is ${secret} the key?`, planner);
    trace.text('{"title":"correct-horse-');
    trace.text('battery-staple","note":"Bearer abcdef123456"}');
    trace.read('c0', 'note', { ok: true, value: {}, notes: [`cut ${secret}`] });
    const text = JSON.stringify(trace.trace(createRedactor([secret], LIMITS.planBytes)));
    expect(text).not.toContain(secret);
    expect(text).not.toContain('battery');
    expect(text).not.toContain('abcdef123456');
    expect(text).toContain('[redacted]');
  });
});
