import { flagIn, numberIn, objectIn, textIn, textsIn } from '../json-quiet.ts';
import { visibleText } from '../visible.ts';
import { touchesOfChanges } from './patch.ts';
import { reviewBegins, reviewEnds } from './review.ts';
import { type Entry, event, type Handler, idIn, UNCHANGED } from './rollout-entry.ts';
import { called, cameBack } from './rollout-items.ts';
import { tokenCount } from './token-rows.ts';
import { commandText, durationOf, outcomeOf, shortText, type ToolStatus } from './tools.ts';
import { begin, end, told } from './turns.ts';

const quiet: Handler = () => UNCHANGED;

const PATH = 1_000;
const TITLE = 120;

/** What the harness itself puts before a person's words in older logs. */
const NOT_SAID = /^\s*<(?:environment_context|user_instructions|permissions|INSTRUCTIONS)\b/;

/** A person's words. Where the log has no beginnings of turns, they begin one. */
export function prompted(entry: Entry, text: string): ReturnType<Handler> {
  if (NOT_SAID.test(text)) return UNCHANGED;
  const { state } = entry;
  event(entry, 'prompt', text);
  if (!state.titled)
    entry.add('sessions_told', {
      session_id: entry.session,
      title: visibleText(shortText(text.split('\n', 1)[0] ?? text, TITLE)),
      rank: 1,
      source_id: entry.source.id,
      source_line: entry.no,
    });
  const running = state.turn.begun && state.turn.id !== null;
  const begun = running ? {} : begin(entry, null);
  return { ...begun, titled: true, askedMs: entry.ms };
}

const turnStarts: Handler = (entry) => {
  told(entry, 'unknown');
  return begin(entry, idIn(entry.payload, 'turn_id'));
};

const turnEnds: Handler = (entry) => {
  const said = textIn(entry.payload, 'last_agent_message');
  event(entry, 'turn_end', said ?? '');
  return end(entry, entry.state.turn.failed && said === null ? 'error' : 'completed');
};

const aborted: Handler = (entry) => {
  event(entry, 'turn_aborted', textIn(entry.payload, 'reason') ?? 'aborted', { level: 'warning' });
  return end(entry, 'interrupted');
};

const failed: Handler = (entry) => {
  event(entry, 'error', textIn(entry.payload, 'message') ?? '', { level: 'error' });
  told(entry, 'error');
  return { turn: { ...entry.state.turn, failed: true } };
};

const noted =
  (kind: string, level: 'info' | 'warning'): Handler =>
  (entry) => {
    event(entry, kind, textIn(entry.payload, 'message') ?? '', { level });
    return UNCHANGED;
  };

const commandBegins: Handler = (entry) => {
  const id = idIn(entry.payload, 'call_id');
  const known = entry.state.open.some((call) => call.id === id);
  if (id === null || known) return UNCHANGED;
  const command = commandText(textsIn(entry.payload, 'command'));
  const change = called(entry, {
    id,
    name: 'exec_command',
    kind: 'shell',
    target: shortText(command),
    command,
    patch: null,
  });
  return { open: change.open ?? entry.state.open };
};

const STATUS: ReadonlyMap<string, ToolStatus> = new Map([
  ['declined', 'denied'],
  ['failed', 'error'],
  ['completed', 'ok'],
]);

const commandEnds: Handler = (entry) => {
  const { payload, state } = entry;
  const id = idIn(payload, 'call_id');
  if (id === null) return UNCHANGED;
  const call = state.open.find((one) => one.id === id);
  const written = numberIn(payload, 'exit_code');
  const exitCode = written !== null && Number.isSafeInteger(written) ? written : null;
  const said = STATUS.get(textIn(payload, 'status') ?? '');
  const output = textIn(payload, 'aggregated_output') ?? '';
  const text =
    output === '' ? [textIn(payload, 'stdout') ?? '', textIn(payload, 'stderr') ?? ''].join('\n') : output;
  const status: ToolStatus =
    said === 'denied' ? said : exitCode === null ? (said ?? 'unknown') : exitCode === 0 ? 'ok' : 'error';
  const outcome = outcomeOf(
    { exitCode, durationMs: durationOf(payload, 'duration'), status },
    text.trim() === '' ? '' : text,
    call?.committing ?? false,
  );
  const change = cameBack(entry, id, outcome, call);
  if (call !== undefined) return change;
  // A command whose beginning was not written down still has a name.
  const command = commandText(textsIn(payload, 'command'));
  if (command === '') return change;
  entry.add('tool_calls_told', {
    tool_call_id: id,
    session_id: entry.session,
    name: 'exec_command',
    kind: 'shell',
    target: shortText(command),
    is_sidechain: state.subagent,
    source_id: entry.source.id,
    source_kind: entry.source.kind,
    source_line: entry.no,
  });
  return change;
};

