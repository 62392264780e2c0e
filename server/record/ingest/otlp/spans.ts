import type { RowOf } from '../../tables.ts';
import { errorSignature } from '../error-signature.ts';
import type { KeptLog, KeptSpan } from './kept.ts';
import type { Memory } from './memory.ts';
import { addEvent, idAt, microDollars, type Place, timeOf, toldAt, toolKind } from './place.ts';
import { type SpanUsage, usageOf } from './usage.ts';

/** Spans of the semantic conventions for GenAI, of what is written like them (OpenInference, OpenLLMetry), and of Claude Code. */

const INFERENCE = new Set([
  'chat',
  'generate_content',
  'text_completion',
  'embeddings',
  'responses',
  'completion',
]);
/** Their figures are those of the calls inside them, if there are any. */
const AROUND = new Set(['invoke_agent', 'invoke_workflow', 'create_agent', 'plan']);

type Kind = 'inference' | 'around' | 'tool' | 'wait' | 'known' | 'other';

function kindOf({ record, attrs }: Place<KeptSpan>): Kind {
  const operation = attrs.text('gen_ai.operation.name');
  if (operation !== null) {
    if (INFERENCE.has(operation)) return 'inference';
    if (operation === 'execute_tool') return 'tool';
    // An agent's span that says it is one generation is a call of its own.
    if (AROUND.has(operation))
      return attrs.text('langfuse.observation.type') === 'generation' ? 'inference' : 'around';
    return 'known';
  }
  if (record.name === 'claude_code.llm_request') return 'inference';
  if (record.name === 'claude_code.tool' || record.name === 'claude_code.tool.execution')
    return record.name === 'claude_code.tool' ? 'tool' : 'known';
  if (record.name === 'claude_code.tool.blocked_on_user') return 'wait';
  if (record.name.startsWith('claude_code.')) return 'known';
  const other = (attrs.text('openinference.span.kind', 'traceloop.span.kind') ?? '').toLowerCase();
  if (other === 'llm' || other === 'embedding') return 'inference';
  if (other === 'tool') return 'tool';
  if (other !== '') return 'around';
  return attrs.text('llm.request.type') === null ? 'other' : 'inference';
}

/** How long it took; a span that ends before it begins, or has one of both times only, took an unknown time. */
function times(place: Place<KeptSpan>): {
  started_at_ms: number | null;
  ended_at_ms: number | null;
  duration_ms: number | null;
} {
  const { start, end } = place.record;
  if (start !== null && end !== null && end < start) {
    place.source.issue(
      'time_invalid',
      'warning',
      place.no,
      'This span ends before it begins; how long it took is unknown.',
    );
    return { started_at_ms: start, ended_at_ms: null, duration_ms: null };
  }
  return {
    started_at_ms: start,
    ended_at_ms: end,
    duration_ms: start === null || end === null ? null : end - start,
  };
}

const tokens = (usage: SpanUsage | null) => ({
  in_uncached: usage?.in_uncached ?? null,
  in_cache_read: usage?.in_cache_read ?? null,
  out_total: usage?.out_total ?? null,
  out_reasoning: usage?.out_reasoning ?? null,
});

const costOf = ({ attrs }: Place<KeptSpan>): number | null =>
  attrs.count('cost_usd_micros') ??
  microDollars(
    attrs.number(
      'cost_usd',
      'gen_ai.usage.cost',
      'gen_ai.cost.usd',
      'llm.usage.cost',
      'llm.cost.total',
      'target.cost.usd',
    ),
  );

function addCall(place: Place<KeptSpan>, usage: SpanUsage | null): void {
  const { attrs, record, session, out } = place;
  const failed = record.status === 2 || attrs.text('error.type') !== null || attrs.flag('success') === false;
  const row: RowOf<'llm_requests_told'> = {
    told_id: idAt(place),
    channel: 'otlp_span',
    provider:
      attrs.text('gen_ai.provider.name', 'gen_ai.system', 'llm.provider') ??
      (record.name.startsWith('claude_code.') ? 'anthropic' : null),
    session_id: session,
    message_id: attrs.text('gen_ai.response.id'),
    request_ref: attrs.text('request_id', 'gen_ai.request.id'),
    model: attrs.text('gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name', 'model'),
    ...times(place),
    ttft_ms: attrs.ms('ttft_ms'),
    ...tokens(usage),
    in_cache_write_5m: usage?.in_cache_write ?? null,
    cost_reported_uusd: costOf(place),
    token_quality: usage === null ? null : usage.sure ? 'exact' : 'estimated',
    status: failed ? 'error' : 'ok',
    http_status: attrs.count('http.response.status_code', 'status_code'),
    try_no: attrs.count('attempt'),
    ...toldAt(place),
  };
  out.add('llm_requests_told', row);
}

