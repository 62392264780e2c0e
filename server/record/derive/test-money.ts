import { onTestFinished } from 'vitest';
import { type TestStore, testStore } from '../../metrics/test-record.ts';
import type { Row, SqlValue } from '../store.ts';

/** A moment of the tests' day, as epoch milliseconds: "10:00:05" or "10:00:05.250". */
export const at = (clock: string): number => Date.parse(`2026-05-04T${clock}Z`);

let told = 0;
/** One source's word on a model call, of a transcript of session s1 unless it says otherwise. */
export const call = (more: Row = {}): Row => {
  told += 1;
  const source = more.source_id ?? 'one';
  return {
    told_id: `${source}.${told}`,
    channel: 'transcript',
    session_id: 's1',
    model: 'anvil-2',
    started_at_ms: at('10:00:00'),
    ended_at_ms: at('10:00:08'),
    token_quality: 'exact',
    source_id: source,
    source_kind: 'claude_session',
    source_line: told,
    ...more,
  };
};

/** Anvil 2: $5 in, $0.50 read from the cache, $6.25 and $10 written to it, $25 out, by the million; a search is $0.01. */
export const ANVIL: Row = {
  price_id: 'anvil',
  model: 'anvil-2',
  speed: 'standard',
  tier: 'standard',
  over_input_tokens: 0,
  in_uusd_per_mtok: 5_000_000,
  cache_read_uusd_per_mtok: 500_000,
  cache_write_5m_uusd_per_mtok: 6_250_000,
  cache_write_1h_uusd_per_mtok: 10_000_000,
  out_uusd_per_mtok: 25_000_000,
  web_search_uusd: 10_000,
  origin: 'written for a test',
  source_id: 'prices',
};

export const session = (id: string, more: Row = {}): Row => ({
  session_id: id,
  cwd: '/repo',
  rank: 0,
  source_id: 'one',
  source_line: 1,
  ...more,
});

export const prompt = (clock: string, message: string, more: Row = {}): Row => ({
  event_id: `${clock}.${message}`,
  session_id: 's1',
  at_ms: at(clock),
  kind: 'prompt',
  message,
  source_id: 'one',
  source_kind: 'claude_session',
  ...more,
});

export const commit = (sha: string, clock: string, more: Row = {}): Row => ({
  sha: sha.padEnd(40, '0'),
  at_ms: at(clock),
  subject: 'work',
  kind: 'other',
  source_id: 'git',
  ...more,
});

/** A project at /repo with a run and its features. */
export const project = (...features: readonly (readonly [id: string, title: string])[]) => ({
  projects: [{ project_id: 'p', name: 'p', root_path: '/repo' }],
  runs_told: [{ run_id: 'r', harness: 'h', rank: 0, source_id: 'ledger' }],
  features_told: features.map(([id, title]) => ({
    feature_id: `r.f${id}`,
    run_id: 'r',
    ext_id: id,
    title,
    rank: 0,
    source_id: 'ledger',
  })),
});

export type Tables = Readonly<Record<string, readonly Row[]>>;

/** A record of the rows, with Anvil 2 on its price list unless it brings another. */
export async function record(
  ...parts: readonly Tables[]
): Promise<(sql: string, params?: readonly SqlValue[]) => Promise<Row[]>> {
  const store: TestStore = await testStore();
  onTestFinished(() => store.close());
  const given = parts.some((part) => part.prices !== undefined);
  for (const part of given ? parts : [...parts, { prices: [ANVIL] }])
    for (const [table, rows] of Object.entries(part)) await store.insert(table, rows);
  return async (sql, params = []) => (await store.query(sql, params)).rows;
}

/** The calls alone. */
export const calls = (...rows: readonly Row[]): Tables => ({ llm_requests_told: rows });
