import type { RowOf } from '../../tables.ts';
import { idIn } from '../codex/rollout-entry.ts';
import type { JsonObject } from '../json-fields.ts';
import { listIn, memberOf, numberIn, objectIn, textIn } from '../json-quiet.ts';
import type { JsonNode } from '../json-tree.ts';
import { at, type Entry } from './entry.ts';
import type { Message, Usage } from './state.ts';

/** Messages the harness itself writes under this name cost nothing. */
export const SYNTHETIC = '<synthetic>';

const NO_USAGE: Usage = {
  input: null,
  cacheRead: null,
  cacheWrite: null,
  write5m: null,
  write1h: null,
  output: null,
  webSearches: null,
};

/** Any text of a model stands for at least one token in so many characters; fewer tokens than that cannot be all of it. */
const CHARS_A_TOKEN = 8;
const SHORT = 80;

const most = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b);

/** A count of tokens: a whole number from 0. What else stands there is reported and taken as not told. */
function tokens(entry: Entry, usage: JsonObject | null, key: string): number | null {
  const node = memberOf(usage, key);
  if (node === null || node.kind === 'null') return null;
  if (node.kind === 'number' && Number.isSafeInteger(node.value) && node.value >= 0) return node.value;
  entry.source.issue(
    node.kind === 'not_a_number' ? 'not_a_number' : 'out_of_range',
    'warning',
    entry.no,
    `${key} is no count of tokens here, so it was not read.`,
  );
  return null;
}

function usageOf(entry: Entry, usage: JsonObject | null): Usage {
  const written = objectIn(usage, 'cache_creation');
  const tools = objectIn(usage, 'server_tool_use');
  return {
    input: tokens(entry, usage, 'input_tokens'),
    cacheRead: tokens(entry, usage, 'cache_read_input_tokens'),
    cacheWrite: tokens(entry, usage, 'cache_creation_input_tokens'),
    write5m: tokens(entry, written, 'ephemeral_5m_input_tokens'),
    write1h: tokens(entry, written, 'ephemeral_1h_input_tokens'),
    output: tokens(entry, usage, 'output_tokens'),
    webSearches: tokens(entry, tools, 'web_search_requests'),
  };
}

const larger = (a: Usage, b: Usage): Usage => ({
  input: most(a.input, b.input),
  cacheRead: most(a.cacheRead, b.cacheRead),
  cacheWrite: most(a.cacheWrite, b.cacheWrite),
  write5m: most(a.write5m, b.write5m),
  write1h: most(a.write1h, b.write1h),
  output: most(a.output, b.output),
  webSearches: most(a.webSearches, b.webSearches),
});

/** Characters of a value's texts, walked without recursion. */
function charsOf(node: JsonNode | null): number {
  let chars = 0;
  const waiting: JsonNode[] = node === null ? [] : [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === 'string') chars += next.value.length;
    else if (next.kind === 'array') waiting.push(...next.items);
    else if (next.kind === 'object') waiting.push(...next.members.values());
  }
  return chars;
}

/** Characters the model itself wrote in the parts of a message. */
const written = (message: JsonObject): number =>
  listIn(message, 'content').reduce((sum, part) => {
    const type = textIn(part, 'type');
    if (type === 'text') return sum + (textIn(part, 'text')?.length ?? 0);
    if (type === 'thinking') return sum + (textIn(part, 'thinking')?.length ?? 0);
    return type === 'tool_use' ? sum + charsOf(objectIn(part, 'input')) : sum;
  }, 0);

/** Whether a row carries the message on: the same message, and no other request. */
export const carriesOn = (message: Message, id: string, request: string | null): boolean =>
  message.id === id && (message.request === null || request === null || message.request === request);

/**
 * A message with one more row of it: every token class the most that any row tells. `usage.iterations` repeats the same tokens
 * and is not read.
 * @param before the message as known, or null when this is its first row
 * @param startedMs when what it answers was there
 */
