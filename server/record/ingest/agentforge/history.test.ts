import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Read, readWith } from '../test-adapter.ts';
import { AGENTFORGE } from './index.ts';

const FIXTURES = join(import.meta.dirname, '../../../../../shared/fixtures/agentforge');
const there = existsSync(join(FIXTURES, 'history'));
if (!there)
  console.info('The real AgentForge record is not beside this project, so its earlier states are not read.');

async function state(name: string): Promise<Read> {
  const [adapter] = AGENTFORGE;
  if (!adapter) throw new Error('there is an adapter');
  return readWith(adapter, { 'metrics.json': readFileSync(join(FIXTURES, name)) });
}

describe.runIf(there)('earlier states of a real metrics.json', () => {
  it.each([
    ['history/metrics-1-harness-genuine-87bb37f.json', 1, 1, 178, 32_548, 'measured'],
    ['history/metrics-3-backfill-49e9926.json', 30, 30, 3_660, 72_500, 'claimed'],
    ['history/metrics-4-git-durations-190ed4d.json', 30, 32, 5_184, 72_500, 'claimed'],
    ['history/metrics-5-invented-attempts-83afb80.json', 30, 41, 5_184, 109_270, 'claimed'],
    ['metrics.json', 30, 41, 5_184, 109_270, 'claimed'],
  ])(
    '%s: %d features, %d attempts, %d s, %d tokens, %s',
    async (name, features, attempts, seconds, tokens, basis) => {
      const read = await state(name);
      const facts = read.rows('observations_told');
      expect(read.issues['metrics.json']?.filter(({ severity }) => severity !== 'info')).toEqual([]);
      expect(read.rows('features_told')).toHaveLength(features);
      expect(read.rows('attempts')).toHaveLength(attempts);
      expect(read.rows('attempts').reduce((sum, row) => sum + Number(row.duration_s), 0)).toBe(seconds);
      expect(facts.filter(({ fact, feature_id }) => fact === 'tokens' && feature_id === null)).toMatchObject([
        { value: tokens, basis },
      ]);
      expect(facts.filter(({ fact }) => fact === 'started_at')).toHaveLength(features);
      expect(new Set(facts.map((row) => row.basis))).toEqual(new Set([basis]));
    },
  );

  it('keeps all that a builder wrote in place of the harness', async () => {
    const read = await state('history/metrics-2-builder-clobbered-b5460df.json');
    expect(read.project).toBe('AgentForge');
    expect(read.issues['metrics.json']?.map(({ code }) => code)).toEqual(['builder_shape', 'no_features']);
    expect(read.rows('log_events').map(({ kind, data }) => [kind, data])).toEqual([
      ['other_fields', '{"features_completed":0,"features_skipped":0,"started_at":"","last_updated":""}'],
      ['other_fields', '{"total_features":30}'],
    ]);
    expect(read.rows('observations_told').map(({ fact, value }) => [fact, value])).toEqual([
      ['tokens', 0],
      ['tokens_coder', 0],
      ['tokens_evaluator', 0],
      ['cost_usd', 0],
      ['iterations', 0],
    ]);
  });

  it('claims when feature 28 began and ended', async () => {
    const facts = (await state('metrics.json'))
      .rows('observations_told')
      .filter((row) => row.feature_id === 'r1.f28');
    const at = (fact: string) => facts.find((row) => row.fact === fact);
    expect(at('started_at')).toMatchObject({ value: Date.UTC(2026, 2, 28, 20, 56, 25), basis: 'claimed' });
    expect(at('completed_at')).toMatchObject({ value: Date.UTC(2026, 2, 28, 21, 3, 24), basis: 'claimed' });
  });
});
