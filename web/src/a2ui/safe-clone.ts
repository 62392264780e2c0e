/** Nesting and number of values read of one message; what lies beyond is left out. */
const DEPTH = 48;
const VALUES = 200_000;
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Copies JSON-like data so that the copy shares nothing with the original (the renderer keeps what it is given and
 * changes it in place), leaving out keys that could reach a prototype and anything nested too deep.
 * @param value parsed JSON
 */
export function safeClone(value: unknown): unknown {
  let left = VALUES;
  const copy = (item: unknown, depth: number): unknown => {
    left -= 1;
    if (item === null || typeof item !== 'object') return item;
    if (depth >= DEPTH || left <= 0) return null;
    if (Array.isArray(item)) return item.map((entry) => copy(entry, depth + 1));
    const result: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(item)) {
      if (!UNSAFE.has(key)) result[key] = copy(entry, depth + 1);
    }
    return result;
  };
  return copy(value, 0);
}
