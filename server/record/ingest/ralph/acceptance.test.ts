import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRecord } from '../../index.ts';
import type { Row } from '../../store.ts';
import { testFolder } from '../../test-folder.ts';

/** Records of real loops, kept beside the project and not in it. */
const FIXTURES = join(import.meta.dirname, '../../../../../shared/fixtures/ralph');
const there = existsSync(join(FIXTURES, 'xrpl-cli-ng', 'prd.json'));
if (!there)
  console.info('The real Ralph records are not beside this project, so their acceptance tests do not run.');

async function rowsOf(root: string, sql: string): Promise<Row[]> {
  const record = await openRecord({ root, database: ':memory:' });
  onTestFinished(() => record.close());
  return (await record.store.query(sql)).rows;
}
const valuesOf = async (root: string, sql: string): Promise<unknown[][]> =>
  (await rowsOf(root, sql)).map((row) => Object.values(row));

/*
 * Counted with other tools: stories and criteria with `jq '.userStories | length'` and
 * `jq '[.userStories[].acceptanceCriteria | length] | add'`, sections with `grep -c '^## 20'`, lines with `wc -l`, events told
 * once with `cat *.jsonl | sort -u | wc -l`, the start with `date -u -d`; lines of findings with `grep -n`.
 */
describe.runIf(there)('a loop with prd.json, its notes, its archive and its commits', () => {
  const root = join(FIXTURES, 'xrpl-cli-ng');

  it('loads completely', async () => {
    expect(await valuesOf(root, 'SELECT path, lines_ok, lines_bad FROM sources ORDER BY path')).toEqual([
      ['archive-2026-03-05-wallet-commands-prd.json', 15, 0],
      ['archive-2026-03-05-wallet-commands-progress.txt', 2, 0],
      ['git-log-ralph.jsonl', 59, 0],
      ['prd.json', 12, 0],
      // Nine turns and the title.
      ['progress.txt', 10, 0],
    ]);
  });

  it('is two runs, of which the one on the branch goes on', async () => {
    expect(
      await valuesOf(root, 'SELECT name, harness, started_at_ms, is_current FROM runs ORDER BY name'),
    ).toEqual([
      ['2026-03-05-wallet-commands', 'ralph', null, false],
      ['ralph/publish-skill', 'ralph', 1_774_597_346_000, true],
    ]);
  });

  it('holds all stories with the state the ledger claims, and all criteria', async () => {
    expect(
      await valuesOf(
        root,
        'SELECT run_name, status, count(*)::INTEGER FROM v_feature GROUP BY ALL ORDER BY ALL',
      ),
    ).toEqual([
      ['2026-03-05-wallet-commands', 'pending', 15],
      ['ralph/publish-skill', 'accepted', 12],
    ]);
    expect(
      await valuesOf(
        root,
        'SELECT is_current, state, count(*)::INTEGER FROM v_requirement GROUP BY ALL ORDER BY ALL',
      ),
    ).toEqual([
      [false, 'open', 164],
      [true, 'claimed_only', 66],
    ]);
    expect(await valuesOf(root, "SELECT DISTINCT basis FROM observations WHERE fact = 'status'")).toEqual([
      ['claimed'],
    ]);
  });

  it('links the nine turns to the eleven stories their headings name', async () => {
    expect(
      await valuesOf(
        root,
        'SELECT count(*)::INTEGER, count(DISTINCT source_line)::INTEGER, min(link_method) FROM attempts',
      ),
    ).toEqual([[11, 9, 'explicit']]);
    expect(await valuesOf(root, "SELECT value, basis FROM observations WHERE fact = 'iterations'")).toEqual([
      [9, 'claimed'],
    ]);
    // Each of the nine sections lists SKILL.md, three of them the ledger too.
    expect(
      await valuesOf(
        root,
        "SELECT path, count(*)::INTEGER FROM file_touches WHERE source_kind = 'progress_notes' GROUP BY path ORDER BY path",
      ),
    ).toEqual([
      ['SKILL.md', 9],
      ['scripts/ralph/prd.json', 3],
    ]);
  });

  it('contradicts itself in three places and no more', async () => {
    expect(
      await valuesOf(
        root,
        'SELECT d.rule, r.source_line, s.path FROM findings d JOIN finding_rows r USING (finding_id) JOIN sources s USING (source_id) ORDER BY d.rule',
      ),
    ).toEqual([
      ['archive_of_another_branch', 3, 'archive-2026-03-05-wallet-commands-prd.json'],
      ['stories_in_one_turn', 95, 'progress.txt'],
      ['story_without_turn', 17, 'prd.json'],
    ]);
  });
});

describe.runIf(there)('metrics of two runs side by side in four files', () => {
  const root = join(FIXTURES, 'jeeves');

  it('loads completely, 24 lines that tell of 16 events', async () => {
    expect(
      await valuesOf(root, 'SELECT sum(lines_ok)::INTEGER, sum(lines_bad)::INTEGER FROM sources'),
    ).toEqual([[24, 0]]);
    expect(
      await valuesOf(root, 'SELECT kind, count(*)::INTEGER FROM log_events GROUP BY kind ORDER BY kind'),
    ).toEqual([
      ['iteration_end', 6],
      ['iteration_start', 8],
      ['run_start', 2],
    ]);
  });

  it('tells the two runs apart, and joins starts and ends across files', async () => {
    expect(
      await valuesOf(
        root,
        'SELECT right(run_id, 6), n, duration_s, verdict, (ended_at_ms - started_at_ms) / 1000 FROM attempts ORDER BY run_id, n',
      ),
    ).toEqual([
      ['z9icvs', 1, 398, 'no_verdict', 414],
      ['z9icvs', 2, 336, 'no_verdict', 401],
      ['z9icvs', 3, 746, 'no_verdict', 747],
      ['z9icvs', 4, 154, 'no_verdict', 159],
      ['z9icvs', 5, null, null, null],
      ['nkjnei', 1, 640, 'no_verdict', 642],
      ['nkjnei', 2, 227, 'no_verdict', 234],
      ['nkjnei', 3, null, null, null],
    ]);
  });

  it('finds nothing to contradict', async () => {
    expect(await rowsOf(root, 'SELECT * FROM findings')).toEqual([]);
  });
});

describe.runIf(there)('the example of a prd.json', () => {
  it('gives four stories that nobody began, with seventeen criteria', async () => {
    const root = await testFolder();
    await copyFile(join(FIXTURES, 'snarktank-prd.json.example'), join(root, 'prd.json'));
    expect(await valuesOf(root, 'SELECT status, count(*)::INTEGER FROM v_feature GROUP BY status')).toEqual([
      ['pending', 4],
    ]);
    expect(await valuesOf(root, 'SELECT state, count(*)::INTEGER FROM v_requirement GROUP BY state')).toEqual(
      [['open', 17]],
    );
  });
});
