import { textAt } from '../cells.ts';
import type { Row } from '../store.ts';

/** Further fields of an event (`data`), which are JSON text; an empty object when there are none. */
export function dataOf(row: Row): Readonly<Record<string, unknown>> {
  const text = textAt(row, 'data');
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** A figure among them. */
export function figureIn(data: unknown, key: string): number | null {
  const value = memberIn(data, key);
  return typeof value === 'number' ? value : null;
}

/** A member of an object; undefined when it has none of that name, or is none. */
export const memberIn = (data: unknown, key: string): unknown =>
  typeof data === 'object' && data !== null && Object.hasOwn(data, key)
    ? Object.entries(data).find(([name]) => name === key)?.[1]
    : undefined;
