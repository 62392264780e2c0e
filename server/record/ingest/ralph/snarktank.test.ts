import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { snarktank } from './snarktank.ts';

const story = (id: string, passes: boolean | null, more: object = {}): object => ({
  id,
  title: `Title of ${id}`,
  description: `What ${id} is for`,
  acceptanceCriteria: ['It shows', 'Typecheck passes'],
  priority: Number(id.slice(-1)),
  ...(passes === null ? {} : { passes }),
  notes: '',
  ...more,
});
const prd = (stories: object[], branch = 'ralph/lamps'): string =>
  JSON.stringify(
    { project: 'Lamps', branchName: branch, description: 'Lamps in rooms', userStories: stories },
    null,
    1,
  );

const DATED = `# Ralph Progress Log
Started: Fri Mar 27 07:42:26 AM UTC 2026
---

## 2026-03-27 - US-002
- Put the switch beside the door
- Files changed: src/switch.ts, \`./docs/lamps.md\`, some words
- **Learnings for future iterations:**
  - Doors have two sides
---

## 2026-03-27 - US-003 through US-004
- Both at once
---
## Codebase patterns
- Rooms are numbered
`;

const NUMBERED = `# Progress
## Iteration 1 - 2026-02-01 10:00
**Task**: US-001 first lamp
**Status**: Complete
## Iteration 2 - 2026-02-01 10:00
**Task**: find out why
**Status**: Partial work (no explicit completion signal)
## Iteration 3 - 2026-02-01 10:31
**Status**: Failed with exit code 1
`;

describe('prd.json', () => {
  it('gives stories with the state their ledger claims', async () => {
    const read = await readWith(snarktank, {
      'prd.json': prd([story('US-001', true), story('US-002', false)]),
    });
    expect(read.project).toBe('Lamps');
    expect(read.counts['prd.json']).toEqual({ ok: 2, bad: 0 });
    expect(read.rows('runs_told')).toMatchObject([
      {
        run_id: 'ralph.ralph-lamps',
        harness: 'ralph',
        name: 'ralph/lamps',
        is_current: true,
        source_line: 3,
      },
    ]);
    expect(
      read
        .rows('features_told')
        .map((row) => [row.feature_id, row.ext_id, row.ord, row.title, row.source_line]),
    ).toEqual([
      ['ralph.ralph-lamps.fUS-001', 'US-001', 1, 'Title of US-001', 6],
      ['ralph.ralph-lamps.fUS-002', 'US-002', 2, 'Title of US-002', 18],
    ]);
    expect(
      read
        .rows('observations_told')
        .map((row) => [row.fact, row.text_value, row.basis, row.how, row.source_line]),
    ).toEqual([
      ['status', 'accepted', 'claimed', 'passes: true', 15],
      ['status', 'pending', 'claimed', 'passes: false', 27],
    ]);
    expect(
      read.rows('requirements_told').map((row) => [row.ext_id, row.text, row.claimed_pass, row.source_line]),
    ).toEqual([
      ['US-001.1', 'It shows', true, 11],
      ['US-001.2', 'Typecheck passes', true, 12],
      ['US-002.1', 'It shows', false, 23],
      ['US-002.2', 'Typecheck passes', false, 24],
    ]);
  });

  it('reports what cannot be read and keeps the rest', async () => {
    const stories = [
      story('US-001', null),
      story('US-001', true),
      { title: 'no id' },
      story('US-004', true, { acceptanceCriteria: [7, 'Shows'] }),
    ];
    const read = await readWith(snarktank, { 'prd.json': prd(stories) });
    expect(read.counts['prd.json']).toEqual({ ok: 2, bad: 2 });
    expect(read.issues['prd.json']?.map((issue) => issue.code)).toEqual([
      'missing_field',
      'duplicate_id',
      'missing_field',
      'wrong_type',
    ]);
    expect(read.rows('requirements_told').map((row) => row.ext_id)).toEqual([
      'US-001.1',
      'US-001.2',
      'US-004.2',
    ]);
  });

  it('keeps what is complete of a file that breaks off', async () => {
    const text = prd([story('US-001', true), story('US-002', true)]);
    const read = await readWith(snarktank, {
      'prd.json': text.slice(0, text.indexOf('"title": "Title of US-002"')),
    });
    expect(read.rows('features_told').map((row) => row.ext_id)).toEqual(['US-001']);
    expect(read.issues['prd.json']?.map((issue) => issue.code)).toEqual(['json_cut']);
  });

  it('makes runs of their own of what was archived, in both ways of filing', async () => {
    const read = await readWith(snarktank, {
      'scripts/ralph/prd.json': prd([story('US-001', true)]),
      'scripts/ralph/archive/2026-01-02-stairs/prd.json': prd([story('US-001', false)], 'ralph/stairs'),
      'archive-2026-02-03-doors-prd.json': prd([story('US-001', false)], 'ralph/windows'),
      'archive-2026-02-03-doors-progress.txt': DATED,
    });
    expect(
      read
        .rows('runs_told')
        .filter((row) => row.rank === 0)
        .map((row) => [row.run_id, row.name, row.ord, row.is_current]),
    ).toEqual([
      ['ralph.ralph-lamps', 'ralph/lamps', null, true],
      ['ralph.archive-2026-01-02-stairs', '2026-01-02-stairs', 20260102, false],
      ['ralph.archive-2026-02-03-doors', '2026-02-03-doors', 20260203, false],
    ]);
    // The notes of an archive belong to its run, and not to the one that goes on.
    expect(new Set(read.rows('attempts').map((row) => row.run_id))).toEqual(
      new Set(['ralph.archive-2026-02-03-doors']),
    );
    expect(
      read
        .rows('log_events')
        .filter((row) => row.kind === 'ledger_branch')
        .map((row) => [row.message, row.data]),
    ).toEqual([
      ['ralph/lamps', null],
      ['ralph/stairs', '{"archive":"2026-01-02-stairs"}'],
      ['ralph/windows', '{"archive":"2026-02-03-doors"}'],
    ]);
  });

  it('leaves other files of that name alone', async () => {
    const read = await readWith(snarktank, {
      'prd.json': '{"name": "a product"}',
      'progress.txt': 'half way there\n',
    });
    expect(read.counts).toEqual({});
  });
});

