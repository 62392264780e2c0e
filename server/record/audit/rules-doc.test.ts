import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { RULES } from './index.ts';

describe('docs/rules.md', () => {
  it('lists every rule with its sentence, and no other', async () => {
    const text = await readFile(new URL('../../../docs/rules.md', import.meta.url), 'utf8');
    const rows = text.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows).toEqual(RULES.map(({ id, sentence }) => `| \`${id}\` | ${sentence} |`));
  });

  it('has one id for each rule', () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  });
});
