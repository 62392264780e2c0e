import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRecord } from '../../index.ts';
import type { RecordHandle, Row } from '../../store.ts';

/** The demo record and what its README says is wrong in it. */
describe('the demo record', () => {
  let record: RecordHandle;
  const ask = async (sql: string): Promise<Row[]> => (await record.store.query(sql)).rows;
  const says = async (rule: string): Promise<string[]> =>
    (await ask(`SELECT says FROM findings WHERE rule = '${rule}' ORDER BY finding_id`)).map((row) =>
      String(row.says),
    );
  beforeAll(async () => {
    record = await openRecord({
      root: join(import.meta.dirname, '../../../../data/guardiankane'),
      database: ':memory:',
    });
  }, 60_000);
  afterAll(() => record.close());

  it('is read without a problem', async () => {
    const { sources } = await record.summary();
    // The README is no source.
    expect(
      sources.filter(
        ({ kind, bad, problemCount }) => kind !== 'unknown_file' && (bad !== 0 || problemCount > 0),
      ),
    ).toEqual([]);
    expect(sources.find(({ kind }) => kind === 'activity_log')).toMatchObject({ ok: 131 });
    expect(await says('reading')).toEqual([]);
  });

  it('has twelve tasks, eleven accepted', async () => {
    expect(await ask('SELECT status, count(*) AS n FROM v_feature GROUP BY status ORDER BY status')).toEqual([
      { status: 'accepted', n: 11 },
      { status: 'blocked', n: 1 },
    ]);
  });

  it('has criteria in every state', async () => {
    expect(
      await ask(
        "SELECT state, count(*) AS n FROM v_requirement WHERE kind = 'criterion' GROUP BY state ORDER BY state",
      ),
    ).toEqual([
      { state: 'claimed_only', n: 3 },
      { state: 'likely', n: 4 },
      { state: 'open', n: 2 },
      { state: 'proven', n: 23 },
      { state: 'refuted', n: 3 },
    ]);
  });

  it('is wrong where its README says so', async () => {
    expect(await says('log_line_contradicts_itself')).toHaveLength(3);
    expect(await says('complete_before_end')).toHaveLength(1);
    expect(await says('counter_goes_back')).toHaveLength(4);
    expect(await says('start_without_outcome')).toEqual([
      '5 of 52 starts of a check have no outcome (B4 3, B8 1 and B11 1)',
    ]);
    expect(await says('verdict_too_fast')).toHaveLength(1);
    expect(await says('evidence_after_decision')).toEqual([
      expect.stringMatching(/^B10 was decided at 06:16:50, the evidence it cites began at 06:47:56 /),
    ]);
    expect(await says('accepted_but_refuted')).toEqual([
      'B10 is accepted, yet the last proof speaks against 2 of its 3 requirements: ac-31 and ac-32',
    ]);
    expect(await says('percentages_differ')).toEqual(['Designed 100 % stands beside proven 91 %']);
    expect(await says('percent_not_its_counts')).toEqual([
      '91 % proven stands beside 29 of 35, which is 82.9 %',
    ]);
    expect(await says('use_case_renumbered')).toHaveLength(3);
    expect(await says('path_spelled_twice')).toHaveLength(4);
    expect(await says('made_up_times')).toHaveLength(2);
    expect(await says('graph_status_differs')).toEqual([
      'The status of the graph says 76 edges, the graph has 75',
    ]);
    expect(await says('sources_disagree')).toEqual([
      'The knowledge memory says 5 attempts, the activity log says 6',
    ]);
  });

  it('is wrong nowhere else', async () => {
    const [row] = await ask('SELECT count(*) AS n FROM findings');
    expect(row?.n).toBe(3 + 1 + 4 + 1 + 1 + 1 + 1 + 1 + 1 + 3 + 4 + 2 + 1 + 1);
  });
});
