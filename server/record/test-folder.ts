import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of its own for one test, with the given files, removed when the test has finished. */
export async function testFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'looplight-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

/** Lines of a small run, written for the tests: a reset, three features, one of them disputed, one only claimed. */
export const SMALL = {
  metrics: (score = 9): string =>
    JSON.stringify(
      {
        project: 'Clockwork',
        started_at: '2026-01-02T10:00:00-07:00',
        features: [
          claimed('1', [8], '10:02:00', score),
          claimed('2', [4, 6, 9], '10:05:00'),
          { ...claimed('3', [2, 1], '10:05:00', 2), status: 'skipped' },
        ],
        totals: { tokens_coder: 100, tokens_evaluator: 20, cost_usd: 0.1, elapsed_sec: 300 },
      },
      null,
      2,
    ),
  plan: JSON.stringify(
    [
      { id: 1, category: 'scaffold', description: 'Dial: a round face', passes: true },
      { id: 2, category: 'cards', description: 'Hands: they move', passes: true },
      { id: 3, category: 'cards', description: 'Bell: it rings', passes: false, skipped: true },
    ],
    null,
    1,
  ),
  progress: `# Clockwork Progress — Night Run 2026-01-02 10:00

=== Feature #1 PASSED (score: 9/10, 1 attempts, 118s) — 2026-01-02T10:02:01-0700 ===

=== Feature #2 PASSED (score: 9/10, 1 attempts, 177s) — 2026-01-02T10:05:01-0700 ===
`,
  git: [
    ['09:00:00', 'init'],
    ['09:10:00', 'feat(#1): Dial: a round face (score: 7/10, 2 attempts)'],
    ['10:00:00', 'clean slate: night run'],
    ['10:02:00', 'feat(#1): Dial: a round face (score: 9/10, 1 attempts)'],
    ['10:05:00', 'feat(#2): Hands: they move (score: 9/10, 1 attempts)'],
    ['11:00:00', 'data: more attempts'],
  ]
    .map(([time, subject], i) =>
      JSON.stringify({
        sha: `${i + 1}`.repeat(40),
        committed_at: `2026-01-02T${time}-07:00`,
        subject,
        files: 1,
        insertions: 10 * (i + 1),
        deletions: i,
      }),
    )
    .join('\n'),
};

function claimed(id: string, scores: number[], time: string, final = scores.at(-1)): Record<string, unknown> {
  return {
    id: Number(id),
    description: 'cut short',
    category: id === '1' ? 'scaffold' : 'cards',
    status: 'passed',
    attempts: scores.map((score, i) => ({
      iteration: i + 1,
      score,
      feedback: `remark ${i + 1}`,
      tokens_coder: 30,
      tokens_evaluator: 5,
      duration_sec: scores.length === 1 ? 120 : 60,
    })),
    final_score: final,
    started_at: '2026-01-02T10:00:00-07:00',
    completed_at: `2026-01-02T${time}-07:00`,
    lines_added: id === '1' ? 40 : id === '2' ? 50 : 0,
    commit_sha: '',
  };
}

/** The small run as the files of a folder. */
export const smallFiles = (): Record<string, string> => ({
  'metrics.json': SMALL.metrics(),
  'feature_list.json': SMALL.plan,
  'claude-progress.txt': SMALL.progress,
  'git-log.jsonl': SMALL.git,
});
