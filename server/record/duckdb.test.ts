import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Duck, openDuck } from './duckdb.ts';
import { SILENT } from './log.ts';
import { QueryError, type Store } from './store.ts';
import { testFolder } from './test-folder.ts';

async function open(database = ':memory:', log = SILENT): Promise<Duck> {
  const duck = await openDuck(database, log, async () => 'f');
  onTestFinished(() => duck.close());
  return duck;
}
const failure = async (store: Store, sql: string): Promise<QueryError> => {
  const error: unknown = await store.query(sql).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof QueryError)) throw new Error(`no QueryError from ${sql}`);
  return error;
};

describe('what SQL can reach', () => {
  it('is this database: no file, no other database, no extension, no setting', async () => {
    const folder = await testFolder({ 'a.csv': 'x\n1\n' });
    const file = join(folder, 'a.csv');
    const { store } = await open();
    for (const sql of [
      `SELECT * FROM read_csv('${file}')`,
      `SELECT * FROM '${file}'`,
      `SELECT * FROM read_text('${file}')`,
      `SELECT * FROM read_blob('${file}')`,
      `SELECT * FROM glob('${folder}/*')`,
      `SELECT * FROM query('SELECT * FROM read_text(''${file}'')')`,
      `SELECT * FROM read_csv('https://example.org/a.csv')`,
      `ATTACH '${folder}/new.db'`,
      "ATTACH ':memory:' AS other",
      `COPY (SELECT 1) TO '${folder}/out.csv'`,
      `COPY meta FROM '${file}'`,
      `EXPORT DATABASE '${folder}/out'`,
      `IMPORT DATABASE '${folder}'`,
      'INSTALL httpfs',
      'LOAD httpfs',
      'SET enable_external_access = true',
      "SET memory_limit = '64GB'",
    ]) {
      expect((await failure(store, sql)).code).toBe('query_failed');
    }
    expect(await readFile(file, 'utf8')).toBe('x\n1\n');
  });

  it('is for reading only, one statement at a time', async () => {
    const { store } = await open();
    for (const sql of [
      "INSERT INTO meta VALUES ('a', 'b')",
      'DELETE FROM meta',
      'DROP TABLE meta',
      'CREATE TABLE t(a INT)',
      'CHECKPOINT',
      'SELECT 1; DROP TABLE meta',
      '',
    ]) {
      expect((await failure(store, sql)).code).toBe('query_failed');
    }
    expect((await store.query('SELECT count(*) AS n FROM meta')).rows).toEqual([{ n: 2 }]);
  });
});

