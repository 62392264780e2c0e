import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRecord } from './index.ts';
import type { RecordHandle, Row, SqlValue } from './store.ts';
import { testFolder } from './test-folder.ts';

/** A record of a real run, kept beside the project and not in it; see the README of data/agentforge for the demo's own. */
const FIXTURES = join(import.meta.dirname, '../../../shared/fixtures/agentforge');
const there = existsSync(join(FIXTURES, 'metrics.json'));
if (!there) {
  console.info('The real AgentForge record is not beside this project, so its acceptance tests do not run.');
}

/** Seconds on the harness's clock, by feature. Feature 3 was not built in this run. */
const SECONDS: Readonly<Record<string, number>> = {
  1: 369,
  2: 129,
  4: 175,
  5: 94,
  6: 116,
  7: 84,
  8: 82,
  9: 137,
  10: 109,
  11: 105,
  12: 86,
  13: 116,
  14: 124,
  15: 129,
  16: 148,
  17: 157,
  18: 93,
  19: 168,
  20: 161,
  21: 124,
  22: 186,
  23: 111,
  24: 133,
  25: 218,
  26: 143,
  27: 157,
  28: 415,
  29: 123,
  30: 83,
};
/** Final scores of features that did not end with a 10. */
const SCORES: Readonly<Record<string, number>> = { 1: 9, 2: 9, 5: 9, 6: 9, 13: 8, 14: 9, 28: 9, 30: 9 };
const DISPUTED = ['1', '2', '3', '5', '6', '12', '13', '19', '21', '28', '30'];

const DEMO = join(import.meta.dirname, '../../data/agentforge');

