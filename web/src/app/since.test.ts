import { describe, expect, it } from 'vitest';
import type { Report, Since } from '../../../shared/wire.ts';
import { sinceLine } from './since.ts';

const stored = { askedAt: 1, ageMs: 5 * 60_000, older: false };
const figure = {
  card: 'How it compares',
  label: 'Build time',
  was: { value: 415, unit: 's' as const },
  now: { value: 500, unit: 's' as const },
};
const report = (since: Partial<Since> | null): Report => ({
  ok: true,
  code: null,
  cards: 1,
  figures: 2,
  rows: 30,
  sources: 1,
  record: 'abc',
  ms: 1,
  passes: 1,
  changed: 0,
  verdicts: [],
  since: since && { changed: false, gone: false, figures: [], total: 0, ...since },
});

describe('the line of an answer from a kept plan', () => {
  it.each([
    [null, null],
    [report(null), null],
    [report({}), 'The record has not changed since.'],
    [report({ changed: true }), 'The record has changed since, but no figure here has.'],
    [report({ changed: true, gone: true }), 'The record of then is not loaded any more.'],
    [report({ changed: true, figures: [figure], total: 1 }), '1 figure changed since.'],
  ])('says what is known, and no more', (given, says) => {
    expect(sinceLine(stored, given)).toMatchObject({ asked: 'Asked 5 minutes ago.', says });
  });

  it('says when another version of the program planned it', () => {
    expect(sinceLine({ ...stored, older: true }, null).asked).toBe(
      'Asked 5 minutes ago, planned by another version of Looplight.',
    );
  });

  it('names changed figures and counts the rest', () => {
    const line = sinceLine(stored, report({ changed: true, figures: [figure, figure], total: 30 }));
    expect(line).toMatchObject({ says: '30 figures changed since.', figures: [figure, figure], more: 28 });
  });
});
