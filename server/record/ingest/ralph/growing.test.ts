import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRecord } from '../../index.ts';
import { testFolder } from '../../test-folder.ts';

const open = async (root: string) => {
  const record = await openRecord({ root, database: ':memory:' });
  onTestFinished(() => record.close());
  return record;
};
type Opened = Awaited<ReturnType<typeof open>>;
const TABLES = [
  'runs_told',
  'features_told',
  'observations',
  'attempts',
  'log_events',
  'ingest_issues',
  'findings',
];
const rowsOf = async (record: Opened): Promise<unknown[]> =>
  Promise.all(
    TABLES.map(async (table) => (await record.store.query(`SELECT * FROM ${table} ORDER BY ALL`)).rows),
  );

/** Lines of each log in two parts: the second continues an iteration, or a line. */
const LOGS: readonly (readonly [path: string, first: string, then: string])[] = [
  [
    '.ralph/logs/metrics.jsonl',
    '{"timestamp":"2026-02-01T10:05:00Z","loop":1,"duration":300,"success":true}\n{"timestamp":"2026-02-01T10:06:00Z","loop":2,',
    '"duration":60,"success":false}\n{"timestamp":"2026-02-01T11:00:00Z","loop":1,"duration":9,"success":true}\n',
  ],
  ['iterations.jsonl', '{"iteration":1,"status":"failed"}\n', '{"iteration":2,"status":"ok"}\nnothing\n'],
  [
    'ralph.log',
    '[2026-03-01 08:00:00] [LOOP] === Iteration #1 ===\n[2026-03-01 08:01:00] [INFO] working\n',
    '[2026-03-01 08:10:00] [SUCCESS] Story 1-1: DONE — good\n[2026-03-01 08:11:00] [LOOP] === Iteration #2 ===\n',
  ],
];

describe('logs that grow', () => {
  it.each(LOGS)('%s read on gives the rows of one reading', async (path, first, then) => {
    const root = await testFolder({ [path]: first });
    const grown = await open(root);
    await appendFile(join(root, path), then);
    expect(await grown.reload()).toBe(true);
    const whole = await open(root);
    const [a, b] = [await rowsOf(grown), await rowsOf(whole)];
    // Ids of issues, and of findings made of them, tell where reading went on.
    const plain = (rows: unknown[]): unknown =>
      JSON.parse(
        JSON.stringify(rows, (key, value: unknown) =>
          key === 'issue_id' || key === 'finding_id' ? null : value,
        ),
      );
    expect(plain(a)).toEqual(plain(b));
    const sizes = 'SELECT path, lines_ok, lines_bad FROM sources ORDER BY path';
    expect((await grown.store.query(sizes)).rows).toEqual((await whole.store.query(sizes)).rows);
    expect(await grown.reload()).toBe(false);
  });
});
