import { describe, expect, it, onTestFinished } from 'vitest';
import { openRecord } from '../index.ts';
import { testRepository } from '../ingest/git/test-repository.ts';
import { standingReverts } from './accepted-then-reverted.ts';
import { findingsOf } from './test-findings.ts';

const sha = (n: number): string => n.toString(16).repeat(40).slice(0, 40);
const commit = (n: number, subject: string, over: Record<string, unknown> = {}): string =>
  JSON.stringify({
    sha: sha(n),
    committed_at: `2026-01-02T10:${String(n).padStart(2, '0')}:00-07:00`,
    subject,
    ...over,
  });
const feat = (n: number, id: number): string =>
  commit(n, `feat(#${id}): Thing ${id} (score: 9/10, 1 attempts)`);
const plan = (...ids: number[]): string =>
  JSON.stringify(
    ids.map((id) => ({ id, description: `Thing ${id}`, passes: true })),
    null,
    1,
  );

describe('accepted_then_reverted', { timeout: 60_000 }, () => {
  const of = (...lines: string[]) =>
    findingsOf('accepted_then_reverted', {
      'feature_list.json': plan(1, 2),
      'git-log.jsonl': lines.join('\n'),
    });

  it('finds an accepted feature whose commit was taken back', async () => {
    const subject = 'feat(#1): Thing 1 (score: 9/10, 1 attempts)';
    expect(await of(feat(1, 1), feat(2, 2), commit(3, `Revert "${subject}"`))).toEqual([
      {
        feature: '1',
        severity: 'error',
        says: 'Feature 1 counts as accepted, but its commit 1111111 was reverted by 3333333',
        lines: '1 1 3',
      },
    ]);
    const named = await of(feat(1, 1), feat(2, 2), commit(3, 'take it out', { reverts: sha(2).slice(0, 8) }));
    expect(named.map((row) => row.feature)).toEqual(['2']);
  });

  it('finds nothing where the revert was reverted, or the feature was handed in again', async () => {
    expect(
      await of(feat(1, 1), commit(2, 'out', { reverts: sha(1) }), commit(3, 'in again', { reverts: sha(2) })),
    ).toEqual([]);
    expect(await of(feat(1, 1), commit(2, 'out', { reverts: sha(1) }), feat(3, 1))).toEqual([]);
    expect(await of(feat(1, 1), commit(2, 'docs'), commit(3, 'out', { reverts: sha(2) }))).toEqual([]);
  });

  it('knows which reverts hold', () => {
    const row = (n: number, reverts: number) => ({ sha: sha(n), reverts_sha: sha(reverts).slice(0, 7) });
    const targets = (...rows: ReturnType<typeof row>[]) =>
      standingReverts(rows).map(({ target }) => target[0]);
    expect(targets(row(4, 3), row(3, 2), row(2, 1))).toEqual(['3', '1']);
    expect(targets(row(3, 2), row(2, 1))).toEqual(['2']);
    expect(standingReverts([{ sha: sha(2), reverts_sha: 'abc' }])).toHaveLength(1);
  });
});

describe('accepted_without_commit', { timeout: 60_000 }, () => {
  const of = (files: Record<string, string>) => findingsOf('accepted_without_commit', files);

  it('finds the accepted feature that no commit names', async () => {
    const files = {
      'feature_list.json': plan(1, 2, 3),
      'git-log.jsonl': [feat(1, 1), feat(2, 3)].join('\n'),
    };
    expect(await of(files)).toEqual([
      {
        feature: '2',
        severity: 'warning',
        says: 'Feature 2 counts as accepted, but no commit names it; commits name 2 of the 3 accepted features',
        lines: '10',
      },
    ]);
  });

  it('finds nothing where every feature has a commit, most have none, or one is not accepted', async () => {
    const log = [feat(1, 1), feat(2, 2)].join('\n');
    expect(await of({ 'feature_list.json': plan(1, 2), 'git-log.jsonl': log })).toEqual([]);
    expect(await of({ 'feature_list.json': plan(1, 2, 3, 4), 'git-log.jsonl': log })).toEqual([]);
    expect(await of({ 'feature_list.json': plan(1, 2) })).toEqual([]);
    const skipped = plan(1, 2, 3).replace(/"passes": true\n \}\n\]/, '"passes": false\n }\n]');
    expect(await of({ 'feature_list.json': skipped, 'git-log.jsonl': log })).toEqual([]);
  });
});

