import { afterEach, describe, expect, it } from 'vitest';
import { type TestStore, testStore } from '../metrics/test-record.ts';
import type { Row } from './store.ts';

let store: TestStore | undefined;
afterEach(async () => {
  await store?.close();
  store = undefined;
});
async function record(
  tables: Readonly<Record<string, readonly Row[]>>,
): Promise<(sql: string) => Promise<Row[]>> {
  const made = await testStore();
  store = made;
  for (const [table, rows] of Object.entries(tables)) await made.insert(table, rows);
  return async (sql) => (await made.query(sql)).rows;
}
const AT = { source_id: 's', source_line: 1 };
const run = (id: string, more: Row = {}): Row => ({ run_id: id, harness: 'h', rank: 0, ...AT, ...more });
const feature = (runId: string, id: string, more: Row = {}): Row => ({
  feature_id: `${runId}.f${id}`,
  run_id: runId,
  ext_id: id,
  rank: 0,
  ...AT,
  ...more,
});

describe('runs', () => {
  it('has the latest of a harness as the current one, unless the harness itself tells which', async () => {
    const told: Row[] = [
      run('a', { started_at_ms: 10, ended_at_ms: 20 }),
      run('b', { started_at_ms: 30, ended_at_ms: 40 }),
    ];
    const current = 'SELECT run_id FROM runs WHERE is_current';
    expect(await (await record({ runs_told: told }))(current)).toEqual([{ run_id: 'b' }]);
    await store?.close();
    const said = [true, false].map((current, at) => ({ ...told[at], is_current: current }));
    expect(await (await record({ runs_told: said }))(current)).toEqual([{ run_id: 'a' }]);
  });

  it('has one current run of several harnesses: the one that ended last', async () => {
    const ask = await record({
      runs_told: [
        run('a', { ended_at_ms: 20, is_current: true }),
        run('b', { harness: 'other', ended_at_ms: 30 }),
        run('c', { harness: 'third' }),
      ],
    });
    expect(await ask('SELECT run_id FROM runs WHERE is_current')).toEqual([{ run_id: 'b' }]);
  });

  it('takes a name from the first source that has one, and times from the log where nobody tells them', async () => {
    const event = (id: string, at: number): Row => ({
      event_id: id,
      run_id: 'a',
      at_ms: at,
      kind: 'entry',
      message: '',
      source_kind: 'activity_log',
      ...AT,
    });
    const ask = await record({
      runs_told: [
        run('a', { rank: 1, name: 'second' }),
        run('a', { rank: 0 }),
        run('a', { rank: 2, name: 'third' }),
      ],
      log_events: [event('1', 5), event('2', 9)],
    });
    expect(await ask('SELECT name, started_at_ms, ended_at_ms, zone FROM runs')).toEqual([
      { name: 'second', started_at_ms: 5, ended_at_ms: 9, zone: '+00:00' },
    ]);
  });

  it('names a run nobody named by its start, on the clock it was written with', async () => {
    const at = Date.UTC(2026, 7, 29, 22, 5);
    const ask = await record({
      runs_told: [
        run('a', { started_at_ms: at, zone: '+05:30' }),
        run('b', { started_at_ms: at, zone: '-07:00', ord: 2 }),
        run('c', { harness: 'i' }),
      ],
    });
    expect(await ask('SELECT name FROM runs ORDER BY run_id')).toEqual([
      { name: 'run of 2026-08-30 03:35' },
      { name: 'run of 2026-08-29 15:05' },
      { name: 'run 1' },
    ]);
  });

  it('gives a record without a harness one run to ask about, and an empty one none', async () => {
    const commit: Row = { sha: 'a', subject: 'x', kind: 'other', at_ms: 1, ...AT };
    const ask = await record({ commits_told: [commit] });
    expect(await ask('SELECT run_id, name, is_current FROM runs')).toEqual([
      { run_id: 'project', name: 'this project', is_current: true },
    ]);
    expect(await ask('SELECT run_id, phase FROM commits')).toEqual([{ run_id: 'project', phase: 'unknown' }]);
    await store?.close();
    expect(await (await record({}))('SELECT * FROM runs')).toEqual([]);
  });
});

