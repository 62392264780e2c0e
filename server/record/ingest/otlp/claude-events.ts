import { z } from 'zod/v4';
import type { RowOf } from '../../tables.ts';
import { errorSignature } from '../error-signature.ts';
import type { KeptLog } from './kept.ts';
import { addEvent, begunAt, cut, idAt, microDollars, type Place, timeOf, toldAt, toolKind } from './place.ts';

/** The events of Claude Code (`claude_code.*`). Each function reads one of them; what it returns is whether it was understood. */
type Reader = (place: Place<KeptLog>) => void;

const PROMPT_CHARS = 400;

/** Who asked: the names differ between versions. */
function querySource(text: string | null): string | null {
  if (text === null) return null;
  if (/^(?:main|repl_main|sdk\b)/.test(text)) return 'main';
  if (/^(?:subagent|agent)\b/.test(text)) return 'subagent';
  return 'auxiliary';
}

/** What every row of a call to the model has. */
function call(place: Place<KeptLog>): RowOf<'llm_requests_told'> {
  const { attrs, session } = place;
  const endedAt = timeOf(place);
  const took = attrs.ms('duration_ms');
  return {
    told_id: idAt(place),
    channel: 'otlp_event',
    provider: 'anthropic',
    session_id: session,
    request_ref: attrs.text('request_id'),
    turn_id: attrs.text('prompt.id'),
    model: attrs.text('model'),
    started_at_ms: begunAt(endedAt, took),
    ended_at_ms: endedAt,
    duration_ms: took,
    ttft_ms: attrs.ms('ttft_ms', 'time_to_first_token_ms'),
    speed: attrs.text('speed') === 'fast' ? 'fast' : attrs.text('speed') === null ? null : 'standard',
    effort: attrs.text('effort'),
    query_source: querySource(attrs.text('query_source')),
    http_status: attrs.count('status_code'),
    try_no: attrs.count('attempt'),
    ...toldAt(place),
  };
}

const TOKENS = ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_creation_tokens'];

const apiRequest: Reader = (place) => {
  const { attrs, out, source, no } = place;
  for (const key of attrs.unreadable([...TOKENS, 'cost_usd', 'duration_ms']))
    source.issue('not_a_number', 'warning', no, `${key} is no number, so it was left unknown.`);
  const micros = attrs.count('cost_usd_micros');
  out.add('llm_requests_told', {
    ...call(place),
    in_uncached: attrs.count('input_tokens'),
    in_cache_read: attrs.count('cache_read_tokens'),
    // How long these entries live is not told; that they were written is.
    in_cache_write_5m: attrs.count('cache_creation_tokens'),
    out_total: attrs.count('output_tokens'),
    cost_reported_uusd: micros ?? microDollars(attrs.number('cost_usd')),
    token_quality: 'exact',
    status: 'ok',
  });
};

const failed =
  (status: 'error' | 'refused'): Reader =>
  (place) => {
    const { attrs, out } = place;
    out.add('llm_requests_told', { ...call(place), status });
    const code = attrs.text('status_code');
    const why = attrs.text('error', 'error.message', 'category', 'reason') ?? 'no reason is told';
    addEvent(
      place,
      status === 'error' ? 'api_error' : 'refusal',
      `The call to the model ${status === 'error' ? 'failed' : 'was refused'}${code === null ? '' : ` with status ${code}`}: ${why}`,
      { level: 'error' },
    );
  };

const Parameters = z.looseObject({});
function parameters(text: string | null): { [key: string]: unknown } {
  if (text === null) return {};
  try {
    const read = Parameters.safeParse(JSON.parse(text));
    return read.success ? read.data : {};
  } catch {
    return {};
  }
}
const said = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const toolResult: Reader = (place) => {
  const { attrs, out, session, no, source } = place;
  const name = attrs.text('tool_name', 'name') ?? 'unknown';
  const endedAt = timeOf(place);
  const took = attrs.ms('duration_ms');
  const success = attrs.flag('success');
  if (success === null)
    source.issue('missing_field', 'info', no, 'This event does not say whether the tool succeeded.');
  const given = parameters(attrs.text('tool_parameters', 'tool_input'));
  const target =
    said(given.full_command) ??
    said(given.command) ??
    said(given.bash_command) ??
    said(given.file_path) ??
    said(given.path);
  const error = attrs.text('error', 'error_message');
  const sha = said(given.git_commit_id);
  out.add('tool_calls_told', {
    tool_call_id: attrs.text('tool_use_id') ?? idAt(place),
    session_id: session,
    name,
    kind: toolKind(name),
    target: target === null ? null : cut(target, PROMPT_CHARS),
    started_at_ms: begunAt(endedAt, took),
    ended_at_ms: endedAt,
    duration_ms: took,
    status: success === null ? 'unknown' : success ? 'ok' : 'error',
    exit_code: attrs.count('exit_code'),
    error_class: success === false ? attrs.text('error_type') : null,
    error_sig: success === false && error !== null ? errorSignature(error) : null,
    output_bytes: attrs.count('tool_result_size_bytes'),
    commit_sha: sha !== null && /^[0-9a-f]{7,40}$/.test(sha) ? sha : null,
    ...toldAt(place),
  });
};

