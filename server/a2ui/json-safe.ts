const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
/** Deepest data a card holds, with room; and most values in one. */
const MAX_DEPTH = 24;
const MAX_VALUES = 200_000;

/**
 * Whether a value can be sent as data: plain objects and arrays of finite numbers, strings, booleans and null
 * (`undefined` in an object is an absent key), without keys that mean a prototype, of bounded depth and size.
 * Walks without recursion, and ends on cycles by its bounds.
 * @returns null when it can, else why not, in words for the log
 */
export function unsafeJson(value: unknown): string | null {
  const queue: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let seen = 0;
  for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
    if (++seen > MAX_VALUES) return 'too many values';
    const current = item.value;
    if (current === null || typeof current === 'string' || typeof current === 'boolean') continue;
    if (typeof current === 'number') {
      if (!Number.isFinite(current)) return 'a number that is not finite';
      continue;
    }
    if (typeof current !== 'object') return `a value of type ${typeof current}`;
    if (item.depth >= MAX_DEPTH) return 'nested too deep';
    const depth = item.depth + 1;
    if (Array.isArray(current)) {
      for (const inner of current) queue.push({ value: inner, depth });
      continue;
    }
    const prototype: unknown = Object.getPrototypeOf(current);
    if (prototype !== Object.prototype && prototype !== null) return 'an object with a class';
    for (const [key, inner] of Object.entries(current)) {
      if (FORBIDDEN.has(key)) return 'a key that names a prototype';
      if (inner !== undefined) queue.push({ value: inner, depth });
    }
  }
  return null;
}
