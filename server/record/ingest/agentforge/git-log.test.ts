import { describe, expect, it } from 'vitest';
import { readSubject, startsRun } from './subject.ts';
import { readGitLog } from './test-readings.ts';

const sha = (n: number): string => String(n).repeat(40).slice(0, 40);
const commit = (n: number, time: string, subject: string, over: Record<string, unknown> = {}): string =>
  JSON.stringify({
    sha: sha(n),
    committed_at: `2026-01-02T${time}-07:00`,
    subject,
    files: 2,
    insertions: 10,
    deletions: 1,
    ...over,
  });

const LOG = [
  commit(1, '10:00:00', 'clean slate: night run'),
  commit(2, '10:05:00', 'feat(#1): Clock: shows the ti (score: 9/10, 1 attempts)'),
  commit(3, '10:07:30', 'feat(#2): Hands (score: 7/10, 2 attempts)', { insertions: 40 }),
  commit(4, '10:09:00', 'skip(#3): best score 2/10 after 3 attempts'),
];

describe('readSubject', () => {
  it.each([
    [
      'feat(#12): A: b (c) (score: 8.5/10, 1 attempt)',
      { kind: 'accept', feature: '12', title: 'A: b (c)', score: 8.5, attempts: 1 },
    ],
    [
      'skip(#3): best score 0/10 after 3 attempts',
      { kind: 'skip', feature: '3', title: null, score: 0, attempts: 3 },
    ],
    ['feat: something else', { kind: 'other' }],
    ['feat(#1): no score', { kind: 'other' }],
    ['', { kind: 'other' }],
  ])('%j', (subject, expected) => {
    expect(readSubject(subject)).toEqual(expected);
  });

  it('knows the commits that start a run', () => {
    expect(startsRun('clean slate: night run')).toBe(true);
    expect(startsRun('test: reset all features for a trial')).toBe(true);
    expect(startsRun('feat: a clean slate for all')).toBe(false);
  });
});

describe('readGitLog', () => {
  it('reads what commits say of features, and what git counted', () => {
    const reading = readGitLog(`${LOG.join('\n')}\n`);
    expect(reading.issues).toEqual([]);
    expect(reading.commits.map((one) => [one.meaning.kind, one.meaning.named?.ref ?? null])).toEqual([
      ['other', null],
      ['accept', '1'],
      ['accept', '2'],
      ['skip', '3'],
    ]);
    const facts = (id: string) =>
      Object.fromEntries(
        (reading.entries.find((entry) => entry.feature === id)?.facts ?? []).map((one) => [
          one.fact,
          one.value ?? one.text,
        ]),
      );
    expect(facts('2')).toEqual({
      status: 'accepted',
      attempts: 2,
      score: 7,
      completed_at: Date.UTC(2026, 0, 2, 17, 7, 30),
      lines_added: 40,
      lines_removed: 1,
      files_changed: 2,
      build_time: 150,
    });
    expect(facts('3')).toEqual({
      status: 'skipped',
      attempts: 3,
      score: 2,
      completed_at: Date.UTC(2026, 0, 2, 17, 9),
    });
  });

  it('derives build time from the commit before, and says from which to which', () => {
    const entry = readGitLog(LOG.join('\n')).entries.find((one) => one.feature === '1');
    expect(entry?.facts.find((one) => one.fact === 'build_time')).toEqual({
      fact: 'build_time',
      value: 300,
      text: null,
      basis: 'derived',
      line: 2,
      how: '1111111 to 2222222',
    });
  });

  it('reads the newest first as well', () => {
    const forward = readGitLog(LOG.join('\n'));
    const backward = readGitLog([...LOG].reverse().join('\n'));
    const facts = (reading: typeof forward) =>
      reading.entries.map((entry) => [
        entry.feature,
        entry.facts.map((one) => [one.fact, one.value, one.how]),
      ]);
    expect(facts(backward)).toEqual(facts(forward));
  });

  it('derives nothing from commits with the same time', () => {
    const text = [
      commit(1, '10:00:00', 'init'),
      commit(2, '10:00:00', 'feat(#1): A (score: 9/10, 1 attempts)'),
    ].join('\n');
    expect(readGitLog(text).entries[0]?.facts.some((one) => one.fact === 'build_time')).toBe(false);
  });

  it('reports lines it cannot read and reads the others', () => {
    const text = [
      '{not json}',
      commit(1, '10:00:00', 'init', { files: '2' }),
      commit(1, '10:00:00', 'init'),
      '{"sha": "xyz", "subject": "a"}',
      '[]',
      'null',
      commit(2, '10:05:00', 'x', { committed_at: '2026-01-02T10:05:00' }),
      commit(3, '10:05:00', 'x', { committed_at: 5 }),
      commit(4, '10:06:00', 'y').slice(0, 50),
    ].join('\n');
    const reading = readGitLog(text);
    expect(reading.commits.map((one) => one.sha[0])).toEqual(['1', '2', '3']);
    expect(reading.issues.map((issue) => [issue.code, issue.line])).toEqual([
      ['json_invalid', 1],
      ['wrong_type', 2],
      ['duplicate_id', 3],
      ['missing_field', 4],
      ['missing_field', 5],
      ['missing_field', 6],
      ['time_without_zone', 7],
      ['time_invalid', 8],
      ['line_cut', 9],
    ]);
    expect(reading).toMatchObject({ ok: 3, bad: 5 });
  });

  it('still says how a feature ended when its commit has no time', () => {
    const text = commit(5, '', 'feat(#9): A (score: 9/10, 1 attempts)', { committed_at: null });
    expect(readGitLog(text).entries).toMatchObject([{ feature: '9', atMs: null }]);
  });
});
