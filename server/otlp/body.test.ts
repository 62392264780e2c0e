import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import protobuf from 'protobufjs/minimal.js';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import { packageRoot } from '../paths.ts';
import { readKept } from '../record/ingest/otlp/test-telemetry.ts';
import { refused, taken } from './answer.ts';
import { formatOf, Refused, readBody, unpacked } from './body.ts';
import { flatten } from './flatten.ts';

const SAMPLES = join(packageRoot(), '..', 'shared', 'fixtures', 'otlp');
const sample = (name: string): Buffer => readFileSync(join(SAMPLES, name));

/** A message by hand: field number, and bytes or text (length-delimited), or a whole number (a varint). */
type Part = [number, Buffer | string | number];
const bytes = (...parts: Part[]): Buffer =>
  Buffer.concat(
    parts.map(([no, value]) => {
      const writer = protobuf.Writer.create();
      if (typeof value === 'number') writer.uint32(no << 3).uint32(value);
      else writer.uint32((no << 3) | 2).bytes(Buffer.from(value));
      return Buffer.from(writer.finish());
    }),
  );
const fixed64 = (no: number, value: bigint): Buffer => {
  const out = Buffer.alloc(9);
  out[0] = (no << 3) | 1;
  out.writeBigUInt64LE(value, 1);
  return out;
};
const attribute = (key: string, value: Buffer): Part => [6, bytes([1, key], [2, value])];
const text = (value: string): Buffer => bytes([1, value]);

const logRecord = Buffer.concat([
  fixed64(1, 1_787_216_460_000_000_000n),
  bytes(
    [5, text('claude_code.api_request')],
    attribute('event.name', text('api_request')),
    attribute('n', bytes([3, 42])),
  ),
  bytes([9, Buffer.from('5b8efff798038103d269b633813fc60c', 'hex')]),
]);
const logsRequest = bytes([
  1,
  bytes(
    [1, bytes([1, bytes([1, 'service.name'], [2, text('claude-code')])])],
    [2, bytes([1, bytes([1, 'scope'])], [2, logRecord])],
  ),
]);

const refusal = (run: () => unknown): number | null => {
  try {
    run();
    return null;
  } catch (error) {
    return error instanceof Refused ? error.status : -1;
  }
};

