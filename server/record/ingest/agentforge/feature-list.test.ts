import { describe, expect, it } from 'vitest';
import { readFeatureList } from './feature-list.ts';

describe('readFeatureList', () => {
  it('reads how each feature of the plan stands', () => {
    const text = JSON.stringify([
      { id: 1, category: 'cards', description: 'One: a card', verify: 'it shows', passes: true },
      { id: 2, category: 'cards', description: 'Two', passes: false, skipped: true },
      { id: 3, category: 'cards', description: 'Three', passes: false },
    ]);
    const reading = readFeatureList(text);
    expect(reading.issues).toEqual([]);
    expect(
      reading.entries.map((entry) => [entry.feature, entry.facts[0]?.text, entry.facts[0]?.basis]),
    ).toEqual([
      ['1', 'accepted', 'claimed'],
      ['2', 'skipped', 'claimed'],
      ['3', 'pending', 'claimed'],
    ]);
  });

  it('reads what is whole, and reports the rest', () => {
    const reading = readFeatureList(
      '[{"id": 1, "passes": true},\n 7, {"id": "", "passes": true}, {"id": 2},\n{"id": 3, "pas',
    );
    expect(reading.entries.map((entry) => entry.feature)).toEqual(['1', '2']);
    expect(reading.issues.map((issue) => [issue.code, issue.line])).toEqual([
      ['wrong_type', 2],
      ['wrong_type', 2],
      ['missing_field', 2],
      ['missing_field', 2],
      ['json_cut', 3],
    ]);
  });

  it.each([['{}'], ['3'], ['']])('reports %j', (text) => {
    expect(readFeatureList(text).issues[0]).toMatchObject({ code: 'unknown_shape', severity: 'error' });
  });
});
