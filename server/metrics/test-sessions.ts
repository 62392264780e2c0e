import type { Row } from '../record/store.ts';
import { type TestStore, testStore } from './test-record.ts';

/**
 * A small record of sessions: two sessions and a subagent over the night on which clocks in Berlin go forward (29 March 2026),
 * one priced model and one without a price, two features. For tests of several modules.
 */
export const NIGHT = Date.UTC(2026, 2, 28, 22, 0, 0);
const MINUTE = 60_000;
export const at = (minutes: number): number => NIGHT + minutes * MINUTE;

export const SESSION_CONTEXT = {
  zone: '+00:00',
  readerZone: 'Europe/Berlin',
  startedAtMs: null,
  sources: [{ kind: 'claude_session', label: 'session' }],
} as const;

const place = (source_line: number): Row => ({ source_id: 's', source_kind: 'claude_session', source_line });

/** One request; tokens: uncached, cache read, 5-minute write, 1-hour write, output. */
export function request(
  id: string,
  session: string,
  from: number,
  to: number,
  [input, read, write5, write1h, output]: readonly [number, number, number, number, number],
  more: Row = {},
): Row {
  return {
    told_id: `t-${id}`,
    channel: 'transcript',
    session_id: session,
    message_id: id,
    request_ref: `r-${id}`,
    model: 'model-a',
    started_at_ms: at(from),
    ended_at_ms: at(to),
    in_uncached: input,
    in_cache_read: read,
    in_cache_write_5m: write5,
    in_cache_write_1h: write1h,
    out_total: output,
    git_branch: 'main',
    ...place(1),
    ...more,
  };
}

/**
 * The record. Costs stand in the rows as reported ones, so that they do not depend on any price table: a 0.50, b 0.25, c 1.00,
 * d (subagent) 0.10; x has none.
 */