describe('features', () => {
  it('puts the words of several sources together and orders ids as people do', async () => {
    const ask = await record({
      runs_told: [run('a')],
      features_told: [
        feature('a', 'T10', { title: 'Ten' }),
        feature('a', 'T2', { rank: 1, title: 'Two', category: 'late' }),
        feature('a', 'T2', { rank: 0, category: 'first' }),
        feature('a', 'T1'),
      ],
    });
    expect(await ask('SELECT ext_id, ord, title, category FROM features ORDER BY ord')).toEqual([
      { ext_id: 'T1', ord: 1, title: 'Feature T1', category: null },
      { ext_id: 'T2', ord: 2, title: 'Two', category: 'first' },
      { ext_id: 'T10', ord: 3, title: 'Ten', category: null },
    ]);
  });
});

describe('commits', () => {
  it('of long before a run are not about its features, whatever they name', async () => {
    const hour = 3_600_000;
    const commit = (sha: string, at: number): Row => ({
      sha,
      subject: sha,
      kind: 'other',
      at_ms: at,
      feature_ref: 'US-1',
      ...AT,
    });
    const ask = await record({
      runs_told: [run('a', { started_at_ms: 100 * hour })],
      features_told: [feature('a', 'US-1')],
      commits_told: [commit('c1', 10 * hour), commit('c2', 95 * hour), commit('c3', 200 * hour)],
    });
    expect(await ask('SELECT sha, feature_id FROM commits ORDER BY sha')).toEqual([
      { sha: 'c1', feature_id: null },
      { sha: 'c2', feature_id: 'a.fUS-1' },
      { sha: 'c3', feature_id: 'a.fUS-1' },
    ]);
  });

  it('belong to the run in which they fall and to the feature they name, in any spelling', async () => {
    const commit = (sha: string, at: number, ref: string | null): Row => ({
      sha,
      subject: sha,
      kind: 'other',
      at_ms: at,
      feature_ref: ref,
      ...AT,
    });
    const ask = await record({
      runs_told: [
        run('a', { started_at_ms: 10, ended_at_ms: 20 }),
        run('b', { started_at_ms: 30, ended_at_ms: 40 }),
      ],
      features_told: [feature('a', 'US-1'), feature('b', 'US-1')],
      commits_told: [
        commit('c1', 12, 'us_1'),
        commit('c2', 33, 'US-1'),
        commit('c3', 35, null),
        commit('c4', 50, 'US-9'),
      ],
    });
    expect(await ask('SELECT sha, run_id, feature_id, phase FROM commits ORDER BY sha')).toEqual([
      { sha: 'c1', run_id: 'a', feature_id: 'a.fUS-1', phase: 'before' },
      { sha: 'c2', run_id: 'b', feature_id: 'b.fUS-1', phase: 'during' },
      { sha: 'c3', run_id: 'b', feature_id: null, phase: 'during' },
      { sha: 'c4', run_id: null, feature_id: null, phase: 'after' },
    ]);
  });
});