export function messageWith(
  entry: Entry,
  message: JsonObject,
  before: Message | null,
  { id, request, startedMs }: { id: string; request: string | null; startedMs: number | null },
): Message {
  const usage = objectIn(message, 'usage');
  const cost = numberIn(entry.node, 'costUSD');
  const costUusd = cost !== null && cost >= 0 ? Math.round(cost * 1e6) : null;
  return {
    id,
    request: before?.request ?? request,
    line: before?.line ?? entry.no,
    usage: larger(before?.usage ?? NO_USAGE, usageOf(entry, usage)),
    chars: (before?.chars ?? 0) + written(message),
    model: before?.model ?? idIn(message, 'model'),
    session: before?.session ?? entry.session,
    sidechain: before?.sidechain ?? entry.sidechain,
    subagent: before?.subagent ?? entry.subagent,
    startedMs: before === null ? startedMs : before.startedMs,
    endedMs: most(before?.endedMs ?? null, entry.ms),
    stop: idIn(message, 'stop_reason') ?? before?.stop ?? null,
    speed: idIn(usage, 'speed') ?? before?.speed ?? null,
    tier: idIn(usage, 'service_tier') ?? before?.tier ?? null,
    costUusd: most(before?.costUusd ?? null, costUusd),
    cwd: before?.cwd ?? entry.state.cwd,
    branch: before?.branch ?? entry.state.branch,
  };
}

/** Writes to the cache by how long they are kept. What no row divides was kept for five minutes, which is what is usual. */
function writes({ cacheWrite, write5m, write1h }: Usage): { short: number | null; long: number | null } {
  if (write5m === null && write1h === null)
    return { short: cacheWrite, long: cacheWrite === null ? null : 0 };
  const long = write1h ?? 0;
  return { short: Math.max(write5m ?? 0, (cacheWrite ?? 0) - long), long };
}

const SPEEDS: ReadonlySet<string> = new Set(['standard', 'fast']);
const TIERS: ReadonlyMap<string, string> = new Map([
  ['standard', 'standard'],
  ['default', 'standard'],
  ['batch', 'batch'],
  ['priority', 'priority'],
  ['flex', 'flex'],
]);

/** A message as a row: what one file tells of one billed call. */
export function requestRow(source: Entry['source'], message: Message): RowOf<'llm_requests_told'> {
  const { usage, startedMs, endedMs } = message;
  const { short, long } = writes(usage);
  const started = startedMs !== null && endedMs !== null && startedMs <= endedMs ? startedMs : null;
  const partly =
    usage.output !== null && message.chars > SHORT && usage.output * CHARS_A_TOKEN < message.chars;
  return {
    told_id: `${source.id}.${message.line}.${message.id}`,
    channel: 'transcript',
    provider: message.model?.startsWith('claude-') ? 'anthropic' : null,
    session_id: message.session,
    message_id: message.id,
    request_ref: message.request,
    is_sidechain: message.sidechain,
    model: message.model,
    started_at_ms: started,
    ended_at_ms: endedMs,
    duration_ms: started === null || endedMs === null ? null : endedMs - started,
    in_uncached: usage.input,
    in_cache_read: usage.cacheRead,
    in_cache_write_5m: short,
    in_cache_write_1h: long,
    out_total: usage.output,
    web_searches: usage.webSearches,
    speed: message.speed !== null && SPEEDS.has(message.speed) ? message.speed : null,
    tier: message.tier === null ? null : (TIERS.get(message.tier) ?? null),
    query_source: message.subagent || message.sidechain ? 'subagent' : 'main',
    cwd: message.cwd,
    git_branch: message.branch,
    cost_reported_uusd: message.costUusd,
    token_quality: usage.output === null ? null : partly ? 'lower_bound' : 'exact',
    status: message.stop === 'refusal' ? 'refused' : 'ok',
    ...at({ source, no: message.line }),
  };
}
