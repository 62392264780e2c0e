import { describe, expect, it } from 'vitest';
import type { SourceKind } from '../../store.ts';
import type { Reading } from '../facts.ts';
import type { Rows, SourceFile } from '../rows.ts';
import { assemble } from './assemble.ts';
import { readFeatureList } from './feature-list.ts';
import { readGitLog } from './git-log.ts';
import { readMetrics } from './metrics.ts';
import { readProgressLog } from './progress-log.ts';

const ADAPTERS = {
  metrics: readMetrics,
  feature_list: readFeatureList,
  progress_log: readProgressLog,
  git: readGitLog,
};

function rowsOf(texts: Partial<Record<SourceKind, string>>): Rows {
  const readings = new Map<SourceKind, Reading>();
  const files: SourceFile[] = [];
  for (const kind of ['metrics', 'feature_list', 'progress_log', 'git'] as const) {
    const text = texts[kind];
    if (text === undefined) continue;
    readings.set(kind, ADAPTERS[kind](text));
    files.push({ id: kind, kind, label: kind, path: kind, sha: 'x', bytes: text.length, issues: [] });
  }
  return assemble({ id: 'p', name: 'P', root: '/p' }, files, readings);
}

const commit = (n: number, time: string, subject: string): string =>
  `${JSON.stringify({ sha: String(n).repeat(40), committed_at: `2026-01-02T${time}Z`, subject, files: 1, insertions: 1, deletions: 1 })}\n`;
const feat = (id: number): string => `feat(#${id}): Thing ${id} (score: 9/10, 1 attempts)`;
const passed = (id: number, time: string): string =>
  `=== Feature #${id} PASSED (score: 9/10, 1 attempts, 60s) — 2026-01-02T${time}+0000 ===\n`;
const metrics = (features: object[]): string =>
  JSON.stringify({ started_at: '2026-01-02T08:00:00Z', features });

/** Each run as its id, whether it is the current one, and its features. */
const shape = (rows: Rows): unknown[] =>
  rows.runs.map(([id, , , , , , , , current]) => [
    id,
    current,
    rows.features.filter((feature) => feature[1] === id).map((feature) => feature[2]),
  ]);

