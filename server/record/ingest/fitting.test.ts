import { describe, expect, it } from 'vitest';
import { openRecord } from '../index.ts';
import { testFolder } from '../test-folder.ts';
import type { Adapter } from './adapter.ts';
import { fitted } from './fitting.ts';

const attempt = {
  attempt_id: 'a',
  run_id: 'r',
  n: 1,
  attribution: 'unknown',
  basis: 'measured',
  source_id: 's',
  source_kind: 'git',
};

describe('a row and its table', () => {
  it('keeps what fits, the largest whole number included', () => {
    const { cells, unfit } = fitted('attempts', {
      ...attempt,
      score: 9_007_199_254_740_991,
      started_at_ms: -1,
    });
    expect(unfit).toEqual([]);
    expect(cells).toContain(9_007_199_254_740_991);
  });

  it('leaves out a number that is none or too large', () => {
    for (const score of [Number.NaN, Number.POSITIVE_INFINITY, -1e308, 2 ** 53]) {
      const { cells, unfit } = fitted('attempts', { ...attempt, score });
      expect(unfit).toEqual(['score']);
      expect(cells).not.toBeNull();
      expect(cells).not.toContain(score);
    }
  });

  it('leaves out a row that would say nothing without it', () => {
    expect(fitted('attempts', { ...attempt, n: Number.NaN })).toEqual({ cells: null, unfit: ['n'] });
    expect(fitted('attempts', { ...attempt, run_id: undefined })).toEqual({ cells: null, unfit: ['run_id'] });
  });
});

it('a figure that cannot be kept costs itself, and is a finding with its line', async () => {
  const adapter: Adapter = {
    id: 'big',
    version: 1,
    label: 'Big figures',
    sources: [{ kind: 'metrics', paths: ['big.txt'], single: true }],
    unit: 'together',
    async read({ sources: [source] }, out) {
      if (!source) return;
      await source.text();
      const row = (n: number, ended: number) => ({
        attempt_id: `a${n}`,
        run_id: 'r',
        n,
        ended_at_ms: ended,
        basis: 'measured',
        attribution: 'unknown',
        source_id: source.id,
        source_kind: source.kind,
        source_line: n,
      });
      out.add('attempts', row(1, 5));
      out.add('attempts', row(2, 1e300));
      out.add('attempts', row(3, 7));
      source.count(3, 0);
    },
  };
  const record = await openRecord({
    root: await testFolder({ 'big.txt': 'x' }),
    database: ':memory:',
    adapters: [adapter],
  });
  try {
    const { rows } = await record.store.query('SELECT n, ended_at_ms FROM attempts ORDER BY n');
    expect(rows).toEqual([
      { n: 1, ended_at_ms: 5 },
      { n: 2, ended_at_ms: null },
      { n: 3, ended_at_ms: 7 },
    ]);
    const issues = await record.store.query('SELECT code, severity, line_no, detail FROM ingest_issues');
    expect(issues.rows).toEqual([
      {
        code: 'out_of_range',
        severity: 'warning',
        line_no: 2,
        detail: 'A figure here (ended at ms) is no number, or larger than any real one, so it was not kept.',
      },
    ]);
  } finally {
    await record.close();
  }
});
