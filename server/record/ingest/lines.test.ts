import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../shared/limits.ts';
import { Issues } from './issue.ts';
import { linesOf } from './lines.ts';

describe('linesOf', () => {
  it('numbers lines whatever ends them', () => {
    expect([...linesOf('a\r\n\nb\nc', new Issues())]).toEqual([
      { no: 1, text: 'a', ended: true },
      { no: 2, text: '', ended: true },
      { no: 3, text: 'b', ended: true },
      { no: 4, text: 'c', ended: false },
    ]);
  });

  it('leaves out a line that is too long, and keeps the numbers of the others', () => {
    const issues = new Issues();
    const lines = [...linesOf(`a\n${'x'.repeat(LIMITS.lineBytes + 1)}\nb`, issues)];
    expect(lines.map((line) => [line.no, line.text])).toEqual([
      [1, 'a'],
      [2, ''],
      [3, 'b'],
    ]);
    expect(issues.list()).toMatchObject([{ code: 'line_too_long', line: 2 }]);
  });

  it('caps what it reports', () => {
    const issues = new Issues();
    for (let i = 0; i < LIMITS.sourceIssues + 5; i += 1) issues.add('unknown_line', 'warning', i, 'x');
    expect(issues.list()).toHaveLength(LIMITS.sourceIssues + 1);
    expect(issues.list().at(-1)).toMatchObject({
      code: 'too_many_entries',
      detail: expect.stringContaining('5 more'),
    });
  });
});
