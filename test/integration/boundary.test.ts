import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CODES } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import { doneOf, type Running, readAll, start } from './harness.ts';
import { raw } from './raw.ts';

let app: Running;
let web: string;
beforeAll(async () => {
  web = await mkdtemp(join(tmpdir(), 'looplight-web-'));
  await mkdir(join(web, 'assets'));
  await writeFile(join(web, 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(web, 'assets', 'main-1234.js'), 'export {}');
  app = await start({ config: { web } });
});
afterAll(async () => {
  await app.close();
  await rm(web, { recursive: true, force: true });
});

const json = { 'content-type': 'application/json' };
const question = JSON.stringify({ question: 'how did the run go?' });
const port = () => new URL(app.url).port;

describe('who may talk to the server', () => {
  it.each(['evil.example', 'evil.example:4173', '127.0.0.1.evil.example', 'localhost'])(
    'refuses a request under the name %s',
    async (host) => {
      for (const path of ['/', '/api/health', '/api/start', '/nothing']) {
        const response = await raw(`${app.url}${path}`, { headers: { host } });
        expect(response.status).toBe(403);
        expect(JSON.parse(response.body)).toEqual({ code: 'forbidden', ...CODES.forbidden });
      }
    },
  );

  it('refuses a post from another page, whatever it claims', async () => {
    for (const origin of [
      'http://evil.example',
      'null',
      'http://localhost:3000',
      `https://127.0.0.1:${port()}.evil.example`,
    ]) {
      const response = await raw(`${app.url}/api/ask`, {
        method: 'POST',
        headers: { ...json, origin },
        body: question,
      });
      expect(response.status).toBe(403);
    }
  });

  it('refuses what a browser says another site has asked for', async () => {
    for (const site of ['cross-site', 'same-site']) {
      for (const path of ['/api/start', '/%61pi/start', '/api/health', '/%61pi/health']) {
        const response = await raw(`${app.url}${path}`, { headers: { 'sec-fetch-site': site } });
        expect(response.status).toBe(403);
      }
    }
  });

  it('answers its own page', async () => {
    const response = await raw(`${app.url}/api/ask`, {
      method: 'POST',
      headers: { ...json, origin: app.url, 'sec-fetch-site': 'same-origin' },
      body: question,
    });
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toContain('text/event-stream');
    expect(response.headers['cache-control']).toBe('no-store, no-transform');
    expect(response.headers['x-accel-buffering']).toBe('no');
    const local = await raw(`${app.url}/api/health`, { headers: { host: `localhost:${port()}` } });
    expect(local.status).toBe(200);
  });

  it('takes JSON only', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
    ]) {
      const response = await raw(`${app.url}/api/ask`, {
        method: 'POST',
        headers: type === '' ? {} : { 'content-type': type },
        body: question,
      });
      expect(response.status).toBe(415);
      expect(JSON.parse(response.body).code).toBe('bad_request');
    }
  });

  it('refuses what it cannot read with a stable code, and nothing of the reason', async () => {
    const bodies = [
      '',
      '{',
      '[]',
      '{}',
      '{"question":""}',
      '{"question":"   "}',
      '{"question":5}',
      JSON.stringify({ question: 'x'.repeat(LIMITS.question + 1) }),
      JSON.stringify({ question: 'x', conversation: '../../etc' }),
      '{"question":"x","__proto__":{"polluted":true}}',
    ];
    for (const body of bodies) {
      const response = await raw(`${app.url}/api/ask`, { method: 'POST', headers: json, body });
      expect([body.slice(0, 40), response.status]).toEqual([body.slice(0, 40), 400]);
      expect(JSON.parse(response.body)).toEqual({ code: 'bad_request', ...CODES.bad_request });
    }
    const large = await raw(`${app.url}/api/ask`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ question: 'x'.repeat(LIMITS.bodyBytes) }),
    });
    expect(large.status).toBe(413);
  });

  it('knows no other way in', async () => {
    for (const path of [
      '/api/nothing',
      '/api/answers/none/events',
      '/api/evidence/none',
      '/api/raw/none/1',
    ]) {
      const response = await raw(`${app.url}${path}`);
      expect([path, response.status]).toEqual([path, 404]);
      expect(JSON.parse(response.body).code).toBe('not_found');
    }
    for (const path of [
      '/api/raw/metrics.json/0',
      '/api/raw/..%2F..%2Fpackage.json/1',
      '/api/raw/%2Fetc%2Fpasswd/1',
    ])
      expect((await raw(`${app.url}${path}`)).status).toBe(404);
  });
});

