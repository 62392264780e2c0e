import { describe, expect, it } from 'vitest';
import { readYaml } from './yaml-tree.ts';

describe('readYaml', () => {
  it('reads maps, lists and scalars with the lines they stand on', () => {
    const { root, broken } = readYaml('a: 1\nb:\n  - x\n  - true\nc: >-\n  two\n  lines\nd:\n', 10);
    expect(broken).toBeNull();
    expect(root).toEqual({
      kind: 'object',
      complete: true,
      line: 10,
      members: new Map<string, unknown>([
        ['a', { kind: 'number', value: 1, line: 10 }],
        [
          'b',
          {
            kind: 'array',
            complete: true,
            line: 11,
            items: [
              { kind: 'string', value: 'x', line: 12 },
              { kind: 'boolean', value: true, line: 13 },
            ],
          },
        ],
        ['c', { kind: 'string', value: 'two lines', line: 14 }],
        ['d', { kind: 'null', line: 17 }],
      ]),
    });
  });

  it('leaves times as text and says what is no number', () => {
    const { root } = readYaml('at: 2026-05-04T10:00:00Z\nn: .nan');
    expect(root).toMatchObject({
      members: new Map<string, unknown>([
        ['at', { kind: 'string', value: '2026-05-04T10:00:00Z', line: 1 }],
        ['n', { kind: 'not_a_number', text: 'NaN', line: 2 }],
      ]),
    });
  });

  it('keeps what stands before a fault, and names its line', () => {
    const { root, broken } = readYaml('a: 1\nb: [1, 2\nc: 3\n');
    expect(broken).toMatchObject({ why: 'invalid' });
    expect(root?.kind).toBe('object');
  });

  it('reports keys that stand twice', () => {
    expect(readYaml('a: 1\na: 2\n').duplicates).toEqual([{ line: 2, key: 'a' }]);
  });

  it('ends where aliases stand for too many values, or nesting is too deep', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
    for (const [name, of] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg'].map((pair) => [pair[0], pair[1]]))
      bomb.push(`${name}: &${name} [${Array.from({ length: 10 }, () => `*${of}`).join(', ')}]`);
    expect(readYaml(bomb.join('\n')).broken).toMatchObject({ why: 'too_many' });
    expect(readYaml('['.repeat(100_000)).broken).not.toBeNull();
    expect(readYaml(`${'['.repeat(80)}${']'.repeat(80)}`).broken).toMatchObject({ why: 'too_deep' });
  });

  it('does not touch a prototype', () => {
    const { root } = readYaml('__proto__:\n  polluted: true\n');
    expect(root).toMatchObject({ kind: 'object' });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