const toolDecision: Reader = (place) => {
  const { attrs } = place;
  const name = attrs.text('tool_name') ?? 'a tool';
  const decision = attrs.text('decision') ?? 'unknown';
  const by = attrs.text('source', 'decision_source');
  addEvent(place, 'permission', `${name}: ${decision}${by === null ? '' : ` (${by})`}`);
};

/** Counts of the hooks of one event; which of them said what, telemetry does not tell. */
const hookDone: Reader = (place) => {
  const { attrs, out, session } = place;
  const hooks = attrs.count('num_hooks');
  const blocking = attrs.count('num_blocking') ?? 0;
  const broken = attrs.count('num_non_blocking_error') ?? 0;
  const cancelled = attrs.count('num_cancelled') ?? 0;
  const verdict = blocking > 0 ? 'block' : broken > 0 ? 'error' : cancelled > 0 ? 'cancelled' : 'pass';
  const endedAt = timeOf(place);
  const took = attrs.ms('total_duration_ms', 'duration_ms');
  const of = hooks === null ? '' : ` of ${hooks}`;
  const words =
    verdict === 'block'
      ? `${blocking}${of} hooks blocked.`
      : verdict === 'error'
        ? `${broken}${of} hooks ended with an error that does not block, so they gated nothing.`
        : verdict === 'cancelled'
          ? `${cancelled}${of} hooks were cancelled, so they gated nothing.`
          : null;
  out.add('gate_events', {
    gate_event_id: idAt(place),
    gate: `hook:${attrs.text('hook_event') ?? 'unknown'}`,
    verdict,
    enforced: verdict === 'block' || verdict === 'pass',
    // An error that does not block is the hook's own; why one blocked or was cancelled is not told.
    attribution: verdict === 'error' ? 'verifier' : 'unknown',
    attribution_basis: verdict === 'error' ? words : null,
    reason: words,
    started_at_ms: begunAt(endedAt, took),
    ended_at_ms: endedAt,
    duration_ms: took,
    session_id: session,
    ...toldAt(place),
  });
};

const compaction: Reader = (place) => {
  const { attrs, out, session } = place;
  const before = attrs.count('pre_tokens');
  const after = attrs.count('post_tokens');
  const endedAt = timeOf(place);
  const startedAt = begunAt(endedAt, attrs.ms('duration_ms'));
  const sizes = before === null || after === null ? '' : `: ${before} tokens became ${after}`;
  addEvent(
    place,
    'compaction',
    `The context was compacted (${attrs.text('trigger') ?? 'unknown trigger'})${sizes}`,
  );
  if (session !== null && startedAt !== null && endedAt !== null)
    out.add('session_spans', {
      span_id: idAt(place),
      session_id: session,
      kind: 'compaction',
      started_at_ms: startedAt,
      ended_at_ms: endedAt,
      ...toldAt(place),
    });
};

const userPrompt: Reader = (place) => {
  const { attrs } = place;
  const prompt = attrs.text('prompt');
  const length = attrs.count('prompt_length');
  const shown = prompt === null || /^<?redacted>?$/i.test(prompt) ? null : prompt;
  addEvent(
    place,
    'prompt',
    shown === null
      ? `A prompt${length === null ? '' : ` of ${length} characters`}; its text is not sent.`
      : cut(shown, PROMPT_CHARS),
  );
};

/** Events that are kept as they are, with what they are called. */
const plain =
  (message: string, level?: 'warning' | 'error'): Reader =>
  (place) => {
    const what = place.attrs.text(
      'error',
      'message',
      'mcp_server_name',
      'server_name',
      'skill.name',
      'skill_name',
      'agent_type',
      'hook_name',
      'to_mode',
      'action',
    );
    addEvent(
      place,
      shortName(place.record.name),
      what === null ? message : `${message}: ${what}`,
      level === undefined ? {} : { level },
    );
  };

const shortName = (name: string): string => name.replace(/^claude_code\./, '');

const READERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    api_request: apiRequest,
    api_error: failed('error'),
    api_refusal: failed('refused'),
    api_retries_exhausted: plain('The call to the model was given up after all tries', 'error'),
    tool_result: toolResult,
    tool_decision: toolDecision,
    hook_execution_complete: hookDone,
    hook_execution_start: plain('Hooks were started'),
    hook_registered: plain('A hook was registered'),
    compaction,
    user_prompt: userPrompt,
    assistant_response: plain('The model answered'),
    permission_mode_changed: plain('The permission mode changed'),
    subagent_completed: plain('A subagent finished'),
    skill_activated: plain('A skill was used'),
    mcp_server_connection: plain('A connection to a tool server'),
    internal_error: plain('An error inside the harness', 'error'),
    auth: plain('Signing in'),
    feedback_survey: plain('A survey'),
    plugin_installed: plain('A plugin was installed'),
    at_mention: plain('A file was mentioned'),
  }),
);

/** Whether an event is one of Claude Code's. */
export const isClaude = ({ record }: Place<KeptLog>): boolean =>
  record.name.startsWith('claude_code.') ||
  record.scope?.startsWith('com.anthropic.claude_code') === true ||
  record.service === 'claude-code';

/** Reads one event of Claude Code. False for one that is not known. */
export function readClaude(place: Place<KeptLog>): boolean {
  const reader = READERS.get(shortName(place.record.name));
  reader?.(place);
  return reader !== undefined;
}
