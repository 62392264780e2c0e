import { beforeEach, describe, expect, it } from 'vitest';
import { type TestStore, testStore } from '../../metrics/test-record.ts';
import type { Row } from '../store.ts';

const T = Date.UTC(2026, 9, 5, 22, 0, 0);
const S = 1000;

let store: TestStore;
let n = 0;
const place = () => ({ source_id: 's', source_kind: 'claude_session', source_line: ++n });
const session = (id: string, more: Row = {}): Promise<void> =>
  store.insert('sessions_told', [{ session_id: id, rank: 0, source_id: 's', source_line: 1, ...more }]);
const request = (from: number | null, to: number | null, id = 'a'): Promise<void> =>
  store.insert('llm_requests_told', [
    {
      told_id: `t${++n}`,
      channel: 'transcript',
      session_id: id,
      message_id: `m${n}`,
      started_at_ms: from === null ? null : T + from * S,
      ended_at_ms: to === null ? null : T + to * S,
      ...place(),
    },
  ]);
const tool = (from: number, to: number | null, more: Row = {}): Promise<void> =>
  store.insert('tool_calls_told', [
    {
      tool_call_id: `c${++n}`,
      session_id: 'a',
      name: 'Bash',
      kind: 'shell',
      started_at_ms: T + from * S,
      ended_at_ms: to === null ? null : T + to * S,
      ...place(),
      ...more,
    },
  ]);
const span = (kind: string, from: number, to: number): Promise<void> =>
  store.insert('session_spans', [
    {
      span_id: `p${++n}`,
      session_id: 'a',
      kind,
      started_at_ms: T + from * S,
      ended_at_ms: T + to * S,
      ...place(),
    },
  ]);

/** "model 0-10" for each stretch, in seconds from the start. */
async function stretches(id = 'a'): Promise<string[]> {
  const { rows } = await store.query(
    'SELECT kind, started_at_ms, ended_at_ms, ms FROM session_time WHERE session_id = $1 ORDER BY started_at_ms',
    [id],
  );
  for (const row of rows) expect(Number(row.ended_at_ms) - Number(row.started_at_ms)).toBe(row.ms);
  return rows.map(
    (row) => `${row.kind} ${(Number(row.started_at_ms) - T) / S}-${(Number(row.ended_at_ms) - T) / S}`,
  );
}

beforeEach(async () => {
  store = await testStore();
  n = 0;
  await session('a');
});

describe('the wall time of a session', () => {
  it('is told in stretches that follow each other; what nothing covers is idle', async () => {
    await request(0, 10);
    await tool(10, 25);
    await request(25, 30);
    await span('person', 30, 90);
    await request(100, 110);
    expect(await stretches()).toEqual([
      'model 0-10',
      'tool 10-25',
      'model 25-30',
      'person 30-90',
      'idle 90-100',
      'model 100-110',
    ]);
  });

  it('joins what runs side by side, and never adds it', async () => {
    await tool(0, 10);
    await tool(5, 20);
    await tool(2, 8);
    await request(18, 30);
    expect(await stretches()).toEqual(['tool 0-20', 'model 20-30']);
  });

  it('counts a subagent by itself, and inside its parent as one stretch', async () => {
    await tool(0, 60, { name: 'Task', kind: 'subagent' });
    await session('a/agent-1', { parent_session_id: 'a', is_subagent: true });
    await request(5, 40, 'a/agent-1');
    await request(50, 55, 'a/agent-1');
    expect(await stretches()).toEqual(['subagent 0-60']);
    expect(await stretches('a/agent-1')).toEqual(['model 5-40', 'idle 40-50', 'model 50-55']);
  });

  it('takes waiting for permission out of the call that waited', async () => {
    await tool(0, 30, { wait_user_ms: 20 * S });
    expect(await stretches()).toEqual(['permission 0-20', 'tool 20-30']);
  });

  it('does not know how long something took that has no end, or one before its start', async () => {
    await request(0, 5);
    await tool(5, null);
    await tool(40, 35);
    await request(60, 70);
    await request(null, null);
    expect(await stretches()).toEqual(['model 0-5', 'unknown 5-60', 'model 60-70']);
  });

  it('has no place for a time that is zero', async () => {
    await store.insert('tool_calls_told', [
      {
        tool_call_id: 'z',
        session_id: 'a',
        name: 'Bash',
        started_at_ms: 0,
        ended_at_ms: T + 2 * S,
        ...place(),
      },
    ]);
    await request(0, 5);
    expect(await stretches()).toEqual(['model 0-5']);
  });

  it('begins and ends with what the session itself tells', async () => {
    await session('b', { started_at_ms: T - 5 * S, ended_at_ms: T + 20 * S });
    await request(0, 5, 'b');
    expect(await stretches('b')).toEqual(['idle -5-0', 'model 0-5', 'idle 5-20']);
  });

  it('leaves copies of gates out and takes the rest as gates', async () => {
    const gate = (from: number, to: number, is_copy: boolean | null): Promise<void> =>
      store.insert('gate_events', [
        {
          gate_event_id: `g${++n}`,
          gate: 'hook:Stop',
          verdict: 'pass',
          attribution: 'unknown',
          session_id: 'a',
          started_at_ms: T + from * S,
          ended_at_ms: T + to * S,
          is_copy,
          ...place(),
        },
      ]);
    await request(0, 5);
    await gate(5, 9, null);
    await gate(20, 30, true);
    await request(40, 41);
    expect(await stretches()).toEqual(['model 0-5', 'gate 5-9', 'idle 9-40', 'model 40-41']);
  });
});
