import type { JsonObject } from '../json-fields.ts';
import { flagIn, memberOf, objectIn, textIn } from '../json-quiet.ts';
import type { JsonNode } from '../json-tree.ts';
import { type Change, type Entry, event, span } from './entry.ts';
import { capReached } from './hooks.ts';
import { NO_STOP, type State } from './state.ts';
import { toldOf, toolResult } from './tools.ts';

type Kind = 'prompt' | 'command' | 'command_output' | 'interrupted' | 'note';

const NOTES =
  /^(?:<local-command-caveat>|Caveat: The messages below|<system-reminder>|<task-notification>|Stop hook feedback)/;

/** What a text in a person's place is: most of what stands there was not typed. */
function kindOfText(text: string, meta: boolean): Kind {
  if (/^\[Request interrupted by user/.test(text)) return 'interrupted';
  if (/^<(?:local-command-stdout|local-command-stderr|bash-stdout|bash-stderr)>/.test(text))
    return 'command_output';
  if (meta || NOTES.test(text)) return 'note';
  if (/^<bash-input>/.test(text)) return 'command';
  return 'prompt';
}

const tagged = (text: string, tag: string): string | null =>
  new RegExp(`<${tag}>([^<]{0,400})</${tag}>`).exec(text)?.[1]?.trim() ?? null;

/** A command of the harness as it was typed: its name and what stood behind it. */
const typed = (text: string): string => {
  const name = /^<command-(?:name|message)>/.test(text) ? tagged(text, 'command-name') : null;
  return name === null ? text : `${name} ${tagged(text, 'command-args') ?? ''}`.trim();
};

/** A person's next word: it ends the turn before, where nothing else has told that end, and begins another. */
function prompted(entry: Entry, text: string): Change {
  const { ms, state } = entry;
  event(entry, 'prompt', typed(text));
  if (state.turn !== null) {
    span(entry, 'turn', state.turn.startedMs, state.turn.lastMs);
    capReached(entry, 2);
  }
  span(entry, 'person', state.waitingMs ?? state.turn?.lastMs ?? null, ms);
  return { turn: { startedMs: ms, lastMs: null }, waitingMs: null, stop: NO_STOP, calls: [] };
}

function said(entry: Entry, text: string): Change {
  const { node, sidechain, state } = entry;
  const meta =
    flagIn(node, 'isMeta') === true ||
    flagIn(node, 'isCompactSummary') === true ||
    flagIn(node, 'isVisibleInTranscriptOnly') === true;
  const kind = kindOfText(text.trimStart(), meta);
  if (kind === 'prompt') {
    if (!sidechain) return prompted(entry, text);
    event(entry, 'task', text);
    return {};
  }
  event(entry, kind, text);
  if (kind === 'note' && /^Stop hook feedback/.test(text.trimStart()))
    return { stop: { ...state.stop, feedback: true } };
  if (kind === 'interrupted') return { waitingMs: entry.ms };
  return {};
}

/** Parts of a message in a person's place. */
function parts(entry: Entry, items: readonly JsonNode[]): Change {
  const objects = items.flatMap((one): JsonObject[] => (one.kind === 'object' ? [one] : []));
  if (objects.length < items.length || objects.length === 0) return null;
  const results = objects.filter((one) => textIn(one, 'type') === 'tool_result');
  const told = toldOf(entry, results.length);
  let calls: State['calls'] = entry.state.calls;
  for (const [index, part] of results.entries()) calls = toolResult(entry, part, told, calls, index);
  const texts = objects.flatMap((one) => (textIn(one, 'type') === 'text' ? [textIn(one, 'text') ?? ''] : []));
  const shownParts = objects.filter((one) =>
    ['image', 'document'].includes(textIn(one, 'type') ?? ''),
  ).length;
  if (results.length + texts.length + shownParts < objects.length) return null;
  const text = texts.join('\n');
  const change =
    texts.length > 0 || results.length === 0
      ? said(entry, text === '' ? `[${shownParts} images or documents]` : text)
      : {};
  return change === null ? null : { calls, ...change };
}

/** A line of the type `user`: a person's word, results of tools, or what the harness says in a person's place. */
export function user(entry: Entry): Change {
  const content = memberOf(objectIn(entry.node, 'message'), 'content');
  if (content?.kind === 'string') return said(entry, content.value);
  return content?.kind === 'array' ? parts(entry, content.items) : null;
}
