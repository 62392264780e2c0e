import { describe, expect, it } from 'vitest';
import { type Read, readWith } from '../test-adapter.ts';
import { AGENTFORGE } from './index.ts';

const NAMES = {
  metrics: 'metrics.json',
  feature_list: 'feature_list.json',
  progress_log: 'claude-progress.txt',
  git: 'git-log.jsonl',
} as const;

async function rowsOf(texts: Partial<Record<keyof typeof NAMES, string>>): Promise<Read> {
  const [adapter] = AGENTFORGE;
  if (!adapter) throw new Error('there is an adapter');
  const files = Object.entries(NAMES).flatMap(([kind, name]) => {
    const text = kind in texts ? Object.entries(texts).find(([key]) => key === kind)?.[1] : undefined;
    return text === undefined ? [] : [[name, text] as const];
  });
  return readWith(adapter, Object.fromEntries(files));
}

/** All issues as code and what else is asked of them. */
const issuesOf = (read: Read) => Object.values(read.issues).flat();

const commit = (n: number, time: string, subject: string): string =>
  `${JSON.stringify({ sha: String(n).repeat(40), committed_at: `2026-01-02T${time}Z`, subject, files: 1, insertions: 1, deletions: 1 })}\n`;
const feat = (id: number): string => `feat(#${id}): Thing ${id} (score: 9/10, 1 attempts)`;
const passed = (id: number, time: string): string =>
  `=== Feature #${id} PASSED (score: 9/10, 1 attempts, 60s) — 2026-01-02T${time}+0000 ===\n`;
const metrics = (features: object[]): string =>
  JSON.stringify({ started_at: '2026-01-02T08:00:00Z', features });

/** Each run as its id, whether it is the current one, and its features. */
const shape = (read: Read): unknown[] =>
  read.rows('runs_told').map((run) => [
    run.run_id,
    run.is_current,
    read
      .rows('features_told')
      .filter((feature) => feature.run_id === run.run_id)
      .map((feature) => feature.ext_id),
  ]);

