import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRecord } from '../../index.ts';
import { readWith } from '../test-adapter.ts';
import { git } from './history.ts';
import { ledgerLines } from './ledger-lines.ts';
import { testRepository } from './test-repository.ts';

const FIXTURES = join(import.meta.dirname, '../../../../../shared/fixtures/agentforge');
const there = existsSync(join(FIXTURES, 'history'));
if (!there)
  console.info('The real AgentForge record is not beside this project, so its history in git is not tested.');
const fixture = (name: string): string => readFileSync(join(FIXTURES, name), 'utf8');

/** Earlier states of metrics.json, with the time of the commit that made each. */
const STATES = [
  ['2026-03-28T12:11:45-07:00', 'metrics-1-harness-genuine-87bb37f.json'],
  ['2026-03-28T12:54:40-07:00', 'metrics-2-builder-clobbered-b5460df.json'],
  ['2026-03-28T14:14:39-07:00', 'metrics-3-backfill-49e9926.json'],
  ['2026-03-28T14:25:56-07:00', 'metrics-4-git-durations-190ed4d.json'],
  ['2026-03-28T14:28:25-07:00', 'metrics-5-invented-attempts-83afb80.json'],
] as const;

async function repository() {
  const repo = await testRepository({
    'claude-progress.txt': fixture('claude-progress.txt'),
    'feature_list.json': fixture('feature_list.json'),
    'git-log.jsonl': fixture('git-log.jsonl'),
  });
  for (const [at, name] of STATES)
    await repo.commit({ 'public/metrics.json': fixture(`history/${name}`) }, name, at);
  return repo;
}

describe.runIf(there)('a real history', { timeout: 60_000 }, () => {
  it('of 61 commits hands in 32 times and gives up 3 times', async () => {
    const read = await readWith(git, { 'git-log.jsonl': fixture('git-log.jsonl') });
    const kinds = read.rows('commits_told').map((row) => row.kind);
    expect(kinds).toHaveLength(61);
    expect(kinds.filter((kind) => kind === 'accept')).toHaveLength(32);
    expect(kinds.filter((kind) => kind === 'skip')).toHaveLength(3);
    expect(read.counts['git-log.jsonl']).toEqual({ ok: 61, bad: 0 });
  });

  it('of metrics.json shows the commit that typed attempts in', async () => {
    const { dir } = await repository();
    const flips: string[] = [];
    for await (const line of ledgerLines(dir, 'public/metrics.json')) {
      const { at, feature, field, from, to } = JSON.parse(line);
      if (at === STATES[4][0]) flips.push(`${feature} ${field} ${from} ${to}`);
    }
    expect(flips).toEqual([
      '1 attempts 1 2',
      '2 attempts 1 2',
      '5 attempts 1 2',
      '6 attempts 1 2',
      '13 attempts 1 2',
      '19 attempts 1 2',
      '28 attempts 1 3',
      '30 attempts 1 2',
    ]);
  });

  it('lets the audit say so', async () => {
    const { root } = await repository();
    const record = await openRecord({ root, database: ':memory:' });
    onTestFinished(() => record.close());
    const { rows } = await record.store.query(
      `SELECT f.ext_id, d.says FROM findings d JOIN features f USING (feature_id)
       WHERE d.rule = 'rewritten_after_run' ORDER BY f.ord`,
    );
    expect(rows.map((row) => row.ext_id)).toEqual(['1', '2', '3', '5', '6', '13', '19', '28', '30']);
    const of = (id: string) =>
      String(rows.find((row) => row.ext_id === id)?.says).replace(/[0-9a-f]{7}/, 'x');
    expect(of('3')).toBe(
      'Commit x, 15 min after the run had ended, changed for feature 3 in public/metrics.json the attempts from 1 to 3',
    );
    expect(of('28')).toBe(
      'Commit x, 18 min after the run had ended, changed for feature 28 in public/metrics.json the attempts from 1 to 3',
    );
  });
});
