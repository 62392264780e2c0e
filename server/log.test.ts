import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { createLog } from './log.ts';

const KEY = 'sk-proj-Zx81_qWERTYuiop-ASDFGHjkl4567zxcvbnm';
const TOKEN = 'the.access.Token.of.this.server';

function logged(): { lines: string[]; app: ReturnType<typeof Fastify> } {
  const lines: string[] = [];
  const app = Fastify({
    logger: createLog({
      level: 'trace',
      secrets: [KEY, TOKEN, null, undefined],
      stream: { write: (l) => lines.push(l) },
    }),
  });
  return { lines, app };
}

describe('createLog', () => {
  it('keeps planted keys out of every line, and every line is JSON', async () => {
    const { lines, app } = logged();
    app.get('/boom', () => {
      throw new Error(`upstream said ${KEY}`, {
        cause: new Error(`Bearer ${KEY}`, { cause: { token: TOKEN } }),
      });
    });
    await app.inject({ url: `/boom?token=${TOKEN}&k=${KEY}`, headers: { authorization: `Bearer ${TOKEN}` } });
    app.log
      .child({ key: KEY, [KEY]: 1 })
      .warn({ headers: { authorization: TOKEN }, nested: [{ raw: `"${KEY}"` }] }, `m ${KEY}`);
    app.log.error({ err: Object.assign(new Error('x'), { request: { key: KEY } }) }, TOKEN);
    app.log.info('%s and %j', KEY, { KEY });
    await app.close();
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines) {
      expect(line).not.toContain(KEY);
      expect(line).not.toContain(TOKEN);
      expect(line).toMatch(/^\{.*\}\n$/);
      expect(() => JSON.parse(line)).not.toThrow();
    }
    expect(lines.join('')).toContain('upstream said');
  });

  it('keeps what a reader needs', async () => {
    const { lines, app } = logged();
    app.log.warn(
      { code: 'model_auth', status: 401, answerId: '3f0c2a54-6c1b-4f0e-9a35-2f6f0c1de001' },
      'no answer',
    );
    await app.close();
    const entry: unknown = JSON.parse(lines[0] ?? '');
    expect(entry).toMatchObject({
      level: 40,
      code: 'model_auth',
      status: 401,
      answerId: '3f0c2a54-6c1b-4f0e-9a35-2f6f0c1de001',
      msg: 'no answer',
    });
  });

  it('writes a line that is not JSON cleaned and on one line', () => {
    const lines: string[] = [];
    const log = createLog({ level: 'info', secrets: [KEY], stream: { write: (l) => lines.push(l) } });
    log.stream.write(`{"broken": "${KEY}\n`);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain(KEY);
    expect(lines[0]?.match(/\n/g)).toHaveLength(1);
  });
});