describe('headers of the page', () => {
  it('allow nothing that is not its own, and nothing unsafe', async () => {
    const response = await raw(`${app.url}/`);
    const policy = String(response.headers['content-security-policy']);
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
    const directives = new Map(
      policy.split(';').map((part): [string, string] => {
        const [name = '', ...sources] = part.trim().split(/\s+/);
        return [name, sources.join(' ')];
      }),
    );
    expect(directives.get('default-src')).toBe("'none'");
    for (const name of ['script-src', 'style-src', 'font-src', 'img-src', 'connect-src'])
      expect(directives.get(name)).toBe("'self'");
    for (const name of ['base-uri', 'form-action', 'frame-ancestors', 'object-src'])
      expect(directives.get(name)).toBe("'none'");
    expect(response.headers['referrer-policy']).toBe('no-referrer');
    expect(response.headers['x-content-type-options']).toBe('nosniff');
    expect(response.headers['x-frame-options']).toBe('DENY');
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('are on every answer, refusals and streams included', async () => {
    for (const [path, headers] of [
      ['/api/health', {}],
      ['/api/start', {}],
      ['/nothing', {}],
      ['/api/health', { host: 'evil.example' }],
    ] as const) {
      const response = await raw(`${app.url}${path}`, { headers });
      expect(response.headers['content-security-policy']).toContain("default-src 'none'");
      expect(response.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('let built files be kept, and the page be asked for again', async () => {
    expect((await raw(`${app.url}/`)).headers['cache-control']).toBe('no-cache');
    const asset = await raw(`${app.url}/assets/main-1234.js`);
    expect(asset.status).toBe(200);
    expect(asset.headers['cache-control']).toContain('immutable');
  });

  it('go with the page at every address it has, and at no other', async () => {
    for (const path of ['/', '/a/AbC-123_x']) {
      const response = await raw(`${app.url}${path}`);
      expect(response.status).toBe(200);
      expect(response.body).toContain('<title>page</title>');
    }
    for (const path of [
      '/b',
      '/a/x/y',
      '/assets/',
      '/assets/..%2findex.html',
      '/.env',
      '/%2e%2e/package.json',
    ])
      expect([path, (await raw(`${app.url}${path}`)).status]).not.toEqual([path, 200]);
  });
});

describe('beyond loopback', () => {
  const token = 'a-long-enough-token-1234';
  let guarded: Running;
  beforeAll(async () => {
    guarded = await start({ config: { token, web }, secrets: [token] });
  });
  afterAll(() => guarded.close());

  it('nothing is served without the token', async () => {
    for (const path of [
      '/',
      '/api/health',
      '/api/start',
      '/assets/main-1234.js',
      '/?token=wrong-wrong-wrong-1',
    ]) {
      const response = await raw(`${guarded.url}${path}`);
      expect([path, response.status]).toEqual([path, 401]);
      expect(JSON.parse(response.body).code).toBe('token_needed');
    }
    expect((await raw(`${guarded.url}/api/health?token=${token}`)).status).toBe(401);
  });

  it('a first visit with the token is given a cookie, and the address is cleaned', async () => {
    const first = await raw(`${guarded.url}/?token=${token}`);
    expect(first.status).toBe(200);
    expect(first.body).toContain('url=/"');
    expect(first.body).not.toContain(token);
    const cookie = String(first.headers['set-cookie']);
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
    const pair = cookie.split(';')[0] ?? '';
    expect((await raw(`${guarded.url}/`, { headers: { cookie: pair } })).status).toBe(200);
    expect((await raw(`${guarded.url}/api/health`, { headers: { cookie: pair } })).status).toBe(200);
    const odd = await raw(`${guarded.url}/a/"onload=x?token=${token}`);
    expect(odd.body).not.toContain('onload');
  });

  it('programs bring it as a bearer, and the log never has it', async () => {
    const response = await raw(`${guarded.url}/api/health`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    expect(guarded.log()).not.toContain(token);
  });
});

describe('the rest of the interface', () => {
  it('says what is running', async () => {
    const health = await (await app.fetch('/api/health')).json();
    expect(health).toMatchObject({
      ok: true,
      protocol: 'v0.9',
      planner: { kind: 'builtin', model: null },
      record: { features: 30 },
    });
    expect(health.record.sources.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'feature_list',
      'git',
      'metrics',
      'progress_log',
    ]);
    expect(JSON.stringify(health)).not.toContain(process.cwd());
  });

  it('takes a report of a card that could not be drawn, as text', async () => {
    const report = {
      version: 'v0.9',
      error: {
        code: 'RENDER',
        surfaceId: 's',
        path: '/cards/c0',
        message: 'broke\nforged line sk-abcdefghijklmnopqrstuvwxyz',
      },
    };
    expect((await app.post('/api/report', report)).status).toBe(202);
    expect(app.log()).toContain('a card could not be drawn');
    expect(app.log()).not.toContain('sk-abcdefghijklmnopqrstuvwxyz');
    expect((await app.post('/api/report', { version: 'v0.9' })).status).toBe(400);
  });

  it('answers a pressed button like a question, and refuses other actions', async () => {
    const action = (name: string, context: Record<string, unknown>) => ({
      version: 'v0.9',
      action: { name, surfaceId: 's', sourceComponentId: 'c0', timestamp: '2026-01-01T00:00:00Z', context },
    });
    const response = await app.post(
      '/api/action',
      action('refine', { label: 'More', request: 'which features were slow?' }),
    );
    const all = await readAll(response);
    expect(all[0]?.event).toMatchObject({ event: 'open', data: { question: 'which features were slow?' } });
    expect(doneOf(all).ok).toBe(true);
    expect((await app.post('/api/action', action('delete', { label: 'x', request: 'y' }))).status).toBe(400);
    expect((await app.post('/api/action', action('refine', { label: 'x' }))).status).toBe(400);
  });
});

it('slows down whoever asks too often', async () => {
  const busy = await start();
  try {
    const asked = await Promise.all(
      Array.from({ length: LIMITS.answersPerMinute + 5 }, () =>
        busy.post('/api/action', { version: 'v0.9' }),
      ),
    );
    const refused = asked.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    expect(await refused[0]?.json()).toEqual({ code: 'rate_limited', ...CODES.rate_limited });
  } finally {
    await busy.close();
  }
});
