import protobuf from 'protobufjs/minimal.js';
import { LIMITS } from '../../shared/limits.ts';

/**
 * Reads OTLP requests in protobuf (opentelemetry-proto 1.x) into the shape their JSON has: camel case, 64-bit numbers as decimal
 * text, trace and span ids in hex. The library reads the wire; the messages are tables here, so that what one request may hold
 * is bounded while it is read, not after. Fields that are not listed are skipped, as the protocol asks.
 */
type Scalar = 'text' | 'hex' | 'base64' | 'fixed64' | 'sfixed64' | 'int64' | 'double' | 'bool' | 'enum';
interface Field {
  name: string;
  of: Scalar | (() => Message);
  many?: true;
}
type Message = ReadonlyMap<number, Field>;

type Table = Readonly<Record<number, readonly [string, Field['of'], 'many'?]>>;
const message = (fields: Table): Message =>
  new Map(
    Object.entries(fields).map(([no, [name, of, many]]) => [
      Number(no),
      many === undefined ? { name, of } : { name, of, many: true },
    ]),
  );

const ANY: Message = message({
  1: ['stringValue', 'text'],
  2: ['boolValue', 'bool'],
  3: ['intValue', 'int64'],
  4: ['doubleValue', 'double'],
  5: ['arrayValue', () => ARRAY],
  6: ['kvlistValue', () => LIST],
  7: ['bytesValue', 'base64'],
});
const ARRAY: Message = message({ 1: ['values', () => ANY, 'many'] });
const PAIR: Message = message({ 1: ['key', 'text'], 2: ['value', () => ANY] });
const LIST: Message = message({ 1: ['values', () => PAIR, 'many'] });
const RESOURCE: Message = message({ 1: ['attributes', () => PAIR, 'many'] });
const SCOPE: Message = message({
  1: ['name', 'text'],
  2: ['version', 'text'],
  3: ['attributes', () => PAIR, 'many'],
});

const LOG: Message = message({
  1: ['timeUnixNano', 'fixed64'],
  2: ['severityNumber', 'enum'],
  3: ['severityText', 'text'],
  5: ['body', () => ANY],
  6: ['attributes', () => PAIR, 'many'],
  9: ['traceId', 'hex'],
  10: ['spanId', 'hex'],
  11: ['observedTimeUnixNano', 'fixed64'],
  12: ['eventName', 'text'],
});
const EVENT: Message = message({
  1: ['timeUnixNano', 'fixed64'],
  2: ['name', 'text'],
  3: ['attributes', () => PAIR, 'many'],
});
const STATUS: Message = message({ 2: ['message', 'text'], 3: ['code', 'enum'] });
const SPAN: Message = message({
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  4: ['parentSpanId', 'hex'],
  5: ['name', 'text'],
  6: ['kind', 'enum'],
  7: ['startTimeUnixNano', 'fixed64'],
  8: ['endTimeUnixNano', 'fixed64'],
  9: ['attributes', () => PAIR, 'many'],
  11: ['events', () => EVENT, 'many'],
  15: ['status', () => STATUS],
});

const NUMBER_POINT: Message = message({
  2: ['startTimeUnixNano', 'fixed64'],
  3: ['timeUnixNano', 'fixed64'],
  4: ['asDouble', 'double'],
  6: ['asInt', 'sfixed64'],
  7: ['attributes', () => PAIR, 'many'],
});
const counted = (attributes: number): Message =>
  message({
    2: ['startTimeUnixNano', 'fixed64'],
    3: ['timeUnixNano', 'fixed64'],
    4: ['count', 'fixed64'],
    5: ['sum', 'double'],
    [attributes]: ['attributes', () => PAIR, 'many'],
  });
const HISTOGRAM_POINT = counted(9);
const EXPONENTIAL_POINT = counted(1);
const SUMMARY_POINT = counted(7);
const points = (point: Message): Message =>
  message({
    1: ['dataPoints', () => point, 'many'],
    2: ['aggregationTemporality', 'enum'],
    3: ['isMonotonic', 'bool'],
  });
