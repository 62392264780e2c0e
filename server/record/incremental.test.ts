import { appendFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRecord, type RecordOptions } from './index.ts';
import type { Adapter } from './ingest/adapter.ts';
import type { RecordHandle } from './store.ts';
import { smallFiles, testFolder } from './test-folder.ts';

interface Entry {
  no: number;
  offset: number;
  text: string;
}

const longer = (entry: Entry, text: string): Entry => ({ ...entry, text: `${entry.text}+${text}` });

/** A log whose entries begin with `>`; other lines go on with the entry above. `reads` says from which line each reading began. */
function entryLog(): { adapter: Adapter; reads: { from: number; carried: string | null }[] } {
  const reads: { from: number; carried: string | null }[] = [];
  const adapter: Adapter = {
    id: 'test/log',
    version: 1,
    label: 'Test log',
    sources: [{ kind: 'activity_log', paths: ['entries.log'], single: true }],
    unit: 'each',
    appendable: true,
    async read({ sources: [source], carried }, out) {
      if (!source) return;
      let entry: Entry | null = null;
      let entries = Number(carried ?? '0');
      let first = true;
      const write = (lastLine: number): void => {
        if (!entry) return;
        out.resumeAt(entry, String(entries));
        entries += 1;
        out.add('log_events', {
          event_id: `${source.id}.e${entry.no}`,
          run_id: 'test',
          kind: 'entry',
          message: `${entries} ${entry.text}`,
          source_id: source.id,
          source_kind: source.kind,
          source_line: entry.no,
          last_line: lastLine,
        });
      };
      let last = 0;
      for await (const line of source.lines()) {
        if (first) reads.push({ from: line.no, carried });
        first = false;
        if (line.text.startsWith('>')) {
          write(last);
          entry = { no: line.no, offset: line.offset, text: line.text };
        } else if (entry !== null && line.text !== '') entry = longer(entry, line.text);
        last = line.no;
        await out.flush();
      }
      write(last);
    },
  };
  return { adapter, reads };
}

async function open(options: Omit<RecordOptions, 'database'> & { database?: string }): Promise<RecordHandle> {
  const record = await openRecord({ database: ':memory:', ...options });
  onTestFinished(() => record.close());
  return record;
}
const messages = async (record: RecordHandle): Promise<unknown[]> =>
  (
    await record.store.query('SELECT message, source_line, last_line FROM log_events ORDER BY source_line')
  ).rows.map((row) => [row.message, row.source_line, row.last_line]);

/** A format of one file, `metrics` by kind, with a row of its own name. */
const oneFile = (name: string): Adapter => ({
  id: name,
  version: 1,
  label: name,
  sources: [{ kind: 'metrics', paths: [`${name}.txt`], single: true }],
  unit: 'together',
  async read({ sources: [source] }, out) {
    if (!source || (await source.text()) === null) return;
    source.count(1, 0);
    out.add('log_events', {
      event_id: `${source.id}.e1`,
      kind: name,
      message: name,
      source_id: source.id,
      source_kind: source.kind,
      source_line: 1,
    });
  },
});

describe('two formats with a file of one kind', () => {
  it('never share an id, nor lose rows to each other when one of them comes or goes', async () => {
    const root = await testFolder({ 'second.txt': 'x' });
    const record = await open({ root, adapters: [oneFile('first'), oneFile('second')] });
    const held = async () => ({
      ids: (await record.store.query('SELECT path, source_id FROM sources ORDER BY path')).rows.map(
        (row) => row.source_id,
      ),
      kinds: (await record.store.query('SELECT kind FROM log_events ORDER BY kind')).rows.map(
        (row) => row.kind,
      ),
    });
    expect(await held()).toEqual({ ids: ['metrics'], kinds: ['second'] });
    await writeFile(join(root, 'first.txt'), 'y');
    await expect
      .poll(async () => {
        await record.reload();
        return (await held()).kinds;
      })
      .toEqual(['first', 'second']);
    const { ids } = await held();
    expect(ids[0]).toBe('metrics');
    expect(ids[1]).toMatch(/^metrics-[0-9a-f]{8}$/);
    await writeFile(join(root, 'second.txt'), 'z z');
    await record.reload();
    expect((await held()).kinds).toEqual(['first', 'second']);
    await rm(join(root, 'first.txt'));
    await expect
      .poll(async () => {
        await record.reload();
        return held();
      })
      .toEqual({
        ids: ['metrics'],
        kinds: ['second'],
      });
  });

  it('tell a folder in the place of a file once', async () => {
    const root = await testFolder({
      'git-log.jsonl/inside': 'x',
      'feature_list.json': '[{"id":1,"description":"x"}]',
    });
    const record = await open({ root });
    const { rows } = await record.store.query(
      "SELECT path, source_id FROM sources WHERE path = 'git-log.jsonl'",
    );
    expect(rows).toEqual([{ path: 'git-log.jsonl', source_id: 'git' }]);
  });
});

