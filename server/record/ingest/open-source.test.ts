import { rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../test-folder.ts';
import type { FoundSource } from './discover.ts';
import { OpenSource } from './open-source.ts';
import { sha256 } from './read-source.ts';

const at = (file: string): FoundSource => ({
  id: 'log',
  kind: 'activity_log',
  label: 'a.log',
  path: 'a.log',
  at: { type: 'file', file },
});

/** A file of several chunks, and one line of it as read so far. */
async function half(name = 'a.log'): Promise<{ file: string; source: OpenSource; rest(): Promise<number> }> {
  const file = join(await testFolder({ [name]: `${'x'.repeat(99)}\n`.repeat(20_000) }), name);
  const source = new OpenSource(at(file));
  const lines = source.lines();
  await lines.next();
  return {
    file,
    source,
    rest: async () => {
      let count = 1;
      for await (const _ of lines) count += 1;
      return count;
    },
  };
}
async function drain(source: OpenSource): Promise<number> {
  let count = 0;
  for await (const line of source.lines()) count += line.no > 0 ? 1 : 0;
  return count;
}
const codes = (source: OpenSource): string[] => source.issues.map(({ code }) => code);

describe('a file that changes while it is read', () => {
  it('is said to, when it became shorter; what was read stays', async () => {
    const { file, source, rest } = await half();
    await truncate(file, 300_000);
    const count = await rest();
    expect(count).toBeGreaterThan(1_000);
    expect(count).toBeLessThan(20_000);
    expect(codes(source)).toEqual(['changed_while_reading']);
  });

  it('is said to, when another one took its place', async () => {
    const { file, source, rest } = await half();
    await writeFile(`${file}.new`, 'y\n');
    await rename(`${file}.new`, file);
    expect(await rest()).toBe(20_000);
    expect(codes(source)).toEqual(['changed_while_reading']);
  });

  it('is said to, when it is gone', async () => {
    const { file, source, rest } = await half();
    await rm(file);
    expect(await rest()).toBe(20_000);
    expect(codes(source)).toEqual(['changed_while_reading']);
  });

  it('is read up to where it ended at the start when it only grows', async () => {
    const { file, source, rest } = await half();
    await writeFile(file, 'more\n', { flag: 'a' });
    expect(await rest()).toBe(20_000);
    expect(codes(source)).toEqual([]);
  });
});

describe('a source', () => {
  it('has the digest of its bytes, whether it is read as text or by lines', async () => {
    const file = join(await testFolder({ 'a.log': 'a\nb' }), 'a.log');
    const [text, lines] = [new OpenSource(at(file)), new OpenSource(at(file))];
    await text.text();
    await drain(lines);
    expect(text.sha).toBe(sha256('a\nb'));
    expect(lines.sha).toBe(text.sha);
  });

  it('written in UTF-16 is read by lines too', async () => {
    const file = join(await testFolder({ 'a.log': Buffer.from('\uFEFFeins\nzwei\n', 'utf16le') }), 'a.log');
    const source = new OpenSource(at(file));
    const lines: string[] = [];
    for await (const { text } of source.lines()) lines.push(text);
    expect(lines).toEqual(['eins', 'zwei']);
    expect(codes(source)).toEqual(['not_utf8']);
  });

  it('that is gone is no error', async () => {
    const source = new OpenSource(at('/nowhere/a.log'));
    await drain(source);
    expect(await source.text()).toBeNull();
    expect(codes(source)).toEqual(['not_readable']);
    expect(source.counts).toBeNull();
  });
});