describe('the state of a requirement', () => {
  const requirement = (id: string, more: Row = {}): Row => ({
    requirement_id: `a.${id}`,
    run_id: 'a',
    feature_id: 'a.fT1',
    ext_id: id,
    text: id,
    kind: 'criterion',
    rank: 0,
    ...AT,
    ...more,
  });
  let at = 0;
  const evidence = (ref: string, polarity: string, more: Row = {}): Row => {
    at += 1;
    return {
      evidence_id: `e${at}`,
      requirement_ref: ref,
      kind: 'test',
      polarity,
      link: 'tag',
      at_ms: at,
      source_kind: 'junit',
      ...AT,
      ...more,
    };
  };
  const states = async (requirements: Row[], told: Row[], commits: Row[] = []): Promise<unknown> => {
    const ask = await record({
      runs_told: [run('a')],
      features_told: [feature('a', 'T1')],
      requirements_told: requirements,
      evidence_told: told,
      commits_told: commits,
    });
    const rows = await ask('SELECT ext_id, state, stale FROM v_requirement ORDER BY ext_id');
    return Object.fromEntries(rows.map((row) => [row.ext_id, row.state]));
  };

  it('is open without a word, a claim by the ledger alone, and proven only by tied evidence', async () => {
    expect(
      await states(
        [requirement('R1'), requirement('R2', { claimed_pass: true }), requirement('R3'), requirement('R4')],
        [evidence('r_3', 'supports'), evidence('R4', 'supports', { link: 'name_match' })],
      ),
    ).toEqual({ R1: 'open', R2: 'claimed_only', R3: 'proven', R4: 'likely' });
  });

  it('is what the latest word says, and void evidence says nothing', async () => {
    expect(
      await states(
        [
          requirement('R1', { claimed_pass: true }),
          requirement('R2'),
          requirement('R3', { claimed_pass: true }),
        ],
        [
          evidence('R1', 'supports'),
          evidence('R1', 'refutes'),
          evidence('R2', 'refutes'),
          evidence('R2', 'supports'),
          evidence('R2', 'void'),
          evidence('R3', 'void'),
        ],
      ),
    ).toEqual({ R1: 'refuted', R2: 'proven', R3: 'claimed_only' });
  });

  it('is stale when the proof is older than the last commit of its feature', async () => {
    const commit = (sha: string, ms: number): Row => ({
      sha,
      subject: sha,
      kind: 'other',
      at_ms: ms,
      feature_ref: 'T1',
      ...AT,
    });
    const commits = [commit('aaaaaaaa', 1_000), commit('bbbbbbbb', 2_000)];
    expect(
      await states(
        [requirement('R1'), requirement('R2'), requirement('R3'), requirement('R4')],
        [
          // A report made late about an early commit proves only that commit.
          evidence('R1', 'supports', { at_ms: 5_000, commit_sha: 'aaaaaaa' }),
          evidence('R2', 'supports', { at_ms: 5_000, commit_sha: 'bbbbbbb' }),
          evidence('R3', 'supports', { at_ms: 1_500 }),
          evidence('R4', 'supports', { at_ms: 2_500 }),
        ],
        commits,
      ),
    ).toEqual({ R1: 'stale', R2: 'proven', R3: 'stale', R4: 'proven' });
  });

  it('takes the commit of a proof by how its name begins, in either case, and never as a pattern', async () => {
    const ask = await record({
      runs_told: [run('r')],
      requirements_told: [requirement('R1')],
      commits_told: ['aaaaaaa1', 'ABCDEF12'].map((sha, at) => ({
        sha,
        subject: sha,
        kind: 'other',
        at_ms: at + 1,
        ...AT,
      })),
      evidence_told: ['AAAAAAA', 'abcdef1', 'aaaaaa%', 'a______', '%%%%%%%', 'aaaaaa'].map((sha) => ({
        ...evidence('R1', 'supports', { commit_sha: sha }),
        evidence_id: sha,
      })),
    });
    expect(
      await ask(
        'SELECT evidence_id, commit_at_ms FROM requirement_evidence WHERE commit_at_ms IS NOT NULL ORDER BY 1',
      ),
    ).toEqual([
      { evidence_id: 'AAAAAAA', commit_at_ms: 1 },
      { evidence_id: 'abcdef1', commit_at_ms: 2 },
    ]);
  });

  it('is counted for what is not divided further', async () => {
    expect(
      await states(
        [
          requirement('UC1', { kind: 'use_case' }),
          requirement('R1', { parent_ref: 'UC1' }),
          requirement('UC2', { kind: 'use_case' }),
        ],
        [evidence('R1', 'supports')],
      ),
    ).toEqual({ R1: 'proven', UC2: 'open' });
  });

  it('follows evidence that names the feature', async () => {
    expect(await states([requirement('R1'), requirement('R2')], [evidence('T1', 'supports')])).toEqual({
      R1: 'proven',
      R2: 'proven',
    });
  });
});