describe('evaluation_does_not_add_up', { timeout: 60_000 }, () => {
  const report = (overall: unknown, scores: readonly number[]): string => {
    const [completeness, visual_quality, no_placeholders] = scores;
    return JSON.stringify(
      { feature_id: 7, scores: { completeness, visual_quality, no_placeholders }, overall, pass: true },
      null,
      1,
    );
  };
  /** One report an attempt. */
  const of = (...reports: string[]) =>
    findingsOf(
      'evaluation_does_not_add_up',
      Object.fromEntries(reports.map((text, i) => [`.ralph-logs/attempt-${i + 1}-eval.json`, text])),
    );

  it('finds an overall score that is not the sum of its parts', async () => {
    // 0.4 * 5 + 0.3 * 6 + 0.3 * 4 = 5
    expect(await of(report(9, [5, 6, 4]), report(5, [5, 6, 4]))).toEqual([
      {
        feature: '7',
        severity: 'warning',
        says: '.ralph-logs/attempt-1-eval.json scores feature 7, attempt 1 9/10 overall, its own scores make 5 (5 × 40 % + 6 × 30 % + 4 × 30 %)',
        lines: '4 5 6 8',
      },
    ]);
  });

  it('finds nothing where it is, however it was rounded, or where a part is missing', async () => {
    // 0.4 * 8 + 0.3 * 9 + 0.3 * 9 = 8.6; 0.4 * 5 + 0.3 * 10 + 0.3 * 5 = 6.5
    const sound = [
      report(9, [8, 9, 9]),
      report(8.6, [8, 9, 9]),
      report(6, [5, 10, 5]),
      report(7, [5, 10, 5]),
    ];
    expect(await of(...sound, report(9, [5, 6]), report(null, [5, 6, 4]))).toEqual([]);
  });
});

describe('rewritten_after_run', { timeout: 60_000 }, () => {
  const metrics = (attempts: Record<number, number>): string =>
    JSON.stringify({
      features: Object.entries(attempts).map(([id, n]) => ({
        id: Number(id),
        description: `Thing ${id}`,
        status: 'passed',
        attempts: Array.from({ length: n }, () => ({ score: 9 })),
        final_score: 9,
      })),
    });
  async function findings(states: readonly (readonly [subject: string, files: Record<string, string>])[]) {
    const repo = await testRepository();
    for (const [subject, files] of states) await repo.commit(files, subject);
    const record = await openRecord({ root: repo.root, database: ':memory:' });
    onTestFinished(() => record.close());
    const { rows } = await record.store.query(
      `SELECT f.ext_id AS feature, regexp_replace(d.says, 'Commit [0-9a-f]{7}', 'Commit x') AS says FROM findings d LEFT JOIN features f USING (feature_id)
       WHERE d.rule = 'rewritten_after_run' ORDER BY d.finding_id`,
    );
    return rows;
  }
  const accept = (id: number): string => `feat(#${id}): Thing ${id} (score: 9/10, 1 attempts)`;

  it('finds attempts that a later commit typed in', async () => {
    expect(
      await findings([
        ['clean slate: night', { 'a.txt': '1' }],
        [accept(1), { 'a.txt': '2', 'metrics.json': metrics({ 1: 1 }) }],
        [accept(2), { 'a.txt': '3', 'metrics.json': metrics({ 1: 1, 2: 1 }) }],
        ['docs', { 'b.txt': '1' }],
        ['docs', { 'b.txt': '2' }],
        [
          'data: more attempts',
          { 'metrics.json': metrics({ 1: 2, 2: 3 }).replace('"final_score":9', '"final_score":8') },
        ],
      ]),
    ).toEqual([
      {
        feature: '1',
        says: 'Commit x, 3 min after the run had ended, changed for feature 1 in metrics.json the attempts from 1 to 2 and score from 9 to 8',
      },
      {
        feature: '2',
        says: 'Commit x, 3 min after the run had ended, changed for feature 2 in metrics.json the attempts from 1 to 3',
      },
    ]);
  });

  it('finds nothing in what is written during a run, first written after it, or written by the next one', async () => {
    expect(
      await findings([
        ['clean slate: night', { 'a.txt': '1' }],
        [accept(1), { 'a.txt': '2', 'metrics.json': metrics({ 1: 1 }) }],
        ['data', { 'metrics.json': metrics({ 1: 2 }) }],
        [accept(2), { 'a.txt': '3' }],
        ['docs', { 'b.txt': '1' }],
        ['data', { 'metrics.json': metrics({ 1: 2, 2: 1 }) }],
        ['clean slate: again', { 'a.txt': '4' }],
        ['data', { 'metrics.json': metrics({ 1: 1, 2: 1 }) }],
        [accept(1), { 'a.txt': '5' }],
      ]),
    ).toEqual([]);
  });
});
