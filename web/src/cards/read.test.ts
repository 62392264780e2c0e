import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CARD_COMPONENTS } from '../../../shared/catalog.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { definitions } from './definitions.ts';
import { samples } from './fixtures/index.ts';
import { base, clip } from './read.ts';

describe('definitions', () => {
  it('has every card of the catalog under its own name', () => {
    expect(Object.keys(definitions).sort()).toEqual([...CARD_COMPONENTS].sort());
    for (const name of CARD_COMPONENTS) expect(definitions[name].name).toBe(name);
  });
});

describe('readers', () => {
  it.each(samples.map((sample) => [sample.data.id, sample] as const))(
    'keep %s as it was sent',
    (_, sample) => {
      const model: unknown = definitions[sample.component].read(JSON.parse(JSON.stringify(sample.data)));
      expect(model).toMatchObject(sample.data);
    },
  );

  it.each(CARD_COMPONENTS)('%s takes any value without throwing', (name) => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        (value) => {
          expect(definitions[name].read(value)).toMatchObject({ title: expect.any(String) });
        },
      ),
    );
  });

  it('bounds what it keeps', () => {
    const many = Array.from({ length: 5_000 }, () => ({}));
    const long = 'x'.repeat(1_000_000);
    const chart = definitions.LineChart.read({ title: long, series: many, points: many, y: { label: long } });
    expect(chart.title.length).toBeLessThanOrEqual(2 * LIMITS.title);
    expect(chart.series).toHaveLength(LIMITS.series);
    expect(chart.points).toHaveLength(LIMITS.points);
    const table = definitions.TableCard.read({
      columns: many,
      rows: many.map(() => [{ kind: 'text', text: long }]),
    });
    expect(table.rows).toHaveLength(LIMITS.tableRows);
    expect(JSON.stringify(table).length).toBeLessThan(LIMITS.tableRows * 12 * 600);
    const actions = definitions.NoteCard.read({
      actions: many.map(() => ({ label: 'a', request: 'b' })),
    }).actions;
    expect(actions).toHaveLength(LIMITS.actions);
  });

  it('touches no prototype', () => {
    const hostile: unknown = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    for (const name of CARD_COMPONENTS) definitions[name].read(hostile);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('gives shares that make one whole', () => {
    const { rule } = base({ rule: { measured: 3, claimed: -1, missing: 1 } });
    expect(rule).toEqual({ measured: 0.5, claimed: 0, missing: 0.5 });
    expect(base({}).rule).toEqual({ measured: 0, claimed: 0, missing: 1 });
  });
});

describe('clip', () => {
  it('cuts between characters, never inside one', () => {
    expect(clip('abcdef', 4)).toBe('abc…');
    expect(clip('ab\u{1f600}cd', 4)).toBe('ab…');
    expect(clip(7, 4)).toBe('');
  });
});
