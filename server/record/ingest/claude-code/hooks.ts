import type { RowOf } from '../../tables.ts';
import { idIn } from '../codex/rollout-entry.ts';
import type { JsonObject } from '../json-fields.ts';
import { flagIn, listIn, memberOf, numberIn, objectIn, textIn } from '../json-quiet.ts';
import { readJson } from '../json-tree.ts';
import { at, type Change, copyKey, type Entry, event, shown } from './entry.ts';
import { NO_STOP, type State } from './state.ts';

/** What one hook came to. */
interface Told {
  /** `Stop`, `PreToolUse`, … */
  name: string;
  verdict: 'pass' | 'block' | 'error' | 'timeout' | 'cancelled' | 'no_verdict' | 'impossible' | 'bypassed';
  /** Whether its word was heeded; null where the source does not say. */
  enforced: boolean | null;
  exitCode: number | null;
  reason: string | null;
  durationMs: number | null;
  command: string | null;
}

/** Stops in a row that hooks may hold up; the harness lets the next one through (unless it was set up otherwise). */
export const STOP_BLOCKS = 8;

const STOPS: ReadonlySet<string> = new Set(['Stop', 'SubagentStop']);

/** Texts that show that a hook could not run at all, whatever it was to look at. */
const NOT_RUN =
  /command not found|No such file or directory|Permission denied|Cannot find module|ModuleNotFoundError|not recognized as|bad interpreter|ENOENT|EACCES/;

/** Whose fault a hook that came to no verdict was. Only what is positively known: it could not be run. */
function faultOf({ verdict, exitCode, reason }: Told): {
  attribution: string;
  attribution_basis: string | null;
} {
  const none = { attribution: 'unknown', attribution_basis: null };
  if (verdict !== 'error') return none;
  if (exitCode === 127 || exitCode === 126)
    return {
      attribution: 'verifier',
      attribution_basis: `exit code ${exitCode}: the command of the hook ${exitCode === 127 ? 'was not found' : 'could not be run'}`,
    };
  const found = NOT_RUN.exec(reason ?? '')?.[0];
  return found === undefined
    ? none
    : { attribution: 'verifier', attribution_basis: `the hook could not run: "${found}"` };
}

function gate(entry: Entry, told: Told, part = 0): void {
  const { durationMs, command } = told;
  const row: RowOf<'gate_events'> = {
    gate_event_id: part === 0 ? `${entry.source.id}.${entry.no}` : `${entry.source.id}.${entry.no}.${part}`,
    gate: `hook:${told.name}`,
    verdict: told.verdict,
    enforced: told.enforced,
    exit_code: told.exitCode,
    ...faultOf(told),
    family: command === null ? null : shown(command, 200),
    reason: told.reason === null || told.reason.trim() === '' ? null : shown(told.reason, 1_000),
    started_at_ms: entry.ms === null || durationMs === null ? null : entry.ms - durationMs,
    ended_at_ms: entry.ms,
    duration_ms: durationMs,
    session_id: entry.session,
    copy_key: copyKey(entry, part),
    ...at(entry),
  };
  entry.add('gate_events', row);
}

/** A hook may answer in JSON on its standard output, or as a prompt's verdict. */
function answerOf(text: string | null): JsonObject | null {
  if (text === null || !text.trimStart().startsWith('{')) return null;
  const { root, broken } = readJson(text);
  return root?.kind === 'object' && broken === null ? root : null;
}

const durationIn = (node: JsonObject | null): number | null => {
  const ms = numberIn(node, 'durationMs') ?? numberIn(node, 'duration_ms');
  return ms === null || ms < 0 ? null : Math.round(ms);
};

const codeIn = (node: JsonObject | null): number | null => {
  const code = numberIn(node, 'exitCode') ?? numberIn(node, 'exit_code');
  return code !== null && Number.isSafeInteger(code) ? code : null;
};

