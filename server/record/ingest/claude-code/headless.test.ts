import { describe, expect, it } from 'vitest';
import type { AnyRow } from '../../tables.ts';
import { readWith } from '../test-adapter.ts';
import { headless } from './headless.ts';
import { isHeadless, isTranscript } from './sniff.ts';
import { file, prompt, S1 } from './test-lines.ts';

const pick = (rows: readonly AnyRow[], ...columns: string[]) =>
  rows.map((row) => columns.map((column) => row[column] ?? null));
const ended = (more = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  duration_ms: 9_000,
  duration_api_ms: 6_000,
  num_turns: 3,
  session_id: S1,
  total_cost_usd: 4.81,
  usage: {
    input_tokens: 180,
    cache_creation_input_tokens: 2_000,
    cache_read_input_tokens: 9_000,
    output_tokens: 480,
  },
  modelUsage: {
    'claude-opus-5': {
      inputTokens: 180,
      outputTokens: 480,
      cacheReadInputTokens: 9_000,
      cacheCreationInputTokens: 2_000,
      costUSD: 4.66,
    },
    'claude-haiku-4-5': {
      inputTokens: 10,
      outputTokens: 5,
      cacheReadInputTokens: 0,
      cacheCreationInputTokens: 0,
      costUSD: 0.15,
    },
  },
  permission_denials: [],
  ...more,
});
const init = {
  type: 'system',
  subtype: 'init',
  session_id: S1,
  cwd: '/srv/lamp',
  model: 'claude-opus-5',
  claude_code_version: '2.1.220',
};

describe('a result', () => {
  it('is totals for reconciliation: of the main loop, of each model, of everything', async () => {
    const { rows, counts } = await readWith(headless, {
      'run/claude.json': JSON.stringify(ended(), null, 2),
    });
    expect(counts['run/claude.json']).toEqual({ ok: 1, bad: 0 });
    expect(
      pick(
        rows('reported_totals'),
        'scope',
        'model',
        'in_uncached',
        'in_cache_read',
        'in_cache_write',
        'out_total',
        'cost_uusd',
        'turns',
      ),
    ).toEqual([
      ['main', null, 180, 9_000, 2_000, 480, null, 3],
      ['model', 'claude-opus-5', 180, 9_000, 2_000, 480, 4_660_000, null],
      ['model', 'claude-haiku-4-5', 10, 0, 0, 5, 150_000, null],
      ['tree', null, 190, 9_000, 2_000, 485, 4_810_000, 3],
    ]);
    expect(rows('llm_requests_told')).toEqual([]);
  });

  it.each([
    ['success', false, 'completed'],
    ['success', true, 'stopped'],
    ['error_max_turns', true, 'max_turns'],
    ['error_max_budget_usd', true, 'max_budget'],
    ['error_during_execution', true, 'error'],
    ['error_of_tomorrow', false, 'unknown'],
  ])('"%s" with is_error %s ended as %s', async (subtype, is_error, reason) => {
    const { rows } = await readWith(headless, {
      'claude.json': JSON.stringify(ended({ subtype, is_error })),
    });
    expect(pick(rows('sessions_told'), 'session_id', 'end_reason')).toEqual([[S1, reason]]);
  });

  it('of a crash has zeros that stand for nothing', async () => {
    const zeros = {
      is_error: true,
      total_cost_usd: 0,
      usage: { input_tokens: 0, output_tokens: 0 },
      modelUsage: {},
    };
    const { rows } = await readWith(headless, { 'claude.json': JSON.stringify(ended(zeros)) });
    expect(pick(rows('reported_totals'), 'scope', 'in_uncached', 'out_total', 'cost_uusd')).toEqual([
      ['main', null, null, null],
      ['tree', null, null, null],
    ]);
  });
});

describe('a stream', () => {
  it('tells of its session, calls of tools, hooks and its end; other output in between is kept', async () => {
    const out = file(
      init,
      {
        type: 'system',
        subtype: 'hook_response',
        session_id: S1,
        hook_event: 'Stop',
        hook_name: 'gate',
        exit_code: 127,
        outcome: 'error',
        stderr: 'not found',
      },
      {
        type: 'assistant',
        session_id: S1,
        message: {
          id: 'm1',
          content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }],
        },
      },
      {
        type: 'user',
        session_id: S1,
        message: {
          content: [{ type: 'tool_result', tool_use_id: 't1', content: 'Exit code 2', is_error: true }],
        },
      },
      'npm notice something',
      { type: 'stream_event', session_id: S1 },
      { type: 'zebra', session_id: S1 },
      ended(),
    );
    const { rows, counts } = await readWith(headless, { 'out.jsonl': out });
    expect(counts['out.jsonl']).toEqual({ ok: 6, bad: 2 });
    expect(pick(rows('sessions_told'), 'session_id', 'cwd', 'end_reason')).toEqual([
      [S1, '/srv/lamp', null],
      [S1, null, 'completed'],
    ]);
    expect(pick(rows('gate_events'), 'gate', 'verdict', 'enforced', 'attribution')).toEqual([
      ['hook:Stop', 'error', false, 'verifier'],
    ]);
    expect(pick(rows('tool_calls_told'), 'name', 'status', 'exit_code')).toEqual([
      ['Bash', null, null],
      [null, 'error', 2],
    ]);
    expect(rows('log_events').map(({ kind }) => kind)).toEqual([
      'session_start',
      'raw',
      'raw',
      'session_end',
    ]);
  });
});

it('what a file is shows in how it begins', () => {
  expect(isTranscript(file(prompt('10:00:00', 'Go')))).toBe(true);
  expect(isTranscript(`\uFEFF${file({ type: 'summary', summary: 'x', leafUuid: 'y' })}`)).toBe(true);
  expect(isTranscript(file(init))).toBe(false);
  expect(isTranscript('{"timestamp":"2026-02-01T10:00:00Z","loop":4}')).toBe(false);
  expect(isHeadless(file(init))).toBe(true);
  expect(isHeadless(JSON.stringify(ended()))).toBe(true);
  expect(isHeadless(file(prompt('10:00:00', 'Go')))).toBe(false);
});