describe('assemble', () => {
  it('cuts a git log at the commits that start a run', () => {
    const git = [
      commit(1, '08:00:00', 'init'),
      commit(2, '08:10:00', feat(1)),
      commit(3, '09:00:00', 'test: reset all features'),
      commit(4, '09:10:00', feat(1)),
      commit(5, '09:20:00', feat(2)),
    ].join('');
    expect(shape(rowsOf({ git }))).toEqual([
      ['r1', false, ['1']],
      ['r2', true, ['1', '2']],
    ]);
  });

  it('takes the title of the log as a start where no commit marks one', () => {
    const git = commit(1, '08:10:00', feat(1)) + commit(2, '09:10:00', feat(1));
    const progress_log = `# P Progress — Run 2026-01-02 09:00\n${passed(1, '09:10:01')}`;
    expect(shape(rowsOf({ git, progress_log }))).toEqual([
      ['r1', false, ['1']],
      ['r2', true, ['1']],
    ]);
  });

  it('is about the run of the log, also when later runs are in git', () => {
    const git =
      commit(1, '08:00:00', 'clean slate: a') +
      commit(2, '08:10:00', feat(1)) +
      commit(3, '09:00:00', 'clean slate: b') +
      commit(4, '09:10:00', feat(2));
    const rows = rowsOf({ git, progress_log: passed(1, '08:10:01') });
    expect(shape(rows)).toEqual([
      ['r1', true, ['1']],
      ['r2', false, ['2']],
    ]);
    expect(rows.commits.map((row) => row[9])).toEqual(['during', 'during', 'after', 'after']);
  });

  it('has a run before its first feature is done', () => {
    const rows = rowsOf({
      progress_log: '# P Progress — Run 2026-01-02 09:00\n',
      feature_list: '[{"id": 1, "passes": false, "description": "Thing"}]',
    });
    expect(shape(rows)).toEqual([['r1', true, ['1']]]);
    expect(rows.observations.map((row) => [row[3], row[5]])).toEqual([['status', 'pending']]);
  });

  it('puts entries of the metrics into the run of their time', () => {
    const git =
      commit(1, '08:00:00', 'clean slate: a') +
      commit(2, '08:10:00', feat(1)) +
      commit(3, '09:00:00', 'clean slate: b') +
      commit(4, '09:10:00', feat(1));
    const entry = (at: string, score: number): object => ({
      id: 1,
      final_score: score,
      completed_at: `2026-01-02T${at}+00:00`,
    });
    const rows = rowsOf({
      git,
      metrics: metrics([entry('08:10:00', 3), entry('02:10:00', 4), { id: 2, final_score: 5 }]),
    });
    const scores = rows.observations
      .filter((row) => row[3] === 'score' && row[8] === 'metrics')
      .map((row) => [row[1], row[2], row[4]]);
    expect(scores).toEqual([
      ['r1', 'r1.f1', 4],
      ['r2', 'r2.f1', 3],
      ['r3', 'r3.f2', 5],
    ]);
  });

  it('takes the later word of a source, and reports the earlier one', () => {
    const rows = rowsOf({
      progress_log: passed(1, '08:10:01') + passed(1, '08:20:01').replace('9/10', '4/10'),
    });
    expect(rows.observations.filter((row) => row[3] === 'score').map((row) => [row[4], row[9]])).toEqual([
      [4, 2],
    ]);
    expect(rows.ingest_issues.map((row) => [row[3], row[2]])).toEqual([['duplicate_id', 1]]);
    const git = rowsOf({
      git:
        commit(1, '08:00:00', 'skip(#1): best score 0/10 after 3 attempts') + commit(2, '08:10:00', feat(1)),
    });
    expect(git.observations.filter((row) => row[3] === 'status').map((row) => row[5])).toEqual(['accepted']);
    expect(git.ingest_issues.map((row) => [row[3], row[4]])).toEqual([['superseded', 'info']]);
  });

  it('has one id for each thing, the same each time', () => {
    const texts = {
      git: commit(1, '08:00:00', 'clean slate: a') + commit(2, '08:10:00', feat(1)),
      progress_log: passed(1, '08:10:01'),
      metrics: metrics([{ id: 1, attempts: [{ score: 9 }, { score: 9 }], final_score: 9 }]),
      feature_list: '[{"id": 1, "passes": true}]',
    };
    const rows = rowsOf(texts);
    for (const table of [
      'runs',
      'features',
      'observations',
      'attempts',
      'commits',
      'log_events',
      'ingest_issues',
      'sources',
    ] as const) {
      const ids = rows[table].map((row) => row[0]);
      expect(new Set(ids).size).toBe(ids.length);
    }
    expect(rowsOf(texts)).toEqual(rows);
  });

  it('orders features as the plan does, then by number, then by name', () => {
    const rows = rowsOf({
      feature_list: '[{"id": 10, "passes": true}, {"id": 2, "passes": true}]',
      metrics: metrics([
        { id: 'login', final_score: 1 },
        { id: 30, final_score: 1 },
        { id: 4, final_score: 1 },
        { id: 2, final_score: 1 },
      ]),
    });
    expect(rows.features.map((row) => [row[2], row[3], row[4]])).toEqual([
      ['10', 1, 'Feature 10'],
      ['2', 2, 'Feature 2'],
      ['4', 3, 'Feature 4'],
      ['30', 4, 'Feature 30'],
      ['login', 5, 'Feature login'],
    ]);
  });

  it('has no run where nothing tells of features', () => {
    const rows = rowsOf({ git: commit(1, '08:00:00', 'init'), metrics: metrics([]) });
    expect(rows.runs).toEqual([]);
    expect(rows.commits.map((row) => [row[2], row[9]])).toEqual([[null, 'unknown']]);
  });
});