/** Both records hold the same run; what is asserted of one must be true of the other. */
describe.each([
  ['the demo record', DEMO, true],
  ['the real record', FIXTURES, there],
])('%s', (_name, root, run) => {
  describe.runIf(run)('as it is read', () => {
    let record: RecordHandle;
    const ask = async (sql: string, params: SqlValue[] = []): Promise<Row[]> =>
      (await record.store.query(sql, params)).rows;
    const counted = async (fact: string): Promise<Map<unknown, Row>> =>
      new Map(
        (
          await ask(
            `SELECT f.ext_id, c.value, c.text_value, c.basis FROM v_feature f JOIN counted c USING (feature_id)
             WHERE f.is_current AND c.fact = $1`,
            [fact],
          )
        ).map((row) => [row.ext_id, row]),
      );
    beforeAll(async () => {
      record = await openRecord({ root, database: ':memory:' });
    });
    afterAll(() => record.close());

    it('has thirty features, 29 accepted and one skipped', async () => {
      const rows = await ask('SELECT ext_id, status, category FROM v_feature WHERE is_current ORDER BY ord');
      expect(rows.map((row) => row.ext_id)).toEqual(Array.from({ length: 30 }, (_, i) => String(i + 1)));
      expect(rows.filter((row) => row.status !== 'accepted').map((row) => [row.ext_id, row.status])).toEqual([
        ['3', 'skipped'],
      ]);
      expect(new Set(rows.map((row) => row.category)).size).toBe(8);
    });

    it('counts the seconds, scores and attempts of all thirty', async () => {
      const [seconds, scores, attempts] = [
        await counted('build_time'),
        await counted('score'),
        await counted('attempts'),
      ];
      for (let i = 1; i <= 30; i += 1) {
        const id = String(i);
        const basis = id === '3' ? 'claimed' : 'measured';
        expect([id, seconds.get(id)]).toMatchObject([id, { value: SECONDS[id] ?? 450, basis }]);
        expect([id, scores.get(id)]).toMatchObject([
          id,
          { value: id === '3' ? 3 : (SCORES[id] ?? 10), basis },
        ]);
        expect([id, attempts.get(id)]).toMatchObject([id, { value: id === '3' ? 3 : 1, basis }]);
      }
    });

    it('has the medians and sums that are known', async () => {
      const [row] = await ask(
        `SELECT count(*) AS n, median(value) AS median, sum(value) AS seconds FROM counted JOIN v_feature f USING (feature_id)
         WHERE f.is_current AND fact = 'build_time' AND basis = 'measured'`,
      );
      expect(row).toEqual({ n: 29, median: 129, seconds: 4275 });
      const [lines] = await ask(
        `SELECT sum(value) AS lines FROM counted JOIN v_feature f USING (feature_id) WHERE f.is_current AND fact = 'lines_added'`,
      );
      expect(lines).toEqual({ lines: 4011 });
      const [mean] = await ask(
        `SELECT round(avg(value), 2) AS mean FROM counted JOIN v_feature f USING (feature_id)
         WHERE f.is_current AND fact = 'score' AND basis = 'measured'`,
      );
      expect(mean).toEqual({ mean: 9.69 });
      const claimed = await ask(
        "SELECT sum(value) AS n FROM observations WHERE run_id = 'r3' AND fact = 'attempts' AND source_kind = 'metrics'",
      );
      expect(claimed).toEqual([{ n: 41 }]);
    });

    it('has the story of feature 28 from every source', async () => {
      const told = await ask(
        `SELECT fact, source_kind, value, basis, how FROM v_observation
         WHERE feature_id = 'r3.f28' AND fact IN ('attempts', 'score', 'build_time', 'lines_added') ORDER BY fact, source_kind`,
      );
      expect(told.map((row) => [row.fact, row.source_kind, row.value, row.basis, row.how])).toEqual([
        ['attempts', 'git', 1, 'measured', 'as written'],
        ['attempts', 'metrics', 3, 'claimed', 'as listed'],
        ['attempts', 'progress_log', 1, 'measured', 'as written'],
        ['build_time', 'git', 419, 'derived', '7884044 to 6016520'],
        ['build_time', 'metrics', 419, 'claimed', '120 + 140 + 159'],
        ['build_time', 'progress_log', 415, 'measured', 'as written'],
        ['lines_added', 'git', 226, 'measured', 'as written'],
        ['lines_added', 'metrics', 226, 'claimed', 'as written'],
        ['score', 'git', 9, 'measured', 'as written'],
        ['score', 'metrics', 9, 'claimed', 'as written'],
        ['score', 'progress_log', 9, 'measured', 'as written'],
      ]);
      const attempts = await ask(
        "SELECT n, score, duration_s, passed FROM attempts WHERE feature_id = 'r3.f28' AND source_kind = 'metrics' ORDER BY n",
      );
      expect(attempts).toEqual([
        { n: 1, score: 4, duration_s: 120, passed: false },
        { n: 2, score: 6, duration_s: 140, passed: true },
        { n: 3, score: 9, duration_s: 159, passed: true },
      ]);
    });

    it('disputes exactly eleven features', async () => {
      const rows = await ask('SELECT ext_id FROM v_feature WHERE is_current AND disputed ORDER BY ord');
      expect(rows.map((row) => row.ext_id)).toEqual(DISPUTED);
      const about = await ask(
        `SELECT d.fact, f.ext_id FROM findings d JOIN features f USING (feature_id) WHERE d.rule = 'sources_disagree' ORDER BY d.fact, f.ord`,
      );
      const of = (fact: string): unknown[] =>
        about.filter((row) => row.fact === fact).map((row) => row.ext_id);
      expect(of('attempts')).toEqual(['1', '2', '3', '5', '6', '13', '19', '28', '30']);
      expect(of('build_time')).toEqual(['1', '12', '21', '30']);
      expect(about).toHaveLength(13);
    });

    it('finds the scores that had already passed', async () => {
      const rows = await ask(
        "SELECT f.ext_id, d.says FROM findings d JOIN features f USING (feature_id) WHERE d.rule = 'passed_then_retried' ORDER BY f.ord",
      );
      expect(rows.map((row) => row.ext_id)).toEqual(['1', '2', '5', '6', '13', '19', '28', '30']);
      expect(rows.find((row) => row.ext_id === '28')?.says).toBe(
        'A 6 already passes at 5, yet attempt 3 follows',
      );
    });

    it('knows where the run begins and ends, and the two runs before it', async () => {
      const runs = await ask(
        'SELECT run_id, name, started_at_ms, ended_at_ms, zone, is_current FROM runs ORDER BY seq',
      );
      const at = (time: string): number => Date.parse(`2026-03-28T${time}-07:00`);
      expect(runs.map((row) => [row.started_at_ms, row.ended_at_ms, row.is_current])).toEqual([
        [at('11:00:53'), at('11:29:48'), false],
        [at('11:57:18'), at('12:15:48'), false],
        [at('12:48:30'), at('14:10:35'), true],
      ]);
      expect(runs[2]).toMatchObject({ name: 'Demo Run 2026-03-28 12:48', zone: '-07:00' });
      const earlier = await ask(
        'SELECT run_seq, ext_id, status, attempts FROM v_feature WHERE NOT is_current ORDER BY run_seq, ord',
      );
      expect(earlier.map((row) => [row.run_seq, row.ext_id, row.status, row.attempts])).toEqual([
        [1, '1', 'accepted', 1],
        [2, '1', 'accepted', 1],
        [2, '2', 'accepted', 1],
        [2, '3', 'skipped', 3],
      ]);
      const phases = await ask('SELECT phase, count(*) AS n FROM commits GROUP BY phase ORDER BY phase');
      expect(phases).toEqual([
        { phase: 'after', n: 15 },
        { phase: 'before', n: 16 },
        { phase: 'during', n: 30 },
      ]);
    });

    it('cites lines that say what is cited', async () => {
      const files = new Map(
        [
          ['metrics', 'metrics.json'],
          ['progress_log', 'claude-progress.txt'],
          ['git', 'git-log.jsonl'],
          ['feature_list', 'feature_list.json'],
        ].map(([id, name]) => [id, readFileSync(join(root, name ?? ''), 'utf8').split('\n')]),
      );
      const line = (row: Row): string =>
        files.get(String(row.source_id))?.[Number(row.source_line) - 1] ?? '';
      for (const row of await ask(
        "SELECT o.*, f.ext_id FROM observations o JOIN features f USING (feature_id) WHERE o.source_id <> 'feature_list'",
      )) {
        // What was skipped no line of the log names: a planning pass counts it, and all others are named.
        if (row.source_id === 'progress_log' && row.basis === 'derived') {
          expect([row.ext_id, row.fact, row.text_value]).toEqual(['3', 'status', 'skipped']);
          expect(line(row)).toBe('Features skipped: 1/30');
        } else if (row.source_id !== 'metrics') expect(line(row)).toContain(`#${row.ext_id}`);
        else if (row.fact === 'score') expect(line(row)).toContain(`"final_score": ${row.value}`);
        else if (row.fact === 'attempts') expect(line(row)).toContain('"attempts"');
      }
      for (const row of await ask("SELECT * FROM attempts WHERE source_kind = 'metrics'")) {
        expect(line(row).trim()).toBe('{');
        expect(line({ ...row, source_line: Number(row.source_line) + 2 })).toContain(`"score": ${row.score}`);
      }
      for (const row of await ask('SELECT * FROM features WHERE run_id = $1', ['r3'])) {
        expect(line({ ...row, source_line: Number(row.source_line) + 1 })).toContain(`"id": ${row.ext_id}`);
      }
    });

    it('has the word of the planning pass on feature 28', async () => {
      const [row] = await ask(
        "SELECT message FROM log_events WHERE feature_id = 'r3.f28' AND kind = 'planning_note'",
      );
      expect(row?.message).toMatch(/^partial \(/);
      expect(await ask("SELECT count(*) AS n FROM log_events WHERE kind = 'planning_pass'")).toEqual([
        { n: 3 },
      ]);
    });

    it('reads a score that is changed in the file', async () => {
      const copy = await mkdtemp(join(tmpdir(), 'looplight-'));
      try {
        await cp(root, copy, { recursive: true });
        const changed = await openRecord({ root: copy, database: ':memory:' });
        const score = async (): Promise<unknown> =>
          (
            await changed.store.query(
              "SELECT value, disputed FROM counted WHERE feature_id = 'r3.f28' AND fact = 'score'",
            )
          ).rows;
        expect(await score()).toEqual([{ value: 9, disputed: false }]);
        const log = join(copy, 'claude-progress.txt');
        await writeFile(
          log,
          readFileSync(log, 'utf8').replace('#28 PASSED (score: 9/10', '#28 PASSED (score: 7/10'),
        );
        expect(await changed.reload()).toBe(true);
        expect(await score()).toMatchObject([{ disputed: true }]);
        const git = join(copy, 'git-log.jsonl');
        await writeFile(git, readFileSync(git, 'utf8').replace(/(feat\(#28\).*score: )9/, '$17'));
        expect(await changed.reload()).toBe(true);
        expect(await score()).toEqual([{ value: 7, disputed: true }]);
        await changed.close();
      } finally {
        await rm(copy, { recursive: true, force: true });
      }
    });
  });
});

describe.runIf(there)('earlier states of the real files', () => {
  const history = there ? readdirSync(join(FIXTURES, 'history')) : [];

  it.each(history)('%s is read', async (name) => {
    const text = readFileSync(join(FIXTURES, 'history', name), 'utf8');
    const plan = name.startsWith('feature_list');
    const root = await testFolder({ [plan ? 'feature_list.json' : 'metrics.json']: text });
    const record = await openRecord({ root, database: ':memory:' });
    const profile = await record.profile();
    const { rows } = await record.store.query('SELECT code FROM ingest_issues ORDER BY code');
    const { rows: bases } = await record.store.query(
      'SELECT DISTINCT basis FROM observations WHERE feature_id IS NOT NULL ORDER BY basis',
    );
    await record.close();
    if (name.includes('clobbered')) {
      expect(rows).toEqual([{ code: 'builder_shape' }, { code: 'no_features' }]);
      expect(profile).toMatchObject({ project: 'AgentForge', features: [] });
    } else if (name.includes('genuine')) {
      expect(rows).toEqual([]);
      expect(profile.features.map((feature) => feature.id)).toEqual(['2']);
      expect(bases).toEqual([{ basis: 'measured' }]);
    } else {
      expect(rows).toEqual([]);
      expect(profile.features).toHaveLength(30);
      expect(bases).toEqual([{ basis: 'claimed' }]);
    }
  });

  it('a genuine entry beside the whole git log belongs to the run it was written in', async () => {
    const root = await testFolder({
      'metrics.json': readFileSync(join(FIXTURES, 'history/metrics-1-harness-genuine-87bb37f.json')),
      'git-log.jsonl': readFileSync(join(FIXTURES, 'git-log.jsonl')),
    });
    const record = await openRecord({ root, database: ':memory:' });
    const { rows } = await record.store.query(
      "SELECT run_id, value, basis FROM observations WHERE source_kind = 'metrics' AND fact = 'tokens' AND feature_id IS NOT NULL",
    );
    await record.close();
    expect(rows).toEqual([{ run_id: 'r2', value: 32_548, basis: 'measured' }]);
  });
});
