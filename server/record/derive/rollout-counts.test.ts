import { DuckDBInstance } from '@duckdb/node-api';
import { beforeEach, describe, expect, it } from 'vitest';
import { TABLES } from '../tables.ts';
import { ROLLOUT_COUNTS } from './rollout-counts.ts';

type Connection = Awaited<ReturnType<DuckDBInstance['connect']>>;
let db: Connection;
beforeEach(async () => {
  db = await (await DuckDBInstance.create(':memory:')).connect();
  await db.run(TABLES);
});

/** A row of a session: the total after it, and what it added (1 token where nothing is said). */
interface Told {
  total: number;
  last?: number;
  turn?: string;
}

/** A session, its parent, and its rows in order. */
async function session(
  id: string,
  parent: string | null,
  rows: readonly Told[],
  { source = `codex_rollout-${id}`, path = `sessions/${id}.jsonl` } = {},
): Promise<void> {
  await db.run(
    `INSERT INTO sources (source_id, project_id, kind, label, path, parser, parser_version, unit, state)
     VALUES ('${source}', 'p', 'codex_rollout', 'x', '${path}', 'codex/rollout', 1, '${source}', '')`,
  );
  await db.run(
    `INSERT INTO sessions_told (session_id, forked_from, rank, source_id, source_line) VALUES ($1, $2, 0, $3, 1)`,
    [id, parent, source],
  );
  for (const [at, { total, last = 1, turn }] of rows.entries())
    await db.run(
      `INSERT INTO llm_requests_told (told_id, channel, session_id, turn_id, n, totals, last, source_id, source_kind, source_line)
       VALUES ($1, 'rollout', $2, $3, $4, $5, $6, $7, 'codex_rollout', $8)`,
      [`${source}.${at + 2}`, id, turn ?? null, at + 1, `${total}`, `${last}`, source, at + 2],
    );
}
async function counts(): Promise<Record<string, { sure: number; unsure: number }>> {
  const reader = await db.runAndReadAll(
    `SELECT t.session_id AS id, count(*) FILTER (c.certain)::INT AS sure, count(*) FILTER (NOT c.certain)::INT AS unsure
     FROM (${ROLLOUT_COUNTS}) c JOIN llm_requests_told t USING (told_id) GROUP BY 1 ORDER BY 1`,
  );
  return Object.fromEntries(
    reader
      .getRowObjectsJson()
      .map(({ id, sure, unsure }) => [String(id), { sure: Number(sure), unsure: Number(unsure) }]),
  );
}
/** Rows with these totals, all of one turn. */
const rows = (totals: readonly number[], turn?: string): Told[] =>
  totals.map((total) => (turn === undefined ? { total } : { total, turn }));

