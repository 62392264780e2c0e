import { idIn } from '../codex/rollout-entry.ts';
import type { JsonObject } from '../json-fields.ts';
import { memberOf, objectIn, textIn } from '../json-quiet.ts';
import type { JsonNode } from '../json-tree.ts';
import { at, type Entry, event, shown, span } from './entry.ts';
import { subagentOf } from './session-rows.ts';
import { type Call, type State, withOne } from './state.ts';
import { ASKING, commits, commitsIn, kindOfTool, outcomeOf, targetOf } from './tool-outcome.ts';
import { touched } from './touches.ts';

const TARGET = 400;
const PATH = 1_000;

/** A call of a tool, as the message tells it. Gives the calls that are waited for now. */
export function toolUse(entry: Entry, part: JsonObject, calls: State['calls']): State['calls'] {
  const id = idIn(part, 'id');
  if (id === null) return calls;
  const name = idIn(part, 'name') ?? 'unknown';
  const kind = kindOfTool(name);
  const input = objectIn(part, 'input');
  const target = targetOf(input);
  entry.add('tool_calls_told', {
    tool_call_id: id,
    session_id: entry.session,
    name,
    kind,
    target: target === null ? null : shown(target, TARGET),
    is_sidechain: entry.sidechain,
    started_at_ms: entry.ms,
    ...at(entry),
  });
  const path = textIn(input, 'file_path') ?? textIn(input, 'notebook_path');
  const call: Call = {
    id,
    name,
    kind,
    startedMs: entry.ms,
    path: path === null ? null : path.slice(0, PATH),
    committing: kind === 'shell' && commits(textIn(input, 'command')),
  };
  return withOne(
    calls.filter((one) => one.id !== id),
    call,
    'calls',
  );
}

/** What came back from a call. Gives the calls that are still waited for. */
export function toolResult(
  entry: Entry,
  part: JsonObject,
  told: JsonNode | null,
  calls: State['calls'],
  index: number,
): State['calls'] {
  const id = idIn(part, 'tool_use_id');
  if (id === null) return calls;
  const call = calls.find((one) => one.id === id) ?? null;
  const outcome = outcomeOf(part, told, call?.kind ?? null);
  const { ms } = entry;
  const since = call?.startedMs ?? null;
  const elapsed = since === null || ms === null ? null : ms - since;
  if (elapsed !== null && elapsed < 0)
    entry.source.issue(
      'time_invalid',
      'warning',
      entry.no,
      'This result is older than the call it answers, so the clock was set back; no duration was taken from it.',
    );
  const asked = call !== null && ASKING.has(call.name);
  const refused = outcome.status === 'denied' && outcome.errorClass !== 'hook';
  const waited = (asked || refused) && elapsed !== null && elapsed >= 0 ? elapsed : null;
  const made = call?.committing === true && outcome.status === 'ok' ? commitsIn(part, told) : [];
  entry.add('tool_calls_told', {
    tool_call_id: id,
    session_id: entry.session,
    is_sidechain: entry.sidechain,
    ended_at_ms: ms,
    duration_ms: outcome.durationMs,
    wait_user_ms: waited,
    status: outcome.status,
    exit_code: outcome.exitCode,
    error_class: outcome.errorClass,
    error_sig: outcome.errorSig,
    output_bytes: outcome.bytes,
    commit_sha: made.at(-1)?.sha ?? null,
    ...at(entry),
  });
  // Parts of one line: the events of a result come after the line's own.
  const base = 1 + index * 40;
  for (const [n, { sha, subject }] of made.entries())
    event(entry, 'commit', `${sha} ${subject}`, { data: { sha, tool_call_id: id }, part: base + 1 + n });
  if (refused) {
    event(entry, 'permission', `${call?.name ?? 'A tool'}: refused`, {
      data: { decision: 'deny', tool_call_id: id },
      part: base,
    });
    span(entry, 'permission', since, ms);
  } else if (asked) {
    event(entry, 'permission', `${call?.name ?? 'A tool'}: answered`, {
      data: { decision: 'answer', tool_call_id: id },
      part: base,
    });
    span(entry, 'permission', since, ms);
  }
  if (call !== null && outcome.status === 'ok') touched(entry, call, told, base);
  if (call?.kind === 'subagent') subagentOf(entry, told);
  return calls.filter((one) => one.id !== id);
}

/** The result of a tool the provider runs itself stands in the message that calls it. */
export function serverResult(entry: Entry, part: JsonObject, calls: State['calls']): State['calls'] {
  const id = idIn(part, 'tool_use_id');
  if (id === null) return calls;
  const failed = textIn(objectIn(part, 'content'), 'error_code');
  entry.add('tool_calls_told', {
    tool_call_id: id,
    session_id: entry.session,
    is_sidechain: entry.sidechain,
    ended_at_ms: entry.ms,
    status: failed === null ? 'ok' : 'error',
    error_class: failed === null ? null : 'tool_error',
    error_sig: failed === null ? null : shown(failed, 200),
    ...at(entry),
  });
  return calls.filter((one) => one.id !== id);
}

/** The part of a row that tells more of a result; it is about the only result of its row. */
export const toldOf = (entry: Entry, results: number): JsonNode | null => {
  const told = memberOf(entry.node, 'toolUseResult') ?? memberOf(entry.node, 'tool_use_result');
  return results === 1 && told?.kind !== 'null' ? told : null;
};