describe('assemble', () => {
  it('cuts a git log at the commits that start a run', async () => {
    const git = [
      commit(1, '08:00:00', 'init'),
      commit(2, '08:10:00', feat(1)),
      commit(3, '09:00:00', 'test: reset all features'),
      commit(4, '09:10:00', feat(1)),
      commit(5, '09:20:00', feat(2)),
    ].join('');
    expect(shape(await rowsOf({ git }))).toEqual([
      ['r1', false, ['1']],
      ['r2', true, ['1', '2']],
    ]);
  });

  it('takes the title of the log as a start where no commit marks one', async () => {
    const git = commit(1, '08:10:00', feat(1)) + commit(2, '09:10:00', feat(1));
    const progress_log = `# P Progress — Run 2026-01-02 09:00\n${passed(1, '09:10:01')}`;
    expect(shape(await rowsOf({ git, progress_log }))).toEqual([
      ['r1', false, ['1']],
      ['r2', true, ['1']],
    ]);
  });

  it('is about the run of the log, also when later runs are in git', async () => {
    const git =
      commit(1, '08:00:00', 'clean slate: a') +
      commit(2, '08:10:00', feat(1)) +
      commit(3, '09:00:00', 'clean slate: b') +
      commit(4, '09:10:00', feat(2));
    const rows = await rowsOf({ git, progress_log: passed(1, '08:10:01') });
    expect(shape(rows)).toEqual([
      ['r1', true, ['1']],
      ['r2', false, ['2']],
    ]);
  });

  it('has a run before its first feature is done', async () => {
    const rows = await rowsOf({
      progress_log: '# P Progress — Run 2026-01-02 09:00\n',
      feature_list: '[{"id": 1, "passes": false, "description": "Thing"}]',
    });
    expect(shape(rows)).toEqual([['r1', true, ['1']]]);
    expect(rows.rows('observations_told').map((row) => [row.fact, row.text_value])).toEqual([
      ['status', 'pending'],
    ]);
  });

  it('puts entries of the metrics into the run of their time', async () => {
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
    const rows = await rowsOf({
      git,
      metrics: metrics([entry('08:10:00', 3), entry('02:10:00', 4), { id: 2, final_score: 5 }]),
    });
    const scores = rows
      .rows('observations_told')
      .filter((row) => row.fact === 'score' && row.source_kind === 'metrics')
      .map((row) => [row.run_id, row.feature_id, row.value]);
    expect(scores).toEqual([
      ['r1', 'r1.f1', 4],
      ['r2', 'r2.f1', 3],
      ['r3', 'r3.f2', 5],
    ]);
  });

  it('takes the later word of a source, and reports the earlier one', async () => {
    const rows = await rowsOf({
      progress_log: passed(1, '08:10:01') + passed(1, '08:20:01').replace('9/10', '4/10'),
    });
    const told = rows.rows('observations_told').filter((row) => row.fact === 'score');
    expect(told.map((row) => [row.value, row.source_line])).toEqual([[4, 2]]);
    expect(issuesOf(rows).map(({ code, line }) => [code, line])).toEqual([['duplicate_id', 1]]);
    const git = await rowsOf({
      git:
        commit(1, '08:00:00', 'skip(#1): best score 0/10 after 3 attempts') + commit(2, '08:10:00', feat(1)),
    });
    const status = git.rows('observations_told').filter((row) => row.fact === 'status');
    expect(status.map((row) => row.text_value)).toEqual(['accepted']);
    expect(issuesOf(git).map(({ code, severity }) => [code, severity])).toEqual([['superseded', 'info']]);
  });

  it('has one id for each thing, the same each time', async () => {
    const texts = {
      git: commit(1, '08:00:00', 'clean slate: a') + commit(2, '08:10:00', feat(1)),
      progress_log: passed(1, '08:10:01'),
      metrics: metrics([{ id: 1, attempts: [{ score: 9 }, { score: 9 }], final_score: 9 }]),
      feature_list: '[{"id": 1, "passes": true}]',
    };
    const rows = await rowsOf(texts);
    for (const [table, id] of [
      ['runs_told', 'run_id'],
      ['features_told', 'feature_id'],
      ['observations_told', 'observation_id'],
      ['attempts', 'attempt_id'],
      ['commits_told', 'sha'],
      ['log_events', 'event_id'],
    ] as const) {
      const ids = rows.rows(table).map((row) => row[id]);
      expect(ids.length).toBeGreaterThan(0);
      expect(new Set(ids).size).toBe(ids.length);
      expect((await rowsOf(texts)).rows(table)).toEqual(rows.rows(table));
    }
  });

  it('orders features as the plan does, then by number, then by name', async () => {
    const rows = await rowsOf({
      feature_list: '[{"id": 10, "passes": true}, {"id": 2, "passes": true}]',
      metrics: metrics([
        { id: 'login', final_score: 1 },
        { id: 30, final_score: 1 },
        { id: 4, final_score: 1 },
        { id: 2, final_score: 1 },
      ]),
    });
    expect(rows.rows('features_told').map((row) => [row.ext_id, row.ord, row.title])).toEqual([
      ['10', 1, 'Feature 10'],
      ['2', 2, 'Feature 2'],
      ['4', 3, 'Feature 4'],
      ['30', 4, 'Feature 30'],
      ['login', 5, 'Feature login'],
    ]);
  });

  it('has no run where nothing tells of features', async () => {
    const rows = await rowsOf({ git: commit(1, '08:00:00', 'init'), metrics: metrics([]) });
    expect(rows.rows('runs_told')).toEqual([]);
    expect(rows.rows('commits_told').map((row) => row.run_id)).toEqual([null]);
  });

  it('takes what the plan asks as a requirement, and the verdict of the harness as evidence', async () => {
    const plan = [1, 2, 3, 4].map((id) => ({
      id,
      description: `Thing ${id}`,
      passes: id < 3,
      verify: id < 4 ? `Thing ${id} shows` : ' ',
    }));
    const read = await rowsOf({
      feature_list: JSON.stringify(plan, null, 1),
      progress_log: passed(1, '08:10:01'),
      git:
        commit(1, '08:10:00', feat(1)) + commit(2, '08:20:00', 'skip(#3): best score 2/10 after 3 attempts'),
    });
    expect(
      read
        .rows('requirements_told')
        .map((row) => [row.requirement_id, row.text, row.claimed_pass, row.source_line]),
    ).toEqual([
      ['r1.f1.verify', 'Thing 1 shows', true, 6],
      ['r1.f3.verify', 'Thing 3 shows', false, 18],
      ['r1.f2.verify', 'Thing 2 shows', true, 12],
    ]);
    expect(
      read
        .rows('evidence_told')
        .map((row) => [row.requirement_ref, row.polarity, row.source_kind, row.source_line]),
    ).toEqual([
      ['r1.f1.verify', 'supports', 'progress_log', 1],
      ['r1.f3.verify', 'refutes', 'git', 2],
    ]);
  });
});
