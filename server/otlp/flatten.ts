import { LIMITS } from '../../shared/limits.ts';
import type { Kept, KeptAttributes } from '../record/ingest/otlp/kept.ts';
import { visibleText } from '../record/ingest/visible.ts';
import { Refused } from './body.ts';
import type { Signal } from './wire.ts';

/** A record with what its project is found by. */
export interface Received {
  record: Kept;
  session: string | null;
  /** What the sender calls its project. */
  project: string | null;
}

export interface Flattened {
  records: Received[];
  /** Records that are not kept, and why in words. */
  rejected: number;
  why: string | null;
}

type Tree = { [name: string]: unknown };
const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const tree = (value: unknown): Tree => (isTree(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** A list, or nothing; anything else is no OTLP. */
function listed(holder: Tree, key: string): readonly unknown[] {
  const value = holder[key];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Refused(400, `${key} is no list.`);
  return value;
}
const cut = (text: string): string =>
  text.length <= LIMITS.sourceText ? text : `${text.slice(0, LIMITS.sourceText)}…`;
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? cut(visibleText(value)) : undefined;
const id = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[0-9a-f]{1,64}$/i.test(value) && !/^0+$/.test(value)
    ? value.toLowerCase()
    : undefined;

/** The protocol's times have 64 bits. */
const MOST_NANOS = 2n ** 64n - 1n;

/** Nanoseconds since the epoch (text, or a number from careless senders) as milliseconds; zero and what is no time are null. */
function msOf(value: unknown): number | null {
  const written = typeof value === 'number' && Number.isFinite(value) ? BigInt(Math.trunc(value)) : value;
  if (typeof written !== 'bigint' && !(typeof written === 'string' && /^\d{1,20}$/.test(written)))
    return null;
  const nanos = BigInt(written);
  const ms = Number(nanos / 1_000_000n);
  return ms > 0 && nanos <= MOST_NANOS ? ms : null;
}

/** A number as JSON or protobuf has it; null for NaN and what is none. */
function numeric(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || !/^[-+]?\d{1,20}(?:\.\d{1,20})?(?:e[-+]?\d{1,3})?$/i.test(value))
    return null;
  const read = Number(value);
  return Number.isFinite(read) ? read : null;
}

/** Enums are numbers; some senders write their names. */
const enumOf = (value: unknown, names: readonly string[]): number | null => {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  const at = typeof value === 'string' ? names.findIndex((name) => value.endsWith(name)) : -1;
  return at === -1 ? null : at;
};

type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

/** A value of an attribute; what is nested deeper than is read is null. */
function anyOf(given: unknown, depth: number): Plain {
  const value = tree(given);
  if (depth > LIMITS.otlpDepth) return null;
  if (typeof value.stringValue === 'string') return cut(visibleText(value.stringValue));
  if (typeof value.boolValue === 'boolean') return value.boolValue;
  if (value.intValue !== undefined) {
    const number = numeric(value.intValue);
    return number !== null && Number.isSafeInteger(number)
      ? number
      : typeof value.intValue === 'string'
        ? cut(value.intValue)
        : null;
  }
  if (value.doubleValue !== undefined) {
    const number = numeric(value.doubleValue);
    // NaN stays visible as what was sent.
    return number ?? (typeof value.doubleValue === 'object' ? null : cut(String(value.doubleValue)));
  }
  if (isTree(value.arrayValue))
    return list(value.arrayValue.values)
      .slice(0, LIMITS.otlpAttributes)
      .map((one) => anyOf(one, depth + 1));
  if (isTree(value.kvlistValue)) {
    const out: { [key: string]: Plain } = Object.create(null);
    for (const pair of list(value.kvlistValue.values).slice(0, LIMITS.otlpAttributes)) {
      const { key, value: inner } = tree(pair);
      if (typeof key === 'string') out[key.slice(0, LIMITS.otlpKey)] = anyOf(inner, depth + 1);
    }
    return out;
  }
  return typeof value.bytesValue === 'string' ? cut(value.bytesValue) : null;
}

/** Who somebody is has no place in a record of runs. */
const PERSONAL =
  /^(?:user\.(?:email|id|account_uuid|account_id|name|full_name)|organization\.id|enduser\..*|host\.(?:name|id|ip|mac)|langfuse\.user\.id|process\.(?:owner|command_args|command_line|command))$/;

function attributesOf(pairs: readonly unknown[], into: KeptAttributes = {}): KeptAttributes {
  let left = LIMITS.otlpAttributes - Object.keys(into).length;
  for (const pair of pairs) {
    if (left <= 0) break;
    const { key, value } = tree(pair);
    if (typeof key !== 'string' || key === '' || key.length > LIMITS.otlpKey || key === '__proto__') continue;
    if (PERSONAL.test(key)) continue;
    const plain = anyOf(value, 0);
    into[visibleText(key)] = typeof plain === 'object' && plain !== null ? cut(JSON.stringify(plain)) : plain;
    left -= 1;
  }
  return into;
}

/** Without what is undefined, so that a line holds nothing that says nothing. */
const given = <T extends object>(fields: T): T => {
  const out = { ...fields };
  for (const key of Object.keys(out))
    if (Reflect.get(out, key) === undefined) Reflect.deleteProperty(out, key);
  return out;
};

interface Around {
  at: number;
  scope: string | undefined;
  service: string | undefined;
  version: string | undefined;
  project: string | null;
  session: string | null;
}

const SESSION_KEYS = [
  'session.id',
  'gen_ai.conversation.id',
  'conversation.id',
  'langfuse.session.id',
] as const;

/** The session a record is of, by its attributes. */
export function sessionIn(attrs: Readonly<Record<string, unknown>>): string | null {
  for (const key of SESSION_KEYS) {
    const value = Object.hasOwn(attrs, key) ? attrs[key] : null;
    if (typeof value === 'string' && value !== '' && value.length <= LIMITS.otlpKey) return value;
  }
  return null;
}
const projectIn = (attrs: KeptAttributes): string | null => {
  const value = Object.hasOwn(attrs, 'looplight.project') ? attrs['looplight.project'] : null;
  return typeof value === 'string' && value !== '' ? value : null;
};

const TEMPORALITIES = ['delta', 'cumulative'] as const;

/** The points of one metric. A gauge has no temporality; one that names none is not guessed. */
function* pointsOf(
  metric: Tree,
  common: (
    attrs: KeptAttributes,
  ) => Omit<Kept & { what: 'point' }, 'what' | 'start' | 'time' | 'temporality' | 'value' | 'count' | 'unit'>,
): Generator<Kept> {
  for (const kind of ['sum', 'gauge', 'histogram', 'exponentialHistogram', 'summary'] as const) {
    const data = metric[kind];
    if (!isTree(data)) continue;
    const order = enumOf(data.aggregationTemporality, ['UNSPECIFIED', 'DELTA', 'CUMULATIVE']);
    const temporality =
      kind === 'gauge'
        ? 'gauge'
        : kind === 'summary'
          ? 'cumulative'
          : (TEMPORALITIES[(order ?? 0) - 1] ?? null);
    for (const one of list(data.dataPoints)) {
      const point = tree(one);
      const counts = kind !== 'sum' && kind !== 'gauge';
      const count = counts ? numeric(point.count) : null;
      yield given({
        ...common(attributesOf(list(point.attributes))),
        what: 'point' as const,
        start: msOf(point.startTimeUnixNano),
        time: msOf(point.timeUnixNano),
        unit: text(metric.unit),
        temporality,
        value: counts ? numeric(point.sum) : numeric(point.asInt ?? point.asDouble),
        ...(count === null ? {} : { count }),
      });
    }
  }
}

function* recordsOf(signal: Signal, item: Tree, around: Around): Generator<Kept> {
  const common = (name: string | undefined, attrs: KeptAttributes) => ({
    v: 1 as const,
    at: around.at,
    placed: 'first' as const,
    name: name ?? '',
    scope: around.scope,
    service: around.service,
    version: around.version,
    attrs,
  });
  if (signal === 'metrics') {
    yield* pointsOf(item, (attrs) => common(text(item.name), attrs));
    return;
  }
  const attrs = attributesOf(list(item.attributes));
  if (signal === 'logs') {
    const body = anyOf(item.body, 0);
    const said = typeof body === 'string' ? body : body === null ? undefined : cut(JSON.stringify(body));
    const event = attrs['event.name'];
    const name = text(item.eventName) ?? (typeof event === 'string' && event !== '' ? event : undefined);
    const severity = enumOf(item.severityNumber, []);
    yield given({
      ...common(name ?? (said !== undefined && said.length <= LIMITS.otlpKey ? said : undefined), attrs),
      what: 'log' as const,
      time: msOf(item.timeUnixNano) ?? msOf(item.observedTimeUnixNano),
      severity: severity ?? undefined,
      body: said,
      trace: id(item.traceId),
      span: id(item.spanId),
    });
    return;
  }
  const status = tree(item.status);
  const trace = id(item.traceId);
  const span = id(item.spanId);
  yield given({
    ...common(text(item.name), attrs),
    what: 'span' as const,
    trace,
    span,
    parent: id(item.parentSpanId),
    start: msOf(item.startTimeUnixNano),
    end: msOf(item.endTimeUnixNano),
    status: enumOf(status.code, ['UNSET', 'OK', 'ERROR']) ?? undefined,
    says: text(status.message),
  });
  const session = sessionIn(attrs);
  for (const one of list(item.events)) {
    const event = tree(one);
    const own = attributesOf(list(event.attributes));
    // An event on a span happened in the session of the span.
    if (session !== null && sessionIn(own) === null) own['session.id'] = session;
    yield given({
      ...common(text(event.name), own),
      what: 'log' as const,
      time: msOf(event.timeUnixNano),
      trace,
      span,
    });
  }
}

const NAMES = {
  logs: ['resourceLogs', 'scopeLogs', 'logRecords'],
  traces: ['resourceSpans', 'scopeSpans', 'spans'],
  metrics: ['resourceMetrics', 'scopeMetrics', 'metrics'],
} as const satisfies Record<Signal, readonly string[]>;

/**
 * The records of a request, each with what surrounds it, bounded in number and size. Spans come in the order of their ends, so that
 * what happened inside another one stands before it. Throws Refused for what is no OTLP request at all.
 * @param at when it was received, epoch milliseconds
 */
export function flatten(body: Tree, signal: Signal, at: number): Flattened {
  const [outer, inner, items] = NAMES[signal];
  const records: Received[] = [];
  let rejected = 0;
  let why: string | null = null;
  for (const resourced of listed(body, outer)) {
    const res = attributesOf(list(tree(tree(resourced).resource).attributes));
    const known = (key: string): string | undefined => {
      const value = Object.hasOwn(res, key) ? res[key] : null;
      return typeof value === 'string' && value !== '' ? value : undefined;
    };
    for (const scoped of listed(tree(resourced), inner)) {
      const scope = tree(tree(scoped).scope);
      const around: Around = {
        at,
        scope: text(scope.name),
        service: known('service.name'),
        version: known('service.version'),
        project: projectIn(res),
        session: sessionIn(res),
      };
      for (const item of listed(tree(scoped), items)) {
        if (!isTree(item)) {
          rejected += 1;
          why ??= 'Some records are no objects.';
          continue;
        }
        for (const record of recordsOf(signal, item, around)) {
          if (records.length >= LIMITS.otlpRecords) {
            rejected += 1;
            why = `Only the first ${LIMITS.otlpRecords} records of a request are kept.`;
            continue;
          }
          if (around.session !== null && sessionIn(record.attrs) === null)
            record.attrs['session.id'] = around.session;
          records.push({
            record,
            session: sessionIn(record.attrs),
            project: projectIn(record.attrs) ?? around.project,
          });
        }
      }
    }
  }
  if (signal === 'traces') {
    const sessions = new Map<string, string>();
    for (const { record, session } of records)
      if (session !== null && record.trace !== undefined && !sessions.has(record.trace))
        sessions.set(record.trace, session);
    for (const one of records) {
      const session = one.record.trace === undefined ? undefined : sessions.get(one.record.trace);
      if (one.session !== null || session === undefined) continue;
      one.session = session;
      one.record.attrs['session.id'] = session;
    }
    const endOf = ({ record }: Received): number =>
      record.what === 'span'
        ? (record.end ?? Number.MAX_SAFE_INTEGER)
        : record.what === 'log'
          ? (record.time ?? 0)
          : 0;
    records.sort((a, b) => endOf(a) - endOf(b));
  }
  return { records, rejected, why };
}