describe('query', () => {
  it('binds parameters as values, whatever they hold', async () => {
    const { store } = await open();
    const hostile = "'; DROP TABLE meta; --";
    const { rows } = await store.query('SELECT $1 AS a, $2 AS b, $3 AS c, $4::TEXT AS d, $5 AS e, $6 AS f', [
      hostile,
      1774731806000,
      0.5,
      null,
      true,
      'null\0byte \ud800',
    ]);
    expect(rows).toEqual([
      { a: hostile, b: 1774731806000, c: 0.5, d: null, e: true, f: 'null\0byte \ufffd' },
    ]);
    expect((await store.query('SELECT x FROM range(9) t(x) LIMIT $1', [2])).rows).toHaveLength(2);
  });

  it('gives plain numbers for every number type', async () => {
    const { store } = await open();
    const { rows } = await store.query(
      `SELECT 1::BIGINT AS a, sum(x) AS b, 1.25::DECIMAL(9,2) AS c, count(*) AS d, 'nan'::DOUBLE AS e, 3::UTINYINT AS f
       FROM range(5) t(x)`,
    );
    expect(rows).toEqual([{ a: 1, b: 10, c: 1.25, d: 5, e: null, f: 3 }]);
  });

  it('stops at the row cap and says so', async () => {
    const { store } = await open();
    const cut = await store.query('SELECT * FROM range(100000)', [], { rows: 3 });
    expect(cut).toMatchObject({ rows: [{ range: 0 }, { range: 1 }, { range: 2 }], truncated: true });
    expect(await store.query('SELECT * FROM range(3)', [], { rows: 3 })).toMatchObject({ truncated: false });
  });

  it('stops at the time cap, and the connection goes on', async () => {
    const { store } = await open();
    const started = performance.now();
    const slow = store.query('SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b', [], {
      ms: 100,
    });
    await expect(slow).rejects.toMatchObject({ code: 'query_timeout' });
    expect(performance.now() - started).toBeLessThan(5_000);
    expect((await store.query('SELECT 1 AS a')).rows).toEqual([{ a: 1 }]);
  });

  it('answers many at once, each its own', async () => {
    const { store } = await open();
    const asked = Array.from({ length: 40 }, (_, i) => i);
    const answers = await Promise.all(
      asked.map((i) => store.query('SELECT $1 + 0 AS a, count(*) AS n FROM range(5000)', [i])),
    );
    expect(answers.map((answer) => answer.rows)).toEqual(asked.map((i) => [{ a: i, n: 5000 }]));
  });

  it('does not wait for a connection for ever', async () => {
    const { store } = await open();
    const slow = Array.from({ length: 3 }, () =>
      store.query('SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b', [], { ms: 600 }),
    );
    const settled = Promise.allSettled(slow);
    await expect(store.query('SELECT 1', [], { ms: 50 })).rejects.toMatchObject({ code: 'query_timeout' });
    expect((await settled).map((one) => one.status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('goes on in a second store when the first is closed, and not in the first', async () => {
    const duck = await openDuck(':memory:', SILENT, async () => 'f');
    const second = await duck.store.connect();
    await duck.store.close();
    await expect(duck.store.query('SELECT 1')).rejects.toBeInstanceOf(QueryError);
    expect((await second.query('SELECT 1 AS a')).rows).toEqual([{ a: 1 }]);
    await second.close();
    await second.close();
    await duck.close();
  });
});

describe('write', () => {
  it('shows all of a transaction or nothing, also while others read', async () => {
    const duck = await open();
    const count = async (): Promise<unknown> =>
      (await duck.store.query("SELECT count(*) AS n FROM meta WHERE key LIKE 'k%'")).rows[0]?.n;
    const fill = (n: number): Promise<void> =>
      duck.write(async (transaction) => {
        await transaction.run("DELETE FROM meta WHERE key LIKE 'k%'");
        await transaction.append(
          'meta',
          Array.from({ length: n }, (_, i) => [`k${i}`, 'v']),
        );
      });
    await fill(5);
    const seen: unknown[] = [];
    let done = false;
    const reading = (async () => {
      while (!done) seen.push(await count());
    })();
    for (let i = 0; i < 10; i += 1) await fill(i % 2 === 0 ? 7 : 5);
    done = true;
    await reading;
    expect(seen.every((n) => n === 5 || n === 7)).toBe(true);
    const broken = duck.write(async (transaction) => {
      await transaction.run('DELETE FROM meta');
      throw new Error('stop');
    });
    await expect(broken).rejects.toThrow('stop');
    expect(await count()).toBe(5);
  });
});

describe('a database file', () => {
  const warnings = (): { lines: string[]; log: typeof SILENT } => {
    const lines: string[] = [];
    return { lines, log: { info: () => {}, warn: (line) => lines.push(line) } };
  };
  it('is made, and opened again', async () => {
    const path = join(await testFolder(), 'record.db');
    const first = await openDuck(path, SILENT, async () => 'f');
    expect(first.inFile).toBe(true);
    await first.close();
    const again = await open(path);
    expect(again.inFile).toBe(true);
    expect((await again.store.query("SELECT value FROM meta WHERE key = 'product'")).rows).toEqual([
      { value: 'looplight' },
    ]);
  });

  it('of another version of ours is laid out anew', async () => {
    const path = join(await testFolder(), 'record.db');
    const old = await openDuck(path, SILENT, async () => 'f');
    await old.write(async (transaction) => {
      await transaction.run("UPDATE meta SET value = '0' WHERE key = 'schema'");
      await transaction.run('DROP TABLE sources');
      await transaction.run('CREATE TABLE sources(other INTEGER)');
    });
    await old.close();
    const { store, inFile } = await open(path);
    expect(inFile).toBe(true);
    expect((await store.query('SELECT source_id FROM sources')).rows).toEqual([]);
  });

  it('that is none, or holds something else, is left alone', async () => {
    const folder = await testFolder({ 'text.db': 'hello '.repeat(5000), 'empty.db': '' });
    const foreign = join(folder, 'foreign.db');
    const other = await DuckDBInstance.create(foreign);
    const connection = await other.connect();
    await connection.run('CREATE TABLE precious AS SELECT 1 AS a');
    connection.disconnectSync();
    other.closeSync();
    const before = await readFile(foreign);
    for (const path of ['text.db', 'empty.db', 'foreign.db', 'no/such/folder/x.db'].map((name) =>
      join(folder, name),
    )) {
      const { lines, log } = warnings();
      const duck = await open(path, log);
      expect(duck.inFile).toBe(false);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain('kept in memory');
      expect((await duck.store.query('SELECT count(*) AS n FROM sources')).rows).toEqual([{ n: 0 }]);
    }
    expect(await readFile(join(folder, 'text.db'), 'utf8')).toBe('hello '.repeat(5000));
    expect((await readFile(foreign)).equals(before)).toBe(true);
  });

  it('that another process has open is left to it', async () => {
    const path = join(await testFolder(), 'record.db');
    const script = `
      const { DuckDBInstance } = await import(${JSON.stringify(import.meta.resolve('@duckdb/node-api'))});
      const instance = await DuckDBInstance.create(${JSON.stringify(path)});
      await (await instance.connect()).run('CREATE TABLE t(a INTEGER)');
      process.stdout.write('open');
      setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      holder.kill('SIGKILL');
    });
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    const { lines, log } = warnings();
    expect((await open(path, log)).inFile).toBe(false);
    expect(lines[0]).toContain('another process');
  });
});