const METRIC: Message = message({
  1: ['name', 'text'],
  3: ['unit', 'text'],
  5: ['gauge', () => points(NUMBER_POINT)],
  7: ['sum', () => points(NUMBER_POINT)],
  9: ['histogram', () => points(HISTOGRAM_POINT)],
  10: ['exponentialHistogram', () => points(EXPONENTIAL_POINT)],
  11: ['summary', () => points(SUMMARY_POINT)],
});

const request = (outer: string, inner: string, items: string, item: Message): Message => {
  const scoped = message({ 1: ['scope', () => SCOPE], 2: [items, () => item, 'many'] });
  const resourced = message({ 1: ['resource', () => RESOURCE], 2: [inner, () => scoped, 'many'] });
  return message({ 1: [outer, () => resourced, 'many'] });
};

export type Signal = 'logs' | 'metrics' | 'traces';

const REQUESTS: Readonly<Record<Signal, Message>> = {
  logs: request('resourceLogs', 'scopeLogs', 'logRecords', LOG),
  traces: request('resourceSpans', 'scopeSpans', 'spans', SPAN),
  metrics: request('resourceMetrics', 'scopeMetrics', 'metrics', METRIC),
};

/** What a request asks of memory is more than one may. */
export class TooMuch extends Error {
  constructor() {
    super('more values than are read of one request');
    this.name = 'TooMuch';
  }
}

/** Messages inside each other: those around a record, and two for each level of a value. */
const DEPTH = 8 + 3 * LIMITS.otlpDepth;
const MOST_FIELD = 536_870_911;

/** Wire type each scalar has; another one means the bytes are no such message. */
const WIRE: Readonly<Record<Scalar, number>> = {
  text: 2,
  hex: 2,
  base64: 2,
  fixed64: 1,
  sfixed64: 1,
  int64: 0,
  double: 1,
  bool: 0,
  enum: 0,
};

type Tree = { [name: string]: unknown };

/** Reads one request. Throws TooMuch past LIMITS.otlpValues, and other errors for bytes that are no such message. */
export function readProtobuf(bytes: Uint8Array, signal: Signal): Tree {
  const reader = protobuf.Reader.create(bytes);
  let values = 0;

  const scalar = (of: Scalar): unknown => {
    switch (of) {
      case 'text':
        return reader.string();
      case 'hex':
        return Buffer.from(reader.bytes()).toString('hex');
      case 'base64':
        return Buffer.from(reader.bytes()).toString('base64');
      case 'fixed64':
        return reader.fixed64().toString();
      case 'sfixed64':
        return reader.sfixed64().toString();
      case 'int64':
        return reader.int64().toString();
      case 'double':
        return reader.double();
      case 'bool':
        return reader.bool();
      case 'enum':
        return reader.int32();
    }
  };
  const read = (fields: Message, end: number, depth: number): Tree => {
    if (depth > DEPTH) throw new Error('nested too deep');
    const tree: Tree = {};
    const lists = new Map<string, unknown[]>();
    while (reader.pos < end) {
      const tag = reader.uint32();
      const wire = tag & 7;
      const no = tag >>> 3;
      if (no === 0 || no > MOST_FIELD) throw new Error('no field has this number');
      const field = fields.get(no);
      values += 1;
      if (values > LIMITS.otlpValues) throw new TooMuch();
      if (field === undefined) {
        reader.skipType(wire);
        continue;
      }
      if (wire !== (typeof field.of === 'string' ? WIRE[field.of] : 2))
        throw new Error('a field is not of its type');
      let value: unknown;
      if (typeof field.of === 'string') value = scalar(field.of);
      else {
        const length = reader.uint32();
        const stop = reader.pos + length;
        if (stop > end) throw new Error('a message is longer than what holds it');
        value = read(field.of(), stop, depth + 1);
      }
      if (field.many !== true) tree[field.name] = value;
      else {
        const list = lists.get(field.name);
        if (list !== undefined) list.push(value);
        else {
          const made = [value];
          lists.set(field.name, made);
          tree[field.name] = made;
        }
      }
    }
    if (reader.pos !== end) throw new Error('a field is longer than its message');
    return tree;
  };
  return read(REQUESTS[signal], bytes.length, 0);
}
