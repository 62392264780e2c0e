import type { RowSink, SourceInput } from '../adapter.ts';
import { idIn } from '../codex/rollout-entry.ts';
import type { JsonObject } from '../json-fields.ts';
import { flagIn, listIn, numberIn, objectIn, textIn } from '../json-quiet.ts';
import { at, type Entry, event, shown } from './entry.ts';
import { RANK, sayOf } from './session-rows.ts';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['success', 'completed'],
  ['error_max_turns', 'max_turns'],
  ['error_max_budget_usd', 'max_budget'],
  ['error_during_execution', 'error'],
  ['error_max_structured_output_retries', 'error'],
]);

/** Why a headless session ended. "success" that is an error at the same time is a stop and no success. */
export function endReason(subtype: string | null, isError: boolean): string {
  const reason = subtype === null ? null : (REASONS.get(subtype) ?? null);
  if (reason === 'completed') return isError ? 'stopped' : 'completed';
  return reason ?? (isError ? 'error' : 'unknown');
}

const whole = (value: number | null): number | null =>
  value === null || value < 0 ? null : Math.round(value);
const micro = (value: number | null): number | null => whole(value === null ? null : value * 1e6);

/** Totals of a session that failed may be zeros that stand for nothing: those are not told. */
const orNone = (value: number | null, failed: boolean): number | null =>
  failed && value === 0 ? null : value;

/** The line with which a headless session ends: totals for reconciliation, and why it ended. */
export function result(entry: Entry): void {
  const { node, session, source, no } = entry;
  const failed = flagIn(node, 'is_error') === true;
  const count = (from: JsonObject | null, key: string): number | null =>
    orNone(whole(numberIn(from, key)), failed);
  const row = {
    session_id: session,
    duration_ms: count(node, 'duration_ms'),
    api_ms: count(node, 'duration_api_ms'),
    turns: whole(numberIn(node, 'num_turns')),
    at_ms: entry.ms,
    ...at(entry),
  };
  const usage = objectIn(node, 'usage');
  if (usage !== null)
    entry.add('reported_totals', {
      ...row,
      total_id: `${source.id}.${no}.main`,
      scope: 'main',
      in_uncached: count(usage, 'input_tokens'),
      in_cache_read: count(usage, 'cache_read_input_tokens'),
      in_cache_write: count(usage, 'cache_creation_input_tokens'),
      out_total: count(usage, 'output_tokens'),
    });
  const models = [...(objectIn(node, 'modelUsage')?.members ?? [])]
    .slice(0, 50)
    .flatMap(([name, used]) => (used.kind === 'object' ? [{ name, used }] : []));
  for (const { name, used } of models)
    entry.add('reported_totals', {
      total_id: `${source.id}.${no}.model.${shown(name, 100)}`,
      session_id: session,
      scope: 'model',
      model: shown(name, 100),
      in_uncached: count(used, 'inputTokens'),
      in_cache_read: count(used, 'cacheReadInputTokens'),
      in_cache_write: count(used, 'cacheCreationInputTokens'),
      out_total: count(used, 'outputTokens'),
      cost_uusd: orNone(micro(numberIn(used, 'costUSD')), failed),
      at_ms: entry.ms,
      ...at(entry),
    });
  const sum = (key: string): number | null =>
    models.length === 0 ? null : models.reduce((all, { used }) => all + (count(used, key) ?? 0), 0);
  entry.add('reported_totals', {
    ...row,
    total_id: `${source.id}.${no}.tree`,
    scope: 'tree',
    in_uncached: sum('inputTokens'),
    in_cache_read: sum('cacheReadInputTokens'),
    in_cache_write: sum('cacheCreationInputTokens'),
    out_total: sum('outputTokens'),
    cost_uusd: orNone(micro(numberIn(node, 'total_cost_usd')), failed),
  });
  const reason = endReason(textIn(node, 'subtype'), failed);
  sayOf(entry, session, RANK.result, { end_reason: reason, is_subagent: false });
  event(entry, 'session_end', textIn(node, 'result') ?? reason, {
    level: reason === 'completed' ? 'info' : 'error',
    data: {
      subtype: idIn(node, 'subtype'),
      is_error: failed,
      end_reason: reason,
      terminal_reason: idIn(node, 'terminal_reason'),
      permission_denials: listIn(node, 'permission_denials').length,
    },
  });
  for (const [n, denial] of listIn(node, 'permission_denials').slice(0, 50).entries())
    event(entry, 'permission', `${textIn(denial, 'tool_name') ?? 'A tool'}: refused`, {
      data: { decision: 'deny', tool_call_id: textIn(denial, 'tool_use_id') },
      part: 1 + n,
    });
}

/** A line of a headless output as an entry. */
export function headlessEntry(
  source: SourceInput,
  out: RowSink,
  node: JsonObject,
  no: number,
  state: Entry['state'],
): Entry {
  return {
    source,
    no,
    ms: null,
    zone: null,
    node,
    uuid: idIn(node, 'uuid'),
    session: idIn(node, 'session_id') ?? state.session ?? source.id,
    subagent: false,
    sidechain: textIn(node, 'parent_tool_use_id') !== null,
    state,
    add: (table, row) => out.add(table, row),
  };
}
