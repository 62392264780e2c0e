import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import type { Store } from '../record/store.ts';
import { createKeeper, telemetryFolder } from './keeper.ts';
import { type PlacedProject, Placing } from './placing.ts';
import { createReceiver } from './receiver.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'looplight-keeper-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A project that knows some sessions, and notes when it is read. */
function project(
  id: string,
  sessions: readonly string[],
  asked: string[] = [],
  reads: number[] = [],
): PlacedProject {
  const store: Store = {
    async query(_sql, params = []) {
      const session = String(params[0]);
      asked.push(session);
      return { rows: sessions.includes(session) ? [{ one: 1 }] : [], truncated: false, ms: 0 };
    },
    connect: async () => store,
    fingerprint: async () => '',
    close: async () => undefined,
  };
  return {
    id,
    folder: `/${id}`,
    called: [id, `The ${id}`],
    record: {
      store,
      async reload() {
        reads.push(performance.now());
        return true;
      },
    },
  };
}

describe('files of telemetry', () => {
  const names = async () => (await readdir(folder)).sort();

  it('follow each other when one is full, and the oldest go', async () => {
    const keeper = createKeeper(folder, { otlpFileBytes: 100, otlpFolderBytes: 250 });
    for (let n = 0; n < 10; n += 1) await keeper.append([`${n}`.repeat(59)]);
    expect(await names()).toEqual(['000007.jsonl', '000008.jsonl', '000009.jsonl', '000010.jsonl']);
    expect(await readFile(join(folder, '000010.jsonl'), 'utf8')).toBe(`${'9'.repeat(59)}\n`);
  });

  it('are gone on with, unless the last line was broken off', async () => {
    await createKeeper(folder).append(['a']);
    await createKeeper(folder).append(['b', 'c']);
    expect(await readFile(join(folder, '000001.jsonl'), 'utf8')).toBe('a\nb\nc\n');
    await appendFile(join(folder, '000001.jsonl'), '{"v":1,"at"');
    await createKeeper(folder).append(['d']);
    expect(await names()).toEqual(['000001.jsonl', '000002.jsonl']);
    expect(await readFile(join(folder, '000002.jsonl'), 'utf8')).toBe('d\n');
  });

  it('are written one after the other', async () => {
    const keeper = createKeeper(folder);
    await Promise.all(Array.from({ length: 50 }, (_, n) => keeper.append([`line ${n}`, `more ${n}`])));
    const lines = (await readFile(join(folder, '000001.jsonl'), 'utf8')).trimEnd().split('\n');
    expect(lines).toEqual(Array.from({ length: 50 }, (_, n) => [`line ${n}`, `more ${n}`]).flat());
  });
});

describe('the project of a record', () => {
  it('is looked for by session, then by name, and is else the first', async () => {
    const asked: string[] = [];
    let now = 0;
    const projects: [PlacedProject, PlacedProject] = [project('one', [], asked), project('two', ['s2'])];
    const placing = new Placing(projects, () => now);
    const of = async (session: string | null, name: string | null) => {
      const { project: found, placed } = await placing.of(session, name);
      return [found.id, placed];
    };
    expect(await of('s2', 'one')).toEqual(['two', 'session']);
    expect(await of('s1', ' THE TWO ')).toEqual(['two', 'named']);
    expect(await of(null, 'nobody')).toEqual(['one', 'first']);
    expect(await of('s1', null)).toEqual(['one', 'first']);
    // Known ones are not asked for again, unknown ones after a while.
    expect(await of('s2', null)).toEqual(['two', 'session']);
    expect(asked).toEqual(['s2', 's1']);
    now = 2_000;
    await of('s1', null);
    expect(asked).toEqual(['s2', 's1', 's1']);
  });
});

describe('a sender that names thousands of sessions', () => {
  it('does not have the record asked for all of them', async () => {
    const asked: string[] = [];
    const placing = new Placing([project('one', ['s150'], asked)], () => 1);
    for (let n = 0; n < 5_000; n += 1) expect((await placing.of(`s${n}`, null)).placed).toBe('first');
    expect(asked).toHaveLength(100);
  });
});

