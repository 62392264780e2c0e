import { describe, expect, it } from 'vitest';
import { type CliCommand, parseCommand, UsageError } from './command.ts';

const parse = (...args: string[]): CliCommand => parseCommand(args, '/home/me', '1.2.3');

function refusal(...args: string[]): string {
  try {
    parse(...args);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return '';
}

describe('the command line', () => {
  it('serves the demo projects when nothing is given, the folder one stands in for the launcher', () => {
    const plain = { type: 'serve', watch: true, open: true, port: null, host: null };
    const demo = { ...plain, where: { type: 'demo' }, sessions: 'none' };
    expect(parse()).toEqual(demo);
    expect(parse('--here')).toEqual({
      ...plain,
      where: { type: 'here', folder: '/home/me' },
      sessions: 'folder',
    });
    expect(parse('--here', '--demo')).toEqual(demo);
  });

  it('takes folders from where the person stands, with options on either side', () => {
    expect(parse('--port', '0', 'a', '/b', '--no-watch', '--no-open', '--host', '::1')).toEqual({
      type: 'serve',
      where: { type: 'given', folders: ['/home/me/a', '/b'] },
      sessions: 'folder',
      watch: false,
      open: false,
      port: 0,
      host: '::1',
    });
    expect(parse('--watch', '.')).toMatchObject({ watch: true, where: { folders: ['/home/me'] } });
    expect(parse('--', '--odd')).toMatchObject({ where: { folders: ['/home/me/--odd'] } });
  });

  it('audits, in words or as JSON, and fails only when asked to', () => {
    expect(parse('audit')).toEqual({
      type: 'audit',
      where: { type: 'demo' },
      sessions: 'none',
      json: false,
      failOn: null,
    });
    expect(parse('--here', 'audit', '--json', '--fail-on', 'error')).toEqual({
      type: 'audit',
      where: { type: 'here', folder: '/home/me' },
      sessions: 'folder',
      json: true,
      failOn: 'error',
    });
    expect(parse('audit', 'x', '--fail-on=warning')).toMatchObject({
      where: { type: 'given', folders: ['/home/me/x'] },
      failOn: 'warning',
    });
    expect(parse('./audit')).toMatchObject({ type: 'serve', where: { folders: ['/home/me/audit'] } });
  });

  it('reads the sessions of the folder, unless others or none are asked for', () => {
    expect(parse('.')).toMatchObject({ sessions: 'folder' });
    expect(parse('.', '--all-sessions')).toMatchObject({ sessions: 'all' });
    expect(parse('--worktrees', '.')).toMatchObject({ sessions: 'worktrees' });
    expect(parse('.', '--no-sessions')).toMatchObject({ sessions: 'none' });
    expect(parse('audit', '.', '--all-sessions')).toMatchObject({ type: 'audit', sessions: 'all' });
    expect(parse('audit', '--no-sessions', '.')).toMatchObject({ type: 'audit', sessions: 'none' });
    expect(parse('--demo', '--all-sessions')).toMatchObject({ sessions: 'none' });
    expect(refusal('.', '--all-sessions', '--no-sessions')).toContain('Give one of');
  });

  it('takes a price list of one’s own', () => {
    expect(parse('.', '--prices', 'my.json')).toMatchObject({ type: 'serve', prices: '/home/me/my.json' });
    expect(parse('audit', '--prices', '/p.json')).toMatchObject({ type: 'audit', prices: '/p.json' });
    expect(parse('.')).not.toHaveProperty('prices');
    expect(refusal('.', '--prices')).toContain('needs a value');
  });

  it('plays a saved answer at a pace', () => {
    const plain = { type: 'replay', file: '/home/me/a.json', speed: 1, open: true, port: null, host: null };
    expect(parse('replay', 'a.json')).toEqual(plain);
    expect(parse('replay', '--speed', '0.25', 'a.json')).toEqual({ ...plain, speed: 0.25 });
    expect(parse('replay', 'a.json', '--speed', '4', '--port', '9')).toEqual({ ...plain, speed: 4, port: 9 });
    for (const bad of ['0', '-1', 'fast', '1e9', '', 'NaN'])
      expect(refusal('replay', 'a.json', `--speed=${bad}`)).toContain(
        '--speed takes a number from 0.01 to 100',
      );
    expect(refusal('replay')).toBe('Give the file of one saved answer: replay <file> [--speed 0.25].');
    expect(refusal('replay', 'a', 'b')).toContain('replay takes one file');
  });

  it('says in one sentence what it cannot follow', () => {
    expect(refusal('--loud')).toBe('There is no option --loud. --help lists what there is.');
    expect(refusal('audit', '--loud')).toContain('There is no option --loud.');
    expect(refusal('--port')).toBe('--port needs a value. --help says which.');
    for (const bad of ['70000', '-1', '80 80', 'http'])
      expect(refusal(`--port=${bad}`)).toContain('--port takes a port number');
    expect(refusal('--host=a b')).toContain('--host takes an address');
    expect(refusal('audit', '--fail-on', 'info')).toBe('--fail-on takes warning or error.');
    expect(refusal('--demo', 'x')).toContain('not both');
    expect(refusal('')).toContain('empty');
    expect(refusal(...Array.from({ length: 13 }, (_, n) => `p${n}`))).toContain('At most 12 folders');
  });

  it('explains itself', () => {
    const help = parse('--help');
    if (help.type !== 'text') throw new Error('no help');
    for (const part of [
      '[paths...]',
      '--no-watch',
      '--no-open',
      '--port',
      '--host',
      '--demo',
      '--all-sessions',
      '--worktrees',
      '--no-sessions',
      'audit',
      'replay',
      'Exit codes',
    ])
      expect(help.text).toContain(part);
    expect(help.text).not.toContain('--here');
    expect(parse('audit', '--help')).toMatchObject({
      type: 'text',
      text: expect.stringContaining('--fail-on'),
    });
    expect(parse('replay', '-h')).toMatchObject({ type: 'text', text: expect.stringContaining('--speed') });
    expect(parse('--version')).toEqual({ type: 'text', text: '1.2.3\n' });
  });
});
