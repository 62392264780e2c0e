/**
 * Small readers for values that came over the wire. Each takes anything and gives the type or a safe absence;
 * none throws. (The schema library of the server is left out of the page for its weight.)
 */

export type Fields = Record<string, unknown>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value as fields; anything else is an empty record. */
export const fields = (value: unknown): Fields => (isRecord(value) ? value : {});

/** A string, or null. */
export const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** A finite number, or null. */
export const number = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** A whole number from 0 up, or 0. */
export const count = (value: unknown): number => Math.max(0, Math.trunc(number(value) ?? 0));

/**
 * Reads a list item by item, leaving out what cannot be read.
 * @param read gives null for an item to leave out
 * @param most items looked at
 */
export function list<T>(value: unknown, read: (item: unknown) => T | null, most: number): T[] {
  if (!Array.isArray(value)) return [];
  const items: T[] = [];
  for (const item of value.slice(0, most)) {
    const result = read(item);
    if (result !== null) items.push(result);
  }
  return items;
}

/** A value that is one of a fixed set, or the fallback. */
export const oneOf = <T extends string>(value: unknown, allowed: readonly T[], fallback: T): T =>
  allowed.find((candidate) => candidate === value) ?? fallback;

/** Parses JSON; undefined when it is not JSON. */
export function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}
