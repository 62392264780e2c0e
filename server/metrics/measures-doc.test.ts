import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { HARNESS_DIMENSIONS } from './dimensions.ts';
import { HARNESS_MEASURES } from './measures.ts';

const text = readFileSync(new URL('../../docs/measures.md', import.meta.url), 'utf8');
const cells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
/** Names and meanings the document lists, in its order. */
const listed = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:measure|grouping) /.test(line))
  .map(cells);

it('docs/measures.md lists every measure and grouping with its meaning, and none beside', () => {
  const known = [...HARNESS_MEASURES, ...HARNESS_DIMENSIONS].map(({ label, meaning }) => [label, meaning]);
  expect(listed.map(([label, meaning]) => [label, meaning])).toEqual(known);
});