describe('progress.txt', () => {
  it('gives an attempt a story, linked by the heading, and the files listed', async () => {
    const read = await readWith(snarktank, {
      'prd.json': prd([story('US-002', true), story('US-003', true)]),
      'progress.txt': DATED,
    });
    expect(
      read
        .rows('attempts')
        .map((row) => [row.feature_id, row.n, row.link_method, row.basis, row.verdict, row.source_line]),
    ).toEqual([
      ['ralph.ralph-lamps.fUS-002', 1, 'explicit', 'claimed', null, 5],
      ['ralph.ralph-lamps.fUS-003', 1, 'explicit', 'claimed', null, 12],
      ['ralph.ralph-lamps.fUS-004', 1, 'explicit', 'claimed', null, 12],
    ]);
    expect(read.rows('file_touches').map((row) => [row.path, row.op, row.source_line])).toEqual([
      ['src/switch.ts', 'listed', 7],
      ['docs/lamps.md', 'listed', 7],
    ]);
    expect(
      read
        .rows('log_events')
        .filter((row) => row.source_kind === 'progress_notes')
        .map((row) => [row.kind, row.message, row.source_line, row.last_line]),
    ).toEqual([
      ['note', 'Ralph Progress Log', 1, 1],
      ['iteration', '2026-03-27 - US-002', 5, 9],
      ['iteration', '2026-03-27 - US-003 through US-004', 12, 13],
      ['note', 'Codebase patterns', 15, 16],
    ]);
    expect(read.rows('runs_told').map((row) => [row.rank, row.started_at_ms, row.zone])).toEqual([
      [0, null, null],
      [1, Date.UTC(2026, 2, 27, 7, 42, 26), '+00:00'],
    ]);
    // US-004 stands in the notes alone.
    expect(read.rows('features_told').map((row) => [row.ext_id, row.rank])).toEqual([
      ['US-002', 0],
      ['US-003', 0],
      ['US-004', 5],
    ]);
    expect(
      read
        .rows('observations_told')
        .filter((row) => row.fact === 'iterations')
        .map((row) => [row.value, row.basis]),
    ).toEqual([[2, 'claimed']]);
    expect(read.issues['progress.txt']?.map((issue) => [issue.code, issue.severity])).toEqual([
      ['time_without_zone', 'info'],
    ]);
  });

  it('reads numbered sections with their task and status; their times have no zone', async () => {
    const read = await readWith(snarktank, { 'progress.txt': NUMBERED });
    expect(
      read.rows('attempts').map((row) => [row.n, row.feature_id, row.verdict, row.passed, row.ended_at_ms]),
    ).toEqual([
      [1, 'ralph.ralph.fUS-001', 'pass', true, Date.UTC(2026, 1, 1, 10, 0)],
      [2, null, 'no_verdict', null, Date.UTC(2026, 1, 1, 10, 0)],
      [3, null, 'error', null, Date.UTC(2026, 1, 1, 10, 31)],
    ]);
    expect(read.rows('log_events').map((row) => row.zone)).toEqual([null, null, null, null]);
    expect(read.rows('observations_told').map((row) => [row.fact, row.value])).toEqual([
      ['attempts', 1],
      ['iterations', 3],
      ['iterations_without_progress', 2],
    ]);
    expect(read.issues['progress.txt']?.map((issue) => issue.code)).toEqual(['time_without_zone']);
  });

  it('counts the second section about a story as its second attempt', async () => {
    const read = await readWith(snarktank, {
      'progress.txt': '## 2026-03-27 - US-001\n- one\n## 2026-03-28 - US-001\n- two\n',
    });
    expect(read.rows('attempts').map((row) => row.n)).toEqual([1, 2]);
    expect(read.rows('observations_told').find((row) => row.fact === 'attempts')?.value).toBe(2);
  });

  it('does not make a run of patterns alone', async () => {
    const read = await readWith(snarktank, {
      'progress.txt': '# Ralph Progress Log\n## Codebase Patterns\n- Rooms are numbered\n',
    });
    expect(read.rows('runs_told')).toEqual([]);
    expect(read.rows('log_events')).toHaveLength(2);
  });
});