function addTotal(place: Place<KeptSpan>, usage: SpanUsage): void {
  const { attrs, record, session, out } = place;
  out.add('reported_totals', {
    total_id: idAt(place),
    session_id: session,
    scope: 'tree',
    model: attrs.text('gen_ai.response.model', 'gen_ai.request.model'),
    ...tokens(usage),
    in_cache_write: usage.in_cache_write,
    cost_uusd: costOf(place),
    duration_ms: times(place).duration_ms,
    at_ms: record.end,
    ...toldAt(place),
  });
}

function addTool(place: Place<KeptSpan>): void {
  const { attrs, record, session, out } = place;
  const name = attrs.text('gen_ai.tool.name', 'tool_name', 'tool.name') ?? 'unknown';
  const failed = record.status === 2 || attrs.text('error.type') !== null || attrs.flag('success') === false;
  out.add('tool_calls_told', {
    tool_call_id: attrs.text('gen_ai.tool.call.id', 'tool_use_id') ?? idAt(place),
    session_id: session,
    name,
    kind: toolKind(name),
    ...times(place),
    // Nothing said is not yet success, but a span that ended without an error is what success looks like here.
    status: failed ? 'error' : 'ok',
    exit_code: attrs.count('exit_code'),
    error_class: failed ? attrs.text('error.type') : null,
    error_sig: failed && record.says !== undefined ? errorSignature(record.says) : null,
    ...toldAt(place),
  });
}

function addWait(place: Place<KeptSpan>): void {
  const { started_at_ms, ended_at_ms } = times(place);
  if (place.session === null || started_at_ms === null || ended_at_ms === null) return;
  place.out.add('session_spans', {
    span_id: idAt(place),
    session_id: place.session,
    kind: 'permission',
    started_at_ms,
    ended_at_ms,
    ...toldAt(place),
  });
}

/** Reads one span. False for one that is about no agent. */
export function readSpan(place: Place<KeptSpan>, memory: Memory): boolean {
  const { record, attrs } = place;
  const kind = kindOf(place);
  const scope = record.scope ?? '';
  const usage =
    kind === 'inference' || kind === 'around' ? usageOf(attrs, scope, memory.convention(scope)) : null;
  if (usage?.shows != null) memory.learn(scope, usage.shows);
  const inside = memory.counted(record.trace, record.span);
  const counts = kind === 'inference' || (kind === 'around' && usage !== null && !inside);
  // What is around a counted call must not count it again, however many spans lie between.
  if (counts || inside) memory.count(record.trace, record.parent);
  if (counts) addCall(place, usage);
  else if (kind === 'around' && usage !== null) addTotal(place, usage);
  else if (kind === 'tool') addTool(place);
  else if (kind === 'wait') addWait(place);
  return kind !== 'other';
}

/** The result of an evaluation (`gen_ai.evaluation.result`), an event of its own or on a span. */
export function readEvaluation(place: Place<KeptLog>, run: string): void {
  const { attrs, out, source, no } = place;
  const score = attrs.number('gen_ai.evaluation.score.value');
  const label = attrs.text('gen_ai.evaluation.score.label');
  const written = attrs.text('gen_ai.evaluation.score.value');
  const error = attrs.text('error.type');
  if (written !== null && score === null)
    source.issue(
      'not_a_number',
      'warning',
      no,
      'The score of this evaluation is no number, so it counts as unscored.',
    );
  const why = attrs.text('gen_ai.evaluation.explanation');
  out.add('evaluations', {
    evaluation_id: idAt(place),
    run_id: run,
    evaluator: place.record.scope ?? place.record.service ?? null,
    dimension: attrs.text('gen_ai.evaluation.name') ?? 'unknown',
    state: error !== null ? 'error' : score === null ? 'unscored' : 'scored',
    score,
    passed:
      label === null
        ? null
        : /^(?:pass|passed|true)$/i.test(label)
          ? true
          : /^(?:fail|failed|false)$/i.test(label)
            ? false
            : null,
    rationale: [label, why].filter((part) => part !== null).join(': ') || null,
    at_ms: timeOf(place),
    ...toldAt(place),
  });
}

/** Errors a span met. */
export function readException(place: Place<KeptLog>): void {
  const { attrs } = place;
  const type = attrs.text('exception.type') ?? 'error';
  addEvent(place, 'exception', `${type}: ${attrs.text('exception.message') ?? 'no message'}`, {
    level: 'error',
  });
}
