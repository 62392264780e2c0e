import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import protobuf from 'protobufjs/minimal.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { telemetryFolder } from '../../server/otlp/keeper.ts';
import { LIMITS } from '../../shared/limits.ts';
import { type Options, type Running, start } from './harness.ts';
import { raw } from './raw.ts';

const TEXT = JSON.stringify({ test: 1 });
const pair = (key: string, value: string) => ({ key, value: { stringValue: value } });
const logs = (records: object[], resource: object[] = []) => ({
  resourceLogs: [
    {
      resource: { attributes: [pair('service.name', 'claude-code'), ...resource] },
      scopeLogs: [{ scope: { name: 'com.anthropic.claude_code.events' }, logRecords: records }],
    },
  ],
});
const apiRequest = (session: string, request: string) => ({
  timeUnixNano: '1787216460000000000',
  body: { stringValue: 'claude_code.api_request' },
  attributes: [
    pair('event.name', 'api_request'),
    pair('session.id', session),
    pair('model', 'claude-opus-5'),
    pair('request_id', request),
    pair('cost_usd', '0.0421'),
    { key: 'input_tokens', value: { intValue: '4' } },
    { key: 'output_tokens', value: { intValue: '159' } },
  ],
});

vi.setConfig({ testTimeout: 60_000 });

