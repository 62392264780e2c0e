import { idIn } from '../codex/rollout-entry.ts';
import { plainText } from '../json-plain.ts';
import { numberIn, objectIn, textIn } from '../json-quiet.ts';
import { type Change, type Entry, event, shown, span } from './entry.ts';
import { capReached, hookResponse, stopSummary } from './hooks.ts';
import { RANK, sayOf } from './session-rows.ts';
import { NO_STOP } from './state.ts';

type Handler = (entry: Entry) => Change;

/** Types that are kept as one event each: its kind, and the member that says most. */
const PLAIN: ReadonlyMap<string, readonly [kind: string, member: string]> = new Map([
  ['file-history-snapshot', ['snapshot', 'messageId']],
  ['queue-operation', ['queue', 'operation']],
  ['last-prompt', ['last_prompt', 'lastPrompt']],
  ['mode', ['mode', 'mode']],
  ['permission-mode', ['permission_mode', 'permissionMode']],
  ['worktree-state', ['worktree', 'type']],
  ['agent-setting', ['agent_setting', 'agentSetting']],
  ['agent-name', ['agent_name', 'agentName']],
  ['agent-color', ['agent_color', 'agentColor']],
  ['tag', ['tag', 'tag']],
  ['task-summary', ['task_summary', 'summary']],
]);

/** Further kinds of lines the harness writes about itself, kept as events. */
const SYSTEM: ReadonlyMap<string, string> = new Map([
  ['local_command', 'command'],
  ['informational', 'note'],
  ['away_summary', 'note'],
  ['bridge_status', 'note'],
  ['scheduled_task_fire', 'note'],
  ['memory_saved', 'note'],
  ['agents_killed', 'note'],
  ['permission_retry', 'permission'],
  ['status', 'note'],
  ['hook_started', 'hook_run'],
  ['hook_progress', 'hook_run'],
  ['task_started', 'note'],
  ['task_progress', 'progress'],
  ['task_notification', 'note'],
]);

function compaction(entry: Entry): Change {
  const meta = objectIn(entry.node, 'compactMetadata') ?? objectIn(entry.node, 'compact_metadata');
  const before = numberIn(meta, 'preTokens') ?? numberIn(meta, 'pre_tokens');
  const after = numberIn(meta, 'postTokens') ?? numberIn(meta, 'post_tokens');
  const took = numberIn(meta, 'durationMs') ?? numberIn(meta, 'duration_ms');
  const trigger = textIn(meta, 'trigger') ?? 'unknown';
  event(
    entry,
    'compaction',
    `${trigger}: ${before ?? 'unknown'} tokens before, ${after ?? 'unknown'} after`,
    {
      data: { trigger: shown(trigger, 40), pre_tokens: before, post_tokens: after, duration_ms: took },
    },
  );
  if (took !== null && entry.ms !== null) span(entry, 'compaction', entry.ms - Math.round(took), entry.ms);
  return {};
}

/** The end of a turn, and what a hook's cap let through with it. */
function turnDuration(entry: Entry): Change {
  const { ms, state } = entry;
  const took = numberIn(entry.node, 'durationMs');
  event(entry, 'turn_end', took === null ? 'The turn ended.' : `The turn ended after ${took} ms.`, {
    data: { duration_ms: took },
  });
  span(
    entry,
    'turn',
    ms === null || took === null ? (state.turn?.startedMs ?? null) : ms - Math.round(took),
    ms,
  );
  capReached(entry, 1);
  return { turn: null, waitingMs: ms, stop: NO_STOP };
}

function apiError(entry: Entry): Change {
  const error = objectIn(entry.node, 'error');
  const status = numberIn(error, 'status') ?? numberIn(entry.node, 'error_status');
  event(
    entry,
    'api_error',
    status === null ? 'A request failed.' : `A request failed with status ${status}.`,
    {
      level: 'error',
      data: {
        status,
        attempt: numberIn(entry.node, 'retryAttempt') ?? numberIn(entry.node, 'attempt'),
        retry_ms: numberIn(entry.node, 'retryInMs') ?? numberIn(entry.node, 'retry_delay_ms'),
      },
    },
  );
  return {};
}

/** Lines of the type `system`. */
export function system(entry: Entry): Change {
  const subtype = textIn(entry.node, 'subtype');
  switch (subtype) {
    case 'compact_boundary':
    case 'microcompact_boundary':
      return compaction(entry);
    case 'turn_duration':
      return turnDuration(entry);
    case 'stop_hook_summary':
      return stopSummary(entry);
    case 'api_error':
    case 'api_retry':
      return apiError(entry);
    case 'hook_response':
      return hookResponse(entry);
    default: {
      const kind = subtype === null ? undefined : SYSTEM.get(subtype);
      if (kind === undefined) return null;
      const says = textIn(entry.node, 'content') ?? textIn(entry.node, 'hook_name') ?? subtype ?? '';
      event(entry, kind, says);
      return {};
    }
  }
}

/** Steps told while a tool or hook runs. Those of a subagent carry its messages, which the reader takes out. */
function progress(entry: Entry): Change {
  const data = objectIn(entry.node, 'data');
  const type = textIn(data, 'type');
  if (type === 'hook_progress')
    event(entry, 'hook_run', `${textIn(data, 'hookName') ?? ''}: ${textIn(data, 'command') ?? ''}`);
  else event(entry, 'progress', type ?? 'progress');
  return {};
}

const named =
  (member: string, rank: number): Handler =>
  (entry) => {
    const title = textIn(entry.node, member);
    if (title !== null && title.trim() !== '')
      sayOf(entry, entry.session, rank, { title: shown(title, 200) });
    event(entry, 'title', title ?? '');
    return {};
  };

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['system', system],
  ['progress', progress],
  ['summary', named('summary', RANK.other)],
  ['ai-title', named('aiTitle', RANK.titled)],
  ['custom-title', named('customTitle', RANK.named)],
  [
    'pr-link',
    (entry) => {
      event(entry, 'pull_request', textIn(entry.node, 'prUrl') ?? idIn(entry.node, 'prRepository') ?? '');
      return {};
    },
  ],
]);

/** A line that is neither of the model nor of a person nor of a hook; null when its type is not known. */
export function otherLine(entry: Entry, type: string): Change {
  const handler = HANDLERS.get(type);
  if (handler) return handler(entry);
  const plain = PLAIN.get(type);
  if (plain === undefined) return null;
  event(entry, plain[0], textIn(entry.node, plain[1]) ?? '');
  return {};
}

/** A line of no known type, as it is. */
export function rawEvent(entry: Entry, text: string, part = 0): void {
  event(entry, 'raw', text, { part, data: part === 0 ? { line: plainText(entry.node) } : null });
}
