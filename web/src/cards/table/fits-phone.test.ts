import { expect, it } from 'vitest';
import type { Cell } from '../../../../shared/cards.ts';
import { fitsPhone } from './DataTable.tsx';

const columns = (n: number) =>
  Array.from({ length: n }, (_, index) => ({ id: `c${index}`, label: `c${index}`, align: 'start' as const }));
const text = (words: string): Cell => ({ kind: 'text', text: words });

it('stays a table on a phone only with few columns and no sentences', () => {
  expect(fitsPhone(columns(3), [[text('a'), text('b'), text('c')]])).toBe(true);
  expect(fitsPhone(columns(4), [])).toBe(false);
  expect(fitsPhone(columns(2), [[text('a'), text('One source says two attempts, another one')]])).toBe(false);
});
