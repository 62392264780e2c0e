import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { iterations } from './iterations.ts';

const PATH = '.ralph/iterations.jsonl';
const read = (...lines: object[]) =>
  readWith(iterations, { [PATH]: lines.map((line) => `${JSON.stringify(line)}\n`).join('') });

describe('iterations.jsonl', () => {
  it('reads the names several loops give to the same things, and keeps every field', async () => {
    const got = await read(
      {
        iteration: 5,
        start: '2026-02-08T01:23:41+01:00',
        end: '2026-02-08T01:26:00+01:00',
        duration_seconds: 139,
        status: 'success',
        tokens: 62.698,
      },
      {
        n: 6,
        started_at: '2026-02-08T00:30:00Z',
        finished_at: '2026-02-08T00:31:00Z',
        outcome: 'timeout',
        exit_reason: 'no answer',
      },
      {
        loop: 7,
        ts: '2026-02-08T00:40:00Z',
        duration_ms: 1500,
        exit_code: 1,
        story_id: 'US-7',
        mood: 'grim',
      },
      { iteration: 8, passed: true, status: 'success' },
    );
    expect(
      got
        .rows('attempts')
        .map((row) => [row.n, row.duration_s, row.verdict, row.passed, row.feature_id, row.feedback]),
    ).toEqual([
      // That a turn ended well is no verdict on its work.
      [5, 139, null, null, null, null],
      [6, 60, 'timeout', null, null, 'no answer'],
      [7, 1.5, 'error', null, 'iterations.ralph-iterations-jsonl.fUS-7', null],
      [8, null, 'pass', true, null, null],
    ]);
    expect(got.rows('log_events')[2]).toMatchObject({
      level: 'warning',
      data: expect.stringContaining('"mood":"grim"'),
    });
    expect(got.rows('log_events')[0]?.at_ms).toBe(Date.UTC(2026, 1, 8, 0, 26));
    // "62.698" is how some loops write 62,698: it is kept as written and is no count of tokens.
    expect(got.rows('attempts')[0]?.tokens_coder).toBeUndefined();
  });

  it('keeps lines without a number', async () => {
    const got = await read({ iteration: 'one' }, { note: 'hello' });
    expect(got.counts[PATH]).toEqual({ ok: 0, bad: 2 });
    expect(got.rows('log_events').map((row) => row.kind)).toEqual(['raw', 'raw']);
  });
});
