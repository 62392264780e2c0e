import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { wiggum } from './wiggum.ts';

const PATH = '.claude/ralph-loop.local.md';

describe('the state of the plugin', () => {
  it('reads where its loop stands', async () => {
    const read = await readWith(wiggum, {
      [PATH]:
        '---\nactive: true\niteration: 4\nmax_iterations: 20\ncompletion_promise: "ALL LAMPS"\nstarted_at: "2026-03-01T08:00:00Z"\n---\n\nMend the lamps.\n',
    });
    expect(read.rows('runs_told')).toMatchObject([
      { status: 'running', started_at_ms: Date.UTC(2026, 2, 1, 8), source_line: 2 },
    ]);
    expect(read.rows('observations_told')).toMatchObject([
      { fact: 'iterations', value: 4, basis: 'measured', source_line: 3 },
    ]);
    expect(read.rows('log_events')[0]?.message).toBe('Active, iteration 4 of at most 20: Mend the lamps.');
  });

  it.each([
    ['no front matter', 'Mend the lamps.\n'],
    ['front matter without an end', '---\nactive: true\n'],
    ['broken YAML', '---\nactive: [\n---\n'],
    ['another shape', '---\nactive: maybe\n---\n'],
    ['aliases', '---\na: &a [1]\nactive: *a\n---\n'],
  ])('reports %s', async (_what, text) => {
    const read = await readWith(wiggum, { [PATH]: text });
    expect(read.issues[PATH]?.map((issue) => issue.code)).toEqual(['unknown_shape']);
    expect(read.rows('runs_told')).toEqual([]);
  });
});
