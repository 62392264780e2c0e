import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { execOutput } from './exec-output.ts';

const FILE = 'logs/run.jsonl';
const lines = (...entries: object[]): string => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
const read = (text: string) => readWith(execOutput, { [FILE]: text });
type Got = Awaited<ReturnType<typeof read>>;
const pick = (got: Got, table: Parameters<Got['rows']>[0], ...columns: string[]) =>
  got.rows(table).map((row) => columns.map((column) => row[column] ?? null));

const THREAD = { type: 'thread.started', thread_id: 'th1' };
const item = (when: string, more: object) => ({ type: `item.${when}`, item: more });
const usage = {
  input_tokens: 24_763,
  cached_input_tokens: 24_448,
  output_tokens: 122,
  reasoning_output_tokens: 60,
};

describe('the output of codex exec', () => {
  it('is told by its first event, wherever the shell put words before it', async () => {
    expect((await read(`Reading prompt from stdin...\n${lines(THREAD)}`)).rows('sessions_told')).toHaveLength(
      1,
    );
    expect((await read('{"type":"user"}\n')).rows('sessions_told')).toEqual([]);
  });

  it('has one call a turn, what was done in it, and how it ended', async () => {
    const command = { id: 'item_0', type: 'command_execution', command: "bash -lc 'npm test'" };
    const got = await read(
      lines(
        THREAD,
        { type: 'turn.started' },
        item('completed', { id: 'item_9', type: 'reasoning', text: 'hm' }),
        item('started', { ...command, aggregated_output: '', status: 'in_progress' }),
        item('updated', { ...command, aggregated_output: 'F', status: 'in_progress' }),
        item('completed', { ...command, aggregated_output: 'FAIL a.ts:3', exit_code: 1, status: 'failed' }),
        item('completed', {
          id: 'item_1',
          type: 'file_change',
          changes: [
            { path: 'src/a.ts', kind: 'update' },
            { path: 'src/b.ts', kind: 'add' },
          ],
          status: 'completed',
        }),
        item('completed', {
          id: 'item_2',
          type: 'file_change',
          changes: [{ path: 'c', kind: 'add' }],
          status: 'failed',
        }),
        item('completed', {
          id: 'item_3',
          type: 'mcp_tool_call',
          server: 'db',
          tool: 'query',
          status: 'failed',
          error: { message: 'no table' },
        }),
        item('completed', { id: 'item_4', type: 'web_search', query: 'dials' }),
        item('completed', { id: 'item_5', type: 'error', message: 'low on room' }),
        { type: 'turn.completed', usage },
      ),
    );
    expect(
      pick(
        got,
        'llm_requests_told',
        'channel',
        'session_id',
        'n',
        'model',
        'in_uncached',
        'in_cache_read',
        'out_total',
        'out_reasoning',
        'token_quality',
        'status',
      ),
    ).toEqual([['exec', 'th1', 1, null, 315, 24_448, 122, 60, 'exact', 'ok']]);
    expect(
      pick(got, 'tool_calls_told', 'tool_call_id', 'kind', 'target', 'status', 'exit_code', 'error_sig'),
    ).toEqual([
      ['th1.1.item_0', 'shell', "bash -lc 'npm test'", null, null, null],
      ['th1.1.item_0', 'shell', "bash -lc 'npm test'", 'error', 1, 'FAIL a.ts:<n>'],
      ['th1.1.item_1', 'edit', 'src/a.ts', 'ok', null, null],
      ['th1.1.item_2', 'edit', 'c', 'error', null, null],
      ['th1.1.item_3', 'mcp', null, 'error', null, 'no table'],
      ['th1.1.item_4', 'web', 'dials', 'ok', null, null],
    ]);
    expect(pick(got, 'file_touches', 'path', 'op')).toEqual([
      ['src/a.ts', 'edit'],
      ['src/b.ts', 'create'],
    ]);
    expect(pick(got, 'sessions_told', 'session_id', 'harness', 'end_reason')).toEqual([
      ['th1', 'codex', null],
      ['th1', 'codex', 'completed'],
    ]);
    expect(pick(got, 'log_events', 'kind', 'message')).toEqual([['error', 'low on room']]);
    expect(got.counts[FILE]).toEqual({ ok: 12, bad: 0 });
  });

  it('that fails has tokens that are not known', async () => {
    const got = await read(
      lines(
        THREAD,
        { type: 'turn.started' },
        { type: 'turn.failed', error: { message: 'usage limit' } },
        { type: 'error', message: 'stream closed' },
      ),
    );
    expect(pick(got, 'llm_requests_told', 'in_uncached', 'out_total', 'status', 'token_quality')).toEqual([
      [null, null, 'error', null],
    ]);
    expect(pick(got, 'sessions_told', 'end_reason')).toEqual([[null], ['error']]);
    expect(pick(got, 'log_events', 'message')).toEqual([['usage limit'], ['stream closed']]);
  });

  it('is read on, and what is not known in it is kept', async () => {
    const first = lines(
      THREAD,
      { type: 'turn.started' },
      { type: 'turn.completed', usage },
      { type: 'turn.started' },
    );
    const whole = `${first}odd\n${lines({ type: 'turn.completed', usage }, { type: 'new.thing' })}`;
    const before = await read(first);
    const after = await readWith(execOutput, { [FILE]: whole }, before.resume);
    const once = await read(whole);
    const line = before.resume[FILE]?.no ?? 0;
    const kept = before.rows('llm_requests_told').filter((row) => Number(row.source_line) < line);
    expect([...kept, ...after.rows('llm_requests_told')]).toEqual(once.rows('llm_requests_told'));
    expect(pick(once, 'llm_requests_told', 'n', 'token_quality')).toEqual([
      [1, 'exact'],
      [2, 'estimated'],
    ]);
    expect(pick(once, 'log_events', 'kind', 'message')).toEqual([
      ['raw', 'odd'],
      ['raw', '{"type":"new.thing"}'],
    ]);
    expect(once.counts[FILE]).toEqual({ ok: 5, bad: 2 });
    expect(after.counts[FILE]).toEqual({ ok: 1, bad: 2 });
  });
});