/** Verdict of a hook that ran to its end, by its exit code and what it answered. */
function ranTo(exitCode: number | null, answer: JsonObject | null): Pick<Told, 'verdict' | 'enforced'> {
  if (flagIn(answer, 'impossible') === true) return { verdict: 'impossible', enforced: true };
  const decision =
    textIn(answer, 'decision') ?? textIn(objectIn(answer, 'hookSpecificOutput'), 'permissionDecision');
  if (exitCode === 2 || decision === 'block' || decision === 'deny' || flagIn(answer, 'ok') === false)
    return { verdict: 'block', enforced: true };
  if (exitCode !== null && exitCode !== 0) return { verdict: 'error', enforced: false };
  return { verdict: 'pass', enforced: true };
}

/** What an attachment tells of a hook; null when it is about none that came to an outcome. */
function toldOf(type: string, attachment: JsonObject): Told | null {
  const blocking = objectIn(attachment, 'blockingError');
  const output = textIn(attachment, 'stdout') ?? textIn(attachment, 'content');
  const stderr = textIn(attachment, 'stderr');
  const base = {
    name: idIn(attachment, 'hookEvent') ?? idIn(attachment, 'hookName') ?? 'unknown',
    exitCode: codeIn(attachment),
    durationMs: durationIn(attachment),
    command: textIn(attachment, 'command') ?? textIn(blocking, 'command'),
  };
  const answer = answerOf(output);
  const reason = textIn(answer, 'reason') ?? stderr ?? output;
  switch (type) {
    case 'hook_success':
      return { ...base, ...ranTo(base.exitCode, answer), reason };
    case 'hook_blocking_error': {
      const says = textIn(blocking, 'blockingError') ?? textIn(attachment, 'blockingError');
      const impossible = flagIn(answer ?? answerOf(says), 'impossible') === true;
      return {
        ...base,
        verdict: impossible ? 'impossible' : 'block',
        enforced: true,
        reason: says ?? reason,
      };
    }
    case 'hook_non_blocking_error':
      return { ...base, verdict: 'error', enforced: false, reason };
    case 'hook_error_during_execution':
      return {
        ...base,
        verdict: 'error',
        enforced: false,
        reason: textIn(attachment, 'error') ?? reason,
      };
    case 'hook_cancelled': {
      const late = flagIn(attachment, 'timedOut') === true;
      const limit = numberIn(attachment, 'timeoutMs');
      const words = limit === null ? 'The hook ran out of time.' : `The hook ran out of its ${limit} ms.`;
      return {
        ...base,
        verdict: late ? 'timeout' : 'cancelled',
        enforced: false,
        reason: late ? words : reason,
      };
    }
    case 'hook_stopped_continuation':
      return {
        ...base,
        verdict: 'block',
        enforced: true,
        reason: textIn(attachment, 'message') ?? textIn(attachment, 'stopReason') ?? reason,
      };
    case 'hook_permission_decision': {
      const decision = textIn(attachment, 'decision');
      const verdict = decision === 'deny' ? 'block' : decision === 'allow' ? 'pass' : 'no_verdict';
      return { ...base, verdict, enforced: verdict === 'no_verdict' ? null : true, reason };
    }
    case 'async_hook_response': {
      const { verdict } = ranTo(base.exitCode, answer);
      // It runs beside the session, which does not wait for it; nothing was to be held up.
      return { ...base, verdict: base.exitCode === null ? 'no_verdict' : verdict, enforced: null, reason };
    }
    default:
      return null;
  }
}

/** The stops in a row, with one more outcome of a hook at a stop. */
function stopWith(entry: Entry, { name, verdict }: Told, stop: string | null): State['stop'] {
  const before = entry.state.stop;
  if (!STOPS.has(name)) return before;
  if (verdict !== 'block') return { ...before, told: true };
  // Several hooks may hold up one stop.
  const again = stop !== null && stop === before.last;
  return { ...before, blocks: before.blocks + (again ? 0 : 1), last: stop, line: entry.no, told: true };
}

/** Words about the session in attachments that a hook leaves behind. */
const TELLING: ReadonlySet<string> = new Set(['hook_additional_context', 'hook_system_message']);

