import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../shared/limits.ts';
import { type JsonNode, readJson } from './json-tree.ts';

/** The tree as the plain value `JSON.parse` would give; a member named `__proto__` stays a plain member. */
function plain(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object':
      return Object.fromEntries([...node.members].map(([key, value]) => [key, plain(value)]));
    case 'array':
      return node.items.map(plain);
    case 'null':
      return null;
    case 'not_a_number':
      return Number.NaN;
    default:
      return node.value;
  }
}

/** Every scalar of a tree, with its kind. */
function scalars(node: JsonNode): string[] {
  if (node.kind === 'object') return [...node.members.values()].flatMap(scalars);
  if (node.kind === 'array') return node.items.flatMap(scalars);
  return [node.kind === 'null' || node.kind === 'not_a_number' ? node.kind : JSON.stringify(node.value)];
}

describe('readJson', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.json()), fc.constant([])), fc.constantFrom(0, 2), (texts, indent) => {
        const value: unknown = texts.map((text): unknown => JSON.parse(text));
        const document = readJson(JSON.stringify(value, null, indent));
        expect(document.broken).toBeNull();
        expect(document.root && plain(document.root)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 200 },
    );
  });

  it('cut anywhere, it gives no value the whole text does not have', () => {
    const text = JSON.stringify(
      { a: [1, 234, -5.5e3, true, 'x\u00e9\n"y'], b: { c: null, d: 'end' } },
      null,
      1,
    );
    const whole = readJson(text);
    const known = new Set(whole.root ? scalars(whole.root) : []);
    for (let cut = 0; cut < text.length; cut += 1) {
      const { root, broken } = readJson(text.slice(0, cut));
      expect(broken?.why).toBe('cut');
      for (const scalar of root ? scalars(root) : []) expect(known).toContain(scalar);
    }
  });

  it('says which values are complete when a document breaks off', () => {
    const { root, broken } = readJson('{"features": [{"id": 1},\n {"id": 2, "score": 1');
    expect(broken).toEqual({ line: 2, why: 'cut' });
    const list = root?.kind === 'object' ? root.members.get('features') : undefined;
    const items = list?.kind === 'array' ? list.items : [];
    expect(items.map((item) => item.kind === 'object' && item.complete)).toEqual([true, false]);
    expect(items[1] && plain(items[1])).toEqual({ id: 2 });
  });

  it('knows the line of every member and every item', () => {
    const { root } = readJson('{\n "a": 1,\n "b": [\n  {"c":\n   2}\n ]\n}');
    const b = root?.kind === 'object' ? root.members.get('b') : undefined;
    expect(root?.kind === 'object' && root.members.get('a')?.line).toBe(2);
    expect(b?.line).toBe(3);
    const item = b?.kind === 'array' ? b.items[0] : undefined;
    expect(item?.line).toBe(4);
    expect(item?.kind === 'object' && item.members.get('c')?.line).toBe(4);
  });

  it('counts CRLF once, and escaped line breaks not at all', () => {
    const { root } = readJson('{\r\n "a": "x\\ny",\r\n "b": 2\r\n}');
    expect(root?.kind === 'object' && root.members.get('b')?.line).toBe(3);
  });

  it.each(['{"a": 1,}', '{"a" 1}', '[1 2]', '{a: 1}', '["\\x"]', '[01]', "['a']", '[1] [2]', '["a\nb"]'])(
    'refuses %s',
    (text) => {
      expect(readJson(text).broken?.why).toBe('invalid');
    },
  );

  it('marks NaN and Infinity, and numbers too large to hold', () => {
    const { root, broken } = readJson('[NaN, -Infinity, 1e999, 1]');
    expect(broken).toBeNull();
    expect(root?.kind === 'array' && root.items.map((item) => item.kind)).toEqual([
      'not_a_number',
      'not_a_number',
      'not_a_number',
      'number',
    ]);
  });

  it('touches no prototype and reports keys that stand twice', () => {
    const { root, duplicates } = readJson('{"__proto__": {"polluted": 1},\n"a": 1, "a": 2}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(root?.kind === 'object' && root.members.get('a')).toMatchObject({ value: 2 });
    expect(duplicates).toEqual([{ line: 2, key: 'a' }]);
  });

  it('gives up on nesting without ending the process', () => {
    const depth = 100_000;
    expect(readJson('['.repeat(depth)).broken?.why).toBe('too_deep');
    expect(readJson(`${'['.repeat(LIMITS.sourceDepth)}${']'.repeat(LIMITS.sourceDepth)}`).broken).toBeNull();
  });

  it('reads a string of several megabytes in linear time', () => {
    const text = JSON.stringify(['x\\"'.repeat(1_500_000)]);
    const { root } = readJson(text);
    expect(root?.kind === 'array' && root.items[0]?.kind === 'string' && root.items[0].value.length).toBe(
      4_500_000,
    );
  });
});
