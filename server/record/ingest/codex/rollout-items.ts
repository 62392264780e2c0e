import { memberOf, objectIn, textIn, textsIn } from '../json-quiet.ts';
import { readJson } from '../json-tree.ts';
import { visibleText } from '../visible.ts';
import { patchIn, type Touch, touchesOfText } from './patch.ts';
import { at, type Change, type Entry, type Handler, idIn, UNCHANGED } from './rollout-entry.ts';
import { type OpenCall, opened } from './rollout-state.ts';
import {
  commandText,
  kindOfTool,
  type Outcome,
  readOutput,
  searchOf,
  shortText,
  type ToolKind,
  targetOf,
} from './tools.ts';
import { touched } from './touches.ts';

const answered = ({ state }: Entry): Change => ({ turn: { ...state.turn, answered: true } });

/** A path longer than this is none that is kept. */
const PATH = 1_000;

/** A call the model makes. */
export function called(
  entry: Entry,
  call: {
    id: string;
    name: string;
    kind: ToolKind;
    target: string | null;
    command: string | null;
    patch: string | null;
  },
): Change {
  const { state, session, ms } = entry;
  const { id, name, kind, target, command } = call;
  const patch = call.patch ?? (command === null ? null : patchIn(command));
  const touches: Touch[] =
    patch === null ? [] : touchesOfText(patch).filter(({ path }) => path.length <= PATH);
  const [first, ...others] = touches;
  const files =
    first === undefined ? null : others.length === 0 ? first.path : `${first.path} and ${others.length} more`;
  entry.add('tool_calls_told', {
    tool_call_id: id,
    session_id: session,
    name: visibleText(shortText(name, 200)),
    kind: patch === null ? kind : 'edit',
    target: files ?? (target === null ? null : visibleText(target)),
    is_sidechain: state.subagent,
    started_at_ms: ms,
    ...at(entry),
  });
  const committing = command !== null && /\bgit\b[^\n]*\bcommit\b/.test(command.slice(0, 4_000));
  return { ...answered(entry), open: opened(state.open, { id, kind, committing, touches }) };
}

/** What came back from a call; the files of its patch were touched if it worked. */
export function cameBack(entry: Entry, id: string, outcome: Outcome, call: OpenCall | undefined): Change {
  const { state, session, ms } = entry;
  entry.add('tool_calls_told', {
    tool_call_id: id,
    session_id: session,
    is_sidechain: state.subagent,
    ended_at_ms: ms,
    duration_ms: outcome.durationMs,
    status: outcome.status,
    exit_code: outcome.exitCode,
    error_class: outcome.errorClass,
    error_sig: outcome.errorSig === null ? null : visibleText(outcome.errorSig),
    output_bytes: outcome.bytes,
    commit_sha: outcome.commit,
    ...at(entry),
  });
  if (call !== undefined && outcome.status !== 'error' && outcome.status !== 'denied')
    touched(entry, id, call.touches);
  return { askedMs: ms, open: state.open.filter((one) => one.id !== id) };
}

const callId = (entry: Entry): string =>
  idIn(entry.payload, 'call_id') ?? idIn(entry.payload, 'id') ?? `${entry.source.id}.${entry.no}`;

const functionCall: Handler = (entry) => {
  const name = textIn(entry.payload, 'name') ?? 'unknown';
  const kind = kindOfTool(name);
  const text = textIn(entry.payload, 'arguments') ?? textIn(entry.payload, 'input') ?? '';
  const patch = name === 'apply_patch' ? (patchIn(`apply_patch ${unwrapped(text)}`) ?? null) : null;
  const about = kind === 'edit' ? { target: null, command: null } : targetOf(kind, text);
  return called(entry, { id: callId(entry), name, kind, ...about, patch });
};

/** A patch that is an argument of a function stands in its JSON text with escaped line breaks. */
function unwrapped(text: string): string {
  const root = text.trimStart().startsWith('{') ? readJson(text).root : null;
  return textIn(root, 'input') ?? textIn(root, 'patch') ?? text;
}

const output: Handler = (entry) => {
  const id = callId(entry);
  const call = entry.state.open.find((one) => one.id === id);
  const read = readOutput(
    memberOf(entry.payload, 'output'),
    call?.kind ?? 'other',
    call?.committing ?? false,
  );
  // A call that is not known may have been a command, of which only an exit code tells how it ended.
  const status =
    call === undefined && read.status === 'ok' && read.exitCode === null ? 'unknown' : read.status;
  return cameBack(entry, id, { ...read, status }, call);
};

const localShell: Handler = (entry) => {
  const words = textsIn(objectIn(entry.payload, 'action'), 'command');
  const command = commandText(words);
  return called(entry, {
    id: callId(entry),
    name: 'local_shell',
    kind: 'shell',
    target: command === '' ? null : shortText(command),
    command,
    patch: null,
  });
};

const webSearch: Handler = (entry) => {
  const { source, no, payload, session, state, ms } = entry;
  const query = searchOf(objectIn(payload, 'action'));
  const status = textIn(payload, 'status');
  entry.add('tool_calls_told', {
    tool_call_id: idIn(payload, 'call_id') ?? idIn(payload, 'id') ?? `${source.id}.${no}`,
    session_id: session,
    name: 'web_search',
    kind: 'web',
    target: query === null || query === '' ? null : visibleText(shortText(query)),
    is_sidechain: state.subagent,
    ended_at_ms: ms,
    status: status === 'completed' || status === null ? 'ok' : status === 'failed' ? 'error' : 'unknown',
    ...at(entry),
  });
  return answered(entry);
};

const message: Handler = (entry) =>
  textIn(entry.payload, 'role') === 'assistant' ? answered(entry) : UNCHANGED;

/** Entries of the conversation as it is sent to the model, by type. */
export const ITEMS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['message', message],
  ['reasoning', answered],
  ['function_call', functionCall],
  ['custom_tool_call', functionCall],
  ['tool_search_call', functionCall],
  ['function_call_output', output],
  ['custom_tool_call_output', output],
  ['tool_search_output', output],
  ['local_shell_call', localShell],
  ['web_search_call', webSearch],
  ['image_generation_call', answered],
  ['ghost_snapshot', () => UNCHANGED],
  ['compaction', () => UNCHANGED],
  ['compaction_summary', () => UNCHANGED],
  ['other', () => UNCHANGED],
]);
