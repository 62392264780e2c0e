import { DuckDBPreparedStatement } from '@duckdb/node-api';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openDuck } from './duckdb.ts';
import { SILENT } from './log.ts';

it('a statement that was ended is never taken for one that had no more rows', async () => {
  const duck = await openDuck(':memory:', SILENT, async () => 'f');
  onTestFinished(() => duck.close());
  const read = DuckDBPreparedStatement.prototype.streamAndReadUntil;
  // As when the time runs out between the last rows that were read and the word that there are no more.
  vi.spyOn(DuckDBPreparedStatement.prototype, 'streamAndReadUntil').mockImplementation(async function (
    this: DuckDBPreparedStatement,
    ...args
  ) {
    const rows = await read.apply(this, args);
    await new Promise((resolve) => setTimeout(resolve, 120));
    return rows;
  });
  await expect(duck.store.query('SELECT 1 AS one', [], { ms: 60 })).rejects.toMatchObject({
    code: 'query_timeout',
  });
  expect((await duck.store.query('SELECT 1 AS one', [], { ms: 10_000 })).rows).toEqual([{ one: 1 }]);
});
