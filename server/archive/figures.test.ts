import { describe, expect, it } from 'vitest';
import type { CardData, Figure, TableCard } from '../../shared/cards.ts';
import { LIMITS } from '../../shared/limits.ts';
import { figure, statCard } from '../answer/test-ports.ts';
import { changedFigures, labelledFigures } from './figures.ts';

const base = statCard('c0', 'How it compares', 1);
const lines = (value: number): Figure => ({ ...figure(value), unit: 'lines' });
const table = (rows: [string, number][]): TableCard => ({
  ...base,
  id: 'c1',
  type: 'table',
  title: 'Slowest',
  columns: [
    { id: 'feature', label: 'Feature', align: 'start' },
    { id: 'build_time', label: 'Build time', align: 'end' },
  ],
  rows: rows.map(([title, value]) => [
    { kind: 'feature', id: title, title },
    { kind: 'figure', figure: figure(value) },
  ]),
  total: rows.length,
});
const compare = (then: CardData[], now: CardData[]) =>
  changedFigures(labelledFigures(then), labelledFigures(now));

describe('what changed', () => {
  it('is nothing when nothing did', () => {
    const cards = [base, table([['Login', 3]])];
    expect(compare(cards, structuredClone(cards))).toEqual({ figures: [], total: 0 });
  });

  it('is said by card, label, then and now', () => {
    expect(compare([base], [statCard('c0', 'How it compares', 2)]).figures).toEqual([
      {
        card: 'How it compares',
        label: 'How it compares',
        was: { value: 1, unit: 's' },
        now: { value: 2, unit: 's' },
      },
    ]);
  });

  it('names rows that came and went', () => {
    const { figures } = compare(
      [
        table([
          ['Login', 3],
          ['Search', 2],
        ]),
      ],
      [
        table([
          ['Login', 3],
          ['Export', 9],
        ]),
      ],
    );
    expect(figures).toEqual([
      { card: 'Slowest', label: 'Export, Build time', was: null, now: { value: 9, unit: 's' } },
      { card: 'Slowest', label: 'Search, Build time', was: { value: 2, unit: 's' }, now: null },
    ]);
  });

  it('tells figures of one label apart, and a unit or a missing value from a number', () => {
    const twice = (a: number, b: number) => [
      table([
        ['Login', a],
        ['Login', b],
      ]),
    ];
    expect(compare(twice(1, 2), twice(1, 3)).total).toBe(1);
    expect(
      compare([base], [{ ...base, figures: base.figures.map((one) => ({ ...one, figure: lines(1) })) }])
        .total,
    ).toBe(1);
    expect(compare([base], [statCard('c0', 'How it compares', null)]).figures[0]?.now).toEqual({
      value: null,
      unit: 's',
    });
  });

  it('is not a card that was never shown, but is one that is gone', () => {
    expect(compare([base], [base, table([['Login', 3]])]).total).toBe(0);
    expect(compare([base, table([['Login', 3]])], [base]).total).toBe(1);
  });

  it('is bounded, and a list that was cut names no newcomers', () => {
    const many = (value: number) => [
      table(Array.from({ length: 50 }, (_, n): [string, number] => [`row ${n}`, value])),
    ];
    const { figures, total } = compare(many(1), many(2));
    expect([figures.length, total]).toEqual([LIMITS.sinceFigures, 50]);
    const rows = (from: number) => [
      table(
        Array.from({ length: LIMITS.archiveFigures + 9 }, (_, n): [string, number] => [`row ${n + from}`, 1]),
      ),
    ];
    expect(labelledFigures(rows(0))).toHaveLength(LIMITS.archiveFigures);
    expect(compare(rows(0), rows(5)).total).toBe(0);
  });
});
