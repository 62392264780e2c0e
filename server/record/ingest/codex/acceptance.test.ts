import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod/v4';
import { openRecord } from '../../index.ts';
import type { RecordHandle } from '../../store.ts';

/** Real rollouts, with what another program counted in them; not part of the project. */
const SAMPLES = join(import.meta.dirname, '../../../../../shared/fixtures/transcripts/codex');
const there = existsSync(SAMPLES);
if (!there) console.warn('The samples of rollouts are not there; they are not checked.');

const Expected = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      git_branch: z.string(),
      message_count: z.number(),
      start_time: z.iso.datetime({ offset: true }),
      end_time: z.iso.datetime({ offset: true }),
      tokens: z.object({
        cache_read: z.number(),
        input: z.number(),
        output: z.number(),
        reasoning_output: z.number(),
      }),
    }),
  ),
});

describe.runIf(there)('real rollouts', () => {
  let record: RecordHandle;
  let expected: z.infer<typeof Expected>['sessions'];
  beforeAll(async () => {
    record = await openRecord({ root: SAMPLES, database: ':memory:' });
    const all = Expected.parse(
      JSON.parse(await readFile(join(SAMPLES, 'localpush-expected-sessions.json'), 'utf8')),
    ).sessions;
    const ids = (await rows('SELECT session_id FROM sessions')).map(({ session_id }) => session_id);
    expected = all.filter(({ id }) => ids.includes(id));
  });
  afterAll(() => record.close());
  const rows = async (sql: string) => (await record.store.query(sql)).rows;

  it('are all read, and nothing in them is unknown', async () => {
    expect(
      (await record.summary()).sources
        .filter(({ kind }) => kind === 'codex_rollout')
        .map(({ path, bad, problems }) => [path, bad, problems]),
    ).toEqual([
      ['ccusage-session-alpha.jsonl', 0, []],
      ['rollout-2026-02-23T12-41-04-019c8a4d.jsonl', 0, []],
      ['rollout-2026-02-23T13-19-38-019c8a70.jsonl', 0, []],
      ['rollout-2026-02-23T20-34-25-019c8bfe.jsonl', 0, []],
    ]);
  });

  it('have the tokens that are expected of each session', async () => {
    expect(expected.map(({ id }) => id).sort()).toEqual([
      '019c8a4d-8f45-7010-8b5d-7fad920aa6f9',
      '019c8a70-dda7-7f33-98ea-f30553347322',
      '019c8bfe-ec25-79e0-97d7-bda6a9c575ff',
    ]);
    const counted = await rows(
      `SELECT session_id AS id, CAST(sum(in_uncached + in_cache_read) AS BIGINT) AS input, CAST(sum(in_cache_read) AS BIGINT) AS cache_read,
        CAST(sum(out_total) AS BIGINT) AS output, CAST(sum(out_reasoning) AS BIGINT) AS reasoning_output
       FROM llm_requests_told WHERE told_id IN (SELECT told_id FROM rollout_counts WHERE certain) GROUP BY 1 ORDER BY 1`,
    );
    const tokens = expected
      .map(({ id, tokens: { cache_read, input, output, reasoning_output } }) => ({
        id,
        input,
        cache_read,
        output,
        reasoning_output,
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(counted.filter(({ id }) => tokens.some((one) => one.id === id))).toEqual(tokens);
  });

  it('end with a running total that is the sum of the distinct counts, told apart by this test', async () => {
    const { sources } = await record.summary();
    for (const source of sources.filter(({ kind }) => kind === 'codex_rollout')) {
      const lines = (await readFile(join(SAMPLES, source.path), 'utf8')).split('\n');
      let before = '';
      let input = 0;
      let output = 0;
      let last = { input_tokens: 0, output_tokens: 0 };
      for (const line of lines) {
        const info = /"type":"token_count","info":(\{.*\})/.exec(line)?.[1];
        const total = /"total_token_usage":(\{[^}]*\})/.exec(info ?? '')?.[1];
        const added = /"last_token_usage":(\{[^}]*\})/.exec(info ?? '')?.[1];
        if (total === undefined || added === undefined) continue;
        const Vector = z.object({ input_tokens: z.number(), output_tokens: z.number() });
        last = Vector.parse(JSON.parse(total));
        if (total === before) continue;
        before = total;
        const vector = Vector.parse(JSON.parse(added));
        input += vector.input_tokens;
        output += vector.output_tokens;
      }
      expect({ input, output }).toEqual({ input: last.input_tokens, output: last.output_tokens });
      expect(
        await rows(
          `SELECT CAST(sum(in_uncached + in_cache_read) AS BIGINT) AS input, CAST(sum(out_total) AS BIGINT) AS output
           FROM llm_requests_told WHERE source_id = '${source.id}' AND told_id IN (SELECT told_id FROM rollout_counts)`,
        ),
      ).toEqual([{ input, output }]);
    }
  });

  it('have models per turn, prompts, calls and their ends', async () => {
    expect(
      await rows(
        `SELECT session_id AS id, model, count(*) AS calls FROM llm_requests_told GROUP BY 1, 2 ORDER BY 1, 2`,
      ),
    ).toEqual([
      { id: '019c8a4d-8f45-7010-8b5d-7fad920aa6f9', model: 'gpt-5.3-codex', calls: 28 },
      { id: '019c8a70-dda7-7f33-98ea-f30553347322', model: 'gpt-5.3-codex', calls: 1 },
      { id: '019c8bfe-ec25-79e0-97d7-bda6a9c575ff', model: 'gpt-5.3-codex', calls: 6 },
      { id: expect.stringMatching(/^codex_rollout-/), model: 'gpt-5.2-codex', calls: 1 },
      { id: expect.stringMatching(/^codex_rollout-/), model: 'gpt-5.3-codex', calls: 1 },
    ]);
    const told = await rows(
      `SELECT s.session_id AS id, s.git_branch, s.started_at_ms, s.end_reason, (SELECT count(*) FROM log_events e WHERE e.session_id = s.session_id AND kind = 'prompt') AS prompts
       FROM sessions s WHERE s.git_branch IS NOT NULL ORDER BY 1`,
    );
    const wanted = expected
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, git_branch, message_count, start_time }) => ({
        id,
        git_branch,
        started_at_ms: Date.parse(start_time),
        prompts: message_count,
      }));
    expect(told.map(({ end_reason: _, ...row }) => row)).toEqual(wanted);
    expect(told.map(({ end_reason }) => end_reason)).toEqual(['completed', 'unknown', 'completed']);
    expect(
      await rows('SELECT session_id AS id, count(*) AS calls FROM tool_calls GROUP BY 1 ORDER BY 1'),
    ).toEqual([
      { id: '019c8a4d-8f45-7010-8b5d-7fad920aa6f9', calls: 118 },
      { id: '019c8a70-dda7-7f33-98ea-f30553347322', calls: 1 },
      { id: '019c8bfe-ec25-79e0-97d7-bda6a9c575ff', calls: 5 },
    ]);
  });

  it('last as long as is expected', async () => {
    const spans = await rows(
      "SELECT session_id AS id, ended_at_ms FROM session_spans WHERE kind = 'turn' ORDER BY 1",
    );
    const ends = expected
      .filter(({ id }) => spans.some((span) => span.id === id))
      .map(({ id, end_time }) => ({ id, ended_at_ms: Date.parse(end_time) }));
    expect(spans).toEqual(ends);
    expect(spans).toHaveLength(2);
  });
});
