import { errorSignature } from '../error-signature.ts';
import type { JsonObject } from '../json-fields.ts';
import { flagIn, listIn, numberIn, objectIn, textIn, textsIn } from '../json-quiet.ts';
import { type JsonNode, readJson } from '../json-tree.ts';

export type ToolKind = 'shell' | 'edit' | 'read' | 'search' | 'mcp' | 'web' | 'subagent' | 'other';
export type ToolStatus = 'ok' | 'error' | 'denied' | 'interrupted' | 'unknown';

const KINDS: ReadonlyMap<string, ToolKind> = new Map(
  Object.entries({
    shell: 'shell',
    'container.exec': 'shell',
    shell_command: 'shell',
    local_shell: 'shell',
    exec_command: 'shell',
    unified_exec: 'shell',
    write_stdin: 'shell',
    apply_patch: 'edit',
    read_file: 'read',
    list_dir: 'read',
    view_image: 'read',
    grep_files: 'search',
    tool_search: 'search',
    web_search: 'web',
    spawn_agent: 'subagent',
    send_input: 'subagent',
    resume_agent: 'subagent',
    wait: 'subagent',
    wait_agent: 'subagent',
    close_agent: 'subagent',
    list_mcp_resources: 'mcp',
    list_mcp_resource_templates: 'mcp',
    read_mcp_resource: 'mcp',
  } as const),
);

/** What a tool of this name does. */
export const kindOfTool = (name: string): ToolKind =>
  KINDS.get(name) ?? (name.startsWith('mcp__') ? 'mcp' : 'other');

const TARGET = 400;
export const shortText = (text: string, most: number = TARGET): string => {
  const flat = text.trim();
  return flat.length <= most ? flat : `${flat.slice(0, most - 1)}…`;
};

/** A command as a person would type it: what a shell is given to run is taken out of the call of the shell. */
export function commandText(words: readonly string[]): string {
  const [program, flag, script] = words;
  const shell = /(?:^|\/)(?:ba|z|da)?sh$/.test(program ?? '');
  return shell && script !== undefined && /^-\w*c$/.test(flag ?? '') ? script : words.join(' ');
}

/** What a call is about: its command, its file, what it searches; else its arguments. */
export function targetOf(kind: ToolKind, text: string): { target: string | null; command: string | null } {
  const root = text.trimStart().startsWith('{') ? readJson(text).root : null;
  const words = textsIn(root, 'command');
  const command =
    words.length > 0
      ? commandText(words)
      : (textIn(root, 'cmd') ?? textIn(root, 'command') ?? (kind === 'shell' && root === null ? text : null));
  if (command !== null) return { target: shortText(command), command };
  const told =
    textIn(root, 'path') ??
    textIn(root, 'file_path') ??
    textIn(root, 'dir_path') ??
    textIn(root, 'query') ??
    textIn(root, 'pattern') ??
    textIn(root, 'message');
  return { target: text.trim() === '' ? null : shortText(told ?? text), command: null };
}

/** What came back from a call. */
export interface Outcome {
  status: ToolStatus;
  exitCode: number | null;
  durationMs: number | null;
  errorClass: string | null;
  errorSig: string | null;
  bytes: number;
  commit: string | null;
}

const HEAD = 2_000;
const EXIT = /^(?:Exit code|Process exited with code):? (-?\d{1,6})$/m;
const WALL = /^Wall time: (\d{1,9}(?:\.\d{1,9})?) seconds?$/m;
const COMMIT = /^\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] /m;
const REFUSED = /rejected by user|denied by|not approved|was declined/i;
const STOPPED = /^aborted(?: by user)?\b/i;
const LATE = /timed out after/i;
const WRONG =
  /^(?:error|failed|execution error|exec_command failed|apply_patch verification failed|unsupported call)\b/i;

/** The class of an error by its exit code and text. */
export function errorClassOf(exitCode: number | null, status: ToolStatus, text: string): string | null {
  if (status === 'denied' || status === 'interrupted') return status;
  if (status !== 'error') return null;
  if (LATE.test(text.slice(0, HEAD)) || exitCode === 124) return 'timeout';
  if (exitCode === 127) return 'not_found';
  if (exitCode === 126) return 'not_executable';
  if (exitCode === 137) return 'killed';
  return exitCode === null ? 'tool_error' : 'exit_nonzero';
}