export async function sessionStore(): Promise<TestStore> {
  const store = await testStore();
  await store.insert('projects', [{ project_id: 'p', name: 'demo', root_path: null }]);
  await store.insert('sources', [
    {
      source_id: 's',
      project_id: 'p',
      kind: 'claude_session',
      label: 'session',
      path: 'session.jsonl',
      parser: 'claude_code',
      parser_version: 1,
      unit: 'test',
      state: '',
    },
  ]);
  await store.insert('runs_told', [
    {
      run_id: 'r1',
      harness: 'ralph',
      ord: 1,
      name: 'run 1',
      zone: '+00:00',
      is_current: true,
      rank: 0,
      source_id: 's',
    },
    // With a second run, what names none belongs to none.
    {
      run_id: 'r0',
      harness: 'ralph',
      ord: 0,
      name: 'run 0',
      zone: '+00:00',
      is_current: false,
      rank: 0,
      source_id: 's',
    },
  ]);
  await store.insert(
    'features_told',
    ['1', '2'].map((id) => ({
      feature_id: `r1.f${id}`,
      run_id: 'r1',
      ext_id: id,
      ord: Number(id),
      title: id === '1' ? 'Search box' : 'Export',
      category: 'core',
      rank: 0,
      source_id: 's',
      source_line: 1,
    })),
  );
  await store.insert(
    'observations_told',
    [
      ['1', 'accepted'],
      ['2', 'skipped'],
    ].map(([id = '', state = '']) => ({
      observation_id: `o${id}`,
      run_id: 'r1',
      feature_id: `r1.f${id}`,
      fact: 'status',
      text_value: state,
      basis: 'measured',
      how: 'as written',
      ...place(1),
    })),
  );
  await store.insert('attempts', [
    {
      attempt_id: 'a1',
      run_id: 'r1',
      feature_id: 'r1.f1',
      n: 1,
      passed: false,
      attribution: 'unknown',
      basis: 'measured',
      ...place(1),
    },
    {
      attempt_id: 'a2',
      run_id: 'r1',
      feature_id: 'r1.f1',
      n: 2,
      passed: true,
      attribution: 'unknown',
      basis: 'measured',
      ...place(2),
    },
  ]);
  await store.insert('sessions_told', [
    {
      session_id: 'one',
      title: 'Add the search box',
      harness: 'claude_code',
      git_branch: 'main',
      rank: 0,
      source_id: 's',
      source_line: 1,
    },
    {
      session_id: 'two',
      title: 'Export',
      harness: 'codex',
      git_branch: 'export',
      rank: 0,
      source_id: 's',
      source_line: 40,
    },
    {
      session_id: 'one/agent-1',
      parent_session_id: 'one',
      is_subagent: true,
      harness: 'claude_code',
      rank: 0,
      source_id: 's',
      source_line: 60,
    },
  ]);
  await store.insert('llm_requests_told', [
    request('a', 'one', 0, 1, [1_000, 0, 0, 20_000, 100], {
      cost_reported_uusd: 500_000,
      feature_id: 'r1.f1',
      attempt_n: 1,
    }),
    request('b', 'one', 40, 41, [500, 20_000, 0, 0, 300], {
      cost_reported_uusd: 250_000,
      feature_id: 'r1.f1',
      attempt_n: 2,
    }),
    request('d', 'one/agent-1', 20, 22, [2_000, 0, 0, 0, 50], {
      cost_reported_uusd: 100_000,
      is_sidechain: true,
    }),
    // 00:30 on 29 March in Berlin, and 03:10, twenty minutes after which clocks would have shown 02:10.
    request('c', 'two', 89, 90, [4_000, 10_000, 0, 0, 700], {
      cost_reported_uusd: 1_000_000,
      feature_id: 'r1.f2',
      attempt_n: 1,
      git_branch: 'export',
    }),
    request('x', 'two', 189, 190, [9_000, 0, 0, 0, 900], { model: 'model-x', git_branch: 'export' }),
  ]);
  const call = (id: string, session: string, from: number, seconds: number, more: Row): Row => ({
    tool_call_id: id,
    session_id: session,
    name: 'Bash',
    kind: 'shell',
    target: 'npm test',
    started_at_ms: at(from),
    ended_at_ms: at(from) + seconds * 1000,
    ...place(2),
    ...more,
  });
  await store.insert('tool_calls_told', [
    call('c1', 'one', 1, 30, { status: 'error', error_sig: 'exit code: tests failed', exit_code: 1 }),
    call('c2', 'one', 10, 60, { status: 'error', error_sig: 'exit code: tests failed', exit_code: 1 }),
    call('c3', 'one', 30, 90, { status: 'ok' }),
    call('c4', 'two', 90, 10, {
      name: 'Read',
      kind: 'read',
      target: 'src/a.ts',
      status: 'error',
      error_sig: 'no such file',
    }),
    call('c5', 'two', 92, 5, {
      name: 'Edit',
      kind: 'edit',
      target: 'src/a.ts',
      status: 'denied',
      wait_user_ms: 4_000,
    }),
    call('c6', 'two', 93, 5, { name: 'Read', kind: 'read', target: 'src/b.ts', status: 'ok' }),
  ]);
  const hook = (id: string, gate: string, verdict: string, more: Row): Row => ({
    gate_event_id: id,
    gate,
    verdict,
    attribution: 'unknown',
    session_id: 'one',
    started_at_ms: at(41),
    ended_at_ms: at(42),
    ...place(3),
    ...more,
  });
  await store.insert('gate_events', [
    hook('h1', 'hook:Stop', 'block', { reason: 'tests fail' }),
    hook('h2', 'hook:Stop', 'error', {
      enforced: false,
      exit_code: 127,
      attribution: 'verifier',
      attribution_basis: 'command not found',
    }),
    hook('h3', 'hook:PreToolUse', 'pass', {}),
    hook('h4', 'hook:Stop', 'block', { is_copy: true }),
  ]);
  return store;
}