/** An attachment: the outcome of a hook, or something else that the harness shows to the agent. */
export function attachment(entry: Entry): Change {
  const node = objectIn(entry.node, 'attachment');
  const type = textIn(node, 'type');
  if (node === null || type === null) return null;
  const told = toldOf(type, node);
  if (told === null) {
    const content = memberOf(node, 'content');
    const text = content?.kind === 'string' ? content.value : '';
    if (type.startsWith('hook_') && !TELLING.has(type)) return null;
    event(entry, type.startsWith('hook_') ? 'hook_context' : 'attachment', `${type} ${text}`.trim());
    return {};
  }
  gate(entry, told);
  if (type === 'hook_permission_decision')
    event(entry, 'permission', `A hook decided: ${shown(textIn(node, 'decision') ?? 'nothing', 40)}`);
  return { stop: stopWith(entry, told, idIn(node, 'toolUseID')) };
}

/** A hook's end as the output of a headless session tells it. */
export function hookResponse(entry: Entry): Change {
  const { node } = entry;
  const outcome = textIn(node, 'outcome');
  const exitCode = codeIn(node);
  const answer = answerOf(textIn(node, 'stdout') ?? textIn(node, 'output'));
  const told: Told = {
    name: idIn(node, 'hook_event') ?? 'unknown',
    ...(outcome === 'cancelled'
      ? { verdict: 'cancelled' as const, enforced: false }
      : ranTo(exitCode ?? (outcome === 'error' ? 1 : null), answer)),
    exitCode,
    reason: textIn(answer, 'reason') ?? textIn(node, 'stderr') ?? textIn(node, 'output'),
    durationMs: durationIn(node),
    command: idIn(node, 'hook_name'),
  };
  gate(entry, told);
  return { stop: stopWith(entry, told, null) };
}

/**
 * The summary of the hooks of one stop. Versions that also tell their outcomes one by one have been read by then, and the
 * summary is only kept as an event; else each hook it names is one gate.
 */
export function stopSummary(entry: Entry): Change {
  const { node, state } = entry;
  const hooks = listIn(node, 'hookInfos');
  const errors = listIn(node, 'hookErrors').flatMap((one) => (one.kind === 'string' ? [one.value] : []));
  const prevented = flagIn(node, 'preventedContinuation') === true;
  const reason = textIn(node, 'stopReason');
  event(entry, 'stop_hook_summary', `${hooks.length} hooks, ${errors.length} errors`, {
    part: 1,
    data: { hooks: hooks.length, errors: errors.length, prevented_continuation: prevented },
  });
  const held = state.stop.told ? null : heldBy(state, errors, prevented);
  if (held !== null) {
    // Which of several hooks an error is of is not told: then one gate stands for all of them.
    const together = errors.length > 0 || prevented;
    for (const [index, hook] of (together ? hooks.slice(0, 1) : hooks).entries()) {
      const info = hook.kind === 'object' ? hook : null;
      gate(
        entry,
        {
          name: 'Stop',
          ...held,
          exitCode: null,
          reason: errors[0] ?? (reason === '' ? null : reason),
          durationMs: durationIn(info),
          command: hooks.length === 1 || !together ? textIn(info, 'command') : null,
        },
        2 + index,
      );
    }
  }
  const passed = errors.length === 0 && !prevented;
  const blocked = held?.verdict === 'block' && !prevented;
  const before = state.stop;
  const stop = passed
    ? NO_STOP
    : { ...before, blocks: before.blocks + (blocked ? 1 : 0), line: blocked ? entry.no : before.line };
  return { stop: { ...stop, told: true } };
}

function heldBy(
  state: State,
  errors: readonly string[],
  prevented: boolean,
): Pick<Told, 'verdict' | 'enforced'> {
  if (prevented) return { verdict: 'block', enforced: true };
  if (errors.length === 0) return { verdict: 'pass', enforced: true };
  if (state.stop.feedback) return { verdict: 'block', enforced: true };
  // An error that the agent was not told of has held nothing up; where that is not known it is left open.
  return { verdict: 'error', enforced: errors.some((text) => /non-?blocking/i.test(text)) ? false : null };
}

/** A turn that ends although the last stops in a row were all held up: the harness has let it through. */
export function capReached(entry: Entry, part: number): void {
  const { blocks } = entry.state.stop;
  if (blocks < STOP_BLOCKS) return;
  gate(
    entry,
    {
      name: 'Stop',
      verdict: 'bypassed',
      enforced: false,
      exitCode: null,
      reason: `${blocks} stops in a row were held up by hooks; then the session ended its turn all the same.`,
      durationMs: null,
      command: null,
    },
    part,
  );
}