describe('a log that grows', () => {
  it('keeps its counts when a reader goes on and finds nothing to count', async () => {
    const root = await testFolder({
      'ralph.log': '[2026-01-02 10:00:00] [INFO] one\n[2026-01-02 10:00:01] [INFO] two\n',
    });
    const record = await open({ root });
    const counts = async () =>
      (await record.store.query('SELECT lines_ok, lines_bad FROM sources WHERE path = $1', ['ralph.log']))
        .rows;
    expect(await counts()).toEqual([{ lines_ok: 2, lines_bad: 0 }]);
    await appendFile(join(root, 'ralph.log'), '[2026-01-02 10:0');
    expect(await record.reload()).toBe(true);
    expect(await counts()).toEqual([{ lines_ok: 2, lines_bad: 0 }]);
    await appendFile(join(root, 'ralph.log'), '0:02] [INFO] three\n');
    await record.reload();
    expect(await counts()).toEqual([{ lines_ok: 3, lines_bad: 0 }]);
  });

  it('is read on from its last entry, with what the reader carried', async () => {
    const root = await testFolder({ 'entries.log': '>a\n>b\nmore\n' });
    const { adapter, reads } = entryLog();
    const record = await open({ root, adapters: [adapter] });
    expect(await messages(record)).toEqual([
      ['1 >a', 1, 1],
      ['2 >b+more', 2, 3],
    ]);
    await appendFile(join(root, 'entries.log'), 'and more\n>c\n');
    expect(await record.reload()).toBe(true);
    expect(await messages(record)).toEqual([
      ['1 >a', 1, 1],
      ['2 >b+more+and more', 2, 4],
      ['3 >c', 5, 5],
    ]);
    expect(reads).toEqual([
      { from: 1, carried: null },
      { from: 2, carried: '1' },
    ]);
    expect(await record.reload()).toBe(false);
    expect(reads).toHaveLength(2);
  });

  it('gives the rows that reading it at once gives', async () => {
    const root = await testFolder({ 'entries.log': '' });
    const text = '>a\nx\n>b\n>c\ny\nz\n>d\n';
    const { adapter } = entryLog();
    const record = await open({ root, adapters: [adapter] });
    for (const part of text.match(/[\s\S]{1,3}/g) ?? []) {
      await appendFile(join(root, 'entries.log'), part);
      await record.reload();
    }
    const whole = await open({ root: await testFolder({ 'entries.log': text }), adapters: [adapter] });
    expect(await messages(record)).toEqual(await messages(whole));
  });

  it('is read anew when it became shorter, or is another file', async () => {
    const root = await testFolder({ 'entries.log': '>a\n>b\n' });
    const { adapter, reads } = entryLog();
    const record = await open({ root, adapters: [adapter] });
    await truncate(join(root, 'entries.log'), 3);
    await record.reload();
    expect(await messages(record)).toEqual([['1 >a', 1, 1]]);
    await writeFile(join(root, 'entries.log'), '>x\n>y\n>z\n>w\n');
    await record.reload();
    expect((await messages(record)).at(0)).toEqual(['1 >x', 1, 1]);
    expect(reads.map(({ from }) => from)).toEqual([1, 1, 1]);
  });

  it('is not read again after a restart when nothing changed', async () => {
    const root = await testFolder({ 'entries.log': '>a\n>b\n' });
    const database = join(await testFolder(), 'record.duckdb');
    const { adapter, reads } = entryLog();
    await (await openRecord({ root, database, adapters: [adapter] })).close();
    await appendFile(join(root, 'entries.log'), '>c\n');
    await (await openRecord({ root, database, adapters: [adapter] })).close();
    const record = await open({ root, database, adapters: [adapter] });
    expect((await messages(record)).map((one) => (Array.isArray(one) ? one[0] : one))).toEqual([
      '1 >a',
      '2 >b',
      '3 >c',
    ]);
    expect(reads.map(({ from }) => from)).toEqual([1, 2]);
    // A reader of another version reads everything again.
    await record.close();
    await (await openRecord({ root, database, adapters: [{ ...adapter, version: 2 }] })).close();
    expect(reads.map(({ from }) => from)).toEqual([1, 2, 1]);
  });
});

