import { describe, expect, it } from 'vitest';
import { findingsOf } from './test-findings.ts';

const prd = (branch: string, ...passes: boolean[]): string =>
  JSON.stringify(
    {
      project: 'Lamps',
      branchName: branch,
      userStories: passes.map((pass, i) => ({
        id: `US-00${i + 1}`,
        title: 'Lamp',
        acceptanceCriteria: ['Glows'],
        passes: pass,
      })),
    },
    null,
    1,
  );
const NOTES =
  '# Ralph Progress Log\n## 2026-03-27 - US-002\n- one\n## 2026-03-27 - US-003 and US-004\n- two\n';

describe('story_without_turn', () => {
  it('finds a story that passes and was never worked on', async () => {
    const found = await findingsOf('story_without_turn', {
      'prd.json': prd('ralph/lamps', true, true, true, false, false),
      'progress.txt': NOTES,
    });
    expect(found).toEqual([
      {
        feature: 'US-001',
        severity: 'warning',
        says: 'The ledger says that US-001 passes, but progress.txt has no section on it and no commit of its run names it',
        lines: '11',
      },
    ]);
  });

  it('finds nothing where all are told of, where none passes, and where notes name no story', async () => {
    expect(
      await findingsOf('story_without_turn', {
        'prd.json': prd('ralph/lamps', false, true, true),
        'progress.txt': NOTES,
      }),
    ).toEqual([]);
    expect(await findingsOf('story_without_turn', { 'prd.json': prd('ralph/lamps', true, true) })).toEqual(
      [],
    );
    const plain = '# Ralph Progress Log\n## 2026-03-27 - setting up\n- one\n';
    expect(
      await findingsOf('story_without_turn', { 'prd.json': prd('ralph/lamps', true), 'progress.txt': plain }),
    ).toEqual([]);
  });
});

describe('stories_in_one_turn', () => {
  it('finds the turn that reports two stories, and not the one that reports one', async () => {
    const found = await findingsOf('stories_in_one_turn', { 'progress.txt': NOTES });
    expect(found).toEqual([
      {
        feature: null,
        severity: 'info',
        says: 'One turn reports 2 stories at once: US-003 and US-004',
        lines: '4',
      },
    ]);
  });

  it('finds nothing where each turn has its story', async () => {
    expect(
      await findingsOf('stories_in_one_turn', {
        'progress.txt': '## 2026-03-27 - US-001\n- a\n## 2026-03-27 - US-001\n- b\n',
      }),
    ).toEqual([]);
  });
});

describe('archive_of_another_branch', () => {
  it('finds an archive that holds the ledger of a later branch', async () => {
    const found = await findingsOf('archive_of_another_branch', {
      'archive/2026-01-02-stairs/prd.json': prd('ralph/doors', false),
    });
    expect(found).toEqual([
      {
        feature: null,
        severity: 'warning',
        says: 'The archive 2026-01-02-stairs holds the ledger of ralph/doors, so the states of its own stories are lost',
        lines: '3',
      },
    ]);
  });

  it('finds nothing where the names agree but for their spelling, or nothing is archived', async () => {
    expect(
      await findingsOf('archive_of_another_branch', {
        'archive/2026-01-02-iron-stairs/prd.json': prd('ralph/Iron_Stairs', true),
      }),
    ).toEqual([]);
    expect(await findingsOf('archive_of_another_branch', { 'prd.json': prd('ralph/doors', true) })).toEqual(
      [],
    );
  });
});

describe('accepted_without_commit', () => {
  const commits = (...subjects: string[]): string =>
    subjects
      .map(
        (subject, i) =>
          `${JSON.stringify({ sha: `${i + 1}`.repeat(40), committed_at: `2026-03-27T08:0${i}:00Z`, subject })}\n`,
      )
      .join('');

  it('knows that a commit about a range of stories is about each of them', async () => {
    const files = {
      'prd.json': prd('ralph/lamps', true, true, true, true, true, true, true),
      'git-log.jsonl': commits(
        'feat: US-001',
        'feat: US-002',
        'feat: US-003',
        'feat: US-004',
        'feat: [US-005 through US-006] both',
      ),
    };
    const found = await findingsOf('accepted_without_commit', files);
    expect(found.map((row) => row.feature)).toEqual(['US-007']);
  });
});
