import type { JsonObject } from './json-fields.ts';
import type { JsonNode } from './json-tree.ts';

/**
 * Members of objects that may be there or not, in one form or another: what is of another type is taken as not there, and nothing
 * is said of it. For logs in which each version writes something else; Fields reports instead.
 */
export const memberOf = (node: JsonNode | null | undefined, key: string): JsonNode | null =>
  node?.kind === 'object' ? (node.members.get(key) ?? null) : null;

export function objectIn(node: JsonNode | null | undefined, key: string): JsonObject | null {
  const found = memberOf(node, key);
  return found?.kind === 'object' ? found : null;
}

export function textIn(node: JsonNode | null | undefined, key: string): string | null {
  const found = memberOf(node, key);
  return found?.kind === 'string' ? found.value : null;
}

export function numberIn(node: JsonNode | null | undefined, key: string): number | null {
  const found = memberOf(node, key);
  return found?.kind === 'number' ? found.value : null;
}

export function flagIn(node: JsonNode | null | undefined, key: string): boolean | null {
  const found = memberOf(node, key);
  return found?.kind === 'boolean' ? found.value : null;
}

export function listIn(node: JsonNode | null | undefined, key: string): readonly JsonNode[] {
  const found = memberOf(node, key);
  return found?.kind === 'array' ? found.items : [];
}

/** Texts of a list; members of other types are left out. */
export const textsIn = (node: JsonNode | null | undefined, key: string): string[] =>
  listIn(node, key).flatMap((one) => (one.kind === 'string' ? [one.value] : []));
