import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { git } from './history.ts';

const sha = (n: number): string => n.toString(16).repeat(40).slice(0, 40);
const commit = (n: number, subject: string, over: Record<string, unknown> = {}): string =>
  JSON.stringify({
    sha: sha(n),
    committed_at: `2026-01-02T10:${String(n).padStart(2, '0')}:00-07:00`,
    subject,
    ...over,
  });
const read = (...lines: string[]) => readWith(git, { 'git-log.jsonl': `${lines.join('\n')}\n` });

describe('the git adapter', () => {
  it('says of each commit what it is for', async () => {
    const found = await read(
      commit(1, 'begin', { author: 'Tester', files: 2, insertions: 3, deletions: 1 }),
      commit(2, 'feat: US-1 - Dial', { trailers: [['Story', 'US-1']] }),
      commit(3, 'skip(#4): best score 2/10 after 3 attempts'),
      commit(4, 'docs: US-1 explained'),
      commit(5, 'Revert "feat: US-1 - Dial"', { reverts: sha(2).slice(0, 9) }),
    );
    expect(found.issues['git-log.jsonl']).toEqual([]);
    expect(found.counts['git-log.jsonl']).toEqual({ ok: 5, bad: 0 });
    expect(
      found
        .rows('commits_told')
        .map((row) => [row.kind, row.feature_ref, row.link_method, row.reverts_sha, row.source_line]),
    ).toEqual([
      ['other', null, null, null, 1],
      ['accept', 'US-1', 'trailer', null, 2],
      ['skip', '4', 'subject', null, 3],
      ['other', 'US-1', 'subject', null, 4],
      ['revert', null, null, sha(2), 5],
    ]);
    expect(found.rows('commits_told')[0]).toMatchObject({
      author: 'Tester',
      files: 2,
      insertions: 3,
      deletions: 1,
      at_ms: Date.UTC(2026, 0, 2, 17, 1),
      zone: '-07:00',
    });
    expect(found.rows('log_events').map((row) => [row.kind, row.level, row.message])).toEqual([
      ['commit', 'info', 'begin'],
      ['commit', 'info', 'feat: US-1 - Dial'],
      ['commit', 'info', 'skip(#4): best score 2/10 after 3 attempts'],
      ['commit', 'info', 'docs: US-1 explained'],
      ['revert', 'warning', 'Revert "feat: US-1 - Dial"'],
    ]);
  });

  it('finds what a revert takes back by its subject, in a log of either direction', async () => {
    const lines = [
      commit(1, 'feat(#1): a'),
      commit(2, 'feat(#1): a'),
      commit(3, 'Revert "feat(#1): a"'),
      commit(4, 'Reapply "feat(#1): a"'),
      commit(5, 'Revert "not in this log"'),
      commit(6, 'fix', { body: 'This reverts commit 1234567.' }),
    ];
    for (const order of [lines, [...lines].reverse()]) {
      const rows = (await read(...order)).rows('commits_told');
      const reverts = new Map(rows.map((row) => [row.sha, row.reverts_sha]));
      expect([1, 2, 3, 4, 5, 6].map((n) => reverts.get(sha(n)))).toEqual([
        null,
        null,
        sha(2),
        sha(3),
        null,
        '1234567',
      ]);
    }
  });

  it('has a touch for each path', async () => {
    const found = await read(
      commit(1, 'a', {
        paths: [
          ['src/a.ts', 3, 1],
          ['logo.png', null, null],
          ['./b//c.ts', 0, 2],
        ],
      }),
    );
    expect(
      found
        .rows('file_touches')
        .map((row) => [row.touch_id, row.path, row.raw_path, row.lines_added, row.lines_removed]),
    ).toEqual([
      [`${sha(1)}.t1`, 'src/a.ts', 'src/a.ts', 3, 1],
      [`${sha(1)}.t2`, 'logo.png', 'logo.png', null, null],
      [`${sha(1)}.t3`, 'b/c.ts', './b//c.ts', 0, 2],
    ]);
  });

  it('reports what it cannot read, and what was left out before', async () => {
    const found = await read(
      '{"note": "older_left", "commits": 12}',
      '{"note": "shallow", "commits": 1}',
      commit(1, 'a', { paths: [['a', -1, 0]], author: 7, trailers: 'none' }),
      commit(2, 'b', { paths_left: 4 }),
      '[1]',
    );
    expect(found.counts['git-log.jsonl']).toEqual({ ok: 2, bad: 1 });
    expect(found.issues['git-log.jsonl']?.map(({ code, line, severity }) => [code, line, severity])).toEqual([
      ['too_many_entries', null, 'warning'],
      ['too_many_entries', null, 'info'],
      ['wrong_type', 3, 'warning'],
      ['wrong_type', 3, 'warning'],
      ['wrong_type', 3, 'warning'],
      ['missing_field', 5, 'warning'],
      ['too_many_entries', 4, 'info'],
    ]);
    expect(found.rows('commits_told')).toHaveLength(2);
  });
});

const FIXTURE = join(
  import.meta.dirname,
  '../../../../../shared/fixtures/ralph/xrpl-cli-ng/git-log-ralph.jsonl',
);
const there = existsSync(FIXTURE);
if (!there)
  console.info('The real Ralph git log is not beside this project, so its acceptance test does not run.');
describe.runIf(there)('the log of a real Ralph loop', () => {
  it('is read whole, most commits with the story they are for', async () => {
    const found = await readWith(git, { 'git-log-ralph.jsonl': readFileSync(FIXTURE) });
    const rows = found.rows('commits_told');
    expect(found.counts['git-log-ralph.jsonl']).toEqual({ ok: 59, bad: 0 });
    expect(found.issues['git-log-ralph.jsonl']?.map(({ code }) => code)).toEqual(['mixed_zones']);
    expect(rows.filter((row) => row.feature_ref !== null)).toHaveLength(52);
    expect(rows.filter((row) => row.feature_ref === null).map((row) => row.subject)).toContain(
      'chore: update progress.txt with US-010 through US-012 completion',
    );
  });
});
