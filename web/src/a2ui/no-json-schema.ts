/**
 * Stands in for `zod-to-json-schema` in the page. The renderer's library wants it only to describe catalogs written
 * inline to a server; ours is known to the server by its id, so none is ever described.
 */
export function zodToJsonSchema(): Record<string, never> {
  return {};
}
