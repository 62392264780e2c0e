import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Where } from '../../shared/plan.ts';
import { checkQuery } from './fit.ts';
import { onlyFeature, type Query, single } from './query.ts';
import { compileOver, compileRows } from './rows.ts';
import { runQuery } from './run.ts';
import { GATE_CONTEXT, gateRecord } from './test-gates.ts';
import type { TestStore } from './test-record.ts';

let store: TestStore;
beforeEach(async () => {
  store = await gateRecord();
});
afterEach(() => store.close());

const ask = (query: Partial<Query> & Pick<Query, 'measures'>) =>
  runQuery(
    store,
    { by: null, split: null, where: [], order: 'natural', limit: null, ...query },
    GATE_CONTEXT,
  );
const one = async (measure: string, where: Where[] = []) =>
  (await ask({ measures: [{ measure, source: 'counted' }], where })).groups[0]?.values[0]?.value;
const by = async (measure: string, dim: string, where: Where[] = []) =>
  (await ask({ measures: [{ measure, source: 'counted' }], by: dim, where })).groups.map((group) => [
    group.label,
    group.values[0]?.value,
  ]);

describe('gate runs', () => {
  it('are counted by verdict and by whose doing a failure was', async () => {
    expect(await one('gate_runs')).toBe(6);
    expect(await one('gate_failures')).toBe(3);
    expect(await one('verifier_failures')).toBe(1);
    expect(await one('agent_failures')).toBe(0);
    expect(await one('unexplained_failures')).toBe(1);
    expect(await by('gate_runs', 'verdict')).toEqual([
      ['passed', 2],
      ['blocked', 2],
      ['timed out', 1],
      ['no verdict', 1],
    ]);
    expect(await by('gate_failures', 'attribution')).toEqual([
      ['the verifier', 1],
      ['the infrastructure', 1],
      ['not known', 1],
    ]);
    expect(await by('gate_runs', 'gate')).toEqual([
      ['defect sweep', 1],
      ['scripted test', 5],
    ]);
  });
  it('pass at a rate with its interval, over those with an outcome', async () => {
    const answer = await ask({ measures: [{ measure: 'gate_pass_rate', source: 'counted' }] });
    expect(answer.groups[0]?.values[0]).toMatchObject({ value: 0.4, n: 5 });
    expect(answer.groups[0]?.values[0]?.interval).not.toBeNull();
  });
  it('take time where their start is known, and no 0 where it is not', async () => {
    // 60 s + 120 s + 120 s + 30 s + 3 ms; the start that was given up has no end.
    expect(await one('gate_time')).toBeCloseTo(330.003, 6);
    expect(await one('median_gate_time')).toBe(60);
    expect(
      await one('gate_time', [{ type: 'in', dim: 'verdict', not: false, any_of: ['no_verdict'] }]),
    ).toBeNull();
  });
  it('are filtered by feature, whatever form its id has', async () => {
    expect(await one('gate_runs', [onlyFeature('t1')])).toBe(5);
    expect(await one('gate_runs', [onlyFeature('Feature T2')])).toBe(1);
    expect(await by('gate_runs', 'feature')).toEqual([
      ['Cart lines', 5],
      ['Sign in', 1],
    ]);
  });
  it('are filtered by clock time and by a span of features', async () => {
    const at = (from: string | null, to: string | null): Where => ({
      type: 'range',
      dim: 'happened_at',
      from,
      to,
    });
    expect(await one('gate_runs', [at('14:05', null)])).toBe(3);
    expect(await one('gate_runs', [at(null, '14:04')])).toBe(3);
    expect(await one('gate_runs', [{ type: 'range', dim: 'feature', from: '2', to: '9' }])).toBe(1);
  });
});

describe('requirements', () => {
  it('are counted by state, each by its latest evidence', async () => {
    expect(await one('requirements')).toBe(6);
    expect(await by('requirements', 'requirement_state')).toEqual([
      ['proven', 1],
      ['likely', 1],
      ['stale', 1],
      ['claimed only', 1],
      ['refuted', 1],
      ['open', 1],
    ]);
  });
  it('are proven at a share of all of them', async () => {
    const answer = await ask({ measures: [{ measure: 'proven_share', source: 'counted' }] });
    expect(answer.groups[0]?.values[0]).toMatchObject({ n: 6, basis: 'derived' });
    expect(answer.groups[0]?.values[0]?.value).toBeCloseTo(1 / 6, 9);
    expect(await one('designed_share')).toBeCloseTo(4 / 6, 9);
  });
});

describe('log entries', () => {
  it('take in outcomes that stand in the log and nowhere else, once', async () => {
    // Six entries of the log; of six gate runs two are entries as well, one stands in a report.
    expect(await one('log_entries')).toBe(9);
    expect(await one('log_errors')).toBe(3);
    expect(await by('log_entries', 'level')).toEqual([
      ['info', 6],
      ['error', 3],
    ]);
  });
  it('that start a check are open when no outcome follows before the next start', async () => {
    expect(await one('open_starts')).toBe(1);
    expect(await by('log_entries', 'start_outcome')).toEqual([
      ['with outcome', 4],
      ['without outcome', 1],
      ['not recorded', 4],
    ]);
    const query = checkQuery(single('open_starts', 'counted'));
    const { sql, params } = compileRows(query, 0, {}, 10, GATE_CONTEXT);
    const { rows } = await store.query(sql, params);
    expect(rows.map(({ label, line, ref }) => [label, line, ref])).toEqual([
      ['running scripted test: cart', 1, 'T1'],
    ]);
  });
});

describe('listed attempts and test results', () => {
  it('are taken from the strongest source that lists them', async () => {
    expect(await one('listed_attempts')).toBe(2);
    expect(await one('failed_attempts')).toBe(1);
  });
  it('leave skipped tests out of a pass rate', async () => {
    expect(await one('test_results')).toBe(5);
    expect(await one('failed_tests')).toBe(2);
    expect(await one('flaky_tests')).toBe(1);
    expect(await one('test_pass_rate')).toBe(0.5);
    expect(
      await by('failed_tests', 'test_status', [
        { type: 'in', dim: 'test_status', not: false, any_of: ['failed', 'load_error'] },
      ]),
    ).toEqual([
      ['failed', 1],
      ['load error', 1],
    ]);
  });
});

describe('rows of one scope', () => {
  it('are read by a statement of one own, inside the same filters', async () => {
    const { sql, params } = compileOver(
      checkQuery(single('gate_runs', 'counted', [onlyFeature('T2')])),
      GATE_CONTEXT,
      (scope, bind) =>
        `SELECT g.gate, ${bind('x')} AS tag FROM ${scope} u JOIN gate_events g ON g.gate_event_id = u.row_id`,
    );
    expect((await store.query(sql, params)).rows).toEqual([{ gate: 'defect_sweep', tag: 'x' }]);
  });
});
