import { errorSignature } from '../error-signature.ts';
import type { JsonObject } from '../json-fields.ts';
import { flagIn, memberOf, numberIn, objectIn, textIn } from '../json-quiet.ts';
import type { JsonNode } from '../json-tree.ts';
import type { Call } from './state.ts';

export type ToolKind = Call['kind'];

const KINDS: ReadonlyMap<string, ToolKind> = new Map(
  Object.entries({
    Bash: 'shell',
    BashOutput: 'shell',
    KillShell: 'shell',
    KillBash: 'shell',
    PowerShell: 'shell',
    Edit: 'edit',
    Write: 'edit',
    MultiEdit: 'edit',
    NotebookEdit: 'edit',
    Read: 'read',
    NotebookRead: 'read',
    Grep: 'search',
    Glob: 'search',
    LS: 'search',
    ToolSearch: 'search',
    WebFetch: 'web',
    WebSearch: 'web',
    web_search: 'web',
    web_fetch: 'web',
    Task: 'subagent',
    Agent: 'subagent',
  } as const),
);

/** What a tool of this name does. */
export const kindOfTool = (name: string): ToolKind =>
  KINDS.get(name) ?? (name.startsWith('mcp__') ? 'mcp' : 'other');

/** Tools whose whole time is a person's. */
export const ASKING: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

const TARGETS = [
  'command',
  'file_path',
  'notebook_path',
  'path',
  'pattern',
  'query',
  'url',
  'description',
  'skill',
  'subject',
] as const;

/** What a call is about: its command, its file, what it looks for. */
export function targetOf(input: JsonObject | null): string | null {
  const pattern = textIn(input, 'pattern');
  if (pattern !== null) return pattern;
  for (const key of TARGETS) {
    const text = textIn(input, key);
    if (text !== null && text.trim() !== '') return text;
  }
  return null;
}

export interface Outcome {
  status: 'ok' | 'error' | 'denied' | 'interrupted';
  exitCode: number | null;
  errorClass: string | null;
  errorSig: string | null;
  durationMs: number | null;
  bytes: number;
}

const HEAD = 2_000;
const EXIT = /^(?:Error: )?Exit code (\d{1,5})\b/;
const REJECTED =
  /^(?:The user doesn't want to (?:proceed|take this action)|User rejected|The tool use was rejected|Permission to use .{1,200} (?:has been|was) denied|Claude requested permissions? to .{1,400} but you haven't granted)/;
const BLOCKED =
  /^(?:PreToolUse:\S{1,100} (?:hook )?(?:error|blocked)|Hook PreToolUse\S{0,100} denied|Blocked by hook)/i;
const STOPPED = /\[Request interrupted by user/;
const LATE = /timed out after/i;

/** Classes of errors the harness itself tells by their text. */
const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/InputValidationError/, 'bad_input'],
  [/No such tool available/, 'no_such_tool'],
  [/has not been read yet|has been modified since read/, 'not_read'],
  [/String to replace not found|matches of the string to replace/, 'no_match'],
  [/File does not exist|No such file or directory|ENOENT/, 'not_found'],
  [/exceeds maximum allowed/, 'too_large'],
];

/** Class of an error: by its exit code where there is one, else by what the harness says. */
function errorClassOf(text: string, exitCode: number | null): string {
  if (LATE.test(text) || exitCode === 124) return 'timeout';
  if (exitCode === 127) return 'not_found';
  if (exitCode === 126) return 'not_executable';
  if (exitCode === 137) return 'killed';
  if (exitCode !== null && exitCode !== 0) return 'exit_nonzero';
  return CLASSES.find(([pattern]) => pattern.test(text))?.[1] ?? 'tool_error';
}

/** The text of a result: a text, or a list of parts. */
export function resultText(content: JsonNode | null): string {
  if (content?.kind === 'string') return content.value;
  if (content?.kind !== 'array') return '';
  return content.items
    .map((part) => (part.kind === 'string' ? part.value : (textIn(part, 'text') ?? '')))
    .join('\n');
}

/** A duration the tool itself tells, in milliseconds. */
function durationIn(told: JsonNode | null): number | null {
  const ms = numberIn(told, 'durationMs') ?? numberIn(told, 'totalDurationMs');
  const seconds = numberIn(told, 'durationSeconds');
  const value = ms ?? (seconds === null ? null : seconds * 1_000);
  return value === null || value < 0 ? null : Math.round(value);
}

/**
 * What came back from a call.
 * @param part the `tool_result` part of the row
 * @param told the row's `toolUseResult`, which tells more in most versions
 */
export function outcomeOf(part: JsonObject, told: JsonNode | null, kind: ToolKind | null): Outcome {
  const whole = resultText(memberOf(part, 'content'));
  const head = whole.slice(0, HEAD).replace(/^<tool_use_error>/, '');
  const failed = flagIn(part, 'is_error') === true;
  const stopped = flagIn(told, 'interrupted') === true || (failed && STOPPED.test(head));
  const exit = failed ? EXIT.exec(head)?.[1] : undefined;
  const blocked = failed && BLOCKED.test(head);
  const status = stopped
    ? 'interrupted'
    : failed && (blocked || REJECTED.test(head))
      ? 'denied'
      : failed
        ? 'error'
        : 'ok';
  // A command that runs on in the background, or whose code means something else than failure, has told no exit code.
  const silent =
    textIn(told, 'backgroundTaskId') !== null || textIn(told, 'returnCodeInterpretation') !== null;
  const exitCode =
    exit !== undefined
      ? Number(exit)
      : kind === 'shell' && status === 'ok' && told !== null && !silent
        ? 0
        : null;
  const errorClass =
    status === 'ok' ? null : status === 'error' ? errorClassOf(head, exitCode) : blocked ? 'hook' : status;
  return {
    status,
    exitCode,
    errorClass,
    errorSig:
      status === 'error' ? errorSignature(head.replace(EXIT, '').replace(/<\/tool_use_error>$/, '')) : null,
    durationMs: durationIn(told),
    bytes: Buffer.byteLength(whole),
  };
}

/** A commit as the output of `git commit` names it. */
export interface Made {
  sha: string;
  subject: string;
}

const COMMITTED = /^\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] ([^\n]{0,400})/gm;
const MOST_COMMITS = 20;
/** Output in which commits are looked for. */
const LOOKED = 64 * 1024;

/** Whether a command makes a commit. */
export const commits = (command: string | null): boolean =>
  command !== null && /\bgit\b/.test(command) && /\b(?:commit|merge|cherry-pick|revert)\b/.test(command);

/** Commits that a call made, from its output. */
export function commitsIn(part: JsonObject, told: JsonNode | null): Made[] {
  const text = (textIn(told, 'stdout') ?? resultText(memberOf(part, 'content'))).slice(0, LOOKED);
  const made = [...text.matchAll(COMMITTED)]
    .slice(0, MOST_COMMITS)
    .map((match) => ({ sha: match[1] ?? '', subject: (match[2] ?? '').trim() }));
  if (made.length > 0) return made;
  const sha = textIn(objectIn(objectIn(told, 'gitOperation'), 'commit'), 'sha');
  return sha !== null && /^[0-9a-f]{7,40}$/.test(sha) ? [{ sha, subject: '' }] : [];
}