describe('a session that becomes known later', () => {
  const record = (session: string, text: string) => ({
    body: { stringValue: text },
    attributes: [{ key: 'session.id', value: { stringValue: session } }],
  });
  const request = (session: string, text: string) => ({
    resourceLogs: [{ scopeLogs: [{ logRecords: [record(session, text)] }] }],
  });
  const bodies = async (id: string): Promise<string[]> => {
    const dir = telemetryFolder(folder, `/${id}`);
    const names = (await readdir(dir).catch(() => [])).sort();
    const texts = await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')));
    return texts
      .join('')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).body);
  };

  it('takes what came before along, and nothing of another one', async () => {
    const sessions: string[] = [];
    let now = 1_000_000;
    const receiver = createReceiver({
      projects: [project('one', []), project('two', sessions)],
      folder,
      log: { warn: () => undefined },
      now: () => now,
    });
    const take = (session: string, text: string) =>
      receiver.take(request(session, text), 'logs', Buffer.from(text), null);
    await take('s1', 'early');
    await take('s2', 'another, which names "s1"');
    await take('s1', 'early too');
    expect(await bodies('one')).toEqual(['early', 'another, which names "s1"', 'early too']);
    sessions.push('s1');
    now += 5_000;
    await take('s1', 'late');
    await take('s2', 'after');
    await receiver.close();
    expect(await bodies('two')).toEqual(['early', 'early too', 'late']);
    expect(await bodies('one')).toEqual(['another, which names "s1"', 'after']);
  });
});

describe('the receiver', () => {
  const body = (text: string) => ({
    resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: text } }] }] }],
  });

  it('has the record read at once, and not for every request', async () => {
    const reads: number[] = [];
    const receiver = createReceiver({
      projects: [project('one', [], [], reads)],
      folder,
      log: { warn: () => undefined },
    });
    const began = performance.now();
    for (let n = 0; n < 20; n += 1) await receiver.take(body(`${n}`), 'logs', Buffer.from(`${n}`), null);
    await new Promise((resolve) => setTimeout(resolve, 700));
    await receiver.close();
    expect((reads[0] ?? Number.POSITIVE_INFINITY) - began).toBeLessThan(1_000);
    expect(reads.length).toBeGreaterThanOrEqual(1);
    expect(reads.length).toBeLessThanOrEqual(4);
  });

  it('takes what is more than a minute has room for only when the minute is empty', async () => {
    let now = 1_000_000;
    const limits = { ...LIMITS, otlpBytesPerMinute: 1 };
    const receiver = createReceiver({
      projects: [project('one', [])],
      folder,
      log: { warn: () => undefined },
      now: () => now,
      limits,
    });
    const take = (text: string) => receiver.take(body(text), 'logs', Buffer.from(text), null);
    expect(await take('a')).toEqual({ type: 'kept', rejected: 0, why: null });
    now += 20_000;
    expect(await take('b')).toEqual({ type: 'later', seconds: 40 });
    now += 40_000;
    expect(await take('b')).toEqual({ type: 'kept', rejected: 0, why: null });
    await receiver.close();
  });

  it('does not keep a record that is too large, and says so', async () => {
    const receiver = createReceiver({
      projects: [project('one', [])],
      folder,
      log: { warn: () => undefined },
    });
    const attributes = Array.from({ length: LIMITS.otlpAttributes }, (_, n) => ({
      key: `k${n}`,
      value: { stringValue: 'x'.repeat(2_000) },
    }));
    const request = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ attributes }, {}] }] }] };
    expect(await receiver.take(request, 'logs', Buffer.from('1'), null)).toMatchObject({
      type: 'kept',
      rejected: 1,
    });
    await receiver.close();
    const text = await readFile(join(telemetryFolder(folder, '/one'), '000001.jsonl'), 'utf8');
    expect(text.trimEnd().split('\n')).toHaveLength(1);
  });
});