describe('rows of rollouts that count', () => {
  it('are all of them where no session came from another', async () => {
    await session('a', null, rows([1, 2, 3]));
    await session('b', null, rows([1, 2, 3]));
    expect(await counts()).toEqual({ a: { sure: 3, unsure: 0 }, b: { sure: 3, unsure: 0 } });
  });

  it('leave out what two children repeat of their parent: five, and two and two more', async () => {
    await session('parent', null, rows([1, 2, 3, 4, 5], 't1'));
    await session('one', 'parent', [...rows([1, 2, 3, 4, 5], 't1'), ...rows([6, 7], 't2')]);
    await session('two', 'parent', [...rows([1, 2, 3, 4, 5], 't1'), ...rows([8, 9], 't3')]);
    expect(await counts()).toEqual({
      parent: { sure: 5, unsure: 0 },
      one: { sure: 2, unsure: 0 },
      two: { sure: 2, unsure: 0 },
    });
  });

  it('find the same by figures alone, where turns have no ids or others', async () => {
    await session('parent', null, rows([1, 2, 3]));
    await session('plain', 'parent', rows([1, 2, 3, 10]));
    await session('renamed', 'parent', rows([1, 2, 3, 11], 'mine'));
    await session('partly', 'parent', rows([2, 3, 12, 13]));
    expect(await counts()).toEqual({
      parent: { sure: 3, unsure: 0 },
      plain: { sure: 1, unsure: 0 },
      renamed: { sure: 1, unsure: 0 },
      partly: { sure: 2, unsure: 0 },
    });
  });

  it('find the turns of the parent even where figures differ', async () => {
    await session('parent', null, rows([1, 2], 't1'));
    await session('child', 'parent', [...rows([31, 32], 't1'), ...rows([33], 't2')]);
    expect(await counts()).toEqual({ parent: { sure: 2, unsure: 0 }, child: { sure: 1, unsure: 0 } });
  });

  it('count a child that repeats nothing, and rows after its own beginning that look alike', async () => {
    await session('parent', null, [
      { total: 10, last: 10, turn: 't1' },
      { total: 20, last: 10, turn: 't1' },
    ]);
    await session('child', 'parent', [
      { total: 7, last: 7, turn: 't2' },
      { total: 10, last: 10, turn: 't2' },
    ]);
    expect(await counts()).toEqual({ parent: { sure: 2, unsure: 0 }, child: { sure: 2, unsure: 0 } });
  });

  it('want rows in the order of the parent', async () => {
    await session('parent', null, rows([1, 2, 3]));
    await session('child', 'parent', rows([2, 3, 1]));
    expect(await counts()).toEqual({ parent: { sure: 3, unsure: 0 }, child: { sure: 1, unsure: 0 } });
  });

  it('count a single row that matches by chance, openly', async () => {
    await session('parent', null, rows([1, 2], 't1'));
    await session('child', 'parent', rows([1, 9], 't2'));
    expect(await counts()).toEqual({ parent: { sure: 2, unsure: 0 }, child: { sure: 1, unsure: 1 } });
  });

  it('leave out what a child of a child repeats of both', async () => {
    await session('a', null, rows([1, 2], 't1'));
    await session('b', 'a', [...rows([1, 2], 't1'), ...rows([3, 4], 't2')]);
    await session('c', 'b', [...rows([1, 2], 't1'), ...rows([3, 4], 't2'), ...rows([5], 't3')]);
    expect(await counts()).toEqual({
      a: { sure: 2, unsure: 0 },
      b: { sure: 2, unsure: 0 },
      c: { sure: 1, unsure: 0 },
    });
  });

  it('count everything, openly, where the parent is not there', async () => {
    await session('child', 'gone', rows([1, 2, 3], 't1'));
    expect(await counts()).toEqual({ child: { sure: 0, unsure: 3 } });
  });

  it('count everything, openly, where sessions are each other’s parents', async () => {
    await session('a', 'b', rows([1, 2]));
    await session('b', 'c', rows([1, 2]));
    await session('c', 'a', rows([1, 2]));
    await session('self', 'self', rows([1, 2]));
    expect(await counts()).toEqual({
      a: { sure: 0, unsure: 2 },
      b: { sure: 0, unsure: 2 },
      c: { sure: 0, unsure: 2 },
      self: { sure: 0, unsure: 2 },
    });
  });

  it('are those of the active file where an archived one tells the same session', async () => {
    const archived = { source: 'codex_rollout-0', path: 'old/archived_sessions/a.jsonl' };
    await session('a', null, rows([1, 2]), archived);
    await session('a', null, rows([1, 2, 3]), { source: 'codex_rollout-1', path: 'old/sessions/a.jsonl' });
    expect(await counts()).toEqual({ a: { sure: 3, unsure: 0 } });
    const kept = await db.runAndReadAll(
      `SELECT told_id FROM (${ROLLOUT_COUNTS}) WHERE told_id LIKE 'codex_rollout-0%'`,
    );
    expect(kept.getRowObjectsJson()).toEqual([]);
  });

  it('count a total of a child that does not say what was added, openly', async () => {
    await session('parent', null, rows([100, 200]));
    await session('child', 'parent', [
      { total: 250, last: 250 },
      { total: 260, last: 10 },
    ]);
    await session('alone', null, [{ total: 250, last: 250 }]);
    await db.run("UPDATE llm_requests_told SET token_quality = 'estimated' WHERE session_id <> 'parent'");
    expect(await counts()).toEqual({
      parent: { sure: 2, unsure: 0 },
      child: { sure: 1, unsure: 1 },
      alone: { sure: 1, unsure: 0 },
    });
  });

  it('do not lose calls whose tokens are not known', async () => {
    await session('a', null, []);
    for (const n of [1, 2])
      await db.run(
        `INSERT INTO llm_requests_told (told_id, channel, session_id, n, source_id, source_kind, source_line)
         VALUES ($1, 'rollout', 'a', $2, 'codex_rollout-a', 'codex_rollout', $2)`,
        [`x${n}`, n],
      );
    expect(await counts()).toEqual({ a: { sure: 2, unsure: 0 } });
  });
});
