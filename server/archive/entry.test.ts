import { describe, expect, it } from 'vitest';
import { migrate, readEntry, VERSION, writeEntry } from './entry.ts';
import { entryOf } from './test-entry.ts';

const version0 = {
  id: 'old-answer-00001',
  question: 'how did the run go?',
  planner: 'Built-in planner',
  plan: '{"blocks":[]}',
  asked: '2025-11-02T08:15:00+01:00',
  fingerprint: 'abc',
  cards: 3,
};

describe('the format of an archived answer', () => {
  it('takes a file from before it had versions', () => {
    expect(readEntry(JSON.stringify(version0))).toMatchObject({
      version: VERSION,
      id: 'old-answer-00001',
      question: 'how did the run go?',
      planner: { kind: 'builtin', name: 'Built-in planner', model: null },
      askedAt: Date.UTC(2025, 10, 2, 7, 15),
      plannedAt: Date.UTC(2025, 10, 2, 7, 15),
      record: { folder: '', fingerprint: 'abc' },
      code: null,
      cards: 3,
      report: null,
      figures: [],
    });
    const byModel = readEntry(JSON.stringify({ ...version0, planner: 'a-model', code: 'cut_short' }));
    expect(byModel).toMatchObject({ planner: { kind: 'model', model: 'a-model' }, code: 'cut_short' });
  });

  it('takes a file of version 1, which was not metered beyond its times', () => {
    const { program: _program, meter, ...rest } = entryOf(1);
    const version1 = { ...rest, version: 1, ms: 410, firstCardMs: 120, askedAt: rest.plannedAt + 60_000 };
    expect(readEntry(JSON.stringify(version1))).toEqual({
      ...entryOf(1),
      askedAt: rest.plannedAt + 60_000,
      program: '',
      meter: {
        ms: 410,
        firstCardMs: 120,
        tokensIn: null,
        tokensOut: null,
        dropped: null,
        repaired: null,
        corrected: null,
        verified: null,
        unverified: null,
        reused: true,
      },
    });
    expect(meter.reused).toBe(false);
  });

  it('is written with each member on a line of its own, and read back the same', () => {
    const text = writeEntry(entryOf(1));
    expect(readEntry(text)).toEqual(entryOf(1));
    const lines = text.trimEnd().split('\n');
    expect(lines[0]).toBe('{');
    expect(lines.find((line) => line.startsWith('"meter": '))).toContain('"firstCardMs":12');
    expect(lines).toHaveLength(Object.keys(entryOf(1)).length + 2);
  });

  it('leaves one of today as it is', () => {
    expect(migrate(entryOf(1))).toEqual(entryOf(1));
    expect(readEntry(JSON.stringify(entryOf(1)))).toEqual(entryOf(1));
  });

  it.each([
    ['no JSON', '{"version":'],
    ['no object', '[1]'],
    ['a version of the future', JSON.stringify({ ...entryOf(1), version: VERSION + 1 })],
    ['a version that is no number', JSON.stringify({ ...entryOf(1), version: '1' })],
    ['an old one without its time', JSON.stringify({ ...version0, asked: 'yesterday' })],
    ['a hostile id', JSON.stringify({ ...entryOf(1), id: '../../etc/passwd' })],
    ['a plan without end', JSON.stringify({ ...entryOf(1), plan: 'x'.repeat(100_000) })],
  ])('refuses %s', (_what, text) => {
    expect(() => readEntry(text)).toThrow();
  });
});