/** Texts of an output, which is a text, a list of parts, or an object around one of them. */
function outputText(node: JsonNode | null): string {
  if (node?.kind === 'string') return node.value;
  if (node?.kind === 'array') return node.items.map((part) => textIn(part, 'text') ?? '').join('\n');
  if (node?.kind !== 'object') return '';
  const { content, body } = { content: node.members.get('content'), body: node.members.get('body') };
  return outputText(content ?? body ?? null);
}

/** An outcome from what is known of it. @param text the whole output */
export function outcomeOf(
  known: { exitCode: number | null; durationMs: number | null; status: ToolStatus },
  text: string,
  committing: boolean,
): Outcome {
  const errorClass = errorClassOf(known.exitCode, known.status, text);
  return {
    ...known,
    errorClass,
    errorSig: errorClass === null ? null : errorSignature(text),
    bytes: Buffer.byteLength(text),
    commit: committing && known.status === 'ok' ? (COMMIT.exec(text)?.[1] ?? null) : null,
  };
}

/** What a command printed, without what the harness puts above it. */
function bodyOf(head: string): string {
  const mark = 'Output:\n';
  const at = head.startsWith(mark) ? 0 : head.indexOf(`\n${mark}`) + 1;
  return at === 0 && !head.startsWith(mark) ? head : head.slice(at + mark.length);
}

/**
 * Reads the output of a call.
 * @param kind of the tool; a command whose exit code is not told has an unknown outcome
 * @param committing whether the call was to make a commit
 */
export function readOutput(node: JsonNode | null, kind: ToolKind, committing: boolean): Outcome {
  const whole = outputText(node);
  const wrapped = whole.startsWith('{"output"') ? readJson(whole).root : null;
  const metadata = objectIn(wrapped, 'metadata');
  const text = textIn(wrapped, 'output') ?? whole;
  const head = text.slice(0, HEAD);
  const exit = EXIT.exec(head)?.[1];
  const written = numberIn(metadata, 'exit_code') ?? (exit === undefined ? null : Number(exit));
  const exitCode = written !== null && Number.isSafeInteger(written) ? written : null;
  const wall = WALL.exec(head)?.[1];
  const seconds = numberIn(metadata, 'duration_seconds') ?? (wall === undefined ? null : Number(wall));
  const durationMs = seconds === null || seconds < 0 ? null : Math.round(seconds * 1_000);
  const success = node?.kind === 'object' ? flagIn(node, 'success') : null;
  const body = bodyOf(head);
  const status: ToolStatus = STOPPED.test(head)
    ? 'interrupted'
    : REFUSED.test(head.slice(0, 200))
      ? 'denied'
      : exitCode !== null
        ? exitCode === 0
          ? 'ok'
          : 'error'
        : success === false || WRONG.test(head) || LATE.test(head.slice(0, 200))
          ? 'error'
          : kind === 'shell' && success === null
            ? 'unknown'
            : 'ok';
  const outcome = outcomeOf({ exitCode, durationMs, status }, text, committing);
  return outcome.errorSig === null ? outcome : { ...outcome, errorSig: errorSignature(body || text) };
}

/** A duration as events write it: seconds and nanoseconds, or a text such as `1.2s`. */
export function durationOf(payload: JsonObject, key: string): number | null {
  const parts = objectIn(payload, key);
  const seconds = numberIn(parts, 'secs');
  if (seconds !== null && seconds >= 0)
    return Math.round(seconds * 1_000 + (numberIn(parts, 'nanos') ?? 0) / 1e6);
  const match = /^(\d{1,9}(?:\.\d{1,9})?)(ms|s)$/.exec(textIn(payload, key) ?? '');
  return match ? Math.round(Number(match[1]) * (match[2] === 's' ? 1_000 : 1)) : null;
}

/** The query of a search on the web. */
export const searchOf = (action: JsonObject | null): string | null =>
  textIn(action, 'query') ??
  textIn(action, 'url') ??
  listIn(action, 'queries')
    .map((one) => (one.kind === 'string' ? one.value : ''))
    .join(' · ');
