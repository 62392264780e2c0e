import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../paths.ts';
import { openRecord } from '../index.ts';
import { loadPrices } from '../prices/price-files.ts';
import { testFolder } from '../test-folder.ts';

const at = (clock: string): string => `2026-09-01T${clock}.000Z`;
const line = (value: object): string => `${JSON.stringify(value)}\n`;
let rows = 0;
const row = (clock: string, type: string, message: object, more: object = {}): string => {
  rows += 1;
  return line({
    type,
    uuid: `u${rows}`,
    parentUuid: rows === 1 ? null : `u${rows - 1}`,
    sessionId: '0a0a0a0a-0000-4000-8000-000000000001',
    timestamp: at(clock),
    cwd: '/somewhere/lamps',
    gitBranch: 'main',
    version: '2.1.220',
    isSidechain: false,
    message,
    ...more,
  });
};
const said = (clock: string, id: string, usage: object, content: object[], model = 'claude-opus-5'): string =>
  row(clock, 'assistant', { id, model, role: 'assistant', content, usage }, { requestId: `req_${id}` });
const asked = (clock: string, content: unknown): string => row(clock, 'user', { role: 'user', content });

const SESSION = [
  asked('10:00:00', 'Implement US-002, please'),
  said('10:00:05', 'm1', { input_tokens: 1_000, output_tokens: 9 }, [{ type: 'text', text: 'I look' }]),
  said('10:00:06', 'm1', { input_tokens: 1_000, output_tokens: 200 }, [
    { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'git commit -am x' } },
  ]),
  asked('10:00:08', [
    {
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content: '[main abcdef1] feat: US-002 shades\n 1 file changed',
    },
  ]),
  said(
    '10:00:12',
    'm2',
    {
      input_tokens: 10,
      cache_read_input_tokens: 100_000,
      cache_creation_input_tokens: 1_000,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 1_000 },
      output_tokens: 40,
    },
    [{ type: 'text', text: 'Done' }],
  ),
  asked('11:00:00', 'What is next?'),
  said(
    '11:00:05',
    'm3',
    { input_tokens: 500, output_tokens: 10 },
    [{ type: 'text', text: 'Nothing' }],
    'house-model-1',
  ),
].join('');

const FILES = {
  'sessions/0a0a0a0a-0000-4000-8000-000000000001.jsonl': SESSION,
  'prd.json': JSON.stringify(
    {
      project: 'Lamps',
      branchName: 'ralph/lamps',
      userStories: ['US-001', 'US-002'].map((id) => ({
        id,
        title: `Story of ${id}`,
        acceptanceCriteria: ['Glows'],
        passes: false,
      })),
    },
    null,
    1,
  ),
  'git-log.jsonl': line({
    sha: 'abcdef1'.padEnd(40, '0'),
    committed_at: at('10:00:08'),
    subject: 'feat: US-002 shades',
    files: 1,
    insertions: 3,
    deletions: 0,
  }),
};

const WORK = `SELECT left(request_id, 2) AS id, cost_uusd, cost_source, f.ext_id AS feature, link_method, left(commit_sha, 7) AS sha, commit_method
  FROM llm_requests LEFT JOIN features f USING (feature_id) ORDER BY started_at_ms`;

it('prices a session from its file and ties it to a story and a commit', async () => {
  const bundled = join(packageRoot(), 'data', 'prices');
  const root = await testFolder(FILES);
  const record = await openRecord({ root, database: ':memory:', prices: await loadPrices(bundled, null) });
  onTestFinished(() => record.close());
  expect((await record.store.query(WORK)).rows).toEqual([
    // 1,000 * $5 + 200 * $25 a million
    {
      id: 'm1',
      cost_uusd: 10_000,
      cost_source: 'computed',
      feature: 'US-002',
      link_method: 'commit',
      sha: 'abcdef1',
      commit_method: 'own_call',
    },
    // 10 * $5 + 100,000 * $0.50 + 1,000 * $10 + 40 * $25 a million
    {
      id: 'm2',
      cost_uusd: 61_050,
      cost_source: 'computed',
      feature: 'US-002',
      link_method: 'commit',
      sha: null,
      commit_method: null,
    },
    {
      id: 'm3',
      cost_uusd: null,
      cost_source: 'missing_price',
      feature: 'US-002',
      link_method: 'commit',
      sha: null,
      commit_method: null,
    },
  ]);
  const findings = await record.store.query("SELECT says FROM findings WHERE rule = 'calls_without_price'");
  expect(findings.rows).toEqual([
    { says: '1 model call of house-model-1, 510 tokens, without a price: the model is on no price list' },
  ]);
  const tools = await record.store.query(
    'SELECT f.ext_id AS feature, link_method FROM tool_calls LEFT JOIN features f USING (feature_id)',
  );
  expect(tools.rows).toEqual([{ feature: 'US-002', link_method: 'commit' }]);
});

it('prices the same record anew with another list, and is another record then', async () => {
  const root = await testFolder(FILES);
  const folder = await testFolder({
    'own.json': '{"prices": [{"models": ["house-model-1"], "input": 2, "output": 4}]}',
  });
  const database = join(folder, 'record.duckdb');
  const bundled = join(packageRoot(), 'data', 'prices');
  const first = await openRecord({ root, database, prices: await loadPrices(bundled, null) });
  const before = await first.store.fingerprint();
  await first.close();
  const second = await openRecord({
    root,
    database,
    prices: await loadPrices(bundled, join(folder, 'own.json')),
  });
  onTestFinished(() => second.close());
  const { rows } = await second.store.query(
    "SELECT cost_uusd FROM llm_requests WHERE model = 'house-model-1'",
  );
  // 500 * $2 + 10 * $4 a million
  expect(rows).toEqual([{ cost_uusd: 1_040 }]);
  expect(await second.store.fingerprint()).not.toBe(before);
});
