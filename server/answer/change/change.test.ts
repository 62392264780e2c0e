import { describe, expect, it } from 'vitest';
import { testProfile } from '../../planner/test-profile.ts';
import { applyChange } from './apply.ts';
import { controlsOf } from './controls.ts';

const chart = {
  type: 'chart' as const,
  title: 'Build time',
  measures: [{ measure: 'build_time', source: 'counted' }],
  by: 'feature',
  split: null,
  draw: 'bar' as const,
  order: 'largest' as const,
  size: 'some' as const,
  scope: 'about' as const,
  where: [],
  actions: [],
};
const profile = { ...testProfile, categories: ['scaffold', 'polish'], facts: ['build_time', 'score'] };
const values = (id: string, block: Parameters<typeof controlsOf>[0] = chart): string[] =>
  controlsOf(block, profile)
    .find((control) => control.id === id)
    ?.options.map(({ value }) => value) ?? [];

describe('controls of a chart', () => {
  it('offer what the semantic layer can do with its figure', () => {
    expect(values('by')).toContain('category');
    expect(values('by')).toContain('order');
    // Gates are no grouping of features.
    expect(values('by')).not.toContain('gate');
    expect(values('by')).not.toContain('project');
    expect(values('measure')).toContain('mean_score');
    // No source tells lines, so a chart of them would be empty.
    expect(values('measure')).not.toContain('lines_added');
    expect(values('category')).toEqual(['', 'scaffold', 'polish']);
  });

  it('offer a line only along an order, and shares only of what adds up', () => {
    expect(values('draw')).toEqual(['bar', 'donut']);
    expect(values('draw', { ...chart, by: 'order' })).toEqual(['bar', 'line']);
    const mean = { ...chart, measures: [{ measure: 'mean_score', source: 'counted' }] };
    // Bars alone are no choice.
    expect(values('draw', mean)).toEqual([]);
  });

  it('tell what is in force', () => {
    const only = [{ type: 'in' as const, dim: 'category', not: false, any_of: ['polish'] }];
    const found = controlsOf({ ...chart, where: only }, profile);
    expect(found.find(({ id }) => id === 'category')?.value).toBe('polish');
    expect(found.find(({ id }) => id === 'by')?.value).toBe('feature');
  });

  it('are none for a note', () => {
    expect(controlsOf({ type: 'note', title: 'x', body: [], actions: [] }, profile)).toEqual([]);
  });
});

describe('a change', () => {
  const text = JSON.stringify({
    about: { feature: null, scope: [] },
    blocks: [chart, { type: 'note', title: 'n' }],
  });
  const block = (changed: string | null, at = 0) => JSON.parse(changed ?? '{}').blocks[at];

  it.each([
    [
      { control: 'by' as const, value: 'category' },
      { by: 'category', draw: 'bar', title: 'Build time by category' },
    ],
    [
      { control: 'measure' as const, value: 'mean_score' },
      { measures: [{ measure: 'mean_score', source: 'counted' }], title: 'Mean score by feature' },
    ],
    [{ control: 'size' as const, value: 'all' }, { size: 'all' }],
    [
      { control: 'category' as const, value: 'polish' },
      { where: [{ type: 'in', dim: 'category', not: false, any_of: ['polish'] }] },
    ],
  ])('%j', (change, wanted) => {
    const next = applyChange(text, 0, change);
    expect(block(next)).toEqual({ ...chart, ...wanted });
    // Nothing else in the plan is another.
    expect(block(next, 1)).toEqual({ type: 'note', title: 'n' });
  });

  it('leaves everything in its order: what blocks use stands before them', () => {
    const written = '{"about":1,"facts":[],"blocks":[{"type":"log","size":"few","where":[]}],"followUps":[]}';
    expect(applyChange(written, 0, { control: 'size', value: 'all' })).toBe(written.replace('few', 'all'));
  });

  it('of the category keeps other filters, and can be taken back', () => {
    const where = [
      { type: 'range', dim: 'score', from: '5', to: null },
      { type: 'in', dim: 'category', not: true, any_of: ['scaffold'] },
    ];
    const given = JSON.stringify({ blocks: [{ ...chart, where }] });
    const only = applyChange(given, 0, { control: 'category', value: 'polish' });
    expect(block(only).where).toEqual([
      where[0],
      { type: 'in', dim: 'category', not: false, any_of: ['polish'] },
    ]);
    expect(block(applyChange(only ?? '', 0, { control: 'category', value: '' })).where).toEqual([where[0]]);
  });

  it.each([
    ['no JSON', 0],
    ['{"blocks":{}}', 0],
    ['{"blocks":[1]}', 0],
    [text, 7],
    [text, -1],
  ])('of what is not there is none (%#)', (given, index) => {
    expect(applyChange(given, index, { control: 'by', value: 'category' })).toBeNull();
  });

  it('of a figure needs a card with one figure', () => {
    expect(applyChange(text, 1, { control: 'measure', value: 'mean_score' })).toBeNull();
  });
});
