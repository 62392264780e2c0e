import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRecord } from '../../index.ts';
import type { RecordHandle, Row } from '../../store.ts';
import { type Read, readWith } from '../test-adapter.ts';
import { activityLog } from './activity-log.ts';

/** A record of a real run, kept beside the project and not in it. */
const FIXTURES = join(import.meta.dirname, '../../../../../shared/fixtures/guardiankane');
const there = existsSync(join(FIXTURES, 'kane-activity.log'));
if (!there)
  console.info(
    'The real GuardianKane record is not beside this project, so its acceptance tests do not run.',
  );

/** All files of the folder, by path inside it. */
function filesOf(folder: string, root = folder): Record<string, Uint8Array> {
  const files: Record<string, Uint8Array> = {};
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) Object.assign(files, filesOf(path, root));
    else files[relative(root, path)] = new Uint8Array(readFileSync(path));
  }
  return files;
}

const counts = <K extends string>(
  rows: readonly Readonly<Record<K, unknown>>[],
  key: K,
): Record<string, number> => {
  const found: Record<string, number> = {};
  for (const row of rows) found[String(row[key])] = (found[String(row[key])] ?? 0) + 1;
  return found;
};

describe.runIf(there)('the real record', () => {
  describe('its activity log', () => {
    let read: Read;
    beforeAll(async () => {
      read = await readWith(activityLog, filesOf(FIXTURES));
    });

    it('is 98 entries in 103 lines, all of a known shape', () => {
      expect(read.rows('log_events').length).toBe(98);
      expect(read.counts['kane-activity.log']).toEqual({ ok: 103, bad: 0 });
      expect(read.issues['kane-activity.log']).toEqual([]);
      expect(counts(read.rows('log_events'), 'kind')).toEqual({
        test_start: 35,
        test_fail: 15,
        test_pass: 8,
        infra: 3,
        sweep_start: 10,
        sweep_pass: 5,
        sweep_fail: 3,
        blocked: 5,
        no_test: 5,
        next: 4,
        evidence_fail: 3,
        secret_fail: 1,
        all_done: 1,
      });
    });

    it('has 45 starts, 11 of which came to no outcome', () => {
      const gates = read.rows('gate_events');
      expect(gates.filter((row) => row.verdict === 'no_verdict').length).toBe(11);
      expect(
        gates.filter((row) => row.started_at_ms !== null && row.started_at_ms !== undefined).length,
      ).toBe(45);
    });

    it('blames the verifier and the infrastructure where their own words do', () => {
      const failed = read
        .rows('gate_events')
        .filter((row) => !['pass', 'no_verdict'].includes(String(row.verdict)));
      expect(failed.length).toBe(25);
      // Three "all members passed", one "Objective completed", three sweeps without a summary, three missing packs; three timeouts.
      expect(counts(failed, 'attribution')).toEqual({ verifier: 10, infra: 3, unknown: 12 });
    });

    it('has as many rounds with a verdict as the harness remembers', () => {
      const decided = read
        .rows('attempts')
        .filter((row) => !['no_verdict', 'timeout'].includes(String(row.verdict)));
      expect(counts(decided, 'feature_id')).toEqual({
        'guardiankane.fT0': 4,
        'guardiankane.fT1': 8,
        'guardiankane.fT2': 2,
        'guardiankane.fT3': 6,
        'guardiankane.fT4': 3,
        'guardiankane.fT5': 3,
      });
    });
  });

  describe('as a whole', () => {
    let record: RecordHandle;
    const ask = async (sql: string): Promise<Row[]> => (await record.store.query(sql)).rows;
    const says = async (rule: string): Promise<unknown[]> =>
      (await ask(`SELECT says FROM findings WHERE rule = '${rule}' ORDER BY finding_id`)).map(
        (row) => row.says,
      );
    beforeAll(async () => {
      record = await openRecord({ root: FIXTURES, database: ':memory:' });
    });
    afterAll(() => record.close());

    it('is read without a problem, every file by this format', async () => {
      const { sources } = await record.summary();
      expect(sources.filter(({ bad, problemCount }) => bad !== 0 || problemCount > 0)).toEqual([]);
      expect(counts(sources, 'format')).toEqual({
        'GuardianKane activity log': 1,
        'GuardianKane documents': 20,
      });
    });

    it('has six tasks, five accepted and one that waits for a human', async () => {
      expect(
        await ask('SELECT ext_id, title, category, status, attempts FROM v_feature ORDER BY ord'),
      ).toEqual([
        {
          ext_id: 'T0',
          title: 'Scaffold — clone + boot',
          category: 'Scaffold',
          status: 'accepted',
          attempts: 4,
        },
        {
          ext_id: 'T1',
          title: 'Add a product to the cart',
          category: 'Cart',
          status: 'accepted',
          attempts: 8,
        },
        { ext_id: 'T2', title: 'View & edit cart', category: 'Cart', status: 'accepted', attempts: 2 },
        { ext_id: 'T3', title: 'Sign up / sign in', category: 'Accounts', status: 'accepted', attempts: 6 },
        {
          ext_id: 'T4',
          title: 'Checkout (auth-gated, cart-gated)',
          category: 'Checkout',
          status: 'accepted',
          attempts: 3,
        },
        {
          ext_id: 'T5',
          title: 'Payment & order confirmation',
          category: 'Payment',
          status: 'blocked',
          attempts: 3,
        },
      ]);
    });

    it('has two builds of the graph, and the figures of the later one', async () => {
      expect(await ask('SELECT count(*) AS n FROM graph_nodes GROUP BY graph_id ORDER BY n')).toEqual([
        { n: 49 },
        { n: 56 },
      ]);
      expect(await ask('SELECT count(*) AS n FROM graph_edges GROUP BY graph_id ORDER BY n')).toEqual([
        { n: 95 },
        { n: 134 },
      ]);
      expect(
        await ask(
          "SELECT fact, value FROM counted WHERE feature_id IS NULL AND fact LIKE '%_percent' ORDER BY fact",
        ),
      ).toEqual([
        { fact: 'designed_percent', value: 100 },
        { fact: 'proven_percent', value: 84 },
      ]);
    });

    it('refutes the criteria whose last test failed', async () => {
      const rows = await ask(
        "SELECT feature_ext_id AS task, ext_id FROM v_requirement WHERE state = 'refuted' ORDER BY task, ext_id",
      );
      expect(rows.map((row) => `${row.task} ${row.ext_id}`)).toEqual([
        'T4 ac-11',
        'T4 ac-12',
        'T4 ac-13',
        'T4 ac-14',
        'T4 ac-15',
        'T5 ac-33',
        'T5 ac-36',
        'T5 ac-37',
        'T5 ac-38',
      ]);
    });

    it('contradicts itself in all the known places', async () => {
      expect(
        (
          await ask(
            "SELECT count(*) AS n FROM findings WHERE rule = 'log_line_contradicts_itself' AND says LIKE '%all members passed%'",
          )
        )[0]?.n,
      ).toBe(3);
      expect(await says('complete_before_end')).toEqual([
        'The log says that all is done; 44 entries about 3 tasks follow, first about T3, and 12 are failures',
      ]);
      expect(
        (await says('counter_goes_back')).filter((text) => String(text).includes('who set the counter back'))
          .length,
      ).toBe(3);
      expect(await says('start_without_outcome')).toEqual([
        '11 of 45 starts of a check have no outcome (T3 7, T0 1, T1 1, T2 1 and T5 1)',
      ]);
      expect(await says('verdict_too_fast')).toEqual([
        'The defect sweep of T0 came to its verdict in 1.3 s and left no summary',
      ]);
      expect(await says('made_up_times')).toEqual(
        [3, 9].map(
          (n, i) =>
            `${n} files of T${i + 2} are said to have been touched exactly 10 s apart, on full seconds, and no tool call is recorded at that time`,
        ),
      );
      expect(await says('use_case_renumbered')).toEqual([
        '"Proceed to checkout" is uc-2 in the graph of 2026-08-29 14:59 and uc-3 in that of 2026-08-31 03:50; uc-2 now names "Sign up or sign in", uc-3 was "Create an account or sign in"',
      ]);
      expect((await says('path_spelled_twice')).length).toBe(4);
      expect(await says('path_spelled_twice')).toContain(
        'task-tracker.md spells 6 files in more than one way: server.js is listed 7 times, which a count by spelling splits into 3 and 4',
      );
      expect(await says('percentages_differ')).toEqual(['Designed 100 % stands beside proven 84 %']);
      expect(await says('percent_not_its_counts')).toEqual([
        '84 % proven stands beside 10 of 15, which is 66.7 %',
      ]);
      expect(await says('accepted_but_refuted')).toEqual([
        'T4 is accepted, yet the last proof speaks against 5 of its 7 requirements: ac-11, ac-12, ac-13, ac-14 and ac-15',
      ]);
      expect(await says('sources_disagree')).toEqual([
        'The knowledge memory says 5 attempts, the activity log says 6',
      ]);
    });

    it('is in agreement where it is', async () => {
      for (const rule of [
        'evidence_after_decision',
        'graph_counts_go_back',
        'graph_status_differs',
        'reading',
      ]) {
        expect(await says(rule), rule).toEqual([]);
      }
    });
  });
});
