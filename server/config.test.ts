import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const read = (env: Record<string, string>, args: string[] = []) => readConfig(env, args, '/pkg');

function failure(env: Record<string, string>, args: string[] = []): string {
  try {
    read(env, args);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

describe('settings', () => {
  it('serve the demo record on loopback when nothing is set, or set to nothing', () => {
    const config = read({ PORT: '', OPENAI_API_KEY: ' ', UNRELATED: 'x' });
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 4173,
      record: '/pkg/data/agentforge',
      web: '/pkg/dist/web',
      state: '/pkg/.looplight',
      keepDays: 90,
      token: null,
      trustLocal: false,
      hosts: [],
      logLevel: 'warn',
      model: { apiKey: null, baseUrl: null, model: null, effort: null },
    });
  });

  it('are read', () => {
    const config = read(
      {
        PORT: '0',
        HOST: '0.0.0.0',
        LOOPLIGHT_TOKEN: 'sixteen-chars-ok',
        LOOPLIGHT_HOSTS: 'Box.local, dash.example:8443,[fe80::1]:4173',
        OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1',
        LOOPLIGHT_EFFORT: 'low',
        LOOPLIGHT_KEEP_DAYS: '0',
        LOG_LEVEL: 'debug',
      },
      ['/records/mine'],
    );
    expect(config.port).toBe(0);
    expect(config.keepDays).toBe(0);
    expect(config.hosts).toEqual(['box.local', 'dash.example:8443', '[fe80::1]:4173']);
    expect(config.record).toBe('/records/mine');
    expect(config.model.baseUrl).toBe('http://127.0.0.1:11434/v1');
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '80 80'],
    ['OPENAI_BASE_URL', 'file:///etc/passwd'],
    ['LOOPLIGHT_EFFORT', 'enormous'],
    ['LOOPLIGHT_HOSTS', 'http://box.local'],
    ['LOG_LEVEL', 'loud'],
    ['HOST', 'a b'],
    ['LOOPLIGHT_KEEP_DAYS', 'forever'],
    ['LOOPLIGHT_KEEP_DAYS', '99999'],
  ])('that cannot be used are named: %s=%s', (name, value) => {
    expect(failure({ [name]: value })).toContain(`${name} takes `);
  });

  it('never repeat a secret that was refused', () => {
    const message = failure({ LOOPLIGHT_TOKEN: 'short-secret' });
    expect(message).toContain('LOOPLIGHT_TOKEN takes');
    expect(message).not.toContain('short-secret');
  });

  it('beyond loopback need an access token, or the word that the port is published locally', () => {
    expect(failure({ HOST: '0.0.0.0' })).toContain('LOOPLIGHT_TOKEN');
    expect(failure({ HOST: '192.168.1.5', LOOPLIGHT_TRUST_LOCAL: '0' })).toContain('LOOPLIGHT_TOKEN');
    expect(read({ HOST: '0.0.0.0', LOOPLIGHT_TRUST_LOCAL: '1' }).trustLocal).toBe(true);
    expect(read({ HOST: '::1' }).host).toBe('::1');
  });

  it('name a saved answer to play, and how fast', () => {
    expect(read({}, ['replay', '/x/a.json']).replay).toEqual({ file: '/x/a.json', speed: 1 });
    expect(read({}, ['replay', '/x/a.json', '--speed', '0.25']).replay?.speed).toBe(0.25);
    expect(read({}, ['replay', '--speed', '4', '/x/a.json']).replay).toEqual({ file: '/x/a.json', speed: 4 });
    expect(read({}, ['/x/replay']).replay).toBeNull();
    for (const speed of ['0', '-1', 'fast', '1e9', '', 'NaN'])
      expect(failure({}, ['replay', '/x/a.json', '--speed', speed])).toContain('--speed takes');
    expect(failure({}, ['replay'])).toContain('file of one saved answer');
    expect(failure({}, ['replay', 'a', 'b'])).toContain('file of one saved answer');
    expect(failure({}, ['replay', '--loud', 'b'])).toContain('file of one saved answer');
  });

  it('name one folder at most', () => {
    expect(failure({}, ['--port'])).toContain('no other options');
    expect(failure({}, ['a', 'b'])).toContain('one folder');
  });
});
