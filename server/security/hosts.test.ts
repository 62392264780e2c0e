import { describe, expect, it } from 'vitest';
import {
  fetchSiteAllowed,
  type HostRules,
  hostAllowed,
  isLoopback,
  originAllowed,
  parseAuthority,
} from './hosts.ts';

const local: HostRules = { host: '127.0.0.1', extra: [], anyPort: false };

describe('names the page may be opened under', () => {
  it.each(['127.0.0.1:4173', 'localhost:4173', 'LOCALHOST:4173', '[::1]:4173'])('answers to %s', (host) => {
    expect(hostAllowed(host, 4173, local)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'evil.example',
    'evil.example:4173',
    'localhost',
    'localhost:80',
    'localhost.evil.example:4173',
    '127.0.0.1.evil.example:4173',
    'user@localhost:4173',
    'localhost:4173/path',
    'localhost:4173, evil.example',
    `${'a'.repeat(400)}:4173`,
  ])('does not answer to %s', (host) => {
    expect(hostAllowed(host, 4173, local)).toBe(false);
  });

  it('takes an absent port as 80', () => {
    expect(hostAllowed('localhost', 80, local)).toBe(true);
  });

  it('answers to its own name beyond loopback and to names it was given', () => {
    const rules: HostRules = {
      host: '192.168.1.5',
      extra: ['box.local', 'dash.example:8443'],
      anyPort: false,
    };
    expect(hostAllowed('192.168.1.5:4173', 4173, rules)).toBe(true);
    expect(hostAllowed('192.168.1.6:4173', 4173, rules)).toBe(false);
    expect(hostAllowed('box.local', 4173, rules)).toBe(true);
    expect(hostAllowed('box.local:4173', 4173, rules)).toBe(true);
    expect(hostAllowed('box.local:9000', 4173, rules)).toBe(false);
    expect(hostAllowed('dash.example:8443', 4173, rules)).toBe(true);
    expect(hostAllowed('dash.example', 4173, rules)).toBe(false);
  });

  it('answers a forwarded port of loopback only when it is listed', () => {
    const rules: HostRules = { host: '127.0.0.1', extra: ['localhost:9000'], anyPort: false };
    expect(hostAllowed('localhost:9000', 4173, rules)).toBe(true);
    expect(hostAllowed('localhost:9001', 4173, rules)).toBe(false);
    expect(hostAllowed('localhost:9000', 4173, local)).toBe(false);
  });

  it('has no name of its own when it listens everywhere', () => {
    const rules: HostRules = { host: '0.0.0.0', extra: [], anyPort: false };
    expect(hostAllowed('0.0.0.0:4173', 4173, rules)).toBe(false);
    expect(hostAllowed('192.168.1.5:4173', 4173, rules)).toBe(false);
    expect(hostAllowed('localhost:4173', 4173, rules)).toBe(true);
  });

  it('accepts any port of loopback names when published elsewhere, and no other name', () => {
    const rules: HostRules = { host: '0.0.0.0', extra: [], anyPort: true };
    expect(hostAllowed('localhost:8080', 4173, rules)).toBe(true);
    expect(hostAllowed('evil.example:8080', 4173, rules)).toBe(false);
  });

  it('reads an IPv6 address to listen on as a name', () => {
    expect(hostAllowed('[fe80::1]:4173', 4173, { host: 'fe80::1', extra: [], anyPort: false })).toBe(true);
    expect(parseAuthority('[fe80::1]:4173')).toEqual({ name: '[fe80::1]', port: '4173' });
  });
});

describe('pages that may talk to it', () => {
  it('is its own page only', () => {
    expect(originAllowed(undefined, 'localhost:4173')).toBe(true);
    expect(originAllowed('http://localhost:4173', 'localhost:4173')).toBe(true);
    expect(originAllowed('https://box.local', 'box.local')).toBe(true);
    for (const origin of [
      'null',
      'http://evil.example',
      'http://localhost:3000',
      'http://127.0.0.1:4173',
      'file://',
      'http://localhost:4173.evil.example',
    ])
      expect(originAllowed(origin, 'localhost:4173')).toBe(false);
  });

  it('does not take another port of this machine for its own page', () => {
    expect(fetchSiteAllowed('same-site')).toBe(false);
    expect(fetchSiteAllowed('cross-site')).toBe(false);
    expect(fetchSiteAllowed('same-origin')).toBe(true);
    expect(fetchSiteAllowed('none')).toBe(true);
    expect(fetchSiteAllowed(undefined)).toBe(true);
  });
});

it('knows which addresses only this machine reaches', () => {
  for (const host of ['127.0.0.1', '127.9.9.9', 'localhost', '::1']) expect(isLoopback(host)).toBe(true);
  for (const host of ['0.0.0.0', '::', '192.168.0.1', 'localhost.example', '1127.0.0.1'])
    expect(isLoopback(host)).toBe(false);
});
