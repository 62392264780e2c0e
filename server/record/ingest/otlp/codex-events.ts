import { targetOf } from '../codex/tools.ts';
import { errorSignature } from '../error-signature.ts';
import type { KeptLog } from './kept.ts';
import { addEvent, begunAt, cut, idAt, type Place, timeOf, toldAt, toolKind } from './place.ts';
import { withoutCached } from './usage.ts';

/** The events of Codex (`codex.*`). Its input counts hold what came from the cache, its output counts hold the reasoning. */
type Reader = (place: Place<KeptLog>) => void;

const TEXT = 400;

/** Tokens of one answer of the model. Other pieces of the stream say nothing that is counted. */
const streamEvent: Reader = (place) => {
  const { attrs, out, session, source, no } = place;
  if (attrs.text('event.kind') !== 'response.completed') {
    const error = attrs.text('error.message');
    if (error !== null)
      addEvent(place, 'api_error', `The stream of the model broke: ${error}`, { level: 'error' });
    return;
  }
  for (const key of attrs.unreadable([
    'input_token_count',
    'output_token_count',
    'cached_token_count',
    'reasoning_token_count',
  ]))
    source.issue('not_a_number', 'warning', no, `${key} is no number, so it was left unknown.`);
  const read = attrs.count('cached_token_count');
  const endedAt = timeOf(place);
  const took = attrs.ms('duration_ms');
  out.add('llm_requests_told', {
    told_id: idAt(place),
    channel: 'otlp_event',
    provider: 'openai',
    session_id: session,
    model: attrs.text('model'),
    started_at_ms: begunAt(endedAt, took),
    ended_at_ms: endedAt,
    duration_ms: took,
    in_uncached: withoutCached(attrs.count('input_token_count'), read),
    in_cache_read: read,
    out_total: attrs.count('output_token_count'),
    out_reasoning: attrs.count('reasoning_token_count'),
    token_quality: 'exact',
    status: 'ok',
    ...toldAt(place),
  });
};

/** A try that reached an answer is told with its tokens by the stream; one that failed is told only here. */
const apiRequest: Reader = (place) => {
  const { attrs, out, session } = place;
  const status = attrs.count('http.response.status_code');
  const error = attrs.text('error.message');
  if (error === null && (status === null || status < 400)) return;
  const endedAt = timeOf(place);
  const took = attrs.ms('duration_ms');
  out.add('llm_requests_told', {
    told_id: idAt(place),
    channel: 'otlp_event',
    provider: 'openai',
    session_id: session,
    model: attrs.text('model'),
    started_at_ms: begunAt(endedAt, took),
    ended_at_ms: endedAt,
    duration_ms: took,
    status: 'error',
    http_status: status,
    try_no: attrs.count('attempt'),
    ...toldAt(place),
  });
  addEvent(
    place,
    'api_error',
    `The call to the model failed${status === null ? '' : ` with status ${status}`}: ${error ?? 'no reason is told'}`,
    {
      level: 'error',
    },
  );
};

const toolResult: Reader = (place) => {
  const { attrs, out, session } = place;
  const name = attrs.text('tool_name') ?? 'unknown';
  const kind = toolKind(name);
  const endedAt = timeOf(place);
  const took = attrs.ms('duration_ms');
  const success = attrs.flag('success');
  const output = attrs.text('output');
  const given = attrs.text('arguments');
  out.add('tool_calls_told', {
    tool_call_id: attrs.text('call_id') ?? idAt(place),
    session_id: session,
    name,
    kind,
    target: given === null ? null : targetOf(kind, given).target,
    started_at_ms: begunAt(endedAt, took),
    ended_at_ms: endedAt,
    duration_ms: took,
    status: success === null ? 'unknown' : success ? 'ok' : 'error',
    error_sig: success === false && output !== null ? errorSignature(output) : null,
    ...toldAt(place),
  });
};

const toolDecision: Reader = (place) => {
  const { attrs } = place;
  const by = attrs.text('source');
  addEvent(
    place,
    'permission',
    `${attrs.text('tool_name') ?? 'a tool'}: ${attrs.text('decision') ?? 'unknown'}${by === null ? '' : ` (${by})`}`,
  );
};

const userPrompt: Reader = (place) => {
  const prompt = place.attrs.text('prompt');
  const length = place.attrs.count('prompt_length');
  const hidden = prompt === null || /^\[?redacted\]?$/i.test(prompt);
  addEvent(
    place,
    'prompt',
    hidden
      ? `A prompt${length === null ? '' : ` of ${length} characters`}; its text is not sent.`
      : cut(prompt, TEXT),
  );
};

const plain =
  (kind: string, message: string): Reader =>
  (place) =>
    addEvent(place, kind, message);

const READERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    'codex.conversation_starts': plain('session_start', 'A session began'),
    'codex.api_request': apiRequest,
    'codex.sse_event': streamEvent,
    'codex.websocket_event': streamEvent,
    'codex.user_prompt': userPrompt,
    'codex.tool_decision': toolDecision,
    'codex.tool_result': toolResult,
    'codex.sandbox_outcome': plain('sandbox', 'What the sandbox did'),
    'codex.turn_ttft': plain('first_token', 'The first piece of an answer came'),
  }),
);

export const isCodex = ({ record }: Place<KeptLog>): boolean => record.name.startsWith('codex.');

/** Reads one event of Codex. False for one that is not known. */
export function readCodex(place: Place<KeptLog>): boolean {
  const reader = READERS.get(place.record.name);
  reader?.(place);
  return reader !== undefined;
}
