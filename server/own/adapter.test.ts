import { describe, expect, it } from 'vitest';
import { writeEntry } from '../archive/entry.ts';
import { entryOf, idOf } from '../archive/test-entry.ts';
import { readWith } from '../record/ingest/test-adapter.ts';
import { OWN_ANSWERS } from './adapter.ts';

describe('the reader of kept answers', () => {
  it('takes a row off each file, at the line of what it took', async () => {
    const entry = entryOf(1, { code: 'cut_short' });
    const meter = { ...entry.meter, tokensIn: 900, tokensOut: 240, dropped: 2, repaired: 1 };
    const text = writeEntry({ ...entry, meter });
    const read = await readWith(OWN_ANSWERS, { [`${idOf(1)}.json`]: text });
    expect(read.rows('own_answers')).toEqual([
      {
        answer_id: idOf(1),
        question: 'Question 1?',
        planner_kind: 'builtin',
        planner: 'Built-in planner',
        asked_at_ms: Date.UTC(2026, 0, 1, 0, 1),
        took_ms: 41,
        first_card_ms: 12,
        tokens_in: 900,
        tokens_out: 240,
        cards: 1,
        dropped: 2,
        repaired: 1,
        corrected: 0,
        verified: 1,
        unverified: 0,
        figures: 2,
        reused: false,
        end_code: 'cut_short',
        source_id: expect.stringContaining('own_answers'),
        source_line: 12,
      },
    ]);
    expect(text.split('\n')[11]).toMatch(/^"meter": \{"ms":41,"firstCardMs":12,/);
  });

  it('reads files of earlier versions, and passes over what is no answer', async () => {
    const { program: _program, meter: _meter, ...rest } = entryOf(2);
    const read = await readWith(OWN_ANSWERS, {
      [`${idOf(2)}.json`]: JSON.stringify({ ...rest, version: 1, ms: 30, firstCardMs: null }),
      'broken.json': '{"version":2,',
      'other.json': '{"name":"x"}',
    });
    expect(read.rows('own_answers')).toMatchObject([
      {
        answer_id: idOf(2),
        took_ms: 30,
        first_card_ms: null,
        tokens_in: null,
        dropped: null,
        source_line: 1,
      },
    ]);
    expect(read.counts['broken.json']).toEqual({ ok: 0, bad: 1 });
    expect(read.issues['other.json']).toHaveLength(1);
  });
});
