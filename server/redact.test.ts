import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../shared/limits.ts';
import { createRedactor, REDACTED, redact, redactValue } from './redact.ts';

const KEY = 'sk-proj-Zx81_qWERTYuiop-ASDFGHjkl4567zxcvbnm';
/** A key of no known form, as gateways hand out. */
const PLAIN = 'gateway.7fQ2.mauve.Ostrich';
const clean = createRedactor([KEY, PLAIN]);

/** The longest run of the secret's characters that is left in the text. */
function longestLeak(text: string, secret: string): number {
  let longest = 0;
  for (let at = 0; at < secret.length; at++) {
    let length = 1;
    while (at + length <= secret.length && text.includes(secret.slice(at, at + length))) length++;
    longest = Math.max(longest, length - 1);
  }
  return longest;
}

describe('a configured secret', () => {
  const halves = (secret: string): [string, string] => [secret.slice(0, 13), secret.slice(13)];
  const ways: [string, (secret: string) => string][] = [
    ['alone', (s) => s],
    ['in a sentence', (s) => `Incorrect API key provided: ${s}. Find yours in the console.`],
    ['in JSON', (s) => JSON.stringify({ error: { message: `bad key ${s}`, key: s } })],
    ['in JSON inside JSON', (s) => JSON.stringify(JSON.stringify({ key: s }))],
    ['in a query string', (s) => `GET http://127.0.0.1/v1?key=${encodeURIComponent(s)}&x=1 failed`],
    ['in the user part of an address', (s) => `http://me:${s}@localhost/v1`],
    ['percent-encoded throughout', (s) => [...s].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')],
    ['unicode-escaped', (s) => s.replaceAll('-', '\\u002d').replaceAll('.', '\\u002e')],
    ['as a header', (s) => `authorization: Bearer ${s}\r\naccept: */*`],
    ['as a raw header list', (s) => JSON.stringify(['Authorization', `Bearer ${s}`])],
    ['split by quoting', (s) => `'${halves(s).join("' + '")}'`],
    ['split by escaped quoting', (s) => `\\"${halves(s).join('\\" \\"')}\\"`],
    ['split over lines', (s) => halves(s).join('\n  ')],
    ['in capitals', (s) => s.toUpperCase()],
    ['cut off', (s) => `key starts with ${s.slice(0, 16)}`],
    ['base64', (s) => Buffer.from(s).toString('base64')],
    ['glued to other text', (s) => `xx${s}yy`],
  ];
  it.each(ways)('%s', (_, way) => {
    for (const secret of [KEY, PLAIN]) {
      const out = clean(way(secret));
      expect(out).toContain(REDACTED);
      const squeezed = out.replace(/["'\\+\s]/g, '').toLowerCase();
      expect(longestLeak(squeezed, secret.toLowerCase())).toBeLessThan(10);
      expect(out).not.toContain(Buffer.from(secret).toString('base64').slice(0, 20));
    }
  });

  it('leaves the words around it', () => {
    expect(clean(`The server said ${PLAIN} is wrong.`)).toBe(`The server said ${REDACTED} is wrong.`);
  });

  it('is found at any place of any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.string({ maxLength: 200 }), (before, after) => {
        expect(clean(before + PLAIN + after)).not.toContain(PLAIN);
      }),
    );
  });

  it('that is one ordinary word takes only that word, and a shorter one nothing', () => {
    expect(createRedactor(['ollama'])('ollama is at the door')).toBe(`${REDACTED} is at the door`);
    expect(createRedactor(['', 'abc'])('abc is at the door')).toBe('abc is at the door');
  });
});

describe('credentials by form', () => {
  it.each([
    ['sk-abcdefgh12345678', 'sk-abcdefgh'],
    ['key sk-ab***********xyz1 is wrong', 'xyz1'],
    ['"sk-" + "abcdefghijklmnop1234"', 'abcdefgh'],
    ['Bearer abc.def.ghi', 'abc.def'],
    ['Authorization: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
    ['{"authorization":"opaque-value"}', 'opaque-value'],
    ['{"api_key": "short1"}', 'short1'],
    ['x-api-key: short2', 'short2'],
    ['["x-api-key","short3"]', 'short3'],
    ['/a/1?access_token=short4&b=2', 'short4'],
    ['/a/1?session=short5#top', 'short5'],
    ['http://user:hunter22@example.test/', 'hunter22'],
    ['ghp_abcdefghijklmnopqrstuvwx', 'ghp_abc'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefgh', 'eyJ'],
    ['id 0123456789abcdef0123456789abcdef01234567', '0123456789abcdef'],
    ['password=correct', 'correct'],
  ])('%s', (text, secret) => {
    expect(redact(text)).not.toContain(secret);
  });

  it.each([
    'GET /api/answers/3f0c2a54-6c1b-4f0e-9a35-2f6f0c1de001/events 200',
    'metrics.json: line 28 could not be read',
    '400 "model \'scripted\' does not support thinking"',
    'the token limit was reached after 4096 tokens',
    'a risk-free desk-lamp at task-manager/disk-usage.ts:41',
  ])('leaves %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('cuts long text and says how long it was, in little time', () => {
    for (const text of [
      'a'.repeat(2_000_000),
      'sk-'.repeat(700_000),
      'token='.repeat(400_000),
      '"\\'.repeat(900_000),
    ]) {
      const started = performance.now();
      const out = clean(text);
      expect(out.length).toBeLessThan(LIMITS.logText * 3);
      expect(out).toContain(`${text.length} characters`);
      expect(performance.now() - started).toBeLessThan(1_000);
    }
  });
});

describe('redactValue', () => {
  it('reaches causes, members, lists, maps and names', () => {
    const inner = Object.assign(new Error(`inner ${KEY}`), { code: 'ECONNRESET', config: { apiKey: PLAIN } });
    const outer = new Error('outer', { cause: new AggregateError([inner], `all failed with ${KEY}`) });
    const out = JSON.stringify(
      redactValue(
        { outer, list: [[KEY]], map: new Map([[KEY, 1]]), url: new URL(`http://h/?k=${KEY}`), [KEY]: 1 },
        clean,
      ),
    );
    expect(out).not.toContain(KEY);
    expect(out).not.toContain(PLAIN);
    expect(out).toContain('ECONNRESET');
    expect(out).toContain('inner');
    expect(out).toContain('outer');
  });

  it('drops the response headers of an upstream error', () => {
    const error = Object.assign(new Error('upstream'), { headers: { 'x-echo': 'short' }, status: 401 });
    expect(redactValue(error, clean)).not.toHaveProperty('headers');
    expect(redactValue(error, clean)).toHaveProperty('status', 401);
  });

  it('ends on cycles, depth and breadth', () => {
    const loop: Record<string, unknown> = { name: 'loop' };
    loop.self = loop;
    expect(JSON.stringify(redactValue(loop, clean))).toContain('[seen]');
    let deep: unknown = 'end';
    for (let i = 0; i < 10_000; i++) deep = { deep };
    expect(JSON.stringify(redactValue(deep, clean))).toContain('[deep]');
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, i]));
    expect(Object.keys(Object(redactValue(wide, clean)))).toHaveLength(LIMITS.logEntries);
    expect(redactValue(JSON.parse('{"__proto__": {"polluted": true}}'), clean)).not.toHaveProperty(
      'polluted',
    );
  });
});
