import { LIMITS } from '../../../shared/limits.ts';
import type { JsonNode } from './json-tree.ts';
import { visibleText } from './visible.ts';

type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

/** A value as plain data; what is no number is given as its text. */
export function plainOf(node: JsonNode): Plain {
  if (node.kind === 'object') {
    // Without a prototype, so that no key of a document means anything but itself.
    const out: { [key: string]: Plain } = Object.create(null);
    for (const [key, child] of node.members) out[key] = plainOf(child);
    return out;
  }
  if (node.kind === 'array') return node.items.map(plainOf);
  if (node.kind === 'null') return null;
  if (node.kind === 'not_a_number') return node.text;
  return node.kind === 'string' ? visibleText(node.value) : node.value;
}

/** A value as compact JSON text for a `data` column, cut to LIMITS.sourceText characters (it is for reading, not for parsing). */
export function plainText(node: JsonNode): string {
  const text = JSON.stringify(plainOf(node));
  return text.length <= LIMITS.sourceText ? text : `${text.slice(0, LIMITS.sourceText - 1)}…`;
}

/** The members of an object without some of them, as compact JSON text; null when none is left. */
export function restText(
  node: Extract<JsonNode, { kind: 'object' }>,
  without: readonly string[],
): string | null {
  const members = new Map([...node.members].filter(([key]) => !without.includes(key)));
  return members.size === 0 ? null : plainText({ ...node, members });
}