const patchEnds: Handler = (entry) => {
  const { payload, state } = entry;
  const id = idIn(payload, 'call_id');
  if (id === null) return UNCHANGED;
  const call = state.open.find((one) => one.id === id);
  const touches = touchesOfChanges(objectIn(payload, 'changes')).filter(({ path }) => path.length <= PATH);
  const success = flagIn(payload, 'success');
  const status: ToolStatus =
    STATUS.get(textIn(payload, 'status') ?? '') ?? (success === null ? 'unknown' : success ? 'ok' : 'error');
  const text = [textIn(payload, 'stdout') ?? '', textIn(payload, 'stderr') ?? ''].join('\n').trim();
  return cameBack(entry, id, outcomeOf({ exitCode: null, durationMs: null, status }, text, false), {
    id,
    kind: 'edit',
    committing: false,
    touches: touches.length > 0 ? touches : (call?.touches ?? []),
  });
};

const mcpEnds: Handler = (entry) => {
  const { payload, session, state } = entry;
  const id = idIn(payload, 'call_id');
  if (id === null) return UNCHANGED;
  const invocation = objectIn(payload, 'invocation');
  const result = objectIn(payload, 'result');
  const okay = objectIn(result, 'Ok');
  const failure = textIn(result, 'Err');
  const wrong = failure !== null || flagIn(okay, 'isError') === true || flagIn(okay, 'is_error') === true;
  const status: ToolStatus = wrong ? 'error' : okay === null ? 'unknown' : 'ok';
  if (!state.open.some((one) => one.id === id))
    entry.add('tool_calls_told', {
      tool_call_id: id,
      session_id: session,
      name: `mcp__${textIn(invocation, 'server') ?? 'unknown'}__${textIn(invocation, 'tool') ?? 'unknown'}`.slice(
        0,
        200,
      ),
      kind: 'mcp',
      is_sidechain: state.subagent,
      source_id: entry.source.id,
      source_kind: entry.source.kind,
      source_line: entry.no,
    });
  const outcome = outcomeOf(
    { exitCode: null, durationMs: durationOf(payload, 'duration'), status },
    failure ?? '',
    false,
  );
  return cameBack(entry, id, outcome, undefined);
};

const userMessage: Handler = (entry) => prompted(entry, textIn(entry.payload, 'message') ?? '');

/** Events that repeat what another entry tells, or tell nothing that is kept. */
const QUIET = [
  'agent_message',
  'agent_message_delta',
  'agent_message_content_delta',
  'agent_reasoning',
  'agent_reasoning_delta',
  'agent_reasoning_raw_content',
  'agent_reasoning_raw_content_delta',
  'agent_reasoning_section_break',
  'reasoning_content_delta',
  'reasoning_raw_content_delta',
  'session_configured',
  'mcp_startup_update',
  'mcp_startup_complete',
  'mcp_tool_call_begin',
  'mcp_list_tools_response',
  'web_search_begin',
  'web_search_end',
  'exec_command_output_delta',
  'terminal_interaction',
  'view_image_tool_call',
  'image_generation_begin',
  'image_generation_end',
  'exec_approval_request',
  'apply_patch_approval_request',
  'elicitation_request',
  'request_user_input',
  'request_permissions',
  'dynamic_tool_call_request',
  'dynamic_tool_call_response',
  'background_event',
  'patch_apply_begin',
  'turn_diff',
  'plan_update',
  'plan_delta',
  'shutdown_complete',
  'raw_response_item',
  'item_started',
  'item_completed',
  'undo_started',
  'undo_completed',
  'thread_name_updated',
  'skills_update_available',
  'list_skills_response',
  'list_custom_prompts_response',
  'collab_agent_spawn_begin',
  'collab_agent_spawn_end',
  'collab_agent_interaction_begin',
  'collab_agent_interaction_end',
  'collab_waiting_begin',
  'collab_waiting_end',
  'collab_close_begin',
  'collab_close_end',
  'collab_resume_begin',
  'collab_resume_end',
  'context_compacted',
] as const;

/** Events of a session, by type. */
export const EVENTS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...QUIET.map((type) => [type, quiet] as const),
  ['token_count', tokenCount],
  ['task_started', turnStarts],
  ['turn_started', turnStarts],
  ['task_complete', turnEnds],
  ['turn_complete', turnEnds],
  ['turn_aborted', aborted],
  ['user_message', userMessage],
  ['error', failed],
  ['stream_error', noted('retry', 'warning')],
  ['warning', noted('warning', 'warning')],
  ['deprecation_notice', noted('notice', 'info')],
  ['model_reroute', noted('model_reroute', 'warning')],
  ['thread_rolled_back', noted('rolled_back', 'info')],
  ['exec_command_begin', commandBegins],
  ['exec_command_end', commandEnds],
  ['patch_apply_end', patchEnds],
  ['mcp_tool_call_end', mcpEnds],
  ['entered_review_mode', reviewBegins],
  ['exited_review_mode', reviewEnds],
]);
