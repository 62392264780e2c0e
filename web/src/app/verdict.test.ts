import { describe, expect, it } from 'vitest';
import type { Report } from '../../../shared/wire.ts';
import type { AnswerState } from './state.ts';
import { verdictLine } from './verdict.ts';

const report: Report = {
  ok: true,
  code: null,
  cards: 5,
  figures: 23,
  rows: 30,
  sources: 4,
  record: '3f2a91',
  ms: 14,
  passes: 1,
  changed: 0,
  verdicts: [],
  since: null,
};
const answer: AnswerState = {
  key: 'a',
  id: 'A',
  kind: 'question',
  question: 'why?',
  project: null,
  projects: [],
  board: null,
  updated: null,
  stale: null,
  stored: null,
  label: null,
  title: null,
  replay: null,
  at: 1,
  phase: 'done',
  progress: [],
  cardsReady: 5,
  paragraphs: [],
  report,
  suggestions: [],
  ending: { events: 40, cards: 5, ok: true, code: null, ms: 41 },
  code: null,
};

describe('the line under the question', () => {
  it('says what was checked against what', () => {
    expect(verdictLine(answer)).toEqual({
      shape: 'check',
      parts: [
        '5 cards',
        '23 figures verified against 4 sources',
        '30 rows',
        'checked in 14 ms, nothing changed by it',
      ],
      took: '41 ms',
      record: '3f2a91',
      again: null,
    });
  });

  it('says what the check changed', () => {
    const parts = verdictLine({ ...answer, report: { ...report, changed: 1 } }).parts;
    expect(parts.at(-1)).toBe('checked in 14 ms, 1 card corrected by it');
  });

  it('never says verified without a report that is fine', () => {
    for (const none of [null, { ...report, ok: false, code: 'record_moved' }, { ...report, ok: false }]) {
      const line = verdictLine({ ...answer, report: none });
      expect(line.shape).toBe('bang');
      expect(line.parts.join(' ')).not.toContain('verified');
    }
    expect(verdictLine({ ...answer, report: { ...report, ok: false, code: 'record_moved' } }).parts[1]).toBe(
      'the record changed while it was checked',
    );
  });

  it('says that it was cut short although what is there was checked', () => {
    const line = verdictLine({ ...answer, code: 'cut_short' });
    expect(line.shape).toBe('bang');
    expect(line.parts).toContain('the answer was cut short');
  });

  it('offers the way on', () => {
    const two = { ...answer, cardsReady: 2, report: null, ending: null };
    expect(verdictLine({ ...two, phase: 'interrupted' })).toMatchObject({
      parts: ['Interrupted after 2 cards. What is here was read but not checked.'],
      again: 'Resume',
    });
    expect(verdictLine({ ...two, phase: 'done', code: 'stopped' })).toMatchObject({
      parts: ['Stopped after 2 cards. What is here was read but not checked.'],
      again: 'Ask again',
    });
    const early = {
      ...two,
      cardsReady: 1,
      code: 'stopped',
      progress: [{ step: 'premise' as const, says: 'Checking', done: false, ms: null, n: null, of: null }],
    };
    for (const phase of ['done', 'interrupted'] as const)
      expect(verdictLine({ ...early, phase }).parts).toEqual([
        'Stopped before anything was read. No card was made.',
      ]);
    expect(verdictLine({ ...two, phase: 'lost', code: 'rate_limited' })).toMatchObject({
      parts: ['Wait a moment and ask again.'],
      again: 'Ask again',
    });
    expect(verdictLine({ ...two, phase: 'lost', kind: 'start' }).again).toBe('Try again');
    expect(verdictLine({ ...two, phase: 'lost', question: null, code: 'not_found' }).again).toBeNull();
  });
});
