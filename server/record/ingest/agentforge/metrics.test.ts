import { describe, expect, it } from 'vitest';
import type { Entry, Reading } from '../facts.ts';
import { readMetrics } from './metrics.ts';

const attempt = (score: unknown, seconds: unknown, feedback = 'none'): Record<string, unknown> => ({
  iteration: 1,
  score,
  feedback,
  tokens_coder: 1000,
  tokens_evaluator: 200,
  duration_sec: seconds,
});
const feature = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: 7,
  description: 'Clock: shows the time',
  category: 'cards',
  status: 'passed',
  attempts: [attempt(3, 20), attempt(8, 30)],
  final_score: 8,
  started_at: '2026-01-02T10:00:00-07:00',
  completed_at: '2026-01-02T10:01:00-07:00',
  lines_added: 12,
  commit_sha: 'abcdef1',
  ...over,
});
const file = (features: unknown, over: Record<string, unknown> = {}): string =>
  JSON.stringify(
    { project: 'Clockwork', started_at: '2026-01-02T10:00:00-07:00', features, ...over },
    null,
    2,
  );

const fact = (entry: Entry | undefined, name: string) => entry?.facts.find((one) => one.fact === name);
const codes = (reading: Reading): string[] => reading.issues.map((issue) => issue.code);

describe('readMetrics', () => {
  it('reads a feature with its attempts', () => {
    const reading = readMetrics(file([feature()]));
    const entry = reading.entries[0];
    expect(reading).toMatchObject({ project: 'Clockwork', ok: 1, bad: 0, issues: [], zone: '-07:00' });
    expect(fact(entry, 'attempts')).toMatchObject({ value: 2, basis: 'claimed', how: 'as listed' });
    expect(fact(entry, 'build_time')).toMatchObject({ value: 50, how: '20 + 30' });
    expect(fact(entry, 'tokens')).toMatchObject({ value: 2400, how: 'coder 2000 + evaluator 400' });
    expect(fact(entry, 'score')).toMatchObject({ value: 8, how: 'as written' });
    expect(fact(entry, 'status')).toMatchObject({ text: 'accepted', value: null });
    expect(fact(entry, 'started_at')).toMatchObject({
      value: Date.UTC(2026, 0, 2, 17, 0, 0),
      basis: 'claimed',
    });
    expect(fact(entry, 'completed_at')?.value).toBe(Date.UTC(2026, 0, 2, 17, 1, 0));
    expect(entry?.attempts.map((one) => [one.n, one.score, one.passed])).toEqual([
      [1, 3, false],
      [2, 8, true],
    ]);
  });

  it('cites the line of each feature, attempt and figure', () => {
    const text = file([feature({ id: 1 }), feature({ id: 2 })]);
    const lines = text.split('\n');
    for (const entry of readMetrics(text).entries) {
      expect(lines[(entry.line ?? 0) - 1]?.trim()).toBe('{');
      expect(lines[entry.line ?? 0]).toContain(`"id": ${entry.feature}`);
      expect(lines[(fact(entry, 'score')?.line ?? 0) - 1]).toContain('"final_score"');
      expect(lines[(fact(entry, 'attempts')?.line ?? 0) - 1]).toContain('"attempts"');
      for (const one of entry.attempts) {
        expect(lines[(one.line ?? 0) - 1]?.trim()).toBe('{');
        expect(lines[(one.line ?? 0) + 1]).toContain(`"score": ${one.score}`);
      }
    }
    const oneLine = readMetrics(JSON.stringify(JSON.parse(text)));
    expect(
      oneLine.entries.flatMap((entry) => [entry.line, ...entry.attempts.map((one) => one.line)]),
    ).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('takes the UTC stamps of the harness as measured, and local ones as claimed', () => {
    const stamp = { started_at: '2026-01-02T17:00:00+00:00', completed_at: '2026-01-02T17:01:00+00:00' };
    const reading = readMetrics(
      file([
        feature({ ...stamp, id: 1 }),
        feature({ id: 2 }),
        feature({ id: 3, started_at: null, completed_at: null }),
      ]),
    );
    expect(reading.entries.map((entry) => fact(entry, 'score')?.basis)).toEqual([
      'measured',
      'claimed',
      'claimed',
    ]);
    expect(codes(reading)).toEqual(['mixed_zones']);
  });

  it('gives every feature that is complete before the file breaks off, at any place', () => {
    const text = file([feature({ id: 1 }), feature({ id: 2 }), feature({ id: 3 })]);
    const ends = [1, 2, 3].map((id) => text.indexOf('"commit_sha"', text.indexOf(`"id": ${id}`)) + 40);
    for (let cut = 1; cut < text.length - 1; cut += 7) {
      const reading = readMetrics(text.slice(0, cut));
      const whole = ends.filter((end) => end < cut).length;
      expect(reading.entries.length).toBeGreaterThanOrEqual(whole);
      for (const entry of reading.entries) expect(entry.facts).toHaveLength(8);
      expect(codes(reading)).toContain('json_cut');
    }
  });

  it('takes an empty list and the shape a builder leaves for what they are', () => {
    expect(codes(readMetrics(file([])))).toEqual(['no_features']);
    const builder = readMetrics(
      JSON.stringify({
        features: [],
        totals: {
          features_completed: 0,
          total_tokens_coder: 0,
          total_tokens_evaluator: 0,
          total_iterations: 4,
          cost_usd: 0,
          started_at: '',
        },
        meta: { project: 'Clockwork', total_features: 9 },
      }),
    );
    expect(codes(builder)).toEqual(['builder_shape', 'no_features']);
    expect(builder.project).toBe('Clockwork');
    expect(builder.entries.map((entry) => entry.feature)).toEqual([null]);
    expect(builder.entries[0]?.facts.find((one) => one.fact === 'iterations')?.value).toBe(4);
    // What has no place of its own is kept as it stands.
    expect(builder.events.map((event) => [event.kind, event.message, event.data])).toEqual([
      [
        'other_fields',
        'totals also has features_completed, started_at',
        '{"features_completed":0,"started_at":""}',
      ],
      ['other_fields', 'meta also has total_features', '{"total_features":9}'],
    ]);
    expect(readMetrics(file([feature()])).events).toEqual([]);
  });

  it('reads the totals of the run', () => {
    const totals = { tokens_coder: 10, tokens_evaluator: 5, cost_usd: 0.5, elapsed_sec: 60 };
    const entry = readMetrics(file([feature()], { totals })).entries.at(-1);
    expect(entry?.feature).toBeNull();
    expect(entry?.facts.map((one) => [one.fact, one.value])).toEqual([
      ['tokens', 15],
      ['tokens_coder', 10],
      ['tokens_evaluator', 5],
      ['cost_usd', 0.5],
      ['elapsed', 60],
    ]);
  });

  it('reports wrong types and leaves only those out', () => {
    const reading = readMetrics(
      file([
        feature({
          final_score: '8',
          lines_added: -1,
          status: 'happy',
          completed_at: 'noon',
          attempts: [attempt(99, 1), 'x'],
        }),
        5,
        { description: 'no id' },
      ]),
    );
    const [entry] = reading.entries;
    expect(fact(entry, 'score')).toBeUndefined();
    expect(fact(entry, 'lines_added')).toBeUndefined();
    expect(fact(entry, 'attempts')?.value).toBe(1);
    expect(entry?.description).toBe('Clock: shows the time');
    expect(codes(reading).sort()).toEqual(
      [
        'missing_field',
        'out_of_range',
        'out_of_range',
        'time_invalid',
        'unknown_status',
        'wrong_type',
        'wrong_type',
        'wrong_type',
      ].sort(),
    );
    expect(reading).toMatchObject({ ok: 1, bad: 2 });
  });

  it('reads around NaN', () => {
    const reading = readMetrics(file([feature()]).replace('"final_score": 8', '"final_score": NaN'));
    expect(codes(reading)).toEqual(['not_a_number']);
    expect(fact(reading.entries[0], 'attempts')?.value).toBe(2);
  });

  it('does not add up what is only partly there', () => {
    const entry = readMetrics(file([feature({ attempts: [attempt(5, 20), attempt(8, null)] })])).entries[0];
    expect(fact(entry, 'build_time')).toBeUndefined();
    expect(fact(entry, 'attempts')?.value).toBe(2);
  });

  it('marks a time without a zone and does not place the feature by it', () => {
    const reading = readMetrics(file([feature({ started_at: null, completed_at: '2026-01-02T10:01:00' })]));
    expect(reading.entries[0]?.atMs).toBeNull();
    expect(codes(reading)).toEqual(['time_without_zone']);
  });

  it.each([
    '',
    '   ',
    'null',
    '[]',
    '"text"',
    '{',
    '{"features": {}}',
    '{"features": [{"id": {}}]}',
    'not json',
  ])('reports %j and goes on', (text) => {
    const reading = readMetrics(text);
    expect(reading.entries).toEqual([]);
    expect(reading.issues.some((issue) => issue.severity !== 'info')).toBe(true);
  });

  it('takes hostile text as text', () => {
    const text = file([
      feature({ description: '<img src=x onerror=alert(1)>', category: '__proto__', id: 'constructor' }),
    ]);
    expect(readMetrics(text).entries[0]).toMatchObject({ feature: 'constructor', category: '__proto__' });
    const long = readMetrics(file([feature({ description: 'x'.repeat(1_000_000) })]));
    expect(long.entries[0]?.description?.length).toBe(4_000);
    expect(codes(long)).toEqual(['text_cut']);
  });
});
