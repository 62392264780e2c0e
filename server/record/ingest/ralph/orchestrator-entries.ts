import type { RowSink, SourceInput } from '../adapter.ts';
import { Fields, type FieldTime } from '../json-fields.ts';
import { plainText, restText } from '../json-plain.ts';
import { event, told } from './rows.ts';
import type { Turn, Turns } from './turns.ts';

/** One invocation of the loop, over all files that tell of it. */
export interface Session {
  id: string;
  /** Fourteen digits of the time in its files' names. */
  stamp: string | null;
  source: SourceInput;
  ending: { reason: string; ms: number | null; source: SourceInput; line: number } | null;
  firstMs: number | null;
  lastMs: number | null;
  zone: string | null;
  iterations: Set<number>;
  /** Iterations whose start is logged. */
  started: number;
}

export interface State {
  sessions: Map<string, Session>;
  turns: Turns;
}

/** One line of one file. */
export interface Entry {
  session: Session;
  source: SourceInput;
  line: number;
  fields: Fields;
  time: FieldTime | null;
  n: number | null;
  turn: Turn | null;
  /** The role the agent had on ("hat"). */
  hat: string | null;
}

/** Adds the rows of one line; false when it is of no known type. */
export type EntryReader = (entry: Entry, out: RowSink) => boolean;

type Level = 'info' | 'warning' | 'error';
const COMMON = ['ts', 'timestamp'];

function log(
  { session, source, line, fields, time, n, hat }: Entry,
  out: RowSink,
  kind: string,
  level: Level,
  message: string,
): true {
  const where = [n === null || n === 0 ? null : `iteration ${n}`, hat]
    .filter((part) => part !== null)
    .join(', ');
  event(out, source, line, {
    run_id: session.id,
    time,
    kind,
    level,
    message: where === '' ? message : `${message} (${where})`,
    data: restText(fields.node, COMMON),
  });
  return true;
}

function terminate({ session, source, line, time }: Entry, reason: string): void {
  session.ending = { reason, ms: time?.ms ?? null, source, line };
}

const orchestration: EntryReader = (entry, out) => {
  const node = entry.fields.object('event');
  const inner = node === null ? null : new Fields(node, 'the event', entry.fields.issues);
  const reason = inner?.text('reason') ?? null;
  switch (inner?.text('type')) {
    case 'iteration_started':
      entry.session.started += 1;
      return log(entry, out, 'iteration_start', 'info', 'Iteration started');
    case 'hat_selected':
      return log(
        entry,
        out,
        'hat_selected',
        'info',
        `Hat ${inner.text('hat') ?? 'unknown'}: ${reason ?? 'no reason'}`,
      );
    case 'event_published':
      return log(entry, out, 'event_published', 'info', inner.text('topic') ?? 'no topic');
    case 'backpressure_triggered':
      if (entry.turn) entry.turn.verdict = 'block';
      out.add('gate_events', {
        gate_event_id: `${entry.source.id}.g${entry.line}`,
        run_id: entry.session.id,
        attempt_n: entry.n,
        gate: 'backpressure',
        verdict: 'block',
        attribution: 'unknown',
        reason,
        ended_at_ms: entry.time?.ms ?? null,
        ...told(entry.source, entry.line),
      });
      return log(entry, out, 'backpressure', 'warning', reason ?? 'Held back');
    case 'loop_terminated':
      terminate(entry, reason ?? 'unknown');
      return log(entry, out, 'loop_end', 'info', reason ?? 'no reason');
    case 'task_abandoned':
      return log(entry, out, 'task_abandoned', 'warning', reason ?? 'no reason');
    default:
      return false;
  }
};