describe('reading', () => {
  it('keeps other sources when a reader has a fault', async () => {
    const root = await testFolder({ 'entries.log': '>a\n', 'broken.txt': 'x' });
    const { adapter } = entryLog();
    const faulty: Adapter = {
      id: 'test/faulty',
      version: 1,
      label: 'Faulty',
      sources: [{ kind: 'unknown_file', paths: ['broken.txt'], single: true }],
      unit: 'each',
      read: async () => {
        throw new Error('a fault');
      },
    };
    const record = await open({ root, adapters: [faulty, adapter] });
    expect(await messages(record)).toHaveLength(1);
    const { rows } = await record.store.query('SELECT source_id, code, severity FROM ingest_issues');
    expect(rows).toEqual([{ source_id: 'unknown_file', code: 'adapter_failed', severity: 'error' }]);
    expect((await record.summary()).sources.find(({ id }) => id === 'unknown_file')?.problems).toEqual([
      { line: null, detail: 'Reading stopped because of a fault in the reader of this format.' },
    ]);
  });

  it('ends at a link that leads in a circle, and reads a file once however many links lead to it', async () => {
    const root = await testFolder({ 'a/entries.log': '>a\n' });
    await symlink(root, join(root, 'a/round'));
    await symlink(join(root, 'a'), join(root, 'b'));
    await symlink(join(root, 'a/entries.log'), join(root, 'entries.log'));
    const { adapter } = entryLog();
    const record = await open({
      root,
      adapters: [
        { ...adapter, sources: [{ kind: 'activity_log', paths: ['**/entries.log'] }] },
        { ...adapter, id: 'test/second' },
      ],
    });
    expect(await messages(record)).toHaveLength(1);
    const { left } = await record.summary();
    expect(left).toEqual(['a/round: This link leads back to a folder it stands in, so it was not followed.']);
  });

  it('says what it found', async () => {
    const record = await open({ root: await testFolder(smallFiles()) });
    const summary = await record.summary();
    expect(summary.project.name).toBe('Clockwork');
    expect(summary.sources.map(({ id, format, path, bad }) => [id, format, path, bad])).toEqual([
      ['progress_log', 'AgentForge', 'claude-progress.txt', 0],
      ['feature_list', 'AgentForge', 'feature_list.json', 0],
      ['git', 'AgentForge', 'git-log.jsonl', 0],
      ['metrics', 'AgentForge', 'metrics.json', 0],
    ]);
    expect(summary.rows.features_told).toBeGreaterThan(0);
  });

  it('tells how far it is', async () => {
    const seen: number[] = [];
    await open({
      root: await testFolder(smallFiles()),
      progress: ({ bytes, totalBytes }) => seen.push(bytes / totalBytes),
    });
    expect(seen.at(-1)).toBe(1);
  });
});

describe('watching', () => {
  it('reads a new line within two seconds, and tells of it', async () => {
    const root = await testFolder({ 'entries.log': '>a\n' });
    const { adapter } = entryLog();
    const record = await open({ root, adapters: [adapter] });
    const changed = new Promise<void>((resolve) => {
      record.onChange(resolve);
    });
    record.watch();
    await appendFile(join(root, 'entries.log'), '>b\n');
    await changed;
    expect(await messages(record)).toHaveLength(2);
  });
});