describe('a body in protobuf', () => {
  it('is read into the shape its JSON has', () => {
    expect(readBody(logsRequest, 'protobuf', 'logs')).toEqual({
      resourceLogs: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'claude-code' } }] },
          scopeLogs: [
            {
              scope: { name: 'scope' },
              logRecords: [
                {
                  timeUnixNano: '1787216460000000000',
                  body: { stringValue: 'claude_code.api_request' },
                  attributes: [
                    { key: 'event.name', value: { stringValue: 'api_request' } },
                    { key: 'n', value: { intValue: '42' } },
                  ],
                  traceId: '5b8efff798038103d269b633813fc60c',
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('may hold fields nobody knows yet, and be empty', () => {
    const unknown = Buffer.concat([logsRequest, bytes([99, 'later'], [100, 7])]);
    expect(readBody(unknown, 'protobuf', 'logs')).toEqual(readBody(logsRequest, 'protobuf', 'logs'));
    expect(readBody(Buffer.alloc(0), 'protobuf', 'logs')).toEqual({});
  });

  it('is refused at every length it may be cut to inside a message', () => {
    for (let length = 1; length < logsRequest.length; length += 1)
      expect(refusal(() => readBody(logsRequest.subarray(0, length), 'protobuf', 'logs'))).toBe(400);
  });

  it('is refused when a field is of another type, or a message longer than what holds it', () => {
    expect(refusal(() => readBody(bytes([1, 5]), 'protobuf', 'logs'))).toBe(400);
    expect(
      refusal(() => readBody(Buffer.from([0x0a, 0x02, 0x0a, 0x05, 0, 0, 0, 0, 0]), 'protobuf', 'logs')),
    ).toBe(400);
    expect(refusal(() => readBody(Buffer.from('{"resourceLogs":[]}'), 'protobuf', 'logs'))).toBe(400);
  });

  it('is refused when it holds more values than are read, and when they are nested without end', () => {
    const many = Buffer.alloc(2 * (LIMITS.otlpValues + 2));
    for (let at = 0; at < many.length; at += 2) many[at] = 0x0a;
    expect(refusal(() => readBody(many, 'protobuf', 'logs'))).toBe(413);
    let deep = text('bottom');
    for (let level = 0; level < 500; level += 1) deep = bytes([5, bytes([1, deep])]);
    const record = bytes([5, deep]);
    expect(refusal(() => readBody(bytes([1, bytes([2, bytes([2, record])])]), 'protobuf', 'logs'))).toBe(400);
  });
});

describe('a body in JSON', () => {
  it('may begin with a byte order mark and hold bare NaN', () => {
    expect(readBody(Buffer.from('\uFEFF{"resourceLogs":[]}'), 'json', 'logs')).toEqual({ resourceLogs: [] });
    expect({ ...readBody(Buffer.from('{"a": NaN}'), 'json', 'logs') }).toEqual({ a: 'NaN' });
  });

  it.each(['[', '[]', '5', 'null', '"x"', '{"a":}', '{"a":1}x'])(
    'is refused when it is no object: %s',
    (given) => {
      expect(refusal(() => readBody(Buffer.from(given), 'json', 'logs'))).toBe(400);
    },
  );

  it.each([
    '{"resourceLogs":5}',
    '{"resourceLogs":[{"scopeLogs":{}}]}',
    '{"resourceLogs":[{"scopeLogs":[{"logRecords":"x"}]}]}',
  ])('is refused when a list is none: %s', (given) => {
    expect(refusal(() => flatten(readBody(Buffer.from(given), 'json', 'logs'), 'logs', 0))).toBe(400);
  });
});

describe('a packed body', () => {
  const plain = Buffer.from('{"resourceLogs":[]}');
  it.each([
    ['gzip', gzipSync(plain)],
    ['GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['identity', plain],
    [undefined, plain],
  ])('is unpacked: %s', async (encoding, body) => {
    expect((await unpacked(body, encoding)).toString()).toBe(plain.toString());
  });

  it('is refused when it is a bomb, broken, cut, or packed in another way', async () => {
    const bomb = gzipSync(Buffer.alloc(LIMITS.otlpUnpackedBytes + 1));
    expect(bomb.length).toBeLessThan(20_000);
    const status = (body: Buffer, encoding: string) =>
      unpacked(body, encoding).then(
        () => null,
        (error: unknown) => (error instanceof Refused ? error.status : -1),
      );
    expect(await status(bomb, 'gzip')).toBe(413);
    expect(await status(deflateSync(Buffer.alloc(LIMITS.otlpUnpackedBytes + 1)), 'deflate')).toBe(413);
    expect(await status(Buffer.from('no gzip'), 'gzip')).toBe(400);
    expect(await status(gzipSync(plain).subarray(0, 15), 'gzip')).toBe(400);
    expect(await status(plain, 'br')).toBe(415);
    expect(await status(plain, 'gzip, gzip')).toBe(415);
  });
});

it('takes the format from the content type alone', () => {
  expect(formatOf('application/json; charset=utf-8')).toBe('json');
  expect(formatOf('Application/X-Protobuf')).toBe('protobuf');
  for (const other of [undefined, '', 'text/plain', 'application/jsonl', 'application/protobuf'])
    expect(formatOf(other)).toBeNull();
});

it('answers as the protocol has it', () => {
  expect(taken('json', 'logs', 0, null).toString()).toBe('{}');
  expect(taken('protobuf', 'logs', 0, null)).toHaveLength(0);
  expect(JSON.parse(taken('json', 'traces', 3, 'why').toString())).toEqual({
    partialSuccess: { rejectedSpans: '3', errorMessage: 'why' },
  });
  expect(taken('protobuf', 'metrics', 3, 'why').toString('hex')).toBe('0a0708031203776879');
  expect(refused('protobuf', 400, 'no').toString('hex')).toBe('080312026e6f');
  expect(JSON.parse(refused('json', 429, 'no').toString())).toEqual({ code: 8, message: 'no' });
});

describe.skipIf(!existsSync(SAMPLES))('samples', () => {
  it('of log records keep every kind of value', () => {
    const { records, rejected } = flatten(
      readBody(sample('otel-proto-logs.json'), 'json', 'logs'),
      'logs',
      7,
    );
    expect(rejected).toBe(0);
    expect(records.map(({ record }) => record)).toEqual([
      {
        v: 1,
        at: 7,
        placed: 'first',
        what: 'log',
        name: 'Example log record',
        scope: 'my.library',
        service: 'my.service',
        time: 1_544_712_660_300,
        severity: 10,
        body: 'Example log record',
        trace: '5b8efff798038103d269b633813fc60c',
        span: 'eee19b7ec3c1b174',
        attrs: {
          'string.attribute': 'some string',
          'boolean.attribute': true,
          'int.attribute': 10,
          'double.attribute': 637.704,
          'array.attribute': '["many","values"]',
          'map.attribute': '{"some.map.key":"some value"}',
        },
      },
    ]);
  });

  it('of an agent become one call, one failed tool and no total', async () => {
    const { records } = flatten(readBody(sample('genai-agent-trace.json'), 'json', 'traces'), 'traces', 7);
    const read = await readKept(records.map(({ record }) => record));
    // 1,200 of input, of which 800 came from the cache and 100 went into it; nothing shows that it is meant otherwise.
    expect(read.rows('llm_requests_told')).toMatchObject([
      {
        channel: 'otlp_span',
        provider: 'anthropic',
        model: 'claude-sonnet-4-5',
        session_id: 'session-demo-1',
        in_uncached: 300,
        in_cache_read: 800,
        in_cache_write_5m: 100,
        out_total: 340,
        duration_ms: 2_500,
        cost_reported_uusd: 12_300,
        token_quality: 'estimated',
      },
    ]);
    expect(read.rows('tool_calls_told')).toMatchObject([
      {
        name: 'Bash',
        kind: 'shell',
        status: 'error',
        duration_ms: 1_500,
        error_sig: 'tool exited with code <n>',
      },
    ]);
    expect(read.rows('reported_totals')).toEqual([]);
  });

  it('of spans and metrics are read whole', () => {
    const spans = flatten(readBody(sample('genai-agent-trace.json'), 'json', 'traces'), 'traces', 7).records;
    // In the order of their ends, without who the user was.
    expect(spans.map(({ record }) => record.name)).toEqual([
      'invoke_agent step-1',
      'execute_tool Bash',
      'invoke_workflow demo',
    ]);
    expect(spans.every(({ session }) => session === 'session-demo-1')).toBe(true);
    expect(spans.some(({ record }) => 'langfuse.user.id' in record.attrs)).toBe(false);
    const points = flatten(
      readBody(sample('otel-proto-metrics.json'), 'json', 'metrics'),
      'metrics',
      7,
    ).records;
    expect(
      points.map(({ record }) =>
        record.what === 'point' ? [record.name, record.temporality, record.value] : [],
      ),
    ).toEqual([
      ['my.counter', 'delta', 5],
      ['my.gauge', 'gauge', 10],
      ['my.histogram', 'delta', 2],
      ['my.exponential.histogram', 'delta', 10],
    ]);
  });
});

describe('records of a request', () => {
  const request = (records: object[], resource: object[] = []) => ({
    resourceLogs: [{ resource: { attributes: resource }, scopeLogs: [{ scope: {}, logRecords: records }] }],
  });
  const pair = (key: string, value: string) => ({ key, value: { stringValue: value } });

  it('are bounded in number, in attributes, in text and in depth', () => {
    const many = flatten(request(Array.from({ length: LIMITS.otlpRecords + 5 }, () => ({}))), 'logs', 0);
    expect([many.records.length, many.rejected]).toEqual([LIMITS.otlpRecords, 5]);
    let deep: object = { stringValue: 'bottom' };
    for (let level = 0; level < 5_000; level += 1) deep = { arrayValue: { values: [deep] } };
    const attributes = [
      { key: 'deep', value: deep },
      pair('long', 'x'.repeat(100_000)),
      pair('k'.repeat(5_000), 'x'),
      pair('__proto__', 'x'),
      ...Array.from({ length: 500 }, (_, at) => pair(`a${at}`, 'x')),
    ];
    const record = flatten(request([{ attributes }]), 'logs', 0).records[0]?.record;
    const attrs = record?.attrs ?? {};
    expect(Object.keys(attrs)).toHaveLength(LIMITS.otlpAttributes);
    expect(String(attrs.long)).toHaveLength(LIMITS.sourceText + 1);
    expect(String(attrs.deep)).not.toContain('bottom');
    expect(Object.keys(attrs).some((key) => key.length > LIMITS.otlpKey || key === '__proto__')).toBe(false);
  });

  it('carry the session and the project of their resource, and nobody by name', () => {
    const resource = [
      pair('session.id', 's9'),
      pair('looplight.project', 'shop'),
      pair('user.email', 'a@b.example'),
    ];
    const { records } = flatten(request([{ attributes: [pair('user.id', 'u')] }], resource), 'logs', 0);
    expect(records).toMatchObject([
      { session: 's9', project: 'shop', record: { attrs: { 'session.id': 's9' } } },
    ]);
    expect(JSON.stringify(records)).not.toMatch(/a@b|"u"/);
  });

  it('have no time where there is none', () => {
    const times = [
      '0',
      '-5',
      '',
      'soon',
      '99999999999999999999',
      '1787216460000000000',
      1_787_216_460_000_000_000,
    ].map((timeUnixNano) => ({ timeUnixNano }));
    const { records } = flatten(request(times), 'logs', 0);
    expect(records.map(({ record }) => (record.what === 'log' ? record.time : 0))).toEqual([
      null,
      null,
      null,
      null,
      null,
      1_787_216_460_000,
      1_787_216_460_000,
    ]);
  });
});