const performance: EntryReader = (entry, out) => {
  const node = entry.fields.object('metric');
  const inner = node === null ? null : new Fields(node, 'the metric', entry.fields.issues);
  const type = inner?.text('type');
  if (inner === null || (type !== 'iteration_duration' && type !== 'agent_latency' && type !== 'token_count'))
    return false;
  if (type === 'token_count') {
    return log(
      entry,
      out,
      'token_count',
      'info',
      `${inner.number('input', 0, 1e12) ?? 0} tokens in, ${inner.number('output', 0, 1e12) ?? 0} out`,
    );
  }
  const ms = inner.number('duration_ms', 0, 1e12);
  if (type === 'iteration_duration' && entry.turn && ms !== null) entry.turn.seconds = ms / 1000;
  return log(entry, out, type, 'info', ms === null ? 'no duration' : `${ms} ms`);
};

const errors: EntryReader = (entry, out) => {
  const type = entry.fields.text('error_type');
  if (type === null) return false;
  if (type === 'timeout' && entry.turn) entry.turn.verdict ??= 'timeout';
  else if (type === 'backend_error' && entry.turn) entry.turn.verdict ??= 'error';
  return log(entry, out, type, 'error', entry.fields.text('message') ?? type);
};

const agentOutput: EntryReader = (entry, out) => {
  const { fields, session, source, line } = entry;
  switch (fields.text('type')) {
    case 'text':
      return log(entry, out, 'agent_text', 'info', fields.text('text') ?? '');
    case 'tool_call': {
      const input = fields.node.members.get('input');
      const name = fields.text('name') ?? 'unknown';
      out.add('tool_calls_told', {
        tool_call_id: `${source.id}.c${line}`,
        run_id: session.id,
        attempt_n: entry.n,
        name,
        target: input === undefined ? null : plainText(input).slice(0, 400),
        started_at_ms: entry.time?.ms ?? null,
        ...told(source, line),
      });
      return log(entry, out, 'tool_call', 'info', name);
    }
    case 'tool_result':
      return log(entry, out, 'tool_result', 'info', fields.text('output') ?? '');
    case 'error':
      return log(entry, out, 'agent_error', 'error', fields.text('message') ?? 'no message');
    case 'complete':
      return log(
        entry,
        out,
        'agent_end',
        'info',
        `${fields.number('input_tokens', 0, 1e12) ?? 'unknown'} tokens in, ${fields.number('output_tokens', 0, 1e12) ?? 'unknown'} out`,
      );
    default:
      return false;
  }
};

const TRACE_LEVELS: Readonly<Record<string, Level>> = {
  ERROR: 'error',
  WARN: 'warning',
  INFO: 'info',
  DEBUG: 'info',
  TRACE: 'info',
};

const trace: EntryReader = (entry, out) => {
  const level = entry.fields.text('level');
  const node = entry.fields.object('fields');
  if (level === null || !Object.hasOwn(TRACE_LEVELS, level)) return false;
  const message = node?.members.get('message');
  return log(
    entry,
    out,
    'trace',
    TRACE_LEVELS[level] ?? 'info',
    message?.kind === 'string' ? message.value : (entry.fields.text('target') ?? level),
  );
};

/** The reason in the text the loop publishes when it ends: a heading "Reason" and the word under it. */
const reasonIn = (payload: string): string | null =>
  /^#+ Reason\s{1,10}(\w{1,60})/m.exec(payload)?.[1]?.toLowerCase() ?? null;

const events: EntryReader = (entry, out) => {
  const topic = entry.fields.text('topic');
  if (topic === null) return false;
  const payload = entry.fields.node.members.get('payload');
  const text =
    payload === undefined || payload.kind === 'null'
      ? ''
      : payload.kind === 'string'
        ? payload.value
        : plainText(payload);
  if (topic === 'loop.terminate') {
    const reason = reasonIn(text);
    // The diagnostics say it in a field of its own; the text is for runs without them.
    if (reason !== null && entry.session.ending === null) terminate(entry, reason);
  }
  const bad = /blocked|failed|rejected/.test(topic);
  return log(entry, out, 'event', bad ? 'warning' : 'info', text === '' ? topic : `${topic}: ${text}`);
};

export const READERS: Readonly<Record<string, EntryReader>> & { events: EntryReader } = {
  orchestration,
  performance,
  errors,
  'agent-output': agentOutput,
  trace,
  events,
};