let folder = '';
const running: Running[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'looplight-otlp-'));
});
afterEach(async () => {
  for (const app of running.splice(0)) await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** A server with the given projects, each an empty folder but for a note. */
async function server(names: readonly string[] = ['one'], options: Options = {}): Promise<Running> {
  const records = await Promise.all(
    names.map(async (name) => {
      const made = await mkdtemp(join(folder, `${name}-`));
      await writeFile(join(made, 'note.txt'), TEXT);
      return made;
    }),
  );
  const app = await start({ records, telemetry: join(folder, 'telemetry'), ...options });
  running.push(app);
  return app;
}

const told = async (app: Running, project = 0) => {
  const record = app.projects[project]?.record;
  if (record === undefined) throw new Error('no such project');
  return (
    await record.store.query(
      'SELECT session_id, request_ref, out_total, cost_reported_uusd FROM llm_requests_told ORDER BY told_id',
    )
  ).rows;
};

/** Longest wait for something to hold: the machine may be busy with other tests. That reading begins at once is tested beside the receiver. */
const WAIT_MS = 25_000;

async function within(check: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < WAIT_MS) {
    if (await check()) return performance.now() - began;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('it did not come to hold');
}

const keptLines = async (app: Running, project = 0): Promise<string[]> => {
  const dir = telemetryFolder(join(folder, 'telemetry'), app.projects[project]?.folder ?? '');
  const names = (await readdir(dir).catch(() => [])).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')));
  return texts
    .join('')
    .split('\n')
    .filter((line) => line !== '');
};

const protobufHeaders = { 'content-type': 'application/x-protobuf' };

describe('telemetry that is sent', () => {
  it('is in the record soon, and what reads the record hears of it', async () => {
    const app = await server();
    let heard = 0;
    app.projects[0].record.onChange(() => {
      heard += 1;
    });
    const answer = await app.post('/v1/logs', logs([apiRequest('s1', 'req_1')]));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({});
    await within(async () => heard > 0 && (await told(app)).length === 1);
    expect(await told(app)).toEqual([
      { session_id: 's1', request_ref: 'req_1', out_total: 159, cost_reported_uusd: 42_100 },
    ]);
    // A second one goes on at the end of the same file.
    await app.post('/v1/logs', logs([apiRequest('s1', 'req_2')]));
    await within(async () => (await told(app)).length === 2);
    const requests = await app.projects[0].record.store.query('SELECT count(*) AS n FROM llm_requests');
    expect(requests.rows).toEqual([{ n: 2 }]);
  });

  it('is cited by the line that holds it', async () => {
    const app = await server();
    await app.post('/v1/logs', logs([apiRequest('s1', 'req_1'), apiRequest('s1', 'req_2')]));
    await within(async () => (await told(app)).length === 2);
    const { rows } = await app.projects[0].record.store.query(
      "SELECT source_id, source_line FROM llm_requests_told WHERE request_ref = 'req_2'",
    );
    expect(rows[0]?.source_line).toBe(2);
    const raw = await app.projects[0].record.rawLines(String(rows[0]?.source_id), 2, 0);
    expect(JSON.stringify(raw)).toContain('req_2');
  });

  it('counts once when an exporter sends it again', async () => {
    const app = await server();
    const body = logs([apiRequest('s1', 'req_1')]);
    for (let time = 0; time < 3; time += 1) expect((await app.post('/v1/logs', body)).status).toBe(200);
    expect(await keptLines(app)).toHaveLength(1);
  });

  it('may be protobuf, packed, and is answered in kind', async () => {
    const app = await server();
    const record = protobuf.Writer.create()
      .uint32(42)
      .bytes(Buffer.from([0x0a, 0x01, 0x78]))
      .finish();
    const scope = protobuf.Writer.create().uint32(18).bytes(record).finish();
    const resource = protobuf.Writer.create().uint32(18).bytes(scope).finish();
    const body = protobuf.Writer.create().uint32(10).bytes(resource).finish();
    const answer = await app.fetch('/v1/logs', {
      method: 'POST',
      headers: { ...protobufHeaders, 'content-encoding': 'gzip' },
      body: gzipSync(body),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/x-protobuf');
    expect((await answer.arrayBuffer()).byteLength).toBe(0);
    expect(JSON.parse((await keptLines(app))[0] ?? '')).toMatchObject({ what: 'log', body: 'x' });
  });

  it('may be spans and metrics, and an empty request', async () => {
    const app = await server();
    const span = {
      traceId: '5b8efff798038103d269b633813fc60c',
      spanId: 'eee19b7ec3c1b175',
      name: 'chat m',
      startTimeUnixNano: '1787216460000000000',
      endTimeUnixNano: '1787216461000000000',
      attributes: [
        pair('gen_ai.operation.name', 'chat'),
        { key: 'gen_ai.usage.input_tokens', value: { intValue: '17903' } },
        { key: 'gen_ai.usage.cache_read.input_tokens', value: { intValue: '17817' } },
      ],
    };
    await app.post('/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
    const point = { timeUnixNano: '1787216460000000000', asInt: '90000', attributes: [] };
    await app.post('/v1/metrics', {
      resourceMetrics: [
        {
          scopeMetrics: [
            {
              metrics: [
                { name: 'claude_code.token.usage', sum: { aggregationTemporality: 2, dataPoints: [point] } },
              ],
            },
          ],
        },
      ],
    });
    expect((await app.post('/v1/logs', {})).status).toBe(200);
    const { store } = app.projects[0].record;
    await within(async () => (await store.query('SELECT 1 AS one FROM metric_points')).rows.length === 1);
    expect((await store.query('SELECT in_uncached, in_cache_read FROM llm_requests_told')).rows).toEqual([
      { in_uncached: 86, in_cache_read: 17_817 },
    ]);
    expect((await store.query('SELECT temporality, value FROM metric_points')).rows).toEqual([
      { temporality: 'cumulative', value: 90_000 },
    ]);
  });

  it('is said to be kept in part when some of it is not', async () => {
    const app = await server();
    const answer = await app.post('/v1/logs', {
      resourceLogs: [{ scopeLogs: [{ logRecords: [apiRequest('s', 'r'), 5, null] }] }],
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      partialSuccess: { rejectedLogRecords: '2', errorMessage: 'Some records are no objects.' },
    });
  });
});

describe('the project of telemetry', () => {
  it('is the one whose transcripts know the session, else the one that is named, else the first', async () => {
    const app = await server(['one', 'two']);
    const [first, second] = app.projects;
    if (second === undefined) throw new Error('there is no second project');
    const rollout = {
      timestamp: '2026-08-20T10:00:00Z',
      type: 'session_meta',
      payload: { id: '019f-known', cwd: second.folder, cli_version: '0.145.0' },
    };
    await writeFile(
      join(second.folder, 'rollout-2026-08-20T10-00-00-019f-known.jsonl'),
      `${JSON.stringify(rollout)}\n`,
    );
    await second.record.reload();
    expect((await second.record.store.query('SELECT session_id FROM sessions_told')).rows).toEqual([
      { session_id: '019f-known' },
    ]);
    await app.post('/v1/logs', logs([apiRequest('019f-known', 'a')]), {
      headers: { 'x-looplight-project': first.id },
    });
    await app.post('/v1/logs', logs([apiRequest('s2', 'b')]), {
      headers: { 'x-looplight-project': second.name.toUpperCase() },
    });
    await app.post('/v1/logs', logs([apiRequest('s3', 'c')], [pair('looplight.project', second.id)]));
    await app.post('/v1/logs', logs([apiRequest('s4', 'd')], [pair('looplight.project', 'nobody')]));
    const placed = async (project: number) =>
      (await keptLines(app, project))
        .map((line) => JSON.parse(line))
        .map(({ placed, attrs }) => [placed, attrs.request_id]);
    expect(await placed(1)).toEqual([
      ['session', 'a'],
      ['named', 'b'],
      ['named', 'c'],
    ]);
    expect(await placed(0)).toEqual([['first', 'd']]);
    await within(async () => (await told(app, 1)).length === 3);
    const { rows } = await second.record.store.query(
      'SELECT session_id, placed_by FROM sessions_told WHERE placed_by IS NOT NULL ORDER BY session_id',
    );
    expect(rows).toEqual([
      { session_id: '019f-known', placed_by: 'session' },
      { session_id: 's2', placed_by: 'named' },
      { session_id: 's3', placed_by: 'named' },
    ]);
  });
});

describe('what is not taken', () => {
  const refusedWith = async (answer: Response) => [
    answer.status,
    answer.headers.get('content-type'),
    await answer.json(),
  ];

  it('is refused with the status that tells an exporter what to do', async () => {
    const app = await server();
    expect(await refusedWith(await app.post('/v1/logs', null, { body: '{"resourceLogs":' }))).toEqual([
      400,
      'application/json',
      { code: 3, message: 'The body is no JSON.' },
    ]);
    expect((await app.post('/v1/logs', {}, { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    expect((await app.post('/v1/logs', {}, { headers: { 'content-encoding': 'br' } })).status).toBe(415);
    expect((await app.fetch('/v1/logs')).status).toBe(404);
    const large = await app.fetch('/v1/logs', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.alloc(LIMITS.otlpBodyBytes + 1, 32),
    });
    expect(large.status).toBe(413);
    const bomb = await app.fetch('/v1/traces', {
      method: 'POST',
      headers: { ...protobufHeaders, 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(LIMITS.otlpUnpackedBytes + 1)),
    });
    expect([bomb.status, bomb.headers.get('content-type')]).toEqual([413, 'application/x-protobuf']);
    const broken = await app.fetch('/v1/traces', {
      method: 'POST',
      headers: protobufHeaders,
      body: Buffer.from([0x0a, 0xff]),
    });
    expect([broken.status, broken.headers.get('content-type')]).toEqual([400, 'application/x-protobuf']);
    expect(
      Buffer.from(await broken.arrayBuffer())
        .subarray(0, 2)
        .toString('hex'),
    ).toBe('0803');
    expect(await keptLines(app)).toEqual([]);
  });

  it('comes from another site, or under a name this server has not', async () => {
    const app = await server();
    const headers = { 'content-type': 'application/json' };
    const foreign = await raw(`${app.url}/v1/logs`, {
      method: 'POST',
      headers: { ...headers, host: 'evil.example' },
      body: '{}',
    });
    expect(foreign.status).toBe(403);
    expect(JSON.parse(foreign.body)).toMatchObject({ code: 7 });
    const foreigners: Record<string, string>[] = [
      { origin: 'http://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const more of foreigners)
      expect(
        (
          await raw(`${app.url}/v1/logs`, {
            method: 'POST',
            headers: { ...headers, ...more },
            body: '{}',
          })
        ).status,
      ).toBe(403);
  });

  it('has no token where one is needed', async () => {
    const app = await server(['one'], { config: { token: 'a-long-enough-token-1234' } });
    const without = await app.post('/v1/logs', {});
    expect(await refusedWith(without)).toEqual([
      401,
      'application/json',
      { code: 16, message: expect.stringContaining('access token') },
    ]);
    const proto = await app.fetch('/v1/logs?token=a-long-enough-token-1234', {
      method: 'POST',
      headers: protobufHeaders,
      body: '',
    });
    expect([proto.status, proto.headers.get('content-type')]).toEqual([401, 'application/x-protobuf']);
    const withToken = await app.post(
      '/v1/logs',
      {},
      { headers: { authorization: 'Bearer a-long-enough-token-1234' } },
    );
    expect(withToken.status).toBe(200);
  });

  it('is too much for one minute, and may be sent again later', async () => {
    const telemetryLimits = { ...LIMITS, otlpRecordsPerMinute: 2 };
    const app = await server(['one'], { telemetryLimits });
    expect((await app.post('/v1/logs', logs([apiRequest('s', 'a'), apiRequest('s', 'b')]))).status).toBe(200);
    const later = await app.post('/v1/logs', logs([apiRequest('s', 'c')]));
    expect(later.status).toBe(429);
    expect(Number(later.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(later.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(await keptLines(app)).toHaveLength(2);
  });

  it('cannot be written, and may be sent again later', async () => {
    const app = await server(['one'], {});
    await writeFile(join(folder, 'telemetry'), 'a file where the folder should be');
    const answer = await app.post('/v1/logs', logs([apiRequest('s', 'a')]));
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    await rm(join(folder, 'telemetry'));
    expect((await app.post('/v1/logs', logs([apiRequest('s', 'a')]))).status).toBe(200);
    expect(await keptLines(app)).toHaveLength(1);
  });
});

describe('connections that break', () => {
  const halfSent = (url: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /v1/logs HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"resourceLogs":[`,
        );
        setTimeout(() => socket.destroy(), 20);
      });
      socket.on('error', reject);
      socket.on('close', () => resolve());
    });

  it('leave nothing behind and take no place, however many', async () => {
    const app = await server();
    for (let round = 0; round < 3; round += 1)
      await Promise.all(Array.from({ length: LIMITS.otlpOpen }, () => halfSent(app.url)));
    await within(async () => (await app.post('/v1/logs', logs([apiRequest('s', 'a')]))).status === 200);
    expect(await keptLines(app)).toHaveLength(1);
  });

  it('are bounded while they are open', async () => {
    const app = await server();
    const { hostname, port } = new URL(app.url);
    const sockets = Array.from({ length: LIMITS.otlpOpen }, () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(
        `POST /v1/logs HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{`,
      );
      return socket;
    });
    await within(async () => (await app.post('/v1/logs', {})).status === 503);
    const busy = await app.post('/v1/logs', {});
    expect(busy.headers.get('retry-after')).toBe('1');
    // The page is not affected.
    expect((await app.fetch('/api/health')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await within(async () => (await app.post('/v1/logs', {})).status === 200);
  });
});
