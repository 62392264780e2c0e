import { describe, expect, it } from 'vitest';
import { testRepository } from '../ingest/git/test-repository.ts';
import { findingsIn, findingsOf, rowsAdapter } from './test-findings.ts';

const over = (flips: readonly (readonly [ref: string, field: string, from: string, to: string])[]) =>
  findingsOf(
    'passes_revoked',
    { 'rows.txt': 'x\n' },
    rowsAdapter((out, source) => {
      out.add('features_told', {
        feature_id: 'r.fUS-1',
        run_id: 'r',
        ext_id: 'US-1',
        rank: 0,
        source_id: source,
      });
      for (const [i, [feature_ref, field, from_value, to_value]] of flips.entries()) {
        out.add('ledger_flips', {
          flip_id: `flip${i}`,
          feature_ref,
          field,
          from_value,
          to_value,
          commit_sha: 'abcdef1234567890',
          at_ms: i,
          ledger_path: 'prd.json',
          source_id: source,
          source_line: i + 1,
        });
      }
    }),
  );

describe('passes_revoked', () => {
  it('finds claims that were taken back, also of an entry the ledger no longer has', async () => {
    expect(
      await over([
        ['us-1', 'passes', 'true', 'false'],
        ['US-9', 'passes', 'true', 'false'],
      ]),
    ).toEqual([
      {
        feature: 'US-1',
        severity: 'warning',
        says: 'prd.json said that us-1 passes and took it back in abcdef1',
        lines: '1',
      },
      {
        feature: null,
        severity: 'warning',
        says: 'prd.json said that US-9 passes and took it back in abcdef1',
        lines: '2',
      },
    ]);
  });

  it('finds nothing in claims that were made, or in other fields', async () => {
    expect(
      await over([
        ['US-1', 'passes', 'false', 'true'],
        ['US-1', 'skipped', 'true', 'false'],
      ]),
    ).toEqual([]);
  });

  it('finds it in the history of a repository', async () => {
    const prd = (passes: boolean): string =>
      JSON.stringify(
        { branchName: 'ralph/lamps', userStories: [{ id: 'US-001', title: 'Lamp', passes }] },
        null,
        1,
      );
    const repository = await testRepository();
    await repository.commit({ 'prd.json': prd(false) }, 'begin');
    await repository.commit({ 'prd.json': prd(true) }, 'feat: US-001');
    const last = await repository.commit({ 'prd.json': prd(false) }, 'fix: it was dark');
    const found = await findingsIn('passes_revoked', repository.root);
    expect(found.map((row) => [row.feature, row.says])).toEqual([
      ['US-001', `prd.json said that US-001 passes and took it back in ${last.slice(0, 7)}`],
    ]);
  });
});
