import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const read = (env: Record<string, string>) => readConfig(env, { port: null, host: null }, '/pkg');

function failure(env: Record<string, string>): string {
  try {
    read(env);
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
    const config = read({
      PORT: '0',
      HOST: '0.0.0.0',
      LOOPLIGHT_TOKEN: 'sixteen-chars-ok',
      LOOPLIGHT_HOSTS: 'Box.local, dash.example:8443,[fe80::1]:4173',
      OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1',
      LOOPLIGHT_EFFORT: 'low',
      LOOPLIGHT_KEEP_DAYS: '0',
      LOG_LEVEL: 'debug',
    });
    expect(config.port).toBe(0);
    expect(config.keepDays).toBe(0);
    expect(config.hosts).toEqual(['box.local', 'dash.example:8443', '[fe80::1]:4173']);
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

  it('on the command line go before those of the environment', () => {
    const config = readConfig({ PORT: '4000', HOST: '127.0.0.2' }, { port: 0, host: '::1' }, '/pkg');
    expect(config).toMatchObject({ port: 0, host: '::1' });
    expect(() => readConfig({}, { port: null, host: '0.0.0.0' }, '/pkg')).toThrow('LOOPLIGHT_TOKEN');
  });
});
