import { expect, it } from 'vitest';
import { sqlParts } from './sql-parts.ts';

it('colours keywords, parameters and literals, and loses nothing', () => {
  const sql = "SELECT a, 'it''s from' FROM t WHERE from_x = $1 AND b = ? -- and done\nLIMIT 3";
  const parts = sqlParts(sql);
  expect(parts.map((part) => part.text).join('')).toBe(sql);
  const of = (kind: 'k' | 'p' | 'c') => parts.filter((part) => part.kind === kind).map((part) => part.text);
  expect(of('k')).toEqual(['SELECT', 'FROM', 'WHERE', 'AND', 'LIMIT']);
  expect(of('p')).toEqual(['$1', '?']);
  expect(of('c')).toEqual(["'it''s from'", '-- and done']);
});

it('shows a very long query plain', () => {
  const sql = 'select '.repeat(5_000);
  expect(sqlParts(sql)).toEqual([{ at: 0, kind: null, text: sql }]);
});
