import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRecord } from '../../index.ts';
import type { RecordHandle } from '../../store.ts';

const DEMO = fileURLToPath(new URL('../../../../data/sessions', import.meta.url));

describe('the demo record of sessions', () => {
  let record: RecordHandle;
  beforeAll(async () => {
    record = await openRecord({ root: DEMO, database: ':memory:' });
  });
  afterAll(() => record.close());
  const rows = async (sql: string) => (await record.store.query(sql)).rows.map((row) => Object.values(row));

  it('has the calls its README names, those that were repeated once', async () => {
    expect(
      await rows('SELECT model, count(*)::INTEGER FROM llm_requests GROUP BY 1 ORDER BY 2 DESC'),
    ).toEqual([
      ['claude-opus-4-5', 31],
      ['claude-sonnet-4-5', 28],
      ['claude-haiku-4-5', 5],
      ['house-model-2', 4],
    ]);
    expect(await rows('SELECT count(*)::INTEGER FROM llm_requests_told')).toEqual([[72]]);
    expect(await rows('SELECT status, count(*)::INTEGER FROM tool_calls GROUP BY 1 ORDER BY 2 DESC')).toEqual(
      [
        ['ok', 38],
        ['error', 7],
        ['denied', 1],
      ],
    );
  });

  it('ties the work to stories: by commits, and by what was asked', async () => {
    expect(
      await rows(
        `SELECT f.ext_id, string_agg(DISTINCT r.link_method, ' ' ORDER BY r.link_method) FROM llm_requests r JOIN features f USING (feature_id) GROUP BY 1 ORDER BY 1`,
      ),
    ).toEqual([
      ['US-001', 'commit prompt'],
      ['US-002', 'commit prompt'],
      ['US-003', 'commit'],
      ['US-004', 'commit prompt'],
    ]);
  });

  it('shows what is wrong in it', async () => {
    const found = await rows(
      `SELECT rule, count(*)::INTEGER FROM findings WHERE rule IN ('hook_did_not_gate', 'stop_cap_reached', 'session_without_result', 'tool_call_repeated', 'tokens_lower_bound') GROUP BY 1 ORDER BY 1`,
    );
    expect(found).toEqual([
      ['hook_did_not_gate', 2],
      ['session_without_result', 1],
      ['stop_cap_reached', 1],
      ['tokens_lower_bound', 1],
      ['tool_call_repeated', 1],
    ]);
    expect(
      await rows('SELECT end_reason FROM sessions WHERE end_reason IS NOT NULL AND NOT is_subagent'),
    ).toEqual([['stopped']]);
    expect(
      await rows(
        "SELECT attribution, count(*)::INTEGER FROM gate_events WHERE verdict IN ('error', 'block') GROUP BY 1 ORDER BY 1",
      ),
    ).toEqual([
      ['unknown', 10],
      ['verifier', 3],
    ]);
    expect(await rows('SELECT code FROM ingest_issues ORDER BY 1')).toEqual([
      ['line_cut'],
      ['time_invalid'],
      ['unknown_line'],
    ]);
  });
});
