import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { quickstart } from './quickstart.ts';

const entry = (
  description: string,
  passes: boolean,
  steps: unknown[] = ['Open the page', 'See the lamp'],
): object => ({
  category: 'functional',
  description,
  steps,
  passes,
});

describe('feature_list.json without ids', () => {
  it('numbers features by place and text, and keeps their steps as requirements', async () => {
    const read = await readWith(quickstart, {
      'feature_list.json': JSON.stringify(
        [entry('Lamp: it glows', true), entry('Door: it opens', false)],
        null,
        1,
      ),
    });
    const ids = read.rows('features_told').map((row) => row.ext_id);
    expect(ids).toEqual([expect.stringMatching(/^1-[0-9a-f]{8}$/), expect.stringMatching(/^2-[0-9a-f]{8}$/)]);
    expect(read.rows('features_told').map((row) => [row.title, row.category, row.source_line])).toEqual([
      ['Lamp', 'functional', 2],
      ['Door', 'functional', 11],
    ]);
    expect(read.rows('observations_told').map((row) => [row.text_value, row.basis, row.source_line])).toEqual(
      [
        ['accepted', 'claimed', 9],
        ['pending', 'claimed', 18],
      ],
    );
    expect(
      read.rows('requirements_told').map((row) => [row.text, row.kind, row.claimed_pass, row.source_line]),
    ).toEqual([
      ['Open the page', 'step', true, 6],
      ['See the lamp', 'step', true, 7],
      ['Open the page', 'step', false, 15],
      ['See the lamp', 'step', false, 16],
    ]);
    expect(read.counts['feature_list.json']).toEqual({ ok: 2, bad: 0 });
  });

  it('gives two entries with one text two ids', async () => {
    const read = await readWith(quickstart, {
      'feature_list.json': JSON.stringify([entry('Lamp', true), entry('Lamp', false)]),
    });
    const ids = read.rows('features_told').map((row) => row.feature_id);
    expect(new Set(ids).size).toBe(2);
  });

  it('reports entries it cannot read', async () => {
    const read = await readWith(quickstart, {
      'feature_list.json': JSON.stringify([entry('Lamp', true, ['Open', 3]), 'Door', { passes: true }]),
    });
    expect(read.counts['feature_list.json']).toEqual({ ok: 1, bad: 2 });
    expect(read.issues['feature_list.json']?.map((issue) => issue.code)).toEqual([
      'wrong_type',
      'wrong_type',
      'missing_field',
    ]);
  });

  it('leaves the list of AgentForge alone, and its log', async () => {
    const list = JSON.stringify([
      { id: 1, category: 'scaffold', description: 'Lamp', verify: 'look', passes: true },
    ]);
    expect((await readWith(quickstart, { 'feature_list.json': list })).counts).toEqual({});
    const read = await readWith(quickstart, {
      'feature_list.json': JSON.stringify([entry('Lamp', true)]),
      'claude-progress.txt':
        '=== Feature #1 PASSED (score: 9/10, 1 attempts, 20s) — 2026-03-28T12:00:00-0700 ===\n',
    });
    expect(Object.keys(read.counts)).toEqual(['feature_list.json']);
  });

  it('keeps a progress file of free text as notes', async () => {
    const read = await readWith(quickstart, {
      'feature_list.json': JSON.stringify([entry('Lamp', true)]),
      'claude-progress.txt': '# Session 1\nBuilt the lamp.\n# Session 2\nMended it.\n',
    });
    expect(read.rows('log_events').map((row) => [row.kind, row.message])).toEqual([
      ['note', 'Session 1'],
      ['note', 'Session 2'],
    ]);
  });
});
